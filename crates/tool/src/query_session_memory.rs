//! `query_session_memory`: what was written down is found again, however long ago.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::{MemoryQueried, MemoryQuery, Phase, Seat};
use twicetold_world::{Npc, NpcKind, State};

use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, clean, too_long};

/// The first entries are shown however many there are: how a campaign began is asked for most.
const FIRST_SHOWN: usize = 5;
/// Words to look for: more is not a search.
const TEXT_BYTES_MAX: usize = 200;

pub(crate) struct QuerySessionMemory;

/// What is asked for.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// What must not be forgotten.
    ImportantEvents,
    /// People who came up in play.
    SupportingNpcs,
    /// Both.
    All,
}

/// Arguments of `query_session_memory`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What you want to recall.
    query_type: Kind,
    /// Words that must occur in it; everything when left out.
    text: Option<String>,
}

impl Definition for QuerySessionMemory {
    const NAME: &'static str = "query_session_memory";
    const DESCRIPTION: &'static str = "Recall what was written down earlier in this campaign: important events and people. It costs nothing.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        seat != Seat::Memory && state.phase() == Phase::Play
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let text = clean(arguments.text.as_deref().unwrap_or_default());
        if text.len() > TEXT_BYTES_MAX {
            return Err(too_long("text", &text, TEXT_BYTES_MAX));
        }
        let query = match arguments.query_type {
            Kind::ImportantEvents => MemoryQuery::ImportantEvents,
            Kind::SupportingNpcs => MemoryQuery::SupportingNpcs,
            Kind::All => MemoryQuery::All,
        };
        let companion = state.dialogue().filter(|_| caller.seat == Seat::Dm);
        let companion = companion.and_then(|dialogue| state.npcs().get(&dialogue.npc));
        if companion.is_some() && query != MemoryQuery::ImportantEvents {
            return Err(Rejection::new("not_known"));
        }
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let most = state.setup().limits.argument_bytes_max as usize;
        let mut answer = String::new();
        if query != MemoryQuery::SupportingNpcs {
            let found = matching(events(state, companion), &words);
            section(&mut answer, "Important events", &found, most / 2);
        }
        if query != MemoryQuery::ImportantEvents {
            let found = matching(people(state, caller.seat), &words);
            section(&mut answer, "Supporting characters", &found, most / 2);
        }
        Ok(Accepted::one(MemoryQueried { seat: caller.seat, query, text, answer }))
    }
}

/// Everything that was to be remembered for ever; of it, for a companion, what happened before its eyes.
fn events(state: &State, companion: Option<&Npc>) -> Vec<String> {
    let all = state.facts().important.all();
    match companion {
        None => all.iter().map(|(_, text)| text.clone()).collect(),
        Some(npc) => {
            let seen = npc.witnessed.iter().filter_map(|place| all.get(*place as usize));
            seen.map(|(_, text)| text.clone()).collect()
        }
    }
}

/// The people who came up in play: all for the DM, for a player those whom the party met, and only what can be seen of them.
fn people(state: &State, seat: Seat) -> Vec<String> {
    let came_up = state.npcs().all().filter(|npc| npc.kind != NpcKind::Campaign);
    let known = came_up.filter(|npc| seat == Seat::Dm || state.facts().npcs.contains_key(&npc.id));
    known.map(|npc| if seat == Seat::Dm { whole(npc) } else { seen(npc) }).collect()
}

fn seen(npc: &Npc) -> String {
    let looks = npc.profile.as_ref().map(|profile| profile.appearance.as_str()).unwrap_or_default();
    format!("{} ({}), {}. {looks}", npc.name, npc.description, npc.location).trim().to_owned()
}

fn whole(npc: &Npc) -> String {
    let mut line = format!("{} [{}] id {} ({})", npc.name, npc.description, npc.id, npc.location);
    if !npc.persona.is_empty() {
        line += &format!(": {}", npc.persona);
    }
    if let Some(profile) = &npc.profile {
        line += &format!(
            " Looks: {} Is: {} Wants: {}. Notes: {}",
            profile.appearance,
            profile.personality,
            profile.motivations.join(", "),
            profile.notes
        );
    }
    if !npc.monster.is_empty() {
        line += &format!(" Fights as {}.", npc.monster);
    }
    format!("{line} ({})", npc.status.name())
}

fn matching(lines: Vec<String>, words: &[String]) -> Vec<String> {
    let occurs = |line: &String| {
        let line = line.to_lowercase();
        words.iter().all(|word| line.contains(word.as_str()))
    };
    lines.into_iter().filter(occurs).collect()
}

/// The first few, then as many of the newest as there is room for, and how many lie between.
fn section(answer: &mut String, heading: &str, lines: &[String], most: usize) {
    if !answer.is_empty() {
        answer.push('\n');
    }
    if lines.is_empty() {
        *answer += &format!("{heading}: none");
        return;
    }
    let numbered: Vec<String> =
        lines.iter().enumerate().map(|(place, line)| format!("{}. {line}", place + 1)).collect();
    let first = numbered.len().min(FIRST_SHOWN);
    let mut room = most.saturating_sub(numbered[..first].iter().map(|line| line.len() + 1).sum());
    let mut from = numbered.len();
    while from > first && numbered[from - 1].len() < room {
        room -= numbered[from - 1].len() + 1;
        from -= 1;
    }
    *answer += &format!("{heading}:");
    for line in &numbered[..first] {
        *answer += &format!("\n{}", crate::dice::shorten(line, most));
    }
    if from > first {
        *answer += &format!("\n… {} more; ask with words that occur in them", from - first);
    }
    for line in &numbered[from..] {
        *answer += &format!("\n{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_thousand_is_shown_and_so_is_the_newest() {
        let lines: Vec<String> = (1..=1_000).map(|number| format!("event number {number}")).collect();
        let mut answer = String::new();
        section(&mut answer, "Important events", &lines, 600);
        assert!(answer.contains("\n1. event number 1\n") && answer.ends_with("1000. event number 1000"));
        assert!(answer.contains(" more; ask with words") && answer.len() < 900, "{}", answer.len());
        let found = matching(lines, &["number".into(), "517".into()]);
        assert_eq!(found, ["event number 517"]);
    }
}
