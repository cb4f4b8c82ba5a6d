//! The memory keeper: a few plain sentences out of a passage.

use super::grammar::Scribe;
use super::read::{Person, action, sentences, shift};
use super::request::Request;

/// How many sentences a summary has at most.
const SENTENCES_MAX: usize = 6;

/// A summary of the passage that the request shows.
pub(super) fn summarise(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let mut told: Vec<String> = Vec::new();
    for line in &request.lines {
        if line.speaker.is_empty() {
            let effect = line.text.split_once("] ").map(|(_, effect)| effect).unwrap_or(&line.text);
            told.push(full_stop(effect));
        } else if line.speaker == "DM" {
            let plain = sentences(&line.text)
                .into_iter()
                .find(|sentence| (30..200).contains(&sentence.len()) && !sentence.contains(['"', '?', '<']));
            told.extend(plain.map(str::to_owned));
        } else if let Some(act) = action(&line.text) {
            scribe.set("who", line.speaker.as_str());
            scribe.set("act", shift(&act, Person::Third));
            told.push(scribe.say(DEEDS));
        }
    }
    if told.is_empty() {
        let passage = if request.asked.is_empty() { &request.material } else { &request.asked };
        let plain = sentences(passage).into_iter().filter(|sentence| {
            sentence.ends_with('.') && !sentence.starts_with(['<', '[', '#']) && sentence.contains(' ')
        });
        told.extend(plain.map(str::to_owned));
    }
    if told.is_empty() {
        return "Little was said, and nothing was decided. Everybody is where they were.".to_owned();
    }
    told.dedup();
    let all = told.len();
    let chosen: Vec<String> = told
        .into_iter()
        .enumerate()
        .filter(|(index, _)| {
            all <= SENTENCES_MAX || (index * SENTENCES_MAX) / all != ((index + 1) * SENTENCES_MAX) / all
        })
        .map(|(_, sentence)| sentence)
        .collect();
    chosen.join(" ")
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
