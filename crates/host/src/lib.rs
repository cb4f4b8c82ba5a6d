//! Plays, lists, opens and configures campaigns: what the command line, tests and whatever else offers campaigns use alike.
//! It prints nothing and ends no process; what went wrong it says in an [`Error`].

pub mod bounded;
pub mod configuration;
mod edge;
mod error;
mod library;
pub mod mapping;
pub mod seats;
mod source;
mod views;

pub use edge::{build, now, random};
pub use error::{Error, Kind, Place};
pub use library::{Entry, Library};
pub use views::{SNAPSHOT_ABOVE, View};
