//! What detectors of prose read out of lines before they judge: numbers of dice, checks and their outcomes, who is meant by a name.

mod casting;
mod checks;
mod numbers;
mod objectives;
mod order;
mod outcome;
mod people;
mod speech;

pub(crate) use checks::{Check, checks};
pub(crate) use numbers::{ClaimKind, claims, rolled_in};
pub(crate) use objectives::{Objective, objectives};
pub(crate) use order::{Actor, order};
pub(crate) use outcome::{Told, effect, front, is_paid_for, outcome, told};
pub(crate) use people::{People, is_nobody};
pub(crate) use speech::{CLAUSE, PRONOUNS, attributed, behind_subject, goes_on, scripted, voiced};
