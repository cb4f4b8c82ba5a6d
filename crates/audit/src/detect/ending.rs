//! All foes are gone, or what was to be done is done, and nobody tells the end: play just goes on, or the log stops.

use super::finding;
use crate::cues::LISTS;
use crate::limits::{ENDING_LINES, ENDING_SENTENCES};
use crate::read::{Objective, objectives};
use crate::text::{sentences, unquoted, words};
use crate::{Channel, Kind, Line, Severity, Transcript, Verdict};

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let lines: Vec<&Line> = transcript
        .lines
        .iter()
        .filter(|line| line.channel != Channel::Before && transcript.kind(&line.voice) != Kind::Other)
        .collect();
    let wanted = objectives(transcript);
    let mut findings = Vec::new();
    let mut place = 0;
    while place < lines.len() {
        let line = lines[place];
        let reached =
            (transcript.kind(&line.voice) == Kind::Narrator).then(|| reached(&wanted, line)).flatten();
        let Some((sentence, what)) = reached else {
            place += 1;
            continue;
        };
        if is_told(transcript, &lines[place..], &sentence) {
            place += ENDING_LINES;
            continue;
        }
        let last = lines[lines.len() - 1];
        let goes_on = lines.len() - place - 1;
        let then = if goes_on < ENDING_LINES { "the transcript stops" } else { "play just goes on" };
        let numbers = [line.number, last.number];
        let numbers = &numbers[..if numbers[0] == numbers[1] { 1 } else { 2 }];
        let why = format!("{what}, and {then} without the end being told");
        findings.push(finding("ending", (Severity::Info, 70), numbers.iter().copied(), &sentence, why));
        break;
    }
    Verdict::Looked(findings)
}

/// The sentence by which everything is won.
fn reached(wanted: &[Objective], line: &Line) -> Option<(String, &'static str)> {
    let text = unquoted(&line.text);
    sentences(&text).into_iter().find_map(|sentence| {
        let said = words(sentence);
        if sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&said) {
            return None;
        }
        if LISTS.fight.won.say(&said) {
            return Some((sentence.to_owned(), "all foes are dead or gone"));
        }
        let own = wanted.iter().any(|objective| objective.number < line.number && objective.is_won_by(&said));
        (own || LISTS.story.reached.say(&said)).then(|| (sentence.to_owned(), "the objective is reached"))
    })
}

/// Is an end told, in the line itself or soon after? More foes are none, and no end either.
fn is_told(transcript: &Transcript, lines: &[&Line], sentence: &str) -> bool {
    let narrated = lines.iter().filter(|line| transcript.kind(&line.voice) == Kind::Narrator);
    let near: Vec<&&Line> = narrated.take(ENDING_LINES).collect();
    let ends = |text: &str| {
        sentences(text).into_iter().any(|sentence| {
            !sentence.trim_end().ends_with('?') && LISTS.story.ending.say(&words(sentence))
                || LISTS.fight.over.say(&words(sentence))
        })
    };
    if near.iter().any(|line| ends(&line.text)) {
        return true;
    }
    let rest = lines[0].text.split_once(sentence).map_or("", |(_, rest)| rest);
    let next = near.get(1).map_or("", |line| line.text.as_str());
    if [rest, next].iter().any(|text| LISTS.fight.more.hold(&words(text))) {
        return true;
    }
    // A last message that goes on telling after the last blow tells the end, in whatever words.
    let last = lines.iter().rev().find(|line| transcript.kind(&line.voice) == Kind::Narrator);
    let told = if last.is_some_and(|last| last.number == lines[0].number) {
        rest
    } else {
        last.map_or("", |last| last.text.as_str())
    };
    let asks = told.trim_end().ends_with('?');
    lines.len() <= ENDING_LINES && !asks && sentences(told).len() >= ENDING_SENTENCES
}
