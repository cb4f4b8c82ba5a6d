//! The memory keeper: a few plain sentences out of a passage.

use super::grammar::Scribe;
use super::read::{Person, action, sentences, shift};
use super::request::Request;

/// How many sentences a summary has at most.
const SENTENCES_MAX: usize = 12;
/// How many of them are about what was told before.
const EARLIER_MAX: usize = 5;

/// A summary of what was told before and of the passage that the request shows.
pub(super) fn summarise(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let mut told: Vec<String> = Vec::new();
    for line in &request.lines {
        if line.speaker.is_empty() {
            told.extend(effect(&line.text));
        } else if line.speaker == "DM" {
            told.extend(narrated(&line.text).map(str::to_owned));
        } else if let Some(act) = action(&line.text).filter(|_| !checked(request, &line.text)) {
            scribe.set("who", line.speaker.as_str());
            scribe.set("act", shift(&act, Person::Third));
            told.push(scribe.say(DEEDS));
        }
    }
    let mut earlier: Vec<String> = Vec::new();
    if told.is_empty() {
        let passage = if request.asked.is_empty() { &request.material } else { &request.asked };
        let plain = sentences(passage).into_iter().filter(|sentence| {
            sentence.ends_with('.') && !sentence.starts_with(['<', '[', '#']) && sentence.contains(' ')
        });
        told.extend(plain.map(str::to_owned));
    } else {
        let before = sentences(request.tagged("story_so_far"));
        earlier.extend(before.into_iter().map(str::to_owned));
    }
    if told.is_empty() {
        return "Little was said, and nothing was decided. Everybody is where they were.".to_owned();
    }
    let mut seen = Vec::new();
    for sentence in earlier.iter().chain(&told) {
        if !seen.contains(sentence) {
            seen.push(sentence.clone());
        }
    }
    let fresh = seen.split_off(seen.len().min(earlier.len()));
    let mut chosen = spread(seen, EARLIER_MAX);
    let left = SENTENCES_MAX - chosen.len();
    chosen.extend(spread(fresh, left));
    chosen.join(" ")
}

/// At most so many of the sentences, spread over all of them.
fn spread(told: Vec<String>, most: usize) -> Vec<String> {
    let all = told.len();
    let kept = |index: &usize| all <= most || (index * most) / all != ((index + 1) * most) / all;
    told.into_iter().enumerate().filter(|(index, _)| kept(index)).map(|(_, sentence)| sentence).collect()
}

/// What an effect in square brackets says without its numbers; nothing for reminders and the like.
fn effect(text: &str) -> Option<String> {
    let (kind, effect) = text.split_once("] ")?;
    if kind == "[event" {
        return Some(full_stop(effect));
    }
    if kind != "[check" {
        return None;
    }
    let (who, rest) = effect.split_once(": ")?;
    let (what, _) = rest.split_once(" (")?;
    let outcome = if rest.ends_with("success") { "managed to" } else { "failed to" };
    what.contains(' ').then(|| format!("{who} {outcome} {what}."))
}

/// What the DM told that stays true: a plain sentence that speaks to nobody, and names somebody if there is one that does.
fn narrated(text: &str) -> Option<&str> {
    let plain = sentences(text).into_iter().rev().filter(|sentence| {
        let spoken = [" you", "You", "you,"].iter().any(|you| sentence.contains(you));
        !spoken && (30..200).contains(&sentence.len()) && !sentence.contains(['"', '?', '<'])
    });
    let names = |sentence: &&str| {
        sentence.split(' ').skip(1).any(|word| word.starts_with(|c: char| c.is_uppercase()))
    };
    let plain: Vec<&str> = plain.collect();
    plain.iter().copied().find(names).or_else(|| plain.first().copied())
}

/// Whether these words tell of a check, whose outcome is told by itself.
fn checked(request: &Request<'_>, text: &str) -> bool {
    let folded = text.to_lowercase();
    request.lines.iter().filter(|line| line.text.starts_with("[check] ")).any(|line| {
        let check = line.text.split(": ").nth(1).and_then(|rest| rest.split_once(" ("));
        check.is_some_and(|(what, _)| folded.contains(&what.to_lowercase()))
    })
}

fn full_stop(text: &str) -> String {
    format!("{}.", super::grammar::capital(text.trim()).trim_end_matches('.'))
}

const DEEDS: &[&str] = &[
    "{who} set out to {act}.",
    "It was {who} who chose to {act}.",
    "Then {who} tried to {act}.",
    "{who} meant to {act}.",
    "After that {who} went to {act}.",
];
