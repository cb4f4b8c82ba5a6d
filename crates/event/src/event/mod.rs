//! What was decided: immutable, past tense, one small frozen struct per type.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

#[macro_use]
mod catalogue;

mod audience;
mod memory;
#[macro_use]
mod campaign;
#[macro_use]
mod combat;
#[macro_use]
mod dialogue;
#[macro_use]
mod encounter;
#[macro_use]
mod facts;
#[macro_use]
mod foreign;
#[macro_use]
mod party;
#[macro_use]
mod people;
#[macro_use]
mod session_zero;
#[macro_use]
mod speech;
#[macro_use]
mod tools;

pub use campaign::*;
pub use combat::*;
pub use dialogue::*;
pub use encounter::*;
pub use facts::*;
pub use foreign::*;
pub use memory::*;
pub use party::*;
pub use people::*;
pub use session_zero::*;
pub use speech::*;
pub use tools::*;

use audience::{
    all, dm, of_the_section, owner_and_dm, stated, those_who_talked, who_asked_campaign, who_asked_memory,
    who_chose,
};

// Each family's events stand beside their structs, a line each: type number, version, name; who may know it; whether it is part of the story;
// its texts, and `keeps call` when prompts show the reply's tool call beside it. Numbers start at 100, are never reused and are no index.
table! { [] calls speech dialogue session_zero tools encounter facts characters people combat party foreign catalogue }

/// In schemas: the name of an event.
pub struct EventName;

impl JsonSchema for EventName {
    fn schema_name() -> Cow<'static, str> {
        "EventName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let known = Event::REGISTRY.iter().map(|(_, _, name)| *name);
        let names: Vec<&str> = known.chain(["Unknown"]).collect();
        json_schema!({ "description": "The name of an event.", "type": "string", "enum": names })
    }
}

/// Every event at least once.
#[doc(hidden)]
pub fn samples() -> Vec<Event> {
    [
        campaign::samples(),
        speech::samples(),
        dialogue::samples(),
        session_zero::samples(),
        tools::samples(),
        encounter::samples(),
        facts::samples(),
        people::samples(),
        combat::samples(),
        party::samples(),
        foreign::samples(),
    ]
    .concat()
}
