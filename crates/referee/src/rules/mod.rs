//! The rules: functions over a [`Table`], one file for each part of the game. A rule emits events and says what comes next; none
//! calls the loop. Which file calls which has no circle (`tests/tests/all/rule_files.rs`).

mod combat;
pub(crate) mod control;
mod dialogue;
mod dialogue_summary;
mod encounter;
mod failure;
mod fate;
pub(crate) mod faults;
pub(crate) mod guided;
pub(crate) mod memory;
mod narrator;
pub(crate) mod opening;
mod profile;
mod reminders;
pub(crate) mod reply;
mod session_zero;
mod speaker;
mod speech;
mod summary;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod turn;
mod versions;

use twicetold_event::{Purpose, Seat};

use crate::table::{Next, Table};

/// Follows what a rule led to until a model has to be asked, or nothing follows. Every step of it comes later in a turn than the one
/// before, so that it ends.
pub(crate) fn follow(table: &mut Table<'_>, mut next: Next) -> Option<(Seat, Purpose)> {
    loop {
        next = match next {
            Next::Ask(seat, purpose) => return Some((seat, purpose)),
            Next::EndTurn(why) => turn::end(table, why),
            Next::SumUp => memory::sum_up(table),
            Next::CloseTurn => turn::close(table),
            Next::AfterTurn => memory::after_turn(table),
            Next::NewTurn => turn::next(table),
            Next::Stop => return None,
        }
    }
}
