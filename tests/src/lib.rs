//! Helpers shared by the promises under `tests/`: the repository's configuration, and campaigns played in memory.

mod agent;
mod audits;
mod campaign;
mod chromium;
mod configuration;
pub mod forms;
mod fuzzed;
mod golden;
mod long;
mod moments;
mod mutations;
mod outline;
pub mod postgres;
mod process;
mod prompted;
pub mod proxy;
mod python;
pub mod recorded;
mod records;
mod reference_document;
mod reply_body;
mod rules;
mod script;
mod skipped;
pub mod strict;
#[cfg(unix)]
mod terminal;
mod unknown;
mod valid;

pub use agent::Agent;
pub use audits::{CAMPAIGNS, foreign, transcript};
pub use campaign::{Answer, Game, Played};
pub use chromium::chromium;
pub use configuration::{configuration, repository};
pub use fuzzed::{FUZZED, fuzz};
pub use golden::golden;
pub use long::long_campaign;
pub use moments::{Moments, decide, fighters};
pub use mutations::{MUTATIONS, Mutation, Random};
pub use outline::assert_outlined;
pub use process::{Home, Outcome, Response, Server, flat, last_line};
pub use prompted::{fenced, with_tools};
pub use python::python;
pub use records::{Forged, Records};
pub use reference_document::reference_document;
pub use reply_body::reply_body;
pub use rules::rules_that_reject;
pub use script::{Performance, Script, Who};
pub use skipped::skipped;
#[cfg(unix)]
pub use terminal::{COLUMNS, Ended, Terminal, on_screen};
pub use unknown::unknown_to;
pub use valid::{check_schema, valid};
