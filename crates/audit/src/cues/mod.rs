//! Turns of speech by which detectors know what a sentence is about: lists in TOML beside this file, and how they are matched.
//!
//! A phrase is a row of words. `a/b` is either word, `~fall` any form of a verb or noun, `under*` any word that begins so, `?very` a
//! word that may be missing, `_` any one word, and `..` up to three words.

mod forms;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::MapDeserializer;

pub(crate) use forms::{forms, is_base, stem};

/// Words that `..` may stand for: "picks *the old iron* lock".
const GAP_WORDS_MAX: usize = 3;
/// Words before a phrase in which a negation turns it around: "does *not* quite manage to".
const NEGATION_WORDS: usize = 3;

/// What sentences say of outcomes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outcome {
    /// Something worked.
    pub won: Cues,
    /// Something did not work.
    pub lost: Cues,
    /// What makes a sentence speak of what might be, or of another time.
    pub supposed: Cues,
    /// A price, a reason or a half success.
    pub price: Cues,
    /// What turns a success into half of one when it follows.
    pub turn: Cues,
    /// Verbs and states of a successful opening.
    pub opened: Cues,
    /// An item changes hands.
    pub item: Cues,
    /// Something is learned.
    pub clue: Cues,
    /// Somebody is hurt.
    pub harm: Cues,
    /// The narrator asks for the dice of a wound.
    pub harm_asked: Cues,
    /// A bout is scored.
    pub score: Cues,
    /// A cry that says that it worked, alone in its sentence.
    pub cried: Cues,
    /// Praise that nobody earns who has failed.
    pub praise: Cues,
    /// What befalls whoever is struck.
    pub struck: Cues,
    /// It happens all the same.
    pub still: Cues,
    /// What may come of it, whatever was tried.
    pub gained: Cues,
    /// Somebody is persuaded, or does what was wanted.
    pub yields: Cues,
    /// Somebody tries to open something.
    pub opening: Cues,
    /// Somebody tries to get something.
    pub taking: Cues,
    /// Somebody tries to find something out.
    pub knowing: Cues,
    /// Somebody tries to hurt somebody.
    pub fighting: Cues,
}

/// What a telling holds that nobody gives to the other outcome.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fortune {
    /// A failure or its price, in any words.
    pub adverse: Cues,
    /// A deed that went well.
    pub good: Cues,
    /// What was tried for comes about, whatever it was.
    pub about: Cues,
    /// It is told after all.
    pub told: Cues,
    /// A deed that went ill.
    pub ill: Cues,
    /// Somebody is to be persuaded, moved or tamed.
    pub social: Cues,
}

/// What sentences say of dice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dice {
    /// Words right before a result.
    pub before: BTreeSet<String>,
    /// Words between those and the number.
    pub between: BTreeSet<String>,
    /// Words after a number that leave it a result and no count of things.
    pub after: BTreeSet<String>,
    /// What a number of a roll does, right after it.
    pub verdict: BTreeSet<String>,
    /// Names of checks that stand before a result.
    pub checks: BTreeSet<String>,
    /// Kinds of damage and other words between a number and "damage".
    pub harm: BTreeSet<String>,
    /// Words of sentences that look back or ahead, in which a number is no claim about now.
    pub elsewhere: Cues,
    /// Outcomes as a dice program prints them.
    pub passed: BTreeSet<String>,
    /// The other outcome.
    pub failed: BTreeSet<String>,
    /// A table at which a roll is good that is at most the skill.
    pub under: Cues,
    /// One at which each die is judged by itself.
    pub pool: Cues,
    /// A wound is halved or doubled.
    pub bent: Cues,
    /// One that plays with a die of twenty sides.
    pub twenty: Cues,
}

/// How people speak and decide.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Speech {
    /// Verbs beside a quotation.
    pub says: BTreeSet<String>,
    /// Words that may stand between a name and its verb of speech.
    pub adverbs: BTreeSet<String>,
    /// Movements that stand before speech: `Ada shakes her head. "No."`
    pub beats: Cues,
    /// Verbs and things by which somebody else is heard, seen or read.
    pub senses: Cues,
    /// Verbs of which a subject is no speaker and takes no decision.
    pub passive: BTreeSet<String>,
    /// People whom a narrator speaks for.
    pub persons: Cues,
    /// Decisions that only a player takes.
    pub decides: Cues,
    /// Those of them that nobody takes for something else.
    pub decisive: Cues,
    /// Where a line looks like a sheet or a list and not like speech.
    pub fields: BTreeSet<String>,
    /// Sentences that everybody asks again and again.
    pub stock: BTreeSet<String>,
}

/// How fights go.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fight {
    /// What heads an order of initiative.
    pub order: Cues,
    /// Somebody acts.
    pub act: Cues,
    /// Acting when it is another's turn is allowed.
    pub reaction: Cues,
    /// Somebody gives up the turn for now.
    pub holds: Cues,
    /// A turn that passes, or somebody who is out of the fight.
    pub passed: Cues,
    /// Somebody is out of the fight for good.
    pub down: Cues,
    /// The fight is over.
    pub over: Cues,
    /// All foes are dead or gone.
    pub won: Cues,
    /// The fight goes on.
    pub goes_on: Cues,
    /// More foes come.
    pub more: Cues,
    /// A new round.
    pub round: Cues,
    /// What foes do to whoever they fight, in their own turn.
    pub assault: Cues,
    /// Words behind a name that say whose turn it is.
    pub turn_of: BTreeSet<String>,
    /// More than one blow in a turn.
    pub flurry: Cues,
}

/// How stories begin, promise and end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Story {
    /// What heads an objective.
    pub objective: Cues,
    /// Instructions for whoever plays, which are no objective of the story.
    pub meta: Cues,
    /// An objective is reached.
    pub reached: Cues,
    /// What something is said to be when it is done.
    pub done: Cues,
    /// A prompt is for whoever tells the story.
    pub narrates: Cues,
    /// What is to be done is a fight.
    pub fights: Cues,
    /// All foes are dead or gone, whoever they are.
    pub routed: Cues,
    /// It may be over, if nothing is at stake after it.
    pub quiet: Cues,
    /// An ending is told, and nobody takes it for anything else.
    pub closing: Cues,
    /// What may be an ending.
    pub ending: Cues,
    /// A promise, a debt or a quest.
    pub promise: Cues,
    /// Somebody says what they will do, or what another will have.
    pub pledge: Cues,
    /// By when.
    pub term: Cues,
    /// What people swear by.
    pub sworn_by: Cues,
    /// A promise is spoken of again.
    pub kept: Cues,
    /// A promise is kept, whatever it was.
    pub honoured: Cues,
    /// Something turns up, is discovered or is told as news.
    pub beat: Cues,
    /// Somebody comes in, brings news, or something is found.
    pub news: Cues,
    /// It is said to have happened before.
    pub again: Cues,
    /// The same where it is said of what stands right there.
    pub recalled: Cues,
    /// A prompt says of a player that they will not be there all the time.
    pub absent: Cues,
    /// A player is away, or their character cannot speak.
    pub away: Cues,
}

/// What programs say of calls.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tools {
    /// A call failed.
    pub failed: Cues,
    /// The same in an answer that no record calls a failure.
    pub broken: Cues,
    /// Tools whose effects are what a check may win.
    pub grants: Cues,
    /// Speakers that are no people: programs, hosts, dice.
    pub nobody: BTreeSet<String>,
}

/// All lists.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lists {
    pub outcome: Outcome,
    pub fortune: Fortune,
    pub dice: Dice,
    pub speech: Speech,
    pub fight: Fight,
    pub story: Story,
    pub tools: Tools,
}

/// The lists of this build.
#[expect(clippy::expect_used, reason = "the lists are part of the build, and a test reads them")]
pub(crate) static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/cues.zst"));
    let text = String::from_utf8(zstd::decode_all(&packed[..]).expect("a build packed them"))
        .expect("they are text");
    let lists: BTreeMap<String, BTreeMap<String, Vec<String>>> =
        toml::from_str(&text).expect("the lists are TOML");
    // From plain maps, not from TOML: the code that reads each struct is made once and not for four kinds of deserializers.
    let lists: MapDeserializer<'_, _, serde::de::value::Error> = lists.into_deserializer();
    Lists::deserialize(lists).expect("there is a list for everything")
});

static NEGATIONS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    "not never no nor neither without cannot nothing nobody none hardly scarcely nearly almost don't doesn't didn't can't couldn't won't \
     wouldn't isn't wasn't aren't weren't hasn't haven't hadn't fail fails failed failing unable refuse refuses refused"
        .split_whitespace()
        .collect()
});

/// A list of phrases, by the words that they may begin with.
pub(crate) struct Cues {
    phrases: Vec<Vec<Part>>,
    /// Phrases that begin with a word that is spelt out.
    first: BTreeMap<String, Vec<usize>>,
    /// All others.
    rest: Vec<usize>,
}

enum Part {
    Words {
        any: BTreeSet<String>,
        fronts: Vec<String>,
        needed: bool,
    },
    /// Any word, which may be missing.
    Any {
        needed: bool,
    },
    Gap,
}

/// Where a phrase stands in a row of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub start: usize,
    pub end: usize,
    /// A negation stands before it.
    pub negated: bool,
}

impl<'de> Deserialize<'de> for Cues {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Cues, D::Error> {
        Ok(Cues::of(&Vec::<String>::deserialize(deserializer)?))
    }
}

impl Cues {
    pub(crate) fn of(texts: &[String]) -> Cues {
        let mut cues = Cues { phrases: Vec::new(), first: BTreeMap::new(), rest: Vec::new() };
        for (place, text) in texts.iter().enumerate() {
            let phrase: Vec<Part> = text.split_whitespace().map(part).collect();
            match phrase.first() {
                Some(Part::Words { any, fronts, needed: true }) if fronts.is_empty() => {
                    for word in any {
                        cues.first.entry(word.clone()).or_default().push(place);
                    }
                }
                _ => cues.rest.push(place),
            }
            cues.phrases.push(phrase);
        }
        cues
    }

    /// All places where a phrase stands.
    pub(crate) fn all<'a>(&'a self, words: &'a [String]) -> impl Iterator<Item = Match> + 'a {
        (0..words.len()).filter_map(move |start| {
            let known = self.first.get(&words[start]).into_iter().flatten();
            let ends = known.chain(&self.rest).filter_map(|place| fits(&self.phrases[*place], words, start));
            let end = ends.max()?;
            let before = &words[start.saturating_sub(NEGATION_WORDS)..start];
            let negated = before.iter().any(|word| is_negation(word));
            Some(Match { start, end, negated })
        })
    }

    /// Does a phrase stand there, whatever is before it?
    pub(crate) fn hold(&self, words: &[String]) -> bool {
        self.all(words).next().is_some()
    }

    /// Does a phrase stand there that nothing turns around?
    pub(crate) fn say(&self, words: &[String]) -> bool {
        self.all(words).any(|found| !found.negated)
    }
}

/// Does a word turn around what follows it?
pub(crate) fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(word)
}

fn part(text: &str) -> Part {
    match text {
        "_" => return Part::Any { needed: true },
        "?_" => return Part::Any { needed: false },
        ".." => return Part::Gap,
        _ => {}
    }
    let (text, needed) = text.strip_prefix('?').map_or((text, true), |text| (text, false));
    let (mut any, mut fronts) = (BTreeSet::new(), Vec::new());
    for word in text.split('/') {
        // Words of a text have lost it as well: "that's" is "that".
        let word = word.strip_suffix("'s").unwrap_or(word);
        match (word.strip_prefix('~'), word.strip_suffix('*')) {
            (Some(base), _) => any.extend(forms(base)),
            (None, Some(front)) => fronts.push(front.to_owned()),
            (None, None) => {
                any.insert(word.to_owned());
            }
        }
    }
    Part::Words { any, fronts, needed }
}

/// The end of a phrase that begins at `start`.
fn fits(phrase: &[Part], words: &[String], start: usize) -> Option<usize> {
    let Some((part, rest)) = phrase.split_first() else { return Some(start) };
    match part {
        Part::Any { needed } => {
            let taken = (start < words.len()).then(|| fits(rest, words, start + 1)).flatten();
            if *needed { taken } else { taken.or_else(|| fits(rest, words, start)) }
        }
        Part::Gap => (0..=GAP_WORDS_MAX)
            .take_while(|gap| start + gap <= words.len())
            .find_map(|gap| fits(rest, words, start + gap)),
        Part::Words { any, fronts, needed } => {
            let here = words.get(start).is_some_and(|word| {
                any.contains(word) || fronts.iter().any(|front| word.starts_with(front.as_str()))
            });
            let taken = here.then(|| fits(rest, words, start + 1)).flatten();
            if *needed { taken } else { taken.or_else(|| fits(rest, words, start)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words;

    fn holds(phrase: &str, text: &str) -> bool {
        Cues::of(&[phrase.to_owned()]).hold(&words(text))
    }

    #[test]
    fn phrases_match_forms_gaps_and_what_may_be_missing() {
        assert!(holds("~slip past", "She slipped past the watch"));
        assert!(holds("~pick .. lock", "He is picking the old iron lock"));
        assert!(!holds("~pick .. lock", "He picks up all of these things, then the lock"));
        assert!(
            holds("the ?last/final goblin ~fall", "Then the goblin fell") && holds("~fall ?dead", "falls")
        );
        assert!(
            holds("the last ?_ ~fall", "The last goblin fell")
                && holds("the last ?_ ~fall", "the last falls")
        );
        assert!(holds("un*ed", "uned") || !holds("un*", "none"));
        assert!(!holds("~fall", "fallow fields"));
    }

    #[test]
    fn a_negation_before_a_phrase_turns_it_around() {
        let cues = Cues::of(&["~manage to".to_owned()]);
        let words = words("She does not quite manage to lift it");
        assert_eq!(cues.all(&words).collect::<Vec<_>>(), [Match { start: 4, end: 6, negated: true }]);
        assert!(cues.hold(&words) && !cues.say(&words));
    }

    #[test]
    fn every_list_of_this_build_can_be_read() {
        assert!(LISTS.outcome.won.hold(&words("You succeed")));
    }
}
