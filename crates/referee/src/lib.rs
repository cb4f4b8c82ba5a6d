//! The whole game as `step`, `plan` and `replay`: one place for the turn protocol, budgets and permissions. Pure.

mod campaign;
mod echo;
mod plan;
mod question;
pub mod replay;
mod replies;
mod requests;
mod rules;
#[cfg(test)]
mod rules_version;
mod snapshot;
mod step;
mod structured;
mod table;
mod wire;

pub use campaign::{Amended, Amendment, Campaign};
pub use plan::Effect;
pub use question::held_to;
pub use replies::{add_made, said};
pub use requests::{charter, parameters, speaks_only, tool_spec};
pub use snapshot::SNAPSHOT_LAYOUT;
pub use step::{Step, seal};
pub use wire::{answered, failed, received, wire, wires};
