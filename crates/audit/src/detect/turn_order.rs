//! In a fight with a stated order of initiative: who acts when it is another's turn, twice in a round, or is skipped without a word.

use std::collections::{BTreeMap, BTreeSet};

use super::finding;
use crate::cues::{LISTS, stem};
use crate::read::{Actor, Check, People, checks, order};
use crate::text::{sentences, unquoted, words};
use crate::{Finding, Kind, Line, RollKind, Severity, Transcript, Verdict};

/// Words at the front of a sentence that may name who acts in it.
const SUBJECT_WORDS: usize = 5;
/// Words of names that only count.
const COUNTING: [&str; 18] = [
    "one", "two", "three", "four", "five", "six", "first", "second", "third", "fourth", "last", "other",
    "big", "tall", "small", "old", "young", "man",
];
/// Lines without a word of fighting after which a fight is over.
const QUIET_LINES: usize = 4;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    // In a campaign of our own the rules keep the order.
    if !transcript.foreign {
        return Verdict::NotRecorded("an order of initiative in the text");
    }
    let people = People::of(transcript);
    let rolls = checks(transcript, &people).unwrap_or_default();
    let mut findings = Vec::new();
    let mut stated = false;
    let mut fight: Option<Fight<'_>> = None;
    for (place, line) in transcript.lines.iter().enumerate() {
        if transcript.kind(&line.voice) != Kind::Player {
            // The same order at the head of each round is no new fight.
            if let Some(actors) = order(&line.text, &people) {
                stated = true;
                if fight.as_ref().is_none_or(|fight| {
                    fight.actors.len() != actors.len()
                        || fight.actors.iter().any(|actor| !actors.contains(actor))
                }) {
                    fight = Some(Fight::new(transcript, &people, &rolls, actors));
                    continue;
                }
            }
        }
        let Some(running) = fight.as_mut() else { continue };
        if transcript.kind(&line.voice) == Kind::Player {
            findings.extend(running.player(place, line));
            findings.extend(running.rolled(place, line));
        } else if running.is_over(line) || running.is_quiet(place) {
            fight = None;
        } else {
            findings.extend(running.narrated(line));
            findings.extend(running.rolled(place, line));
        }
    }
    match stated {
        true => Verdict::Looked(findings),
        false => Verdict::NotRecorded("an order of initiative"),
    }
}

/// A fight, turn by turn.
struct Fight<'t> {
    transcript: &'t Transcript,
    people: &'t People<'t>,
    rolls: &'t [Check],
    actors: Vec<Actor>,
    /// Whose turn it was last, among all actors.
    last: Option<usize>,
    /// Who has acted in this round.
    acted: BTreeSet<usize>,
    /// Whose turn passes, as has been told since the last one began.
    excused: BTreeSet<usize>,
    /// Out of the fight.
    out: BTreeSet<usize>,
    /// Whose turn was taken: they may act next without being out of order themselves.
    passed_over: Option<usize>,
    /// The narrator's lines since the last turn began.
    since: Vec<&'t Line>,
    /// Players who act later than their turn, or when something happens.
    held: BTreeSet<usize>,
    /// The line in which each foe moved last.
    moved: BTreeMap<usize, u64>,
}

impl<'t> Fight<'t> {
    fn new(
        transcript: &'t Transcript,
        people: &'t People<'t>,
        rolls: &'t [Check],
        actors: Vec<Actor>,
    ) -> Fight<'t> {
        let (acted, excused, out) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Fight {
            transcript,
            people,
            rolls,
            actors,
            last: None,
            acted,
            excused,
            out,
            passed_over: None,
            since: Vec::new(),
            held: BTreeSet::new(),
            moved: BTreeMap::new(),
        }
    }

    fn is_over(&self, line: &Line) -> bool {
        let lists = (&LISTS.fight.over, &LISTS.fight.won);
        sentences(&line.text).into_iter().any(|sentence| {
            let said = words(sentence);
            lists.0.say(&said) || lists.1.say(&said)
        })
    }

    /// Have the last lines nothing of a fight? Then it has ended, though nobody said so.
    fn is_quiet(&self, place: usize) -> bool {
        let near = &self.transcript.lines[place.saturating_sub(QUIET_LINES)..place];
        let fights = |line: &Line| {
            let said = words(&line.text);
            LISTS.fight.goes_on.hold(&said)
                || LISTS.fight.round.hold(&said)
                || LISTS.outcome.fighting.hold(&said)
        };
        near.len() == QUIET_LINES && !near.iter().any(fights)
    }

    fn is_player(&self, actor: usize) -> bool {
        self.actors[actor].voice.is_some()
    }

    fn is_named(&self, actor: usize, sentence: &str, said: &[String]) -> bool {
        match &self.actors[actor].voice {
            Some(voice) => self.people.is_named(voice, sentence),
            // "Goblin archer 1": all of it, or a word that none of the others is called by.
            None => self.names_foe(actor, said).is_some(),
        }
    }

    /// Where a row of words names a foe.
    fn names_foe(&self, foe: usize, said: &[String]) -> Option<usize> {
        let name: Vec<&str> = self.actors[foe].name.split(' ').collect();
        let same = |one: &str, other: &str| one == other || stem(one) == stem(other);
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
    fn rolled(&mut self, place: usize, line: &'t Line) -> Option<Finding> {
        let next = self.transcript.lines.get(place + 1).map_or(u64::MAX, |next| next.number);
        let mut found = None;
        let rolls = self.rolls.iter().filter(|roll| roll.number >= line.number && roll.number < next);
        for roll in rolls.filter(|roll| roll.roller.is_none() && is_deed(roll)) {
            // Of a note, who comes first acts; of a narration before a roll, who was named last.
            let said = words(&format!("{} {}", roll.character, roll.asked.replace(['_', '"'], " ")));
            let foes = (0..self.actors.len()).filter(|foe| !self.is_player(*foe));
            let named = foes.filter_map(|foe| Some((self.names_foe(foe, &said)?, foe)));
            let foe = if roll.told.is_some() { named.max() } else { named.min() };
            let Some((_, foe)) = foe else { continue };
            found = found.or(self.foe(foe, line, true));
        }
        found
    }

    /// A foe acts.
    fn foe(&mut self, foe: usize, line: &'t Line, rolled: bool) -> Option<Finding> {
        if self.out.contains(&foe) {
            return None;
        }
        let before = self.moved.get(&foe).copied();
        if self.last == Some(foe) {
            let found = before.filter(|_| rolled).and_then(|before| self.once_more(foe, before, line));
            self.moved.insert(foe, line.number);
            return found;
        }
        let count = self.actors.len();
        let first = self.last.map_or(0, |last| last + 1);
        let between = (0..count).map(|step| (first + step) % count).take_while(|next| *next != foe);
        let waits = |actor: &usize| {
            self.is_player(*actor)
                && ![&self.out, &self.excused, &self.acted, &self.held].iter().any(|set| set.contains(actor))
        };
        let passed = between.into_iter().find(waits);
        let text = words(&unquoted(&line.text));
        let answers = LISTS.fight.reaction.hold(&text);
        let Some(passed) = passed.filter(|_| !self.acted.is_empty() || self.last.is_some()) else {
            if passed.is_none() {
                self.began(foe, line);
            }
            return None;
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

    /// It is a foe's turn.
    fn began(&mut self, foe: usize, line: &'t Line) {
        self.moved.insert(foe, line.number);
        if self.acted.contains(&foe) {
            self.acted.clear();
        }
        self.acted.insert(foe);
        self.last = Some(foe);
        self.excused.clear();
    }

    /// A foe that has had its turn, the outcome of which was told, and that acts again before anybody else does.
    fn once_more(&mut self, foe: usize, before: u64, line: &Line) -> Option<Finding> {
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

    /// Who is next after an actor, among players that are still in the fight.
    fn next_player(&self, after: Option<usize>) -> Option<usize> {
        let count = self.actors.len();
        let first = after.map_or(0, |after| after + 1);
        let all = (0..count).map(|step| (first + step) % count);
        let able = |actor: &usize| {
            self.is_player(*actor) && !self.out.contains(actor) && !self.excused.contains(actor)
        };
        // Whoever has had a turn in this round has none again before all have.
        let waiting = all.clone().find(|actor| able(actor) && !self.acted.contains(actor));
        waiting.or_else(|| all.into_iter().find(able))
    }

    /// A narrator's line: who is out, whose turn passes, and whether a new round begins.
    fn narrated(&mut self, line: &'t Line) -> Option<Finding> {
        let mut found = None;
        let text = unquoted(&line.text);
        let lists = &LISTS.fight;
        let mut subject: Option<usize> = None;
        for sentence in sentences(&text) {
            let said = words(sentence);
            subject = self.subject(&said, subject);
            for actor in 0..self.actors.len() {
                if !self.is_named(actor, sentence, &said) {
                    continue;
                }
                if lists.passed.say(&said) && !sentence.trim_end().ends_with('?') {
                    self.excused.insert(actor);
                }
                if lists.down.say(&said)
                    && (!self.is_player(actor)
                        || said.iter().any(|word| word == "unconscious" || word == "dead" || word == "dies"))
                {
                    self.out.insert(actor);
                }
            }
            if let Some(foe) = subject.filter(|foe| self.assaults(*foe, sentence, &said)) {
                found = found.or(self.foe(foe, line, false));
            }
            // "Another turn next round closes it" begins none.
            let round = lists.round.all(&said).any(|found| found.start <= 2 || said.len() <= 6);
            if round && !self.acted.is_empty() {
                found = found.or_else(|| self.round_ends(line));
            }
        }
        self.since.push(line);
        found
    }

    /// Which foe a sentence is about: the one that its first words name, or the one before for "he" and "it".
    fn subject(&self, said: &[String], before: Option<usize>) -> Option<usize> {
        let front = &said[..said.len().min(SUBJECT_WORDS)];
        let foes = (0..self.actors.len()).filter(|foe| !self.is_player(*foe));
        let named = foes.filter_map(|foe| Some((self.names_foe(foe, front)?, foe))).min();
        let pronoun = front.iter().take(2).any(|word| ["he", "she", "it", "they"].contains(&word.as_str()));
        named.map(|(_, foe)| foe).or_else(|| before.filter(|_| pronoun))
    }

    /// Does a foe set upon a player in this sentence, or is it said to be its turn?
    fn assaults(&self, foe: usize, sentence: &str, said: &[String]) -> bool {
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

    /// A new round begins: everybody has had a turn, or it was said why not.
    fn round_ends(&mut self, line: &Line) -> Option<Finding> {
        let players: Vec<usize> = (0..self.actors.len()).filter(|actor| self.is_player(*actor)).collect();
        let skipped = players.iter().find(|actor| {
            !self.acted.contains(actor) && !self.excused.contains(actor) && !self.out.contains(actor)
        });
        // The line that begins the round may answer the last turn of the one before, so nobody is found twice.
        let acted = self.acted.iter().filter(|actor| self.is_player(**actor)).count();
        let skipped =
            skipped.copied().filter(|actor| acted + 1 >= players.len() && self.passed_over != Some(*actor));
        let found = skipped.map(|actor| {
            let why =
                format!("a new round begins, and {} has had no turn in the last one", self.shown(actor));
            finding("turn-order", (Severity::Warning, 80), [line.number], "", why)
        });
        self.acted.clear();
        self.last = None;
        self.passed_over = None;
        self.moved.clear();
        found
    }

    fn shown(&self, actor: usize) -> String {
        let actor = &self.actors[actor];
        actor
            .voice
            .as_deref()
            .map_or_else(|| actor.name.clone(), |voice| self.transcript.name(voice).to_owned())
    }

    /// A player's line, if it is an action in the fight.
    fn player(&mut self, place: usize, line: &'t Line) -> Option<Finding> {
        let actor =
            self.actors.iter().position(|actor| actor.voice.as_deref() == Some(line.voice.as_str()))?;
        let text = unquoted(&line.text);
        let told: Vec<Vec<String>> = sentences(&text).into_iter().map(words).collect();
        // Whoever waits or holds an action has had the turn.
        let waits = told.iter().any(|said| LISTS.fight.passed.say(said) || LISTS.fight.holds.say(said))
            && self.next_player(self.last) == Some(actor);
        if waits {
            self.held.insert(actor);
        } else if self.held.remove(&actor) && self.next_player(self.last) != Some(actor) {
            return None;
        }
        if told.iter().any(|said| LISTS.fight.reaction.hold(said)) && !waits {
            return None;
        }
        if !self.is_action(place, line, &text) && !waits {
            return None;
        }
        let expected = self.next_player(self.last);
        let turn = expected == Some(actor);
        let asked = !turn && self.last.is_some() && self.acted.contains(&actor) && self.is_asked(actor);
        let found = match expected {
            _ if asked => None,
            Some(expected) if self.last == Some(actor) && expected != actor => {
                self.again(actor, expected, line)
            }
            Some(expected) if expected != actor && self.passed_over != Some(actor) => {
                self.passed_over = Some(expected);
                let why =
                    format!("{} acts, though it is the turn of {}", self.shown(actor), self.shown(expected));
                Some(finding("turn-order", (Severity::Warning, 80), [line.number], &line.text, why))
            }
            _ => self.skipped_foe(actor, line),
        };
        if self.last != Some(actor) || found.is_some() {
            if self.acted.contains(&actor) && found.is_none() && self.passed_over != Some(actor) {
                self.acted.clear();
            }
            if self.passed_over == Some(actor) {
                self.passed_over = None;
            }
            self.last = Some(actor);
            self.excused.clear();
            self.since.clear();
        }
        self.acted.insert(actor);
        found
    }

    /// Somebody acts once more: in the same turn, or when it has become another's?
    fn again(&mut self, actor: usize, expected: usize, line: &Line) -> Option<Finding> {
        let told = self.since.last()?;
        let last = sentences(&told.text).into_iter().next_back().unwrap_or_default();
        let asked = self.is_named(actor, last, &words(last));
        let others = self.is_named(expected, &told.text, &words(&told.text)) && !asked;
        let up = self.is_named(expected, last, &words(last));
        // Foes that stand between the two in the order have acted.
        let foes = (0..self.actors.len()).filter(|foe| !self.is_player(*foe));
        let moved = foes.into_iter().any(|foe| {
            self.since.iter().any(|line| {
                sentences(&unquoted(&line.text)).into_iter().any(|sentence| {
                    let said = words(sentence);
                    let front = &said[..said.len().min(4)];
                    self.is_named(foe, &front.join(" "), front) && LISTS.fight.act.say(&said)
                })
            })
        });
        if !(up || (others && moved)) || asked {
            return None;
        }
        self.passed_over = Some(expected);
        let why =
            format!("{} acts twice, though it is the turn of {}", self.shown(actor), self.shown(expected));
        Some(finding("turn-order", (Severity::Warning, 80), [line.number], &line.text, why))
    }

    /// A foe between the last player and this one of whom the narrator has said nothing at all.
    fn skipped_foe(&self, actor: usize, line: &Line) -> Option<Finding> {
        let last = self.last.filter(|last| *last != actor && !self.since.is_empty())?;
        let count = self.actors.len();
        let between = (1..count).map(|step| (last + step) % count).take_while(|next| *next != actor);
        let silent = |foe: &usize| {
            let told = self.since.iter().any(|line| self.is_named(*foe, &line.text, &words(&line.text)));
            !self.is_player(*foe) && !self.out.contains(foe) && !told
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

    /// Does the narrator's last line ask this player what they do?
    fn is_asked(&self, actor: usize) -> bool {
        self.since.last().is_some_and(|told| {
            let last = sentences(&told.text).into_iter().next_back().unwrap_or_default();
            self.is_named(actor, last, &words(last))
        })
    }

    /// Does a player's line do something in the fight, and now?
    fn is_action(&self, place: usize, line: &Line, text: &str) -> bool {
        let later = [
            "next", "when", "if", "once", "after", "until", "should", "ready", "would", "could", "can",
            "want", "let's", "you",
        ];
        let acts = sentences(text).into_iter().any(|sentence| {
            let said = words(sentence);
            let now = !sentence.trim_end().ends_with('?')
                && !said.iter().take(4).any(|word| later.contains(&word.as_str()));
            now && self.does(line, sentence, &said)
        });
        let next = self.transcript.lines.get(place + 1).map_or(u64::MAX, |next| next.number);
        let rolled = self.rolls.iter().any(|roll| {
            let near = roll.number >= line.number && roll.number < next;
            roll.roller.as_deref() == Some(line.voice.as_str()) && near && is_deed(roll)
        });
        acts || rolled
    }

    /// Does a sentence of a player's tell of what their own character does? "Your flame is through" and "a nineteen to hit" do not.
    fn does(&self, line: &Line, sentence: &str, said: &[String]) -> bool {
        let nouns = [
            "to", "your", "his", "her", "their", "the", "a", "an", "that", "its", "you", "he", "she", "they",
        ];
        let deeds = LISTS.fight.act.all(said).filter(|found| {
            let before = found.start.checked_sub(1).and_then(|at| said.get(at));
            !found.negated && before.is_none_or(|before| !nouns.contains(&before.as_str()))
        });
        let own = said.iter().any(|word| ["i", "i'm", "i'll", "i've", "my", "we"].contains(&word.as_str()))
            || self.people.is_named(&line.voice, sentence);
        let others = said.iter().any(|word| ["you", "your"].contains(&word.as_str()))
            || self.people.named_in(sentence).is_some_and(|named| named != line.voice);
        deeds.count() > 0 && (own || !others)
    }
}

/// Is a roll something that somebody does, and no wound or order of a fight?
fn is_deed(roll: &Check) -> bool {
    let said = words(&roll.asked.replace('_', " "));
    let wound =
        said.iter().any(|word| ["damage", "dmg", "harm", "initiative", "hurt"].contains(&word.as_str()));
    let attack = matches!(roll.kind, RollKind::Check | RollKind::Attack);
    attack || !wound && roll.sides.is_none_or(|sides| sides >= 20)
}
