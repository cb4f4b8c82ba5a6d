//! Profiles of new characters, which the memory seat writes.

use serde::Deserialize;
use twicetold_event::{CallId, Check, NpcProfileKept, NpcProfiled};
use twicetold_model::Reply;
use twicetold_world::Pending;

use crate::table::{Next, Table};

/// Bytes of one field of a profile: two sentences.
const PROFILE_FIELD_BYTES_MAX: usize = 400;
/// Motivations of a character.
const MOTIVATIONS_MAX: usize = 3;

/// A profile as the memory seat writes it.
#[derive(Debug, Deserialize)]
struct Profile {
    #[serde(default)]
    appearance: String,
    #[serde(default)]
    personality: String,
    #[serde(default)]
    motivations: Vec<String>,
    #[serde(default)]
    location: String,
    #[serde(default)]
    notes: String,
}

/// A profile came, or did not.
pub(super) fn replied(table: &mut Table<'_>, call: CallId, reply: Option<&Reply>) -> Next {
    let pending = table.state().conversations().pending.front().cloned();
    let Some(Pending::Profile { npc }) = pending else { return Next::Stop };
    let read = match reply {
        Some(reply) => profile(&reply.text),
        None => Err(Check::new("no_reply")),
    };
    match read {
        Ok(read) => {
            let known = table.state().npcs().get(&npc).map(|npc| npc.location.clone()).unwrap_or_default();
            let location = if read.location.is_empty() { known } else { read.location };
            table.emit(NpcProfiled {
                npc,
                call,
                appearance: read.appearance,
                personality: read.personality,
                motivations: read.motivations,
                location,
                notes: read.notes,
            });
        }
        Err(reason) => table.emit(NpcProfileKept { npc, reason }),
    }
    Next::AfterTurn
}

/// The first JSON object of a reply, as a profile; or what is wrong with it.
fn profile(text: &str) -> Result<Profile, Check> {
    let start = text.find('{').ok_or_else(|| Check::new("no_json_object"))?;
    let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Profile>();
    let read = stream.next().ok_or_else(|| Check::new("no_json_object"))?;
    let read = read.map_err(|error| Check::new("not_a_profile").with("fault", error))?;
    let field = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text[..text.floor_char_boundary(PROFILE_FIELD_BYTES_MAX)].to_owned()
    };
    let motivations: Vec<String> =
        read.motivations.iter().map(|text| field(text)).filter(|text| !text.is_empty()).collect();
    let read = Profile {
        appearance: field(&read.appearance),
        personality: field(&read.personality),
        motivations: motivations.into_iter().take(MOTIVATIONS_MAX).collect(),
        location: field(&read.location),
        notes: field(&read.notes),
    };
    if read.appearance.is_empty() && read.personality.is_empty() && read.motivations.is_empty() {
        return Err(Check::new("empty_profile"));
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_read_from_words_around_it_and_an_empty_one_is_refused() {
        let read =
            profile("Here: ```json\n{\"appearance\": \"tall\", \"motivations\": [\"tea\"]}\n```").unwrap();
        assert_eq!((read.appearance.as_str(), read.motivations.len()), ("tall", 1));
        assert!(profile("nothing").is_err() && profile("{\"notes\": \"x\"}").is_err());
        assert!(profile("{\"appearance\": 7}").unwrap_err().rule == "not_a_profile");
    }
}
