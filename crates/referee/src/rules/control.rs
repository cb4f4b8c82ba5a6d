//! What is asked from outside of the game: to go on, to pause, to take a seat or to leave it.

use twicetold_event::{CampaignPaused, CampaignResumed, Input, SeatReleased, SeatTaken};
use twicetold_world::Life;

use crate::table::Table;

/// Does what is asked, where it can be done now.
pub(crate) fn asked(table: &mut Table<'_>, input: &Input) {
    match input {
        Input::ResumeAsked(_) => table.emit(CampaignResumed {}),
        Input::PauseAsked(word) if *table.state().life() == Life::Running => {
            table.emit(CampaignPaused { fault: None, reason: word.reason.clone(), until: None });
        }
        Input::SeatAsked(word) => match &word.person {
            Some(person) => table.emit(SeatTaken { seat: word.seat, person: person.clone() }),
            None => table.emit(SeatReleased { seat: word.seat }),
        },
        _ => {}
    }
}
