//! In a fight with a stated order of initiative: who acts when it is another's turn, twice in a round, or is skipped without a word.

use std::collections::BTreeSet;

use super::finding;
use crate::cues::LISTS;
use crate::read::{Actor, People, order};
use crate::text::{sentences, unquoted, words};
use crate::{Finding, Kind, Line, RollKind, Severity, Transcript, Verdict};

/// Lines without a word of fighting after which a fight is over.
const QUIET_LINES: usize = 4;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    // In a campaign of our own the rules keep the order.
    if !transcript.foreign {
        return Verdict::NotRecorded("an order of initiative in the text");
    }
    let people = People::of(transcript);
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
                    fight = Some(Fight::new(transcript, &people, actors));
                    continue;
                }
            }
        }
        let Some(running) = fight.as_mut() else { continue };
        if transcript.kind(&line.voice) == Kind::Player {
            findings.extend(running.player(place, line));
        } else if running.is_over(line) || running.is_quiet(place) {
            fight = None;
        } else {
            findings.extend(running.narrated(line));
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
}

impl<'t> Fight<'t> {
    fn new(transcript: &'t Transcript, people: &'t People<'t>, actors: Vec<Actor>) -> Fight<'t> {
        let (acted, excused, out) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Fight {
            transcript,
            people,
            actors,
            last: None,
            acted,
            excused,
            out,
            passed_over: None,
            since: Vec::new(),
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
            // "Goblin archer 1": whichever word of it the prose uses.
            None => self.actors[actor].name.split(' ').filter(|word| word.len() > 2).any(|word| {
                said.iter().any(|one| one == word || crate::cues::stem(one) == crate::cues::stem(word))
            }),
        }
    }

    /// Who is next after an actor, among players that are still in the fight.
    fn next_player(&self, after: Option<usize>) -> Option<usize> {
        let count = self.actors.len();
        let first = after.map_or(0, |after| after + 1);
        let all = (0..count).map(|step| (first + step) % count);
        all.into_iter().find(|actor| {
            self.is_player(*actor) && !self.out.contains(actor) && !self.excused.contains(actor)
        })
    }

    /// A narrator's line: who is out, whose turn passes, and whether a new round begins.
    fn narrated(&mut self, line: &'t Line) -> Option<Finding> {
        let mut found = None;
        let text = unquoted(&line.text);
        let lists = &LISTS.fight;
        for sentence in sentences(&text) {
            let said = words(sentence);
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
            if lists.round.hold(&said) && !self.acted.is_empty() {
                found = found.or_else(|| self.round_ends(line));
            }
        }
        self.since.push(line);
        found
    }

    /// A new round begins: everybody has had a turn, or it was said why not.
    fn round_ends(&mut self, line: &Line) -> Option<Finding> {
        let players: Vec<usize> = (0..self.actors.len()).filter(|actor| self.is_player(*actor)).collect();
        let skipped = players.iter().find(|actor| {
            !self.acted.contains(actor) && !self.excused.contains(actor) && !self.out.contains(actor)
        });
        // The line that begins the round may answer the last turn of the one before, so nobody is found twice.
        let skipped = skipped
            .copied()
            .filter(|actor| self.acted.len() + 1 >= players.len() && self.passed_over != Some(*actor));
        let found = skipped.map(|actor| {
            let why =
                format!("a new round begins, and {} has had no turn in the last one", self.shown(actor));
            finding("turn-order", (Severity::Warning, 80), [line.number], "", why)
        });
        self.acted.clear();
        self.last = None;
        self.passed_over = None;
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
        if told.iter().any(|said| LISTS.fight.reaction.hold(said)) && !waits {
            return None;
        }
        if !self.is_action(place, line, &text) && !waits {
            return None;
        }
        let expected = self.next_player(self.last);
        let found = match expected {
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
            now && LISTS.fight.act.say(&said)
        });
        let next = self.transcript.lines.get(place + 1).map_or(u64::MAX, |next| next.number);
        let rolled = self.transcript.rolls.iter().flatten().any(|roll| {
            roll.roller.as_deref() == Some(line.voice.as_str())
                && roll.number > line.number
                && roll.number < next
                && matches!(roll.kind, RollKind::Check | RollKind::Attack)
        });
        acts || rolled
    }
}
