//! The same beat of the plot once more, as if it had not happened: a theft discovered twice, a stranger with the same news.

use std::collections::{BTreeMap, BTreeSet};

use super::finding;
use crate::cues::{LISTS, stem};
use crate::limits::{BEAT_LINES_MIN, BEAT_PERCENT_MIN, BEAT_WORDS_MIN};
use crate::read::People;
use crate::text::{is_telling, sentences, words};
use crate::{Channel, Kind, Severity, Transcript, Verdict};

/// One or two sentences in which something turns up.
struct Beat<'t> {
    place: usize,
    number: u64,
    sentence: &'t str,
    stems: BTreeSet<String>,
    again: bool,
}

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let people = People::of(transcript);
    let names: BTreeSet<String> = people
        .players()
        .flat_map(|(_, names)| names)
        .flat_map(|name| words(name))
        .map(|word| stem(&word))
        .collect();
    let mut beats: Vec<Beat<'_>> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let lines: Vec<_> = transcript.lines.iter().filter(|line| line.channel != Channel::Before).collect();
    for (place, line) in lines.iter().enumerate() {
        let stems: BTreeSet<String> = words(&line.text).iter().map(|word| stem(word)).collect();
        for stem in stems {
            *known.entry(stem).or_default() += 1;
        }
        if transcript.kind(&line.voice) != Kind::Narrator {
            continue;
        }
        let all = sentences(&line.text);
        for (at, sentence) in all.iter().enumerate() {
            let mut said = words(sentence);
            if !LISTS.story.beat.hold(&said) || sentence.trim_end().ends_with('?') {
                continue;
            }
            let mut again = LISTS.story.again.hold(&said);
            if let Some(next) = all.get(at + 1).filter(|_| said.len() < BEAT_WORDS_MIN * 4) {
                let next = words(next);
                again |= LISTS.story.again.hold(&next);
                said.extend(next);
            }
            let telling = said.iter().filter(|word| is_telling(word)).map(|word| stem(word));
            let stems: BTreeSet<String> = telling.filter(|stem| !names.contains(stem)).collect();
            if stems.len() >= BEAT_WORDS_MIN {
                beats.push(Beat { place, number: line.number, sentence, stems, again });
            }
        }
    }
    // Words of every second line are what the whole story is about, and tell no beat from another.
    let often = |stem: &String| known.get(stem).is_some_and(|count| count * 3 > lines.len().max(9));
    let mut findings: Vec<crate::Finding> = Vec::new();
    let mut told: BTreeSet<u64> = BTreeSet::new();
    for (later, beat) in beats.iter().enumerate() {
        if beat.again || told.contains(&beat.number) {
            continue;
        }
        let same = beats[..later].iter().find(|earlier| {
            let shared = earlier.stems.intersection(&beat.stems).filter(|stem| !often(stem)).count();
            let fewer = earlier.stems.len().min(beat.stems.len());
            earlier.place + BEAT_LINES_MIN <= beat.place
                && shared >= BEAT_WORDS_MIN
                && shared * 100 >= fewer * BEAT_PERCENT_MIN
        });
        let Some(first) = same else { continue };
        told.insert(beat.number);
        let why =
            format!("it has happened before, at #{}: “{}”", first.number, crate::text::quote(first.sentence));
        findings.push(finding(
            "plot-loops",
            (Severity::Info, 70),
            [beat.number, first.number],
            beat.sentence,
            why,
        ));
    }
    Verdict::Looked(findings)
}
