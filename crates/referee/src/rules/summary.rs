//! The running summary: of what was there before a turn, asked for at the turn's end at the latest and joined there, so that the story never
//! depends on which model is faster.

use twicetold_event::{CallId, Event, Purpose, SummaryWritten, Text};
use twicetold_model::Reply;
use twicetold_projection::words;
use twicetold_world::State;

use super::text::first_sentences;
use crate::table::{Next, Table};

/// The summary that is due because the window was full before the turn that is played. What the turn itself adds is looked at in the next
/// one. So a model may be asked while the turn goes on.
pub(super) fn due(state: &State) -> Option<Purpose> {
    let history = state.history();
    let limits = &state.setup().limits;
    let first = history.main.iter().find(|kept| matches!(kept.event, Event::MessageSpoken(_)))?;
    let (messages, bytes) = history.before_turn(state.turn().number);
    let from = first.message;
    let shown = messages.saturating_sub(from);
    if bytes <= u64::from(limits.history_bytes_max) && shown <= limits.history_messages_max {
        return None;
    }
    // The older half goes; at least one message does, and the last one stays.
    let to = from + (shown / 2).max(1);
    (to < messages).then_some(Purpose::Summary { from, to })
}

/// The summary came, or did not.
pub(super) fn replied(table: &mut Table<'_>, call: CallId, to: u32, reply: Option<&Reply>) -> Next {
    let from = table.state().history().summary.as_ref().map_or(0, |summary| summary.to);
    let most = table.state().setup().limits.summary_bytes_max as usize;
    let own = reply.map(|reply| {
        let start = reply.text.len() - reply.text.trim_start().len();
        let end = start + reply.text.trim().len();
        let end = reply.text.floor_char_boundary(end.min(start + most));
        Text::Reply { call, start: start as u32, end: end as u32 }
    });
    let own = own.filter(|text| matches!(text, Text::Reply { start, end, .. } if end > start));
    match own {
        Some(text) => table.emit(SummaryWritten { from, to, text, fallback: false }),
        None => by_rule(table, from, to),
    }
    Next::CloseTurn
}

/// A summary without a model: what stands, and the first sentence of each message.
fn by_rule(table: &mut Table<'_>, from: u32, to: u32) {
    let most = table.state().setup().limits.summary_bytes_max as usize;
    let history = table.state().history();
    let mut parts: Vec<String> = Vec::new();
    if let Some(summary) = &history.summary {
        parts.push(first_sentences(words(table.replies(), &summary.text), most / 2));
    }
    let passage: Vec<String> = history
        .main
        .iter()
        .filter(|kept| (from..to).contains(&kept.message))
        .filter_map(|kept| match &kept.event {
            Event::MessageSpoken(word) => {
                let name = table.state().seat_name(word.seat);
                Some(format!("{name}: {}", first_sentences(words(table.replies(), &word.text), 120)))
            }
            _ => None,
        })
        .collect();
    parts.push(first_sentences(&passage.join(" "), most / 2));
    let text = Text::Written(parts.join(" "));
    table.emit(SummaryWritten { from, to, text, fallback: true });
}
