//! What detectors of prose read out of lines before they judge: numbers of dice, checks and their outcomes, who is meant by a name.

mod casting;
mod checks;
mod numbers;
mod objectives;
mod order;
mod outcome;
mod people;
mod speech;
mod table;
mod tokens;
mod written;

pub(crate) use casting::is_title;
pub(crate) use checks::{Check, checks};
pub(crate) use numbers::{ClaimKind, claims, leading};
pub(crate) use objectives::{Objective, objectives};
pub(crate) use order::{Actor, order};
pub(crate) use outcome::{
    Effect, Told, all_the_same, attempt, comes_about, effect, fortune, front, is_fought, is_paid_for,
    is_same, misfortune, outcome, praise, told, told_after_all,
};
pub(crate) use people::{People, is_nobody};
pub(crate) use speech::{CLAUSE, PRONOUNS, attributed, behind_subject, goes_on, scripted, told_of, voiced};
pub(crate) use table::Table;
pub(crate) use written::{Written, rolls_in};
