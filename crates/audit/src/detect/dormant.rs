//! A promise, a quest or a clue of which nobody has spoken for long.

use std::collections::BTreeSet;

use super::finding;
use crate::limits::{DORMANT_TURNS_MIN, PROMISE_WORDS_MIN};
use crate::text::{is_telling, sentences, words};
use crate::{Kind, NoteKind, Severity, Transcript, Verdict};

/// How a promise begins.
const PROMISES: [&str; 8] = [
    "i promise",
    "i swear",
    "i give you my word",
    "i owe you",
    "you have my word",
    "we promise",
    "we swear",
    "i vow",
];

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let mut findings = Vec::new();
    let empty = Vec::new();
    let notes = transcript.notes.as_ref().unwrap_or(&empty);
    for note in notes {
        let what = match note.kind {
            NoteKind::Quest => "a quest",
            NoteKind::Clue => "a clue",
            _ => continue,
        };
        let done = notes.iter().any(|done| done.kind == NoteKind::QuestDone && done.text == note.text);
        if !done {
            findings.extend(dormant(transcript, (note.number, note.turn), &note.text, what));
        }
    }
    for line in transcript.play().filter(|line| transcript.kind(&line.voice) != Kind::Other) {
        for sentence in sentences(&line.text) {
            let spoken = words(sentence).join(" ");
            // Whoever asks for a promise has not given one.
            if PROMISES.iter().any(|promise| spoken.contains(promise)) && !sentence.ends_with('?') {
                findings.extend(dormant(transcript, (line.number, line.turn), sentence, "a promise"));
            }
        }
    }
    Verdict::Looked(findings)
}

/// A finding when nothing after `(number, turn)` speaks of the text for long, to the end.
fn dormant(
    transcript: &Transcript,
    (number, turn): (u64, u32),
    text: &str,
    what: &str,
) -> Option<crate::Finding> {
    let telling =
        |text: &str| words(text).into_iter().filter(|word| is_telling(word)).collect::<BTreeSet<_>>();
    let keys = telling(text);
    if keys.len() < PROMISE_WORDS_MIN {
        return None;
    }
    // Two of the words, or the only two that there are, tell that somebody speaks of it.
    let speaks = |text: &str| telling(text).intersection(&keys).count() >= 2;
    let lines = transcript.lines.iter().filter(|line| line.number > number && speaks(&line.text));
    let last = lines.map(|line| line.turn).max();
    let notes = transcript.notes.iter().flatten().filter(|note| note.number > number && speaks(&note.text));
    let last = last.max(notes.map(|note| note.turn).max()).unwrap_or(turn);
    let silent = transcript.last_turn().saturating_sub(last);
    if silent < DORMANT_TURNS_MIN {
        return None;
    }
    let why = format!("{what} from turn {turn}: nobody has mentioned it in the last {silent} turns");
    Some(finding("dormant", (Severity::Info, 60), [number], text, why))
}
