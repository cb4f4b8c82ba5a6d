//! What is to be done, as a system prompt or the narrator's first words say it.

use std::collections::BTreeSet;

use super::People;
use crate::cues::{LISTS, Match, stem};
use crate::text::{is_telling, sentences, words};
use crate::{Channel, Kind, Transcript};

/// Lines of the narrator in which a scene is set.
const FIRST_LINES: usize = 2;
/// Words by which an objective can be known; with fewer, its neighbours say what is meant.
const WORDS_MIN: usize = 2;
/// Words that tell what is to be done, and to whom.
const ACT_WORDS: usize = 8;
/// Verbs of who wants to have something in the end.
const SEEKS: [&str; 11] =
    ["recover", "find", "get", "steal", "retrieve", "fetch", "seize", "bring", "secure", "obtain", "take"];
/// Words in which such a verb stands where a sentence says an aim that nobody calls one.
const SEEK_WORDS: usize = 4;
/// Sentences before an aim in which stands who is meant by a pronoun.
const MEANT_SENTENCES: usize = 2;
/// Words of an aim before "to" says what is to come of it: the first "to" only begins it.
const OUTCOME_AT: usize = 2;
/// Words of that.
const OUTCOME_WORDS: usize = 4;
/// Words that say until when, and no longer what.
const LIMITS: &str = "before ere until till by so without unless while because since lest within";
/// Words that every scene and every session has.
const EMPTY: &str = "session scene tonight evening objective goal task mission adventure players player party characters character asked wants \
                     order orders initiative round rounds turn turns hour hours minutes minute starting something somebody someone";

/// Something that is to be done.
#[derive(Clone, Debug)]
pub(crate) struct Objective {
    /// Number of the line that states it.
    pub number: u64,
    pub text: String,
    /// Stems of the words that tell what it is about.
    pub keys: BTreeSet<String>,
    /// Do its own words alone say what it is? Else the keys are of what stands around it as well.
    pub sure: bool,
    /// Those of its keys that are names of people and places.
    pub names: BTreeSet<String>,
    /// The first words behind its head.
    pub act: Vec<String>,
    /// Stems of the first of them: what is to be done with it.
    pub verbs: BTreeSet<String>,
    /// Stems of common words that say what is to come about in the end: "until the *frost*", "to stop *playing*".
    pub outcome: BTreeSet<String>,
}

impl Objective {
    /// Does a sentence say that what was to be got is in somebody's hands?
    pub(crate) fn is_won_by(&self, said: &[String]) -> bool {
        let wanted = words(&self.text);
        let sought = wanted.iter().position(|word| SEEKS.contains(&word.as_str()));
        // The first telling word after the verb is what is sought.
        let thing = sought.and_then(|at| wanted[at + 1..].iter().take(4).rfind(|word| is_telling(word)));
        thing.is_some_and(|thing| {
            said.iter().any(|word| stem(word) == stem(thing)) && LISTS.outcome.item.say(said)
        })
    }

    /// Does a sentence, with what follows it at once, say of what it is about that it is done?
    pub(crate) fn is_done_by(&self, said: &[String], sentence: &[String]) -> bool {
        let about: BTreeSet<String> =
            sentence.iter().map(|word| stem(word)).filter(|stem| self.keys.contains(stem)).collect();
        let own = sentence.iter().any(|word| {
            let participle = word.ends_with("ed") || word.ends_with('n') || word.ends_with('t');
            self.verbs.contains(&stem(word)) && !self.verbs.contains(word) && participle
        });
        // Where the keys are those of the whole scene, one of them says little.
        let enough = if self.sure { 1 } else { 2 };
        about.len() >= enough && (LISTS.story.done.say(said) || (own && about.len() > 1))
    }

    /// Is it a fight that is to be won?
    pub(crate) fn is_fight(&self) -> bool {
        LISTS.story.fights.hold(&self.act)
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
    // In a prompt for whoever tells the story, "you" is nobody of the story.
    let to_narrator = |text: &str| LISTS.story.narrates.hold(&words(text));
    let mut stated: Vec<(u64, &str, bool)> =
        transcript.prompts.iter().map(|(number, text)| (*number, text.as_str(), to_narrator(text))).collect();
    for line in transcript.lines.iter().filter(|line| line.channel != Channel::Before) {
        let kind = transcript.kind(&line.voice);
        narrated += usize::from(kind == Kind::Narrator);
        if kind == Kind::Other || (kind == Kind::Narrator && narrated <= FIRST_LINES) {
            stated.push((line.number, &line.text, kind == Kind::Other && to_narrator(&line.text)));
        }
    }
    // Words that somebody writes small are no names.
    let small = transcript.lines.iter().flat_map(|line| line.text.split(|c: char| !c.is_alphanumeric()));
    let small = small.filter(|word| word.chars().next().is_some_and(char::is_lowercase));
    let lower: BTreeSet<String> = small.map(stem).collect();
    for (number, text, to_narrator) in &stated {
        found.extend(stated_in((*number, text), *to_narrator, &names, &lower, false));
    }
    // Where nothing is called an aim, what has to be done by some time is one.
    if found.is_empty() && transcript.foreign {
        let dated = stated.iter().filter_map(|(number, text, to_narrator)| {
            stated_in((*number, text), *to_narrator, &names, &lower, true).filter(|dated| dated.sure)
        });
        found.extend(dated);
    }
    found.dedup_by(|one, other| one.keys == other.keys);
    found
}

/// The objective that a text states first.
fn stated_in(
    (number, text): (u64, &str),
    to_narrator: bool,
    names: &BTreeSet<String>,
    lower: &BTreeSet<String>,
    dated: bool,
) -> Option<Objective> {
    let all = sentences(text);
    let telling = |words: &[String]| -> BTreeSet<String> {
        let empty: BTreeSet<String> = EMPTY.split_whitespace().map(stem).collect();
        words
            .iter()
            .filter(|word| is_telling(word) && word.parse::<i64>().is_err())
            .map(|word| stem(word))
            .filter(|word| !names.contains(word) && !empty.contains(word) && word.len() > 2)
            .collect()
    };
    all.iter().enumerate().find_map(|(place, sentence)| {
        let said = words(sentence);
        let own = |head: &Match| {
            said[head.start.saturating_sub(1)..head.end].iter().any(|word| word.starts_with("you"))
        };
        let head = match dated {
            true => due(sentence, &said)?,
            false => LISTS.story.objective.all(&said).find(|head| !(to_narrator && own(head)))?,
        };
        if sentence.trim_end().ends_with('?') || LISTS.story.meta.hold(&said) {
            return None;
        }
        // "Kill him, that's the whole goal": what is to be done stands before the word.
        let from = if said.len() < head.end + WORDS_MIN && head.start > ACT_WORDS / 2 { 0 } else { head.end };
        let (mut keys, limited) = core(sentence, from, &telling);
        let mut text = (*sentence).to_owned();
        let mut verbs = &said[from.min(said.len())..];
        // "Get them out": whoever they are stands in the sentences before.
        let front: &[&str] = &all[place.saturating_sub(MEANT_SENTENCES)..place];
        let pronoun = meant(&said[from.min(said.len())..]);
        if pronoun == Some(true) && keys.len() <= WORDS_MIN {
            keys.extend(several(front).filter(|key| !names.contains(key)));
        }
        let vague = pronoun.is_some() && keys.len() <= WORDS_MIN && several(front).next().is_none();
        if pronoun == Some(false) && keys.len() <= WORDS_MIN {
            keys.extend(front.last().map(|before| telling(&words(before))).unwrap_or_default());
        }
        let vague = vague && pronoun == Some(true);
        let next = all.get(place + 1).copied();
        let following = next.map(words).unwrap_or_default();
        // "Your mission? Find the bell." The next sentence says what, unless this one has said until when.
        if keys.len() < WORDS_MIN
            && pronoun.is_none()
            && let Some(next) = next.filter(|_| !limited && said.len() < from + WORDS_MIN * 2)
        {
            keys.extend(core(next, 0, &telling).0);
            text = format!("{text} {next}");
            verbs = if verbs.is_empty() { &following } else { verbs };
        }
        // "Get it lit before dawn": what is spoken of stands before it, or behind the limit.
        // One name of somebody says enough.
        let capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
        let proper: BTreeSet<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(capital)
            .map(|word| stem(&word.to_lowercase()))
            .collect();
        let named = keys.iter().any(|key| proper.contains(key) && !lower.contains(key));
        let sure = !vague && (keys.len() >= WORDS_MIN || named && !dated);
        if !sure {
            keys.extend(telling(&said[from.min(said.len())..]));
            keys.extend(front.iter().flat_map(|before| telling(&words(before))));
            keys.extend(telling(&following));
        }
        let names = keys.intersection(&proper).filter(|key| !lower.contains(*key)).cloned().collect();
        let act = verbs.iter().take(ACT_WORDS).cloned().collect();
        let mut outcome: BTreeSet<String> =
            outcome(&said[from.min(said.len())..]).filter(|key| !keys.contains(key)).collect();
        // Whoever is known by one name is spoken of in other words: the rest of the sentence says which.
        if sure && keys.len() < WORDS_MIN {
            let rest = said[from.min(said.len())..]
                .iter()
                .filter(|word| word.len() > 3 && !EMPTY.contains(word.as_str()));
            let rest = rest.map(|word| stem(word)).filter(|word| word.len() > 2);
            outcome.extend(rest.filter(|word| !verbs_of(verbs).contains(word) && !keys.contains(word)));
        }
        let verbs = verbs_of(verbs);
        let enough = keys.len() >= WORDS_MIN || sure;
        enough.then_some(Objective { number, text, keys, sure, names, act, verbs, outcome })
    })
}

/// Stems of the first words: what is to be done.
fn verbs_of(words: &[String]) -> BTreeSet<String> {
    words.iter().take(4).filter(|word| word.len() > 2).map(|word| stem(word)).collect()
}

/// A sentence that says what somebody does before some time, and so an aim: "We get the ledgers before the auction". What stands before
/// the limit is its head's.
fn due(sentence: &str, said: &[String]) -> Option<Match> {
    let limit = said
        .iter()
        .position(|word| word == "before" || word == "by")
        .filter(|at| *at > 1 && *at + 1 < said.len())?;
    let first = said.first()?;
    let subject = ["we", "you", "you're", "we're"].contains(&first.as_str());
    // "Get it back before noon"; that somebody arrives somewhere before dusk is no aim.
    let seeks = said[..limit].iter().take(SEEK_WORDS).position(|word| SEEKS.contains(&word.as_str()));
    let asks = seeks == Some(0) || subject && seeks.is_some();
    let open = !sentence.trim_end().ends_with('?') && !LISTS.outcome.supposed.hold(&said[..limit]);
    (open && asks).then_some(Match { start: 0, end: usize::from(subject), negated: false })
}

/// Does an aim speak of somebody by a pronoun alone, and of several?
fn meant(said: &[String]) -> Option<bool> {
    let until =
        said.iter().position(|word| LIMITS.split(' ').any(|limit| limit == word)).unwrap_or(said.len());
    let core = &said[..until.min(ACT_WORDS * 2)];
    let holds = |list: &[&str]| core.iter().any(|word| list.contains(&word.as_str()));
    if holds(&["them", "both"]) {
        return Some(true);
    }
    let alone = core.iter().take(ACT_WORDS / 2).any(|word| word == "it");
    alone.then_some(false)
}

/// Stems of nouns that name several things, in sentences: words with an s, and no verb that begins a sentence.
fn several<'s>(sentences: &'s [&'s str]) -> impl Iterator<Item = String> + 's {
    let nouns = sentences.iter().flat_map(|sentence| words(&sentence.replace(['\'', '’'], "_")));
    nouns
        .filter(|word| word.len() > 4 && word.ends_with('s') && !word.ends_with("ss") && !word.contains('_'))
        .filter(|word| {
            !EMPTY.split_whitespace().any(|empty| empty == word) && !LIMITS.contains(word.as_str())
        })
        .map(|word| stem(&word))
}

/// What is to come about in the end: what stands behind "until", and behind a second "to".
fn outcome(said: &[String]) -> impl Iterator<Item = String> + '_ {
    let at = said
        .iter()
        .enumerate()
        .filter(|(at, word)| ["until", "till"].contains(&word.as_str()) || *word == "to" && *at > OUTCOME_AT);
    let at = at.map(|(at, _)| at + 1).next().unwrap_or(said.len());
    let rest = said[at..].iter().take(OUTCOME_WORDS).filter(|word| word.len() > 3);
    rest.map(|word| stem(word)).filter(|word| word.len() > 2)
}

/// The telling words of what is to be done, from a word on up to where it is known, and whether a limit stands there.
fn core(
    sentence: &str,
    from: usize,
    telling: &dyn Fn(&[String]) -> BTreeSet<String>,
) -> (BTreeSet<String>, bool) {
    let mut keys = BTreeSet::new();
    let mut at = 0;
    for piece in sentence.split([',', ';', '(', ')', '—']) {
        let spoken = words(piece);
        for word in spoken {
            let here = at;
            at += 1;
            if here < from {
                continue;
            }
            if here > from && LIMITS.split(' ').any(|limit| limit == word) {
                return (keys, true);
            }
            keys.extend(telling(&[word]));
        }
        if keys.len() >= WORDS_MIN {
            break;
        }
    }
    (keys, false)
}
