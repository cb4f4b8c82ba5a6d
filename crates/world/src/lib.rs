//! The state of a campaign and the only function that changes it.

pub mod reading;
pub mod setup;
mod state;

pub use state::*;
