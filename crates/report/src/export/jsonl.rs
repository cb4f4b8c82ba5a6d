//! One JSON object for each input and event: for whoever counts, searches or draws.

use serde_json::json;

use crate::{ReportError, Telling};

/// One line of JSON for each number: `number`, `kind` (`input` or `event`), `type`, `turn`, `at_ms`, `seat`, `text` (as people are shown
/// it) and `data` (all of its fields). What does not apply is null.
///
/// # Errors
/// A line could not be written, which is a bug.
pub fn jsonl(telling: &Telling) -> Result<String, ReportError> {
    let mut out = String::new();
    let mut add = |line: serde_json::Value| -> Result<(), ReportError> {
        out += &serde_json::to_string(&line)?;
        out.push('\n');
        Ok(())
    };
    for entry in &telling.entries {
        let header = entry.header;
        let seat = telling.seat(entry, None).map(|seat| seat.slug());
        add(json!({
            "number": header.first.0, "kind": "input", "type": entry.input.name(), "turn": header.turn,
            "at_ms": header.at.0, "seat": seat, "text": null, "data": entry.input,
        }))?;
        for (number, event) in entry.numbered() {
            let seat = telling.seat(entry, Some(event)).map(|seat| seat.slug());
            let text = telling.lines.get(&number.0).map(|line| &line.text);
            add(json!({
                "number": number.0, "kind": "event", "type": event.name(), "turn": header.turn,
                "at_ms": header.at.0, "seat": seat, "text": text, "data": event,
            }))?;
        }
    }
    Ok(out)
}
