//! Who is meant by a name: what the players' characters are called, also where the speakers are called otherwise.

use std::collections::{BTreeMap, BTreeSet};

use crate::cues::LISTS;
use crate::text::{is_common, place_of, sentences, words};
use crate::{Channel, Kind, Transcript};

/// Lines at the beginning in which people say who they are.
const INTRODUCTION_LINES: usize = 12;
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
/// What stands between a speaker's name and their character's.
const PLAYS: &[&str] = &[
    " plays ",
    " is playing ",
    " playing ",
    " as ",
    " controls ",
    ": ",
    " (",
    " = ",
    " - ",
    " — ",
    " will play ",
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
    /// Words that are written with a capital within sentences: names of people and places.
    proper: BTreeSet<&'t str>,
}

impl<'t> People<'t> {
    pub(crate) fn of(transcript: &'t Transcript) -> People<'t> {
        let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (voice, known) in transcript.players() {
            let own = known.names.iter().filter(|name| !is_generic(name)).cloned();
            names.insert(voice, own.collect());
        }
        let mut people = People { transcript, names, proper: proper_words(transcript) };
        if transcript.foreign {
            people.introduce();
        }
        people
    }

    /// The players' voices, each with its names. Voices of programs are left out where people play.
    pub(crate) fn players(&self) -> impl Iterator<Item = (&'t str, &[String])> {
        self.names.iter().map(|(voice, names)| (*voice, names.as_slice()))
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

    /// Does a sentence begin with somebody's name who is none of the players, or not this one?
    pub(crate) fn is_about_another(&self, voice: Option<&str>, sentence: &str) -> bool {
        // "Osric", and "Big Osric".
        let mut words =
            sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(2);
        let other = words.any(|word| self.proper.contains(word));
        let begins = |names: &[String]| names.iter().any(|name| sentence.starts_with(name.as_str()));
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
        let early = lines
            .iter()
            .filter(|line| line.channel == Channel::Before || line.turn <= INTRODUCTION_LINES as u32);
        let mut found: Vec<(&str, String)> = Vec::new();
        for line in early.chain(lines.iter().filter(|line| self.transcript.kind(&line.voice) == Kind::Other))
        {
            if let Some((voice, _)) = self.names.get_key_value(line.voice.as_str()) {
                let own = SELF.iter().filter_map(|front| line.text.split(front).nth(1).and_then(proper));
                found.extend(own.map(|name| (*voice, name)));
            } else {
                for voice in self.names.keys() {
                    let plain = voice.replace('_', " ");
                    let at = [*voice, plain.as_str()]
                        .iter()
                        .find_map(|name| Some(place_of(&line.text, name)? + name.len()));
                    let rest = at.and_then(|at| line.text.get(at..));
                    let name = rest
                        .and_then(|rest| PLAYS.iter().find_map(|plays| proper(rest.strip_prefix(plays)?)));
                    found.extend(name.map(|name| (*voice, name)));
                }
            }
        }
        for (voice, name) in found {
            let taken = self.names.iter().any(|(other, names)| *other != voice && names.contains(&name));
            let names = self.names.entry(voice).or_default();
            // A speaker with a name of its own is its character, unless it is said to play another.
            if !taken && !names.contains(&name) {
                names.push(name);
            }
        }
    }
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

/// A name at the beginning of a text: "Bren, a smith", "Mara Voss of Keld" gives "Mara".
fn proper(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['*', '_', '"', '“', ' ']);
    let mut name = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-').next()?;
    if name.eq_ignore_ascii_case("the") || name.eq_ignore_ascii_case("captain") {
        name = text.split_whitespace().nth(1)?;
    }
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    let capital = name.chars().next().is_some_and(char::is_uppercase);
    (capital && name.chars().count() > 2 && !is_generic(name)).then(|| name.to_owned())
}

fn is_generic(name: &str) -> bool {
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
