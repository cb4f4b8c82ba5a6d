//! `end_dialogue`: the conversation is over; what was said with this call is its farewell.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{DialogueEnd, DialogueEnded, Seat};
use twicetold_world::State;

use crate::menu::Form;
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, in_dialogue, open_dialogue};

pub(crate) struct EndDialogue;

/// Arguments of `end_dialogue`: none.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {}

impl Definition for EndDialogue {
    const NAME: &'static str = "end_dialogue";
    const DESCRIPTION: &'static str = "End this conversation, when it has come to its end or the other has said goodbye. Say your farewell in the same reply.";
    const FOLLOW: Follow = Follow::Ends;
    const TELLS: bool = true;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        in_dialogue(state, seat)
    }

    fn decide(state: &State, _: Caller, Arguments {}: Arguments) -> Decision {
        let (dialogue, npc) = open_dialogue(state)?;
        let exchanges = dialogue.exchanges;
        let (dialogue, npc, why) = (dialogue.number, npc.id.clone(), DialogueEnd::Tool);
        Ok(Accepted::one(DialogueEnded { dialogue, npc, why, exchanges }))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        if open_dialogue(state).is_ok() { vec![Form::new()] } else { Vec::new() }
    }

    fn canonical(_: &State, _: Seat, Arguments {}: Arguments) -> Vec<Value> {
        vec![json!({})]
    }
}
