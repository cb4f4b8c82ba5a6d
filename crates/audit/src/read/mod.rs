//! What detectors of prose read out of lines before they judge: numbers of dice, checks and their outcomes, who is meant by a name.

mod checks;
mod numbers;
mod people;

pub(crate) use checks::{Check, checks};
pub(crate) use numbers::{Claim, ClaimKind, claims, rolled_in};
pub(crate) use people::{People, is_nobody};
