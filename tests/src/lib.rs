//! Helpers shared by the promises under `tests/`: the repository's configuration, and campaigns played in memory.

mod campaign;
mod configuration;

pub use campaign::{Answer, Game, Played};
pub use configuration::{configuration, repository};
