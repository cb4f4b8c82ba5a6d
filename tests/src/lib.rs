//! Helpers shared by the promises under `tests/`: the repository's configuration, and campaigns played in memory.

mod campaign;
mod configuration;
mod golden;
mod moments;
mod process;
mod script;
#[cfg(unix)]
mod terminal;

pub use campaign::{Answer, Game, Played};
pub use configuration::{configuration, repository};
pub use golden::golden;
pub use moments::{Moments, decide};
pub use process::{Home, Outcome, Response, Server, flat, last_line};
pub use script::{Performance, Script, Who};
#[cfg(unix)]
pub use terminal::{COLUMNS, Ended, Terminal, on_screen};
