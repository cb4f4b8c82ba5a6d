//! `record_event`: something happened that is worth remembering.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::*;
use twicetold_world::{Npc, State};

use crate::menu::{Form, one_of, variants, words};
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, clean, narrating, text};

pub(crate) struct RecordEvent;

#[derive(Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// For a while.
    Notable,
    /// For ever: an alliance, a discovery, a promise.
    Important,
    /// A turning point.
    Milestone,
}

/// Arguments of `record_event`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    kind: Kind,
    text: String,
}

impl Definition for RecordEvent {
    const NAME: &'static str = "record_event";
    const DESCRIPTION: &'static str = "Record what is worth remembering.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let text = text(state, "text", &arguments.text)?;
        Ok(match arguments.kind {
            Kind::Notable => Accepted::one(NotableEventRecorded { text }),
            Kind::Important => {
                let witnesses = witnesses(state, &text);
                Accepted::one(ImportantEventRecorded { text, witnesses })
            }
            Kind::Milestone => Accepted::one(MilestoneReached { text }),
        })
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        vec![Form::new().must("kind", one_of(variants(Self::NAME, "kind"))).must("text", words(state))]
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        vec![json!({"kind": arguments.kind, "text": clean(&arguments.text)})]
    }
}

/// The characters of this encounter whom a text names. A word of a name counts where it is long enough and nobody else is called so.
fn witnesses(state: &State, text: &str) -> Vec<String> {
    let Some(encounter) = state.encounter() else { return Vec::new() };
    let party = state.characters().values().map(|character| character.sheet.name.as_str());
    let names: Vec<&str> = state.npcs().all().map(|npc| npc.name.as_str()).chain(party).collect();
    let is_named = |npc: &Npc| {
        let own = |word: &&str| {
            let others = names.iter().filter(|name| **name != npc.name);
            word.chars().count() >= NAME_LETTERS_MIN
                && word.starts_with(char::is_uppercase)
                && others.flat_map(|name| name.split_whitespace()).all(|other| other != *word)
        };
        has_word(text, &npc.name) || npc.name.split_whitespace().filter(own).any(|word| has_word(text, word))
    };
    let here =
        state.npcs().all().filter(|npc| npc.encounter == encounter.id && npc.status == NpcStatus::Active);
    here.filter(|npc| is_named(npc)).map(|npc| npc.id.clone()).collect()
}

/// Shorter words of a name are often no name: `Big`, `Old`, `The`.
const NAME_LETTERS_MIN: usize = 4;

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        !text[..start].ends_with(char::is_alphanumeric)
            && !text[start + word.len()..].starts_with(char::is_alphanumeric)
    })
}
