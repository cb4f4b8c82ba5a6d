//! The memory seat: what it is asked between two turns, one thing after the other, and where its replies go.

use twicetold_event::{CallId, Purpose, Seat};
use twicetold_model::Reply;
use twicetold_world::setup::SeatSetup;
use twicetold_world::{Pending, State};

use super::{dialogue_summary, profile, summary};
use crate::table::{Next, Table};

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
    match pending.or_else(|| summary::due(state)) {
        Some(purpose) if is_guided(state) => replied(table, purpose, state.calls().next, None),
        Some(purpose) => Next::Ask(Seat::Memory, purpose),
        None => Next::NewTurn,
    }
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
