//! How encounters ended: by whose reply, in which turn, when.

use twicetold_event::{CallId, Entry, Event, Millis, Number, Seat};
use twicetold_journal::Source;
use twicetold_referee::Campaign;
use twicetold_session::{JournalCursor, LoadError};

use crate::text::counted;

/// What a journal knows of the end of an encounter, besides what the state keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The turn.
    pub turn: u32,
    /// The time.
    pub at: Millis,
    /// Whose reply resolved it; none where it ended unresolved.
    pub seat: Option<Seat>,
}

impl Ending {
    /// Who resolved an encounter, when, and how many messages it took, as far as it is known; `when` writes times.
    pub fn how(ending: Option<&Ending>, messages: u32, when: impl Fn(u64) -> String) -> String {
        let messages = counted(u64::from(messages), "message", "messages");
        let Some(ending) = ending else { return format!("after {messages}") };
        let by = ending.seat.map_or_else(String::new, |seat| format!("by the {seat} "));
        format!("{by}in turn {}, {}, after {messages}", ending.turn, when(ending.at.0))
    }
}

/// The endings of all encounters that are over in this campaign, in their order, out of its journal.
///
/// # Errors
/// The journal cannot be read.
pub fn endings(campaign: &Campaign, source: &dyn Source) -> Result<Vec<Ending>, LoadError> {
    let cursor = JournalCursor::new(source, campaign.amended())?;
    let over = campaign.state().encounters_over();
    let mut found = Vec::with_capacity(over.len());
    for over in over {
        let Some(entry) = cursor.entry(over.ended.0)? else { break };
        let request = resolving(&entry, over.ended.0).map(|call| cursor.request(call)).transpose()?.flatten();
        found.push(ending(&entry, over.ended.0, request.map(|(_, asked)| asked.seat)));
    }
    Ok(found)
}

fn ending(entry: &Entry, number: Number, seat: Option<Seat>) -> Ending {
    // An entry bears the turn that it leaves behind, and the end of an encounter may begin another.
    let next = entry.numbered().find_map(|(at, event)| match event {
        Event::TurnBegan(word) if at > number => Some(word.turn),
        _ => None,
    });
    let turn = next.map_or(entry.header.turn, |next| next.saturating_sub(1));
    Ending { turn, at: entry.header.at, seat }
}

/// The reply that resolved an encounter by the event of this number.
fn resolving(entry: &Entry, number: Number) -> Option<CallId> {
    entry.numbered().find_map(|(at, event)| match event {
        Event::EncounterResolved(word) if at == number => Some(word.call),
        _ => None,
    })
}
