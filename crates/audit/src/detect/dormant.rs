//! A promise, a quest or a clue of which nobody has spoken for long.

use std::collections::BTreeSet;

use super::finding;
use crate::cues::{LISTS, stem};
use crate::limits::{DORMANT_TURNS_MIN, DORMANT_TURNS_MIN_FOREIGN, PROMISE_WORDS_MIN};
use crate::text::{is_telling, sentences, words};
use crate::{Finding, Kind, NoteKind, Severity, Transcript, Verdict};

/// How questions begin.
const ASKS: [&str; 14] =
    ["will", "would", "can", "could", "do", "did", "does", "have", "what", "who", "why", "how", "so", "and"];
/// Words of a promise that say that it is one, and not what.
const OWN: &str = "promise swear vow word honour honor owe pledge debt oath solemnly back repay quest consider done count depend never always";

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
        let all = sentences(&line.text);
        for (place, sentence) in all.iter().enumerate() {
            let said = words(sentence);
            // Whoever asks for a promise has not given one: "Will you swear it?" But "I swear it, you hear?"
            let asks = sentence.trim_end_matches(['"', '”', '’', '\'', '*']).ends_with('?')
                && said.first().is_some_and(|word| ASKS.contains(&word.as_str()));
            if asks || !LISTS.story.promise.say(&said) {
                continue;
            }
            let more = all.get(place + 1).filter(|_| keys(sentence).len() < PROMISE_WORDS_MIN);
            let before = place
                .checked_sub(1)
                .and_then(|at| all.get(at))
                .filter(|_| more.is_none() && keys(sentence).len() < PROMISE_WORDS_MIN);
            let text =
                [before, Some(sentence), more].into_iter().flatten().copied().collect::<Vec<_>>().join(" ");
            findings.extend(dormant(transcript, (line.number, line.turn), &text, "a promise"));
            break;
        }
    }
    Verdict::Looked(findings)
}

/// Stems of the words by which a text is known.
fn keys(text: &str) -> BTreeSet<String> {
    let own: BTreeSet<String> = OWN.split(' ').map(stem).collect();
    words(text)
        .into_iter()
        .filter(|word| is_telling(word))
        .map(|word| stem(&word))
        .filter(|word| !own.contains(word))
        .collect()
}

/// A finding when nothing after `(number, turn)` speaks of the text for long, to the end.
fn dormant(transcript: &Transcript, (number, turn): (u64, u32), text: &str, what: &str) -> Option<Finding> {
    let keys = keys(text);
    if keys.len() < PROMISE_WORDS_MIN {
        return None;
    }
    // Two of the words, or one beside a word of keeping promises, tell that somebody speaks of it.
    let speaks = |text: &str| {
        let said = words(text);
        let stems: BTreeSet<String> = said.iter().map(|word| stem(word)).collect();
        let shared = stems.intersection(&keys).count();
        shared >= 2
            || (shared == 1 && (LISTS.story.kept.hold(&said) || (transcript.foreign && keys.len() <= 3)))
    };
    let lines = transcript.lines.iter().filter(|line| line.number > number && speaks(&line.text));
    let last = lines.map(|line| line.turn).max();
    let notes = transcript.notes.iter().flatten().filter(|note| note.number > number && speaks(&note.text));
    let last = last.max(notes.map(|note| note.turn).max());
    let silent = transcript.last_turn().saturating_sub(last.unwrap_or(turn));
    let least = if transcript.foreign { DORMANT_TURNS_MIN_FOREIGN } else { DORMANT_TURNS_MIN };
    // A log of another program is one evening: what is mentioned once more in it is not forgotten.
    if silent < least || (transcript.foreign && last.is_some_and(|last| last > turn + 1)) {
        return None;
    }
    let why = format!("{what} from turn {turn}: nobody has mentioned it in the last {silent} turns");
    Some(finding("dormant", (Severity::Info, 60), [number], text, why))
}
