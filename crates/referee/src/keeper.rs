//! What the keeper of memory writes besides the running summary: what is kept of a dialogue, and profiles of new characters.

use serde::Deserialize;
use twicetold_event::*;
use twicetold_model::Reply;
use twicetold_projection::{speaker, words};
use twicetold_world::Pending;

use crate::Campaign;
use crate::session_zero::first_sentences;

/// Bytes of one field of a profile: two sentences.
const PROFILE_FIELD_BYTES_MAX: usize = 400;
/// Motivations of a character.
const MOTIVATIONS_MAX: usize = 3;

/// A profile as the keeper of memory writes it.
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

impl Campaign {
    /// Asks for the oldest work that is pending; true when the table now waits for it.
    pub(crate) fn ask_the_keeper(&mut self) -> bool {
        let purpose = match self.state.conversations().pending.front() {
            Some(Pending::DialogueSummary { dialogue, .. }) => {
                Purpose::DialogueSummary { dialogue: *dialogue }
            }
            Some(Pending::Profile { npc }) => match self.state.npcs().place(npc) {
                Some(npc) => Purpose::Profile { npc },
                None => return false,
            },
            None => return false,
        };
        self.request(Seat::Memory, purpose);
        true
    }

    /// What is kept of a dialogue came, or did not.
    pub(crate) fn dialogue_summarised(&mut self, call: CallId, reply: Option<&Reply>) {
        let pending = self.state.conversations().pending.front().cloned();
        let Some(Pending::DialogueSummary { dialogue, npc, seats }) = pending else { return };
        let most = self.state.setup().limits.dialogue_summary_bytes_max as usize;
        let read = reply.map(|reply| parts(&reply.text, most));
        match read.filter(|read| !read.summary.is_empty()) {
            Some(read) => {
                let text = |range: std::ops::Range<usize>| Text::Reply {
                    call,
                    start: range.start as u32,
                    end: range.end as u32,
                };
                let summary = text(read.summary);
                self.emit(DialogueSummarised {
                    dialogue,
                    npc: npc.clone(),
                    seats,
                    text: summary,
                    fallback: false,
                });
                let most = self.state.setup().limits.facts_learned_max as usize;
                for fact in read.facts.into_iter().take(most) {
                    self.emit(FactLearned { dialogue, npc: npc.clone(), text: text(fact) });
                }
            }
            None => {
                let text = Text::Written(self.dialogue_by_rule(&npc, dialogue, most));
                self.emit(DialogueSummarised { dialogue, npc, seats, text, fallback: true });
            }
        }
        self.after_the_turn();
    }

    /// What is kept of a dialogue without a model: who spoke, and the first sentence of each message.
    fn dialogue_by_rule(&self, npc: &str, dialogue: u32, most: usize) -> String {
        let Some(npc) = self.state.npcs().get(npc) else { return String::new() };
        let ended =
            npc.history.kept.iter().filter(
                |kept| matches!(&kept.event, Event::DialogueEnded(word) if word.dialogue != dialogue),
            );
        let since = ended.map(|kept| kept.origin).next_back().unwrap_or_default();
        let said = npc.history.kept.iter().filter(|kept| kept.origin > since);
        let lines: Vec<String> = said
            .filter_map(|kept| match &kept.event {
                Event::MessageSpoken(word) if matches!(word.channel, Channel::Dialogue(_)) => {
                    let text = first_sentences(words(&self.replies, &word.text), 120);
                    Some(format!("{}: {text}", speaker(&self.state, word)))
                }
                _ => None,
            })
            .collect();
        first_sentences(&lines.join(" "), most)
    }

    /// A profile came, or did not.
    pub(crate) fn profiled(&mut self, call: CallId, reply: Option<&Reply>) {
        let pending = self.state.conversations().pending.front().cloned();
        let Some(Pending::Profile { npc }) = pending else { return };
        let read = match reply {
            Some(reply) => profile(&reply.text),
            None => Err(Check::new("no_reply")),
        };
        match read {
            Ok(read) => {
                let known = self.state.npcs().get(&npc).map(|npc| npc.location.clone()).unwrap_or_default();
                let location = if read.location.is_empty() { known } else { read.location };
                self.emit(NpcProfiled {
                    npc,
                    call,
                    appearance: read.appearance,
                    personality: read.personality,
                    motivations: read.motivations,
                    location,
                    notes: read.notes,
                });
            }
            Err(reason) => self.emit(NpcProfileKept { npc, reason }),
        }
        self.after_the_turn();
    }

    /// What each character of the encounter that is over keeps in mind of it.
    pub(crate) fn write_memories_back(&mut self) {
        let Some(over) = self.state.encounters_over().last() else { return };
        let setup = self.state.setup();
        let title = setup.encounters.iter().find(|spec| spec.id == over.id).map_or("", |spec| &spec.title);
        let reached = Values::default().with("title", title);
        let reached = match &over.outcome {
            Some((_, label)) => reached.with("outcome", label.trim_end_matches('.')),
            None => reached,
        };
        let here = self.state.npcs().all().filter(|npc| npc.encounter == over.id);
        let fresh = here.filter(|npc| npc.memories.iter().all(|memory| memory.encounter != over.id));
        let remembered: Vec<NpcRemembered> = fresh
            .map(|npc| {
                let spoke = npc.dialogues.iter().flat_map(|past| &past.seats);
                let mut names: Vec<String> = spoke.map(|seat| self.state.seat_name(*seat)).collect();
                names.sort();
                names.dedup();
                let values = match names.is_empty() {
                    true => reached.clone(),
                    false => reached.clone().with("talked", names.join(", ")),
                };
                let values = values.with("trust", npc.trust);
                let (npc, memory_key) = (npc.id.clone(), npc.memory_key.clone());
                NpcRemembered { npc, memory_key, encounter: over.id.clone(), values }
            })
            .collect();
        remembered.into_iter().for_each(|event| self.emit(event));
    }
}

/// A reply about a dialogue: the summary, and below it facts, each in a line that begins with a hyphen.
struct Parts {
    summary: std::ops::Range<usize>,
    facts: Vec<std::ops::Range<usize>>,
}

fn parts(text: &str, most: usize) -> Parts {
    let mut facts = Vec::new();
    let mut end = text.len();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let fact = trimmed.strip_prefix("- ").or_else(|| trimmed.strip_prefix("* ")).map(str::trim);
        if let Some(fact) = fact.filter(|fact| !fact.is_empty()) {
            end = end.min(at);
            let start = at + line.find(fact).unwrap_or(0);
            facts.push(start..start + fact.floor_char_boundary(PROFILE_FIELD_BYTES_MAX).min(fact.len()));
        }
        at += line.len();
    }
    let whole = &text[..end];
    let start = whole.len() - whole.trim_start().len();
    let end = text.floor_char_boundary((start + whole.trim().len()).min(start + most));
    Parts { summary: start..end.max(start), facts }
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
    fn a_reply_about_a_dialogue_is_a_summary_and_the_facts_below_it() {
        let text = " They agreed.\nShe left.\n- Kira cannot swim.\n- \n* He owes her two boats.\n";
        let read = parts(text, 900);
        assert_eq!(&text[read.summary], "They agreed.\nShe left.");
        let facts: Vec<&str> = read.facts.into_iter().map(|fact| &text[fact]).collect();
        assert_eq!(facts, ["Kira cannot swim.", "He owes her two boats."]);
        assert_eq!(parts("Ünlängst", 1).summary.len(), 0);
    }

    #[test]
    fn a_profile_is_read_from_words_around_it_and_an_empty_one_is_refused() {
        let read =
            profile("Here: ```json\n{\"appearance\": \"tall\", \"motivations\": [\"tea\"]}\n```").unwrap();
        assert_eq!((read.appearance.as_str(), read.motivations.len()), ("tall", 1));
        assert!(profile("nothing").is_err() && profile("{\"notes\": \"x\"}").is_err());
        assert!(profile("{\"appearance\": 7}").unwrap_err().rule == "not_a_profile");
    }
}
