//! The application library: opens, configures, lists, branches and plays campaigns, for front ends: command line, browser, outside agents.
//! It prints nothing and ends no process; it reports each failure as an [`Error`].

/// The example of the README is one that compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod ahead;
pub mod at_once;
pub mod attestation;
pub mod bounded;
pub mod branching;
pub mod brief;
pub mod bundle;
pub mod character;
pub mod configuration;
pub mod copying;
mod database;
mod edge;
mod error;
pub mod following;
pub mod hearing;
pub mod importing;
mod in_play;
#[cfg(feature = "import-rules")]
pub mod install;
pub mod label;
mod library;
pub mod lint;
pub mod mapping;
pub mod measured;
pub mod moments;
pub mod opening;
pub mod play;
pub mod preview;
pub mod prices;
pub mod reading;
mod rehearsal;
pub mod resuming;
pub mod schemas;
mod seals;
pub mod seat_view;
pub mod seats;
mod sitting;
mod source;
pub mod spend;
pub mod sweeping;
pub mod tables;
#[cfg(feature = "otel")]
pub mod traces;
pub mod transcripts;
mod views;
pub mod views_in_sql;
pub mod whole;
pub mod windows;
pub mod words;
pub mod working;

pub use edge::{build, now, random};
pub use error::{Error, Kind, Place};
pub use library::{DATA, Library};
pub use sitting::{Sitting, seats_at};
pub use views::{SNAPSHOT_ABOVE, View};

/// Can this build keep campaigns in a database?
pub const HAS_POSTGRES: bool = cfg!(feature = "postgres");
