//! The lines of a foreign transcript: as they were written, with what is not recorded said once.

use twicetold_event::{Entry, Event, ForeignOpened, ForeignPart, ForeignRoll};
use twicetold_projection::people::{Line, LineKind};

/// The lines of an entry of a foreign transcript. There is no state: no rule decided any of it.
pub fn lines(entry: &Entry) -> Vec<Line> {
    let line = |(number, event): (twicetold_event::Number, &Event)| {
        let (kind, speaker, text) = line(event)?;
        Some(Line { number: number.0, kind, speaker, text })
    };
    entry.numbered().filter_map(line).collect()
}

fn line(event: &Event) -> Option<(LineKind, String, String)> {
    let plain = |kind: LineKind, text: String| Some((kind, String::new(), text));
    match event {
        Event::ForeignOpened(word) => plain(LineKind::Heading, opened(word)),
        Event::ForeignSpoke(word) => {
            let text = word.text.trim();
            let to = word.audience.as_ref().filter(|names| !names.is_empty());
            let to = to.map_or_else(String::new, |names| format!(" (to {})", names.join(", ")));
            (!text.is_empty()).then(|| (LineKind::Speech, format!("{}{to}", word.speaker), text.to_owned()))
        }
        Event::ForeignCalled(word) => {
            plain(LineKind::Note, format!("{} calls {} {}", word.speaker, word.tool, word.arguments))
        }
        Event::ForeignAnswered(word) => match (word.failed, &word.roll) {
            (Some(true), _) => plain(LineKind::Trouble, format!("failed: {}", word.text)),
            (_, Some(roll)) => plain(LineKind::Effect, format!("[dice] {}", dice(roll))),
            _ => plain(LineKind::Effect, word.text.clone()),
        },
        Event::ForeignRolled(word) => plain(LineKind::Effect, format!("[dice] {}", dice(&word.roll))),
        _ => None,
    }
}

/// What a transcript does not tell of beside words, for people.
pub fn not_recorded(word: &ForeignOpened) -> Vec<&'static str> {
    let all = [
        (ForeignPart::Calls, "tool calls"),
        (ForeignPart::Rolls, "rolls"),
        (ForeignPart::Usage, "tokens"),
        (ForeignPart::Audience, "who heard what"),
    ];
    all.iter().filter(|(part, _)| !word.parts.contains(part)).map(|(_, name)| *name).collect()
}

fn opened(word: &ForeignOpened) -> String {
    let missing = not_recorded(word);
    let missing = match missing.is_empty() {
        true => String::new(),
        false => format!("; not recorded: {}", missing.join(", ")),
    };
    format!("{} ({}){missing}", word.file, word.format)
}

fn dice(roll: &ForeignRoll) -> String {
    let known =
        |number: Option<i64>| number.map_or_else(|| "not recorded".into(), |number| number.to_string());
    let mut out = match roll.character.is_empty() {
        true => known(roll.total),
        false => format!("{}: {}", roll.character, known(roll.total)),
    };
    if let Some(difficulty) = roll.difficulty {
        out += &format!(" against {difficulty}");
    }
    match roll.success {
        Some(true) => out + ": success",
        Some(false) => out + ": failure",
        None => out,
    }
}
