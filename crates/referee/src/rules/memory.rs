//! The memory seat: what it is asked when a turn has ended, one thing after the other, and where its replies go.

use twicetold_event::family::Family;
use twicetold_event::{CallId, Purpose, Seat};
use twicetold_model::Reply;
use twicetold_world::setup::SeatSetup;
use twicetold_world::{Pending, State};

use super::{dialogue_summary, profile, summary};
use crate::table::{Next, Table};

/// What is summed up between a turn's end and what follows from it.
pub(super) fn sum_up(table: &mut Table<'_>) -> Next {
    match summary::due(table.state()) {
        Some(purpose) => work(table, purpose),
        None => Next::CloseTurn,
    }
}

/// What will be asked when the turn ends, whatever comes of the turn: it can be asked now. Nothing where nobody is asked, and nothing of a
/// fight: what its foes are called depends on whether it goes on.
pub(crate) fn ahead(state: &State) -> Option<Purpose> {
    let is_turn = state.calls().pending.as_ref().is_some_and(|pending| pending.purpose.is_turn());
    let purpose = summary::due(state).filter(|_| is_turn && !is_guided(state))?;
    let Purpose::Summary { to, .. } = purpose else { return None };
    let mut passage = state.history().main.iter().take_while(|kept| kept.message < to);
    let is_fight = passage.any(|kept| matches!(kept.event.family(), Family::Combat(_)));
    (!is_fight).then_some(purpose)
}

/// Asks for the oldest work there is; without work the next turn begins.
pub(super) fn after_turn(table: &mut Table<'_>) -> Next {
    let state = table.state();
    let pending = match state.conversations().pending.front() {
        Some(Pending::DialogueSummary { dialogue, .. }) => {
            Some(Purpose::DialogueSummary { dialogue: *dialogue })
        }
        Some(Pending::Profile { npc }) => state.npcs().place(npc).map(|npc| Purpose::Profile { npc }),
        None => None,
    };
    match pending {
        Some(purpose) => work(table, purpose),
        None => Next::NewTurn,
    }
}

fn work(table: &mut Table<'_>, purpose: Purpose) -> Next {
    if is_guided(table.state()) {
        let call = table.state().calls().next;
        return replied(table, purpose, call, None);
    }
    Next::Ask(Seat::Memory, purpose)
}

/// A small model that sums up makes up what nobody said: for one that is guided a rule does the work, and nobody is asked.
fn is_guided(state: &State) -> bool {
    state.setup().seats.of(Seat::Memory).is_some_and(SeatSetup::is_guided)
}

/// The memory seat replied; without a reply a rule does the work. What it writes stands in the prompts of others as it is, and a call that it
/// quotes could be repeated there as one's own.
pub(super) fn replied(table: &mut Table<'_>, purpose: Purpose, call: CallId, reply: Option<&Reply>) -> Next {
    let reply = reply.filter(|reply| twicetold_dialect::unread_call(&reply.text).is_none());
    match purpose {
        Purpose::Summary { to, .. } => summary::replied(table, call, to, reply),
        Purpose::DialogueSummary { .. } => dialogue_summary::replied(table, call, reply),
        Purpose::Profile { .. } => profile::replied(table, call, reply),
        Purpose::SessionZero | Purpose::Play | Purpose::Dialogue => Next::Stop,
    }
}
