//! `record_event`: something happened that is worth remembering.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::*;
use twicetold_world::State;

use crate::menu::{Form, one_of, variants, words};
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, clean, narrating, text};

pub(crate) struct RecordEvent;

/// How it is remembered.
#[derive(Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// For a while.
    Notable,
    /// For ever, for the whole table: an alliance, a discovery, a promise.
    Important,
    /// A turning point of the story.
    Milestone,
}

/// Arguments of `record_event`.
#[derive(Deserialize, JsonSchema)]
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
            Kind::Important => Accepted::one(ImportantEventRecorded { text }),
            Kind::Milestone => Accepted::one(MilestoneReached { text }),
        })
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        vec![Form::new().must("kind", one_of(variants::<Kind>())).must("text", words(state))]
    }

    fn canonical(_: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        vec![json!({"kind": arguments.kind, "text": clean(&arguments.text)})]
    }
}
