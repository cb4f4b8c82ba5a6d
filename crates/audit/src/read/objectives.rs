//! What is to be done, as a system prompt or the narrator's first words say it.

use std::collections::BTreeSet;

use super::People;
use crate::cues::{LISTS, stem};
use crate::text::{is_telling, sentences, words};
use crate::{Channel, Kind, Transcript};

/// Lines of the narrator in which a scene is set.
const FIRST_LINES: usize = 2;
/// Words by which an objective can be known; with fewer, the next sentence says what is meant.
const WORDS_MIN: usize = 2;

/// Something that is to be done.
#[derive(Clone, Debug)]
pub(crate) struct Objective {
    /// Number of the line that states it.
    pub number: u64,
    pub text: String,
    /// Stems of the words that tell what it is about.
    pub keys: BTreeSet<String>,
}

impl Objective {
    /// Does a sentence say that what was to be got is in somebody's hands?
    pub(crate) fn is_won_by(&self, said: &[String]) -> bool {
        let seeks = [
            "recover", "find", "get", "steal", "retrieve", "fetch", "seize", "bring", "secure", "obtain",
            "take",
        ];
        let wanted = words(&self.text);
        let sought = wanted.iter().position(|word| seeks.contains(&word.as_str()));
        // The first telling word after the verb is what is sought.
        let thing = sought.and_then(|at| wanted[at + 1..].iter().take(4).rfind(|word| is_telling(word)));
        thing.is_some_and(|thing| {
            said.iter().any(|word| stem(word) == stem(thing)) && LISTS.outcome.item.say(said)
        })
    }
}

/// The objectives that are stated before play or at its beginning.
pub(crate) fn objectives(transcript: &Transcript) -> Vec<Objective> {
    let mut found = Vec::new();
    let mut narrated = 0;
    let people = People::of(transcript);
    let names: BTreeSet<String> = people
        .players()
        .flat_map(|(_, names)| names)
        .flat_map(|name| words(name))
        .map(|word| stem(&word))
        .collect();
    let mut stated: Vec<(u64, &str)> =
        transcript.prompts.iter().map(|(number, text)| (*number, text.as_str())).collect();
    for line in transcript.lines.iter().filter(|line| line.channel != Channel::Before) {
        let kind = transcript.kind(&line.voice);
        narrated += usize::from(kind == Kind::Narrator);
        if kind == Kind::Other || (kind == Kind::Narrator && narrated <= FIRST_LINES) {
            stated.push((line.number, &line.text));
        }
    }
    for (number, text) in stated {
        let all = sentences(text);
        for (place, sentence) in all.iter().enumerate() {
            let said = words(sentence);
            let Some(head) = LISTS.story.objective.all(&said).next() else { continue };
            if sentence.trim_end().ends_with('?') || LISTS.story.meta.hold(&said) {
                continue;
            }
            let telling = |words: &[String]| -> BTreeSet<String> {
                words
                    .iter()
                    .filter(|word| is_telling(word))
                    .map(|word| stem(word))
                    .filter(|word| !names.contains(word))
                    .collect()
            };
            let mut keys = telling(&said[head.end..]);
            let mut text = (*sentence).to_owned();
            if keys.len() < WORDS_MIN
                && let Some(next) = all.get(place + 1)
            {
                keys.extend(telling(&words(next)));
                text = format!("{text} {next}");
            }
            if keys.len() >= WORDS_MIN {
                found.push(Objective { number, text, keys });
                break;
            }
        }
    }
    found.dedup_by(|one, other| one.keys == other.keys);
    found
}
