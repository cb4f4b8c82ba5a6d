//! `query_session_memory`: what was written down is found again, however long ago.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{Answer, MemoryQueried, MemoryQuery, Phase, Seat};
use twicetold_world::{Npc, NpcKind, Origin, State};

use crate::menu::{Form, call, given, one_of, texts, variants};
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, clean, too_long};

/// The first entries are shown however many there are: how a campaign began is asked for most.
const FIRST_SHOWN: usize = 5;
/// Words to look for: more is not a search.
const TEXT_BYTES_MAX: usize = 200;

pub(crate) struct QuerySessionMemory;

#[derive(Clone, Copy, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    ImportantEvents,
    SupportingNpcs,
    All,
}

/// Arguments of `query_session_memory`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    query_type: Kind,
    /// Words that it holds.
    text: Option<String>,
}

impl Definition for QuerySessionMemory {
    const NAME: &'static str = "query_session_memory";
    const DESCRIPTION: &'static str = "Find what you have forgotten: important events and people.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
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
        let companion = companion(state, caller.seat);
        if companion.is_some() && query != MemoryQuery::ImportantEvents {
            return Err(Rejection::new("not_known"));
        }
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let most = state.setup().limits.argument_bytes_max as usize;
        let mut answer = Vec::new();
        if query != MemoryQuery::SupportingNpcs {
            section(&mut answer, "events", matching(events(state, companion), &words), most / 2);
        }
        if query != MemoryQuery::ImportantEvents {
            section(&mut answer, "people", matching(people(state, caller.seat), &words), most / 2);
        }
        Ok(Accepted::one(MemoryQueried { seat: caller.seat, query, text, answer }))
    }

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        let kinds = match companion(state, seat) {
            Some(_) => one_of([json!(Kind::ImportantEvents).as_str().unwrap_or_default()]),
            None => one_of(variants(Self::NAME, "query_type")),
        };
        vec![Form::new().must("query_type", kinds).may("text", texts(TEXT_BYTES_MAX))]
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        vec![call(json!({"query_type": arguments.query_type, "text": given(arguments.text.as_deref())}))]
    }
}

/// The character as whom the DM speaks in a dialogue, who knows only what happened before its eyes.
fn companion(state: &State, seat: Seat) -> Option<&Npc> {
    let dialogue = state.dialogue().filter(|_| seat == Seat::Dm)?;
    state.npcs().get(&dialogue.npc)
}

/// Everything that was to be remembered for ever; of it, for a companion, what it was part of.
fn events(state: &State, companion: Option<&Npc>) -> Vec<Answer> {
    let all = state.facts().important.all();
    let event = |(_, text): &(Origin, String)| Answer::new("event").with("text", text);
    match companion {
        None => all.iter().map(event).collect(),
        Some(npc) => state.witnessed(npc).map(event).collect(),
    }
}

/// The people who came up in play: all for the DM, for a player those whom the party met, and only what can be seen of them.
fn people(state: &State, seat: Seat) -> Vec<Answer> {
    let came_up = state.npcs().all().filter(|npc| npc.kind != NpcKind::Campaign);
    let known = came_up.filter(|npc| seat == Seat::Dm || state.facts().npcs.contains_key(&npc.id));
    known.map(|npc| if seat == Seat::Dm { whole(npc) } else { seen(npc) }).collect()
}

/// What somebody is to the story: a word of the program's, or as the campaign has it.
pub(crate) fn role(answer: Answer, npc: &Npc) -> Answer {
    match npc.kind_name() {
        Some(kind) => answer.with("kind", kind),
        None => answer.with("role", &npc.description),
    }
}

fn seen(npc: &Npc) -> Answer {
    let looks = npc.profile.as_ref().map(|profile| profile.appearance.as_str()).unwrap_or_default();
    let answer = role(Answer::new("person_seen").with("name", &npc.name), npc);
    answer.with("place", &npc.location).with("looks", looks)
}

fn whole(npc: &Npc) -> Answer {
    let answer = role(Answer::new("person").with("name", &npc.name), npc);
    let answer = answer.with("id", &npc.id).with("place", &npc.location).with("about", &npc.persona);
    let answer = match &npc.profile {
        Some(profile) => answer
            .with("looks", &profile.appearance)
            .with("is", &profile.personality)
            .with("wants", profile.motivations.join(", "))
            .with("notes", &profile.notes),
        None => answer,
    };
    answer.with("monster", &npc.monster).with("status", npc.status.name())
}

fn matching(lines: Vec<Answer>, words: &[String]) -> Vec<Answer> {
    let occurs = |line: &Answer| {
        let values: Vec<String> = line.values.0.iter().map(|(_, value)| value.to_lowercase()).collect();
        words.iter().all(|word| values.iter().any(|value| value.contains(word.as_str())))
    };
    lines.into_iter().filter(occurs).collect()
}

/// The first few, then as many of the newest as there is room for, and how many lie between.
fn section(answer: &mut Vec<Answer>, heading: &str, lines: Vec<Answer>, most: usize) {
    if lines.is_empty() {
        answer.push(Answer::new(&format!("no_{heading}")));
        return;
    }
    answer.push(Answer::new(heading));
    let numbered: Vec<Answer> = (1..).zip(lines).map(|(number, line)| line.with("number", number)).collect();
    let first = numbered.len().min(FIRST_SHOWN);
    let mut room = most.saturating_sub(numbered[..first].iter().map(bytes).sum());
    let mut from = numbered.len();
    while from > first && bytes(&numbered[from - 1]) <= room {
        room -= bytes(&numbered[from - 1]);
        from -= 1;
    }
    for line in &numbered[..first] {
        let mut line = line.clone();
        for (_, value) in &mut line.values.0 {
            value.truncate(crate::dice::shorten(value, most).len());
        }
        answer.push(line);
    }
    if from > first {
        answer.push(Answer::new("left_out").with("left", from - first));
    }
    answer.extend_from_slice(&numbered[from..]);
}

/// About what a line takes: its values, and some signs between them.
fn bytes(line: &Answer) -> usize {
    line.values.0.iter().map(|(_, value)| value.len() + 2).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_thousand_is_shown_and_so_is_the_newest() {
        let event = |number| Answer::new("event").with("text", format!("event number {number}"));
        let lines: Vec<Answer> = (1..=1_000).map(event).collect();
        let mut answer = Vec::new();
        section(&mut answer, "events", lines.clone(), 600);
        let told = |line: &Answer, text: &str| line.values.get("text") == Some(text);
        assert!(told(&answer[1], "event number 1") && told(&answer[answer.len() - 1], "event number 1000"));
        assert!(answer.iter().any(|line| line.text == "left_out"));
        assert!(answer.iter().map(bytes).sum::<usize>() < 900);
        let found = matching(lines, &["number".into(), "517".into()]);
        assert_eq!(found, [event(517)]);
    }
}
