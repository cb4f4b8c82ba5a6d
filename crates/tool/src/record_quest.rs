//! `record_quest`: somebody asked something of the party, or it is done.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::*;
use twicetold_world::{State, fold};

use crate::menu::{Form, one_of, sayable, truth, words};
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, clean, narrating, text};

pub(crate) struct RecordQuest;

/// Arguments of `record_quest`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A sentence, the same when it is done.
    quest: String,
    done: Option<bool>,
}

impl Definition for RecordQuest {
    const NAME: &'static str = "record_quest";
    const DESCRIPTION: &'static str = "Record what somebody asked of the party, or that it is done.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        if arguments.done != Some(true) {
            return Ok(Accepted::one(QuestAdded { text: text(state, "quest", &arguments.quest)? }));
        }
        let Some(known) = known(state, &arguments.quest) else {
            let quests = &state.facts().quests;
            let open = quests.iter().filter(|quest| !quest.2).map(|quest| quest.1.as_str());
            let open = open.collect::<Vec<_>>().join("; ");
            let rejection = Rejection::new("unknown_quest").quoting("quest", &arguments.quest, 80);
            return Err(rejection.with("open", open));
        };
        Ok(Accepted::one(QuestCompleted { text: known.clone() }))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let quests = state.facts().quests.iter().map(|(_, text, _)| text);
        let quests = quests.filter(|text| sayable(state, text) && known(state, text) == Some(text));
        vec![
            Form::new().must("quest", words(state)),
            Form::new().must("quest", one_of(quests)).must("done", truth()),
        ]
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        if arguments.done != Some(true) {
            return vec![json!({"quest": clean(&arguments.quest)})];
        }
        vec![json!({"quest": known(state, &arguments.quest).unwrap_or(&arguments.quest), "done": true})]
    }
}

/// A quest of the party's, by its text.
fn known<'a>(state: &'a State, text: &str) -> Option<&'a String> {
    let wanted = fold(text);
    state.facts().quests.iter().map(|(_, known, _)| known).find(|known| fold(known) == wanted)
}
