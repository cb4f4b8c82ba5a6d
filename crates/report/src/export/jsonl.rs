//! One JSON object for each input and event: for whoever counts, searches or draws.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use twicetold_event::{CallId, Entry, Event, Number, Seat};

use crate::{LoadedJournal, ReportError};

/// Makes the JSON of entries, one after the other: knows whom the calls so far were to.
#[derive(Default)]
pub struct JsonLines {
    seats: BTreeMap<CallId, Seat>,
}

impl JsonLines {
    /// For a journal that is read from the middle: the call that is pending there.
    pub fn pending(call: CallId, seat: Seat) -> JsonLines {
        JsonLines { seats: BTreeMap::from([(call, seat)]) }
    }

    /// One object for each number: `number`, `kind` (`input` or `event`), `type`, `turn`, `at_ms`, `seat`, `text` (as people are shown
    /// it) and `data` (all of its fields). What does not apply is null.
    pub fn of(&mut self, entry: &Entry, text: impl Fn(Number) -> Option<String>) -> Vec<Value> {
        for event in &entry.events {
            if let Event::ModelCallRequested(word) = event {
                self.seats.insert(word.call, word.seat);
            }
        }
        let (first, at) = (entry.header.first, entry.header.at.0);
        let asked = entry.input.call().and_then(|call| self.seats.get(&call)).copied();
        let slug = |seat: Option<Seat>| seat.map(|seat| seat.slug());
        let mut all = vec![json!({
            "number": first.0, "kind": "input", "type": entry.input.name(), "turn": entry.turn_of(first),
            "at_ms": at, "seat": slug(asked), "text": null, "data": entry.input,
        })];
        all.extend(entry.numbered().map(|(number, event)| {
            json!({
                "number": number.0, "kind": "event", "type": event.name(), "turn": entry.turn_of(number),
                "at_ms": at, "seat": slug(of(event).or(asked)), "text": text(number), "data": event,
            })
        }));
        all
    }
}

/// The seat that an event is about, where it names one.
pub(crate) fn of(event: &Event) -> Option<Seat> {
    match event {
        Event::MessageSpoken(word) => Some(word.seat),
        Event::TurnBegan(word) => Some(word.seat),
        Event::SpeakerChosen(word) => Some(word.seat),
        Event::ModelCallRequested(word) => Some(word.seat),
        Event::CharacterAccepted(word) => Some(word.seat),
        Event::CharacterRejected(word) => Some(word.seat),
        _ => None,
    }
}

/// The JSON of all entries, an object a line.
///
/// # Errors
/// A line could not be written, which is a bug.
pub fn jsonl(journal: &LoadedJournal) -> Result<String, ReportError> {
    let (mut out, mut lines) = (String::new(), JsonLines::default());
    for entry in &journal.entries {
        for line in lines.of(entry, |number| journal.lines.get(&number.0).map(|line| line.text.clone())) {
            out += &serde_json::to_string(&line)?;
            out.push('\n');
        }
    }
    Ok(out)
}
