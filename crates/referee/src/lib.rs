//! The whole game as `step`, `plan` and `replay`: one place for the turn protocol, budgets and permissions. Pure.

mod campaign;
mod combat;
mod dialogue;
mod encounter;
mod faults;
mod keeper;
mod memory;
mod party;
mod plan;
pub mod replay;
mod reply;
#[cfg(test)]
mod rules_version;
mod session_zero;
mod snapshot;
mod speaker;
mod speech;
mod step;
mod turn;
mod wire;

pub use campaign::{Amended, Amendment, Campaign, parameters, said, tool_spec};
pub use plan::Effect;
pub use snapshot::SNAPSHOT_LAYOUT;
pub use step::{Step, charter, seal};
pub use wire::{failed, received, wire, wires};
