//! Plays, lists, opens and configures campaigns: what the command line, tests and whatever else offers campaigns use alike.
//! It prints nothing and ends no process; what went wrong it says in an [`Error`].

pub mod bounded;
pub mod branching;
pub mod checkpoint;
pub mod configuration;
mod edge;
mod error;
pub mod importing;
#[cfg(feature = "import-rules")]
pub mod install;
mod library;
pub mod lint;
pub mod mapping;
pub mod opening;
pub mod play;
pub mod reading;
pub mod resuming;
pub mod seats;
mod sitting;
mod source;
mod views;
pub mod words;

pub use edge::{build, now, random};
pub use error::{Error, Kind, Place};
pub use library::Library;
pub use sitting::Sitting;
pub use views::{SNAPSHOT_ABOVE, View};
