//! Who is meant by a name: what the players' characters are called, also where the speakers are called otherwise.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::casting::{characters, names_at};
use super::speech::behind_subject;
use crate::cues::{LISTS, is_base};
use crate::text::{is_common, place_of, sentences, unquoted, words};
use crate::{Channel, Kind, Line, Transcript};

/// Lines at the beginning in which people say who they are.
const INTRODUCTION_LINES: usize = 12;
/// Lines in which a player tells what somebody does, and nobody else does so: it is their character.
const OWN_LINES_MIN: usize = 3;
/// Words before a name with which a sentence begins: "Meanwhile the good Ada".
const SUBJECT_WORDS: usize = 3;
/// Names of a seat and of nobody in particular.
const GENERIC: &[&str] = &[
    "player",
    "user",
    "pc",
    "agent",
    "character",
    "human",
    "the",
    "a",
    "an",
    "dm",
    "gm",
    "i",
    "you",
    "we",
    "and",
    "dr",
    "mr",
    "mrs",
    "miss",
    "captain",
    "sir",
    "lady",
    "lord",
    "old",
    "brother",
    "sister",
    "father",
    "mother",
    "doctor",
    "sergeant",
    "professor",
];
/// How somebody says who they are.
const SELF: &[&str] = &[
    "I'm ",
    "I am ",
    "My name is ",
    "my name is ",
    "I'm playing ",
    "I play ",
    "I'll play ",
    "I'll be playing ",
    "Call me ",
    "call me ",
    "Name: ",
    "Character: ",
    "They call me ",
    "name's ",
];

/// The players' voices and their names in prose.
pub(crate) struct People<'t> {
    transcript: &'t Transcript,
    names: BTreeMap<&'t str, Vec<String>>,
    /// Words that are written with a capital within sentences: names of people and places. Most detectors never ask for them.
    proper: OnceCell<BTreeSet<&'t str>>,
}

impl<'t> People<'t> {
    pub(crate) fn of(transcript: &'t Transcript) -> People<'t> {
        let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (voice, known) in transcript.players() {
            let own = known.names.iter().filter(|name| !is_generic(name)).cloned();
            names.insert(voice, own.collect());
        }
        let mut people = People { transcript, names, proper: OnceCell::new() };
        if transcript.foreign {
            people.introduce();
        }
        people
    }

    /// The players' voices, each with its names. Voices of programs are left out where people play.
    pub(crate) fn players(&self) -> impl Iterator<Item = (&'t str, &[String])> {
        self.names.iter().map(|(voice, names)| (*voice, names.as_slice()))
    }

    fn proper(&self) -> &BTreeSet<&'t str> {
        self.proper.get_or_init(|| proper_words(self.transcript))
    }

    /// Are they of another program's transcript?
    pub(crate) fn is_foreign(&self) -> bool {
        self.transcript.foreign
    }

    /// The names of a player's character.
    pub(crate) fn names(&self, voice: &str) -> &[String] {
        self.names.get(voice).map_or(&[], Vec::as_slice)
    }

    /// The player whose character a text names first.
    pub(crate) fn named_in(&self, text: &str) -> Option<&'t str> {
        let first = |names: &[String]| names.iter().filter_map(|name| place_of(text, name)).min();
        let named = self.players().filter_map(|(voice, names)| Some((first(names)?, voice)));
        named.min().map(|(_, voice)| voice)
    }

    /// Does a text name this player's character?
    pub(crate) fn is_named(&self, voice: &str, text: &str) -> bool {
        self.names(voice).iter().any(|name| place_of(text, name).is_some())
    }

    /// May this player's character be who acts in a sentence, and not only somebody in it?
    pub(crate) fn is_subject(&self, voice: &str, sentence: &str) -> bool {
        self.names(voice).iter().any(|name| {
            let at = place_of(sentence, name);
            let early = at.is_some_and(|at| words(&sentence[..at]).len() <= SUBJECT_WORDS);
            early || behind_subject(sentence, name).is_some()
        })
    }

    /// Does a clause speak of somebody whom no player plays?
    pub(crate) fn is_strange(&self, clause: &str) -> bool {
        let own: BTreeSet<String> = self.names.values().flatten().flat_map(|name| words(name)).collect();
        let said = words(clause);
        let persons = LISTS.speech.persons.all(&said).any(|found| !own.contains(&said[found.start]));
        let named = clause
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| self.proper().contains(word) && !own.contains(&word.to_lowercase()));
        persons || named
    }

    /// Does a sentence begin with somebody's name who is none of the players, or not this one?
    pub(crate) fn is_about_another(&self, voice: Option<&str>, sentence: &str) -> bool {
        // "Osric", and "Big Osric".
        let mut words =
            sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(2);
        let other = words.any(|word| self.proper().contains(word));
        // "Mrs. Orr" is she whose name is Orr.
        let front: Vec<&str> =
            sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(2).collect();
        let begins = |names: &[String]| {
            names.iter().any(|name| sentence.starts_with(name.as_str()) || front.contains(&name.as_str()))
        };
        // Where nobody knows who rolled, it may have been any of the players.
        let meant = match voice {
            Some(voice) => begins(self.names(voice)),
            None => self.players().any(|(_, names)| begins(names)),
        };
        other && !meant
    }

    /// Names that are not the speakers': "Tom plays Bren", "I'm Bren, a smith".
    fn introduce(&mut self) {
        let lines = &self.transcript.lines;
        let is_early = |line: &&Line| {
            let early = line.channel == Channel::Before || line.turn <= INTRODUCTION_LINES as u32;
            early || self.transcript.kind(&line.voice) == Kind::Other
        };
        let mut found: Vec<(&str, String)> = Vec::new();
        let mut stated: Vec<&str> = self.transcript.prompts.iter().map(|(_, text)| text.as_str()).collect();
        for line in lines.iter().filter(is_early) {
            if let Some((voice, _)) = self.names.get_key_value(line.voice.as_str()) {
                let own = SELF.iter().filter_map(|front| line.text.split(front).nth(1));
                found.extend(own.flat_map(|rest| names_at(rest, 1)).map(|name| (*voice, name)));
            } else {
                stated.push(&line.text);
            }
        }
        let alone = self.names.len() == 1;
        for voice in self.names.keys() {
            let called = called(voice, alone);
            for text in &stated {
                found.extend(characters(text, &called).into_iter().map(|name| (*voice, name)));
            }
        }
        for (voice, name) in self.told_of_themselves() {
            if !found.iter().any(|(known, _)| *known == voice) {
                found.push((voice, name));
            }
        }
        // A name that two of them were given is nobody's alone.
        let given = found.clone();
        let shared =
            |voice: &str, name: &str| given.iter().any(|(other, same)| *other != voice && same == name);
        for (voice, name) in found {
            let taken = self.names.iter().any(|(other, names)| *other != voice && names.contains(&name));
            let shared = shared(voice, &name);
            let names = self.names.entry(voice).or_default();
            if !taken && !shared && !names.contains(&name) {
                names.push(name);
            }
        }
    }

    /// The names of whom players tell in lines of their own, as one does of one's character: "Crisp bows. Crisp takes a seat."
    fn told_of_themselves(&self) -> Vec<(&'t str, String)> {
        let mut counts: BTreeMap<String, BTreeMap<&'t str, usize>> = BTreeMap::new();
        for line in &self.transcript.lines {
            let Some((voice, _)) = self.names.get_key_value(line.voice.as_str()) else { continue };
            let mut told = BTreeSet::new();
            for sentence in sentences(&unquoted(&line.text)) {
                let plain = sentence.trim_start_matches(['*', '_', ' ']);
                for name in names_at(plain, 0) {
                    let does = behind_subject(plain, &name).map(words).unwrap_or_default();
                    if does.first().is_some_and(|verb| verb.len() > 2 && !is_base(verb))
                        && !name.contains(' ')
                    {
                        told.insert(name);
                    }
                }
            }
            for name in told {
                *counts.entry(name).or_default().entry(voice).or_default() += 1;
            }
        }
        let own = counts.into_iter().filter_map(|(name, by)| match by.into_iter().collect::<Vec<_>>()[..] {
            [(voice, count)] if count >= OWN_LINES_MIN => Some((voice, name)),
            _ => None,
        });
        own.collect()
    }
}

/// How texts call a player, by the name of its seat. One who is alone is "the player" to everybody.
fn called(voice: &str, alone: bool) -> Vec<String> {
    let capital = |text: &str| {
        let mut letters = text.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
            .unwrap_or_default()
    };
    let plain = voice.replace('_', " ");
    let mut called = vec![voice.to_owned(), plain.clone(), capital(voice), capital(&plain)];
    if alone {
        called.extend(
            ["The user", "the user", "The player", "the player", "User", "Player"].map(str::to_owned),
        );
    }
    called.sort();
    called.dedup();
    called
}

fn proper_words(transcript: &Transcript) -> BTreeSet<&str> {
    let mut proper = BTreeSet::new();
    for line in &transcript.lines {
        for sentence in sentences(&line.text) {
            let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let own = words.skip(1).filter(|word| word.chars().next().is_some_and(char::is_uppercase));
            proper
                .extend(own.filter(|word| word.chars().count() > 2 && word.chars().any(char::is_lowercase)));
        }
    }
    let lower = transcript.lines.iter().flat_map(|line| line.text.split(|c: char| !c.is_alphanumeric()));
    let lower: BTreeSet<&str> =
        lower.filter(|word| word.chars().next().is_some_and(char::is_lowercase)).collect();
    proper.retain(|word| {
        let plain = word.to_lowercase();
        !is_common(&plain) && !lower.contains(plain.as_str())
    });
    proper
}

pub(super) fn is_generic(name: &str) -> bool {
    let words = words(name);
    let own = words.iter().filter(|word| {
        !GENERIC.contains(&word.as_str())
            && !LISTS.tools.nobody.contains(*word)
            && !word.bytes().all(|byte| byte.is_ascii_digit())
    });
    own.count() == 0 || name.contains('_')
}

/// Is a speaker a program or a host, by its name?
pub(crate) fn is_nobody(voice: &str) -> bool {
    let plain = voice.to_lowercase();
    let plain = plain.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_' || c == '-');
    LISTS.tools.nobody.contains(&plain.replace([' ', '-'], "_"))
}
