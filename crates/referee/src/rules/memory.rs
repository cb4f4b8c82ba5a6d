//! The memory seat: what it is asked between two turns, one thing after the other, and where its replies go.

use twicetold_event::{CallId, Purpose, Seat};
use twicetold_model::Reply;
use twicetold_world::Pending;

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
        Some(purpose) => Next::Ask(Seat::Memory, purpose),
        None => Next::NewTurn,
    }
}

/// The memory seat replied; without a reply a rule does the work.
pub(super) fn replied(table: &mut Table<'_>, purpose: Purpose, call: CallId, reply: Option<&Reply>) -> Next {
    match purpose {
        Purpose::Summary { to, .. } => summary::replied(table, call, to, reply),
        Purpose::DialogueSummary { .. } => dialogue_summary::replied(table, call, reply),
        Purpose::Profile { .. } => profile::replied(table, call, reply),
        Purpose::SessionZero | Purpose::Play | Purpose::Dialogue => Next::Stop,
    }
}
