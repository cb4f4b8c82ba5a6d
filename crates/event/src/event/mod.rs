//! What was decided: immutable, past tense, one small frozen struct per type.

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
