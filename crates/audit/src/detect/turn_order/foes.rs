//! What foes do in a fight: their dice, what they do in prose, and turns of theirs that nobody tells of.

use super::{Fight, begins_round};
use crate::cues::{LISTS, stem};
use crate::detect::finding;
use crate::read::Check;
use crate::text::{sentences, unquoted, words};
use crate::{Finding, Kind, Line, RollKind, Severity};

/// Words at the front of a sentence that may name who acts in it.
const SUBJECT_WORDS: usize = 5;
/// Lines in which somebody may have acted out of turn with good reason.
const ANSWER_LINES: usize = 4;
/// Words of names that only count.
const COUNTING: [&str; 18] = [
    "one", "two", "three", "four", "five", "six", "first", "second", "third", "fourth", "last", "other",
    "big", "tall", "small", "old", "young", "man",
];

impl<'t> Fight<'t> {
    /// Where a row of words names a foe.
    pub(super) fn names_foe(&self, foe: usize, said: &[String]) -> Option<usize> {
        let name: Vec<&str> = self.actors[foe].name.split(' ').collect();
        let one_of = |word: &str| {
            word.strip_suffix("men").map_or_else(|| stem(word), |front| stem(&format!("{front}man")))
        };
        let same = |one: &str, other: &str| one == other || one_of(one) == one_of(other);
        let whole = said
            .windows(name.len())
            .position(|row| row.iter().zip(&name).all(|(one, other)| same(one, other)));
        let shared = |word: &str| {
            let others = self.actors.iter().enumerate().filter(|(other, _)| *other != foe);
            others.flat_map(|(_, actor)| actor.name.split(' ')).any(|other| same(other, word))
        };
        let telling = name.iter().filter(|word| word.len() > 2 && !COUNTING.contains(*word) && !shared(word));
        let part = telling.filter_map(|word| said.iter().position(|one| same(one, word))).min();
        whole.or(part)
    }

    /// A roll of a foe, as the record names it or a narrator writes it out: it has acted.
    ///
    /// Those that are written out before a new round begins in the same line belong to the old one: they are taken up `first`.
    pub(super) fn rolled(&mut self, place: usize, line: &'t Line, first: bool) -> Option<Finding> {
        let round = sentences(&line.text).into_iter().find(|sentence| begins_round(&words(sentence)));
        let round = round.and_then(|sentence| line.text.find(sentence)).unwrap_or(0);
        let next = self.transcript.lines.get(place + 1).map_or(u64::MAX, |next| next.number);
        let mut found = None;
        let rolls = self.rolls.iter().filter(|roll| roll.number >= line.number && roll.number < next);
        for roll in rolls.filter(|roll| roll.roller.is_none() && is_act(roll)) {
            let place = roll.told.as_deref().and_then(|told| line.text.find(told));
            if place.is_some_and(|place| place < round) != first {
                continue;
            }
            // Of a note, who comes first acts; of a narration before a roll, who was named last.
            let said = words(&format!("{} {}", roll.character, roll.asked.replace(['_', '"'], " ")));
            let foes = (0..self.actors.len()).filter(|foe| !self.is_player(*foe));
            let named = foes.filter_map(|foe| Some((self.names_foe(foe, &said)?, foe)));
            let foe = if roll.told.is_some() { named.max() } else { named.min() };
            // Where only one foe is left, nobody else can have thrown.
            let mut left =
                (0..self.actors.len()).filter(|foe| !self.is_player(*foe) && !self.out.contains(foe));
            let alone = left.next().filter(|_| left.next().is_none() && roll.told.is_some());
            let Some(foe) = foe.map(|(_, foe)| foe).or(alone) else { continue };
            found = found.or(self.foe(foe, line, true));
        }
        found
    }

    /// A round ends in which other foes have thrown dice, and this one, which still fights, is not spoken of with a word.
    pub(super) fn idle_foe(&self, line: &Line) -> Option<Finding> {
        let still = |foe: &usize| {
            let sets = [&self.acted, &self.excused, &self.out, &self.threw];
            !self.is_player(*foe) && sets.iter().all(|set| !set.contains(foe))
        };
        let lines = &self.transcript.lines;
        let round = lines[lines.partition_point(|other| other.number <= self.from)..].iter();
        let round = round.take_while(|other| other.number <= line.number);
        let round = round.filter(|other| self.transcript.kind(&other.voice) != Kind::Other);
        let said: Vec<Vec<String>> = round.map(|line| words(&line.text)).collect();
        // "They both come on": somebody who is not named may be one of them.
        let together = ["both", "they", "others", "rest", "together"];
        if said.iter().flatten().any(|word| together.contains(&word.as_str())) {
            return None;
        }
        let silent = |foe: &usize| !said.iter().any(|said| self.names_foe(*foe, said).is_some());
        // Where nobody's turn is told by dice, a turn may be told without a name.
        let foe = (0..self.actors.len())
            .filter(|_| !self.threw.is_empty())
            .find(|foe| still(foe) && silent(foe))?;
        let why = format!("a new round begins, and {} has had no turn in the last one", self.shown(foe));
        Some(finding("turn-order", (Severity::Warning, 70), [line.number], "", why))
    }

    /// A foe acts.
    pub(super) fn foe(&mut self, foe: usize, line: &'t Line, rolled: bool) -> Option<Finding> {
        if self.out.contains(&foe) && !rolled {
            return None;
        }
        if rolled {
            self.threw.insert(foe);
        }
        // Whoever throws dice was not out of the fight, whatever the words before sounded like.
        self.out.remove(&foe);
        let before = self.moved.get(&foe).copied();
        if self.last == Some(foe) {
            let found = before.filter(|_| rolled).and_then(|before| self.once_more(foe, before, line));
            if rolled || before.is_none() {
                self.moved.insert(foe, line.number);
            }
            return found;
        }
        let count = self.actors.len();
        let first = self.last.map_or(0, |last| last + 1);
        let between = (0..count).map(|step| (first + step) % count).take_while(|next| *next != foe);
        let waits = |actor: &usize| {
            self.is_player(*actor)
                && ![&self.out, &self.excused, &self.acted, &self.held, &self.spoke]
                    .iter()
                    .any(|set| set.contains(actor))
        };
        let passed = between.into_iter().find(waits);
        let text = words(&unquoted(&line.text));
        let answers = LISTS.fight.reaction.hold(&text);
        let begun = !self.acted.is_empty() || self.last.is_some() || self.rounds > 0;
        let Some(passed) = passed.filter(|_| begun) else {
            let found = (passed.is_none() && rolled)
                .then(|| self.late(foe, line).or_else(|| self.passed_foe(foe, line)))
                .flatten();
            if passed.is_none() {
                self.began(foe, line);
            }
            return found;
        };
        // Words alone may tell how a blow was taken; a player who is asked next has not lost the turn.
        let last = sentences(&line.text).into_iter().next_back().unwrap_or_default();
        let asked = self.is_named(passed, last, &words(last));
        if answers || !rolled && asked || self.passed_over.is_some() {
            return None;
        }
        let why = format!("{} acts, though it is the turn of {}", self.shown(foe), self.shown(passed));
        self.began(foe, line);
        self.passed_over = Some(passed);
        Some(finding("turn-order", (Severity::Warning, 75), [line.number], &line.text, why))
    }

    /// A foe throws dice after a player who comes behind it in the round that is not over: they took its turn before it.
    fn late(&self, foe: usize, line: &Line) -> Option<Finding> {
        let last = self.last.filter(|last| *last > foe && self.is_player(*last))?;
        let front = (0..foe).any(|actor| self.acted.contains(&actor) && self.is_player(actor));
        let near =
            self.transcript.lines.iter().filter(|other| other.number <= line.number).rev().take(ANSWER_LINES);
        let answered = near.into_iter().any(|line| {
            let said = words(&line.text);
            LISTS.fight.reaction.hold(&said)
                || said.windows(2).any(|pair| {
                    pair[1] == "turn" && ["her", "his", "its", "their"].contains(&pair[0].as_str())
                })
        });
        let anew = answered
            || sentences(&line.text).into_iter().next().is_some_and(|first| begins_round(&words(first)));
        if !front
            || self.acted.contains(&foe)
            || self.excused.contains(&foe)
            || self.held.contains(&last)
            || anew
        {
            return None;
        }
        let why = format!("{} has acted before {}, whose turn came first", self.shown(last), self.shown(foe));
        Some(finding("turn-order", (Severity::Warning, 75), [line.number], &line.text, why))
    }

    /// A foe throws dice, and another one that stands between the last turn and its own has done nothing.
    fn passed_foe(&self, foe: usize, line: &Line) -> Option<Finding> {
        let last = self.last.filter(|last| *last < foe)?;
        let still = |actor: &usize| {
            let sets = [&self.acted, &self.excused, &self.out, &self.held];
            !self.is_player(*actor) && sets.iter().all(|set| !set.contains(actor))
        };
        let passed = (last + 1..foe).find(still)?;
        // Something that it does is told, or that it can do nothing.
        let told = self.since.iter().copied().chain([line]).any(|line| {
            sentences(&unquoted(&line.text)).into_iter().any(|sentence| {
                let said = words(sentence);
                let named = self.names_foe(passed, &said);
                let state = |at: usize| {
                    let next = said.get(at + 1).map_or("", String::as_str);
                    sentence.contains("'s at")
                        || sentence.contains("’s at")
                        || ["is", "at", "has", "on"].contains(&next)
                };
                named.is_some_and(|at| !state(at))
            })
        });
        let known = self.transcript.lines.iter().any(|line| {
            self.transcript.kind(&line.voice) == Kind::Narrator
                && self.names_foe(passed, &words(&line.text)).is_some()
        });
        if told || !known {
            return None;
        }
        let why = format!("{} acts, though it is the turn of {}", self.shown(foe), self.shown(passed));
        Some(finding("turn-order", (Severity::Warning, 70), [line.number], &line.text, why))
    }

    /// It is a foe's turn.
    pub(super) fn began(&mut self, foe: usize, line: &'t Line) {
        self.moved.insert(foe, line.number);
        if self.acted.contains(&foe) {
            self.acted.clear();
        }
        self.acted.insert(foe);
        self.last = Some(foe);
        self.excused.clear();
        self.spoke.clear();
    }

    /// A foe that has had its turn, the outcome of which was told, and that acts again before anybody else does.
    pub(super) fn once_more(&mut self, foe: usize, before: u64, line: &Line) -> Option<Finding> {
        let several =
            self.actors[foe].name.split(' ').any(|word| word.ends_with('s') || COUNTING.contains(&word));
        let told = self.transcript.lines.iter().filter(|other| {
            other.number > before
                && other.number < line.number
                && self.transcript.kind(&other.voice) == Kind::Narrator
        });
        let told = told.count();
        let text = words(&unquoted(&line.text));
        let waiting = self.next_player(Some(foe)).filter(|next| !self.acted.contains(next))?;
        if several || told == 0 || LISTS.fight.flurry.hold(&text) || LISTS.fight.reaction.hold(&text) {
            return None;
        }
        self.passed_over = Some(waiting);
        let why = format!("{} acts twice, though it is the turn of {}", self.shown(foe), self.shown(waiting));
        Some(finding("turn-order", (Severity::Warning, 75), [line.number], &line.text, why))
    }

    /// Which foe a sentence is about: the one that its first words name, or the one before for "he" and "it".
    pub(super) fn subject(&self, said: &[String], before: Option<usize>) -> Option<usize> {
        let front = &said[..said.len().min(SUBJECT_WORDS)];
        let foes = (0..self.actors.len()).filter(|foe| !self.is_player(*foe));
        let named = foes.filter_map(|foe| Some((self.names_foe(foe, front)?, foe))).min();
        let pronoun = front.iter().take(2).any(|word| ["he", "she", "it", "they"].contains(&word.as_str()));
        named.map(|(_, foe)| foe).or_else(|| before.filter(|_| pronoun))
    }

    /// Does a foe set upon a player in this sentence, or is it said to be its turn?
    pub(super) fn assaults(&self, foe: usize, sentence: &str, said: &[String]) -> bool {
        if sentence.trim_end().ends_with('?') {
            return false;
        }
        let named = self.names_foe(foe, said);
        let turn = named.is_some_and(|at| {
            said[at..].iter().take(4).any(|word| LISTS.fight.turn_of.contains(word))
                && at <= 2
                && said.len() > 2
        });
        let target = said.iter().any(|word| word == "you" || word == "your")
            || (0..self.actors.len())
                .any(|actor| self.is_player(actor) && self.is_named(actor, sentence, said));
        let supposed = ["would", "could", "will", "if", "tries", "about", "ready", "wants"];
        let now = !said.iter().any(|word| supposed.contains(&word.as_str()));
        let hits =
            LISTS.fight.assault.all(said).any(|found| !found.negated && found.start >= named.unwrap_or(0));
        turn || target && now && hits
    }

    /// A foe between the last player and this one of whom the narrator has said nothing at all.
    pub(super) fn skipped_foe(&self, actor: usize, line: &Line) -> Option<Finding> {
        let last = self.last.filter(|last| *last != actor && !self.since.is_empty())?;
        let count = self.actors.len();
        let between = (1..count).map(|step| (last + step) % count).take_while(|next| *next != actor);
        let silent = |foe: &usize| {
            let told = self.since.iter().any(|line| self.is_named(*foe, &line.text, &words(&line.text)));
            !self.is_player(*foe) && !self.out.contains(foe) && !self.acted.contains(foe) && !told
        };
        // Where no foe is ever called by the name in the order, nothing can be said.
        let foe = between.into_iter().find(silent)?;
        let known = self.transcript.lines.iter().filter(|other| {
            other.number != line.number && self.transcript.kind(&other.voice) == Kind::Narrator
        });
        let known = known.filter(|line| self.is_named(foe, &line.text, &words(&line.text))).count();
        let pronouns = self.since.iter().any(|line| {
            words(&line.text).iter().any(|word| {
                ["it", "he", "she", "they", "them", "foe", "foes", "enemy", "enemies", "creature", "beast"]
                    .contains(&word.as_str())
            })
        });
        // Somebody has fallen, or is said to do nothing: it may be this one.
        let fallen = self.since.iter().any(|line| {
            let said = words(&line.text);
            LISTS.fight.down.hold(&said) || LISTS.fight.passed.hold(&said)
        });
        if fallen {
            return None;
        }
        if known < 1 || pronouns {
            return None;
        }
        let why = format!(
            "{} acts, and the turn of {} before was skipped without a word",
            self.shown(actor),
            self.shown(foe)
        );
        Some(finding("turn-order", (Severity::Warning, 70), [line.number], "", why))
    }
}

/// Is a roll something that somebody does, and no wound or order of a fight?
pub(super) fn is_act(roll: &Check) -> bool {
    let said = words(&roll.asked.replace('_', " "));
    let wound =
        said.iter().any(|word| ["damage", "dmg", "harm", "initiative", "hurt"].contains(&word.as_str()));
    let attack = matches!(roll.kind, RollKind::Check | RollKind::Attack);
    let called = roll.told.is_none() && !roll.asked.trim().is_empty();
    attack || !wound && (called || roll.sides.is_none_or(|sides| sides >= 20))
}
