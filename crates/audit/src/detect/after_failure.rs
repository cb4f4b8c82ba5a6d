//! A check failed, and what depended on it happens all the same.

use super::finding;
use crate::cues::{Cues, LISTS};
use crate::limits::AFTERMATH_LINES;
use crate::read::{Check, People, checks, effect, is_paid_for, outcome, told};
use crate::text::words;
use crate::{Call, Finding, Kind, RollKind, Severity, Transcript, Verdict};

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let people = People::of(transcript);
    let Some(all) = checks(transcript, &people) else { return Verdict::NotRecorded("rolls") };
    let all: Vec<Check> = all.into_iter().filter(|check| check.success.is_some()).collect();
    if all.is_empty() {
        return Verdict::NotRecorded("whether checks passed");
    }
    let mut findings: Vec<Finding> = Vec::new();
    for (place, check) in all.iter().enumerate() {
        if check.success != Some(false) || !matches!(check.kind, RollKind::Check | RollKind::Attack) {
            continue;
        }
        // One character's rolls that went both ways are told together: nobody can say which effect is whose.
        let passed = |other: &Check| {
            other.roller == check.roller && other.line == check.line && other.success == Some(true)
        };
        if all.iter().any(passed) {
            continue;
        }
        findings.extend(applied(transcript, &people, &all, place));
    }
    Verdict::Looked(findings)
}

fn applied(transcript: &Transcript, people: &People<'_>, all: &[Check], place: usize) -> Option<Finding> {
    let check = &all[place];
    let tried = attempt(transcript, check);
    let telling = told(transcript, people, all, place, AFTERMATH_LINES);
    let failed = |sentence: &String| outcome(sentence).is_some_and(|(won, _)| !won);
    let mut paid = false;
    for told in &telling {
        let mut acknowledged = false;
        let mut won = false;
        for (place, sentence) in told.sentences.iter().enumerate() {
            acknowledged |= failed(sentence);
            won |= outcome(sentence).is_some_and(|(won, _)| won);
            let Some((effect, found)) = effect(sentence, &tried, check.kind, people, check.roller.as_deref())
            else {
                continue;
            };
            if is_paid_for(&told.sentences, place, found) {
                paid = true;
                break;
            }
            // A failure that is told as a success is the contradiction itself, which another detector names.
            if won && !acknowledged {
                return None;
            }
            let why = format!("the check failed ({}), yet {} as if it had passed", check.what, effect.name());
            let numbers = [told.line.number, check.number];
            let numbers = &numbers[..if numbers[0] == numbers[1] { 1 } else { 2 }];
            return Some(finding(
                "after-failure",
                (Severity::Error, 75),
                numbers.iter().copied(),
                sentence,
                why,
            ));
        }
        if paid || told.sentences.iter().any(|sentence| LISTS.outcome.price.say(&words(sentence))) {
            return None;
        }
    }
    let call = granted(transcript, people, all, place, telling.last().map(|told| told.line.number))?;
    let why = format!("the check failed ({}), yet {} is called as if it had passed", check.what, call.tool);
    Some(finding("after-failure", (Severity::Error, 70), [call.number, check.number], "", why))
}

/// The words of what was tried: what the player said last, and what the roll is said to be for.
fn attempt(transcript: &Transcript, check: &Check) -> Vec<String> {
    let before = transcript.lines
        [..(check.line + usize::from(check.told.is_some())).min(transcript.lines.len())]
        .iter()
        .rev();
    // Where nobody knows whose roll it was, it answers whoever spoke last.
    let mut own = before.filter(|line| match check.roller.as_deref() {
        Some(roller) => line.voice == roller,
        None => transcript.kind(&line.voice) == Kind::Player,
    });
    let said = own.next().map_or("", |line| line.text.as_str());
    let mut tried = words(said);
    tried.extend(words(&check.what));
    tried.extend(words(&check.asked.replace('_', " ")));
    tried.extend(check.told.iter().flat_map(|told| words(told)));
    tried
}

/// A call that gives what the check was for, before the same character tries again.
fn granted<'t>(
    transcript: &'t Transcript,
    people: &People<'_>,
    all: &[Check],
    place: usize,
    until: Option<u64>,
) -> Option<&'t Call> {
    let check = &all[place];
    let next = all[place + 1..].iter().map(|later| later.number).next().unwrap_or(u64::MAX);
    let next = next.min(until.map_or(check.number + 6, |until| until + 1));
    let roller = check.roller.as_deref()?;
    let grants: &Cues = &LISTS.tools.grants;
    transcript.calls.iter().flatten().filter(|_| transcript.foreign).find(|call| {
        let within = call.number > check.number && call.number < next && call.good != Some(false);
        let named = words(&call.tool.replace('_', " "));
        let hurts = named.iter().any(|word| word == "damage" || word == "hp");
        let own = people.is_named(roller, &call.key) || call.key.contains(roller);
        within && grants.hold(&named) && own != hurts
    })
}
