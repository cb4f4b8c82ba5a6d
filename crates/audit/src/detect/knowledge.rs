//! Words out of a secret, a whisper or a talk apart in the mouth of somebody who was no part of it.

use std::collections::{BTreeMap, BTreeSet};

use super::finding;
use crate::limits::{SHARED_WORDS_MIN, UNHEARD_WORDS_MIN};
use crate::text::{is_telling, sentences, words};
use crate::{Audience, Channel, Finding, Severity, Transcript, Verdict};

/// A text as it was told: its number, who could know it, and its words.
struct Told<'a> {
    number: u64,
    audience: &'a Audience,
    voice: Option<&'a str>,
    in_play: bool,
    text: &'a str,
}

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let lines: Option<Vec<Told<'_>>> = transcript
        .lines
        .iter()
        .map(|line| {
            let audience = line.audience.as_ref()?;
            let in_play = line.channel != Channel::Before;
            Some(Told { number: line.number, audience, voice: Some(&line.voice), in_play, text: &line.text })
        })
        .collect();
    let Some(mut told) = lines else { return Verdict::NotRecorded("who could hear what") };
    let notes = transcript.notes.iter().flatten();
    told.extend(notes.map(|note| Told {
        number: note.number,
        audience: &note.audience,
        voice: None,
        in_play: false,
        text: &note.text,
    }));
    told.sort_by_key(|told| told.number);
    let mut findings = Vec::new();
    for (player, _) in transcript.players() {
        findings.extend(leaks(&told, player));
    }
    Verdict::Looked(findings)
}

/// What a player says out of texts that it was not told.
fn leaks(told: &[Told<'_>], player: &str) -> Vec<Finding> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    // Rows of words of secrets, with the number of the first text that they stand in.
    let mut secret: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    let mut findings = Vec::new();
    for text in told {
        let heard = text.audience.includes(player) || text.voice == Some(player);
        // Before the game everybody fills in the same forms.
        if text.voice == Some(player) && text.in_play {
            for sentence in sentences(text.text) {
                if let Some(origin) = leaked(&words(sentence), &known, &secret) {
                    let why = format!("{player} says what #{origin} says, and was not part of it");
                    let sure = (Severity::Error, 80);
                    findings.push(finding("knowledge", sure, [text.number, origin], sentence, why));
                }
            }
        }
        for sentence in sentences(text.text) {
            let words = words(sentence);
            if !heard {
                for row in words.windows(SHARED_WORDS_MIN) {
                    secret.entry(row.to_vec()).or_insert(text.number);
                }
            }
            if heard {
                known.extend(words);
            }
        }
    }
    findings
}

/// The secret that a sentence quotes: enough words in a row, and enough of them telling ones that its speaker never met.
fn leaked(words: &[String], known: &BTreeSet<String>, secret: &BTreeMap<Vec<String>, u64>) -> Option<u64> {
    let mut unheard: BTreeSet<&String> = BTreeSet::new();
    let mut origin = None;
    for row in words.windows(SHARED_WORDS_MIN) {
        match secret.get(row) {
            Some(number) => {
                origin = origin.or(Some(*number));
                unheard.extend(row.iter().filter(|word| is_telling(word) && !known.contains(*word)));
            }
            None => {
                (origin, unheard) = (None, BTreeSet::new());
            }
        }
        if unheard.len() >= UNHEARD_WORDS_MIN {
            return origin;
        }
    }
    None
}
