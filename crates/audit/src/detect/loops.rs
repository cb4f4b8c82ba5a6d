//! The same sentence again and again, and turns in which nothing happens.

use std::collections::BTreeMap;

use super::finding;
use crate::limits::{LOOP_WORDS_MIN, SAME_SENTENCE_MIN, SAME_SENTENCE_TURNS, STALL_TURNS_MIN};
use crate::text::{sentences, words};
use crate::{Finding, Severity, Transcript, Verdict};

/// Where a sentence was said: number, turn, and as it was written there.
type Place<'a> = (u64, u32, &'a str);

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let mut findings = repeated(transcript);
    findings.extend(stalled(transcript));
    Verdict::Looked(findings)
}

fn repeated(transcript: &Transcript) -> Vec<Finding> {
    let mut said: BTreeMap<(&str, String), Vec<Place<'_>>> = BTreeMap::new();
    for line in &transcript.lines {
        for sentence in sentences(&line.text) {
            let words = words(sentence);
            if words.len() < LOOP_WORDS_MIN {
                continue;
            }
            let places = said.entry((&line.voice, words.join(" "))).or_default();
            if places.last().is_none_or(|(number, ..)| *number != line.number) {
                places.push((line.number, line.turn, sentence));
            }
        }
    }
    let mut findings: BTreeMap<Vec<u64>, Finding> = BTreeMap::new();
    for ((voice, _), places) in said {
        // The longest row in which each time is soon after the one before.
        let mut rows: Vec<Vec<Place<'_>>> = Vec::new();
        for place in places {
            match rows.last_mut() {
                Some(row) if row.last().is_some_and(|last| last.1 + SAME_SENTENCE_TURNS >= place.1) => {
                    row.push(place);
                }
                _ => rows.push(vec![place]),
            }
        }
        for row in rows.into_iter().filter(|row| row.len() >= SAME_SENTENCE_MIN) {
            let numbers: Vec<u64> = row.iter().map(|(number, ..)| *number).collect();
            let why = format!(
                "{voice} says it {} times within {} turns",
                row.len(),
                1 + row[row.len() - 1].1 - row[0].1
            );
            let found = finding("loops", (Severity::Warning, 85), numbers.clone(), row[0].2, why);
            // Several sentences that come again in the same messages are one loop.
            findings.entry(numbers).or_insert(found);
        }
    }
    findings.into_values().collect()
}

fn stalled(transcript: &Transcript) -> Vec<Finding> {
    let Some(eventful) = &transcript.eventful else { return Vec::new() };
    let mut turns: Vec<(u32, u64)> = transcript.play().map(|line| (line.turn, line.number)).collect();
    turns.dedup_by_key(|(turn, _)| *turn);
    let mut findings = Vec::new();
    for quiet in turns.split(|(turn, _)| eventful.contains(turn)) {
        let [first, .., last] = quiet else { continue };
        let count = 1 + last.0 - first.0;
        if count >= STALL_TURNS_MIN {
            let why = format!("nothing changed in {count} turns, from turn {} to turn {}", first.0, last.0);
            findings.push(finding("loops", (Severity::Warning, 80), [first.1, last.1], "", why));
        }
    }
    findings
}
