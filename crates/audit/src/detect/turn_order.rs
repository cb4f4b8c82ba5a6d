//! In a fight with a stated order of initiative: who acts when it is another's turn, twice in a round, or is skipped without a word.

mod foes;

use std::collections::{BTreeMap, BTreeSet};

use self::foes::is_act;
use super::finding;
use crate::cues::LISTS;
use crate::read::{Actor, Check, People, checks, order};
use crate::text::{sentences, unquoted, words};
use crate::{Finding, Kind, Line, Severity, Transcript, Verdict};

/// Words by which somebody has more than one blow in a turn.
const EXCUSES: [&str; 14] = [
    "bonus", "extra", "action", "both", "linked", "free", "twin", "surge", "double", "offhand", "flurry",
    "haste", "again", "reroll",
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
    // Rules of a table may give the order before anybody speaks.
    let ruled = transcript.prompts.iter().find_map(|(_, text)| order(text, &people));
    stated |= ruled.is_some();
    let mut fight = ruled.clone().map(|actors| Fight::new((transcript, 0), &people, &rolls, actors));
    for (place, line) in transcript.lines.iter().enumerate() {
        if transcript.kind(&line.voice) != Kind::Player {
            // The same order at the head of each round is no new fight.
            if let Some(actors) = order(&line.text, &people) {
                stated = true;
                if fight.as_ref().is_none_or(|fight| {
                    fight.actors.len() != actors.len()
                        || fight.actors.iter().any(|actor| !actors.contains(actor))
                }) {
                    fight = Some(Fight::new((transcript, place), &people, &rolls, actors));
                    continue;
                }
            }
        }
        // An order that the rules give holds for whatever fight begins.
        if let (None, Some(actors), Kind::Narrator) = (&fight, &ruled, transcript.kind(&line.voice))
            && sentences(&line.text).into_iter().any(|sentence| begins_round(&words(sentence)))
        {
            fight = Some(Fight::new((transcript, place), &people, &rolls, actors.clone()));
            continue;
        }
        let Some(running) = fight.as_mut() else { continue };
        if transcript.kind(&line.voice) == Kind::Player {
            findings.extend(running.player(place, line));
            findings.extend(running.rolled(place, line, false));
        } else if running.is_over(line) || running.is_quiet(place) {
            fight = None;
        } else {
            findings.extend(running.rolled(place, line, true));
            findings.extend(running.narrated(line));
            findings.extend(running.rolled(place, line, false));
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
    /// The place of the line that states the order.
    began: usize,
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
    /// Players who have said something since the last turn began: what they did may be told by words that no list holds.
    spoke: BTreeSet<usize>,
    /// Players who have spoken in this round when it was their turn.
    heard: BTreeSet<usize>,
    /// Rounds that have ended.
    rounds: u32,
    /// The line in which each foe moved last.
    moved: BTreeMap<usize, u64>,
    /// Foes that threw dice in this round.
    threw: BTreeSet<usize>,
    /// Number of the line with which the round began.
    from: u64,
}

impl<'t> Fight<'t> {
    fn new(
        (transcript, began): (&'t Transcript, usize),
        people: &'t People<'t>,
        rolls: &'t [Check],
        actors: Vec<Actor>,
    ) -> Fight<'t> {
        let (acted, excused, out) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Fight {
            transcript,
            people,
            began,
            rolls,
            actors,
            last: None,
            acted,
            excused,
            out,
            passed_over: None,
            since: Vec::new(),
            held: BTreeSet::new(),
            spoke: BTreeSet::new(),
            heard: BTreeSet::new(),
            rounds: 0,
            moved: BTreeMap::new(),
            threw: BTreeSet::new(),
            from: transcript.lines.get(began).map_or(0, |line| line.number),
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
        let first = near.first().map_or(0, |line| line.number);
        let last = self.transcript.lines.get(place).map_or(u64::MAX, |line| line.number);
        let rolls = self.rolls.iter().any(|roll| (first..=last).contains(&roll.number));
        place > self.began + QUIET_LINES && near.len() == QUIET_LINES && !rolls && !near.iter().any(fights)
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
        let (mut subject, mut mentioned): (Option<usize>, Option<usize>) = (None, None);
        for sentence in sentences(&text) {
            let said = words(sentence);
            subject = self.subject(&said, subject.or(mentioned));
            let mut foes = (0..self.actors.len()).filter(|foe| !self.is_player(*foe));
            mentioned = foes.rfind(|foe| self.names_foe(*foe, &said).is_some()).or(subject).or(mentioned);
            if let Some(foe) = subject.filter(|_| lists.down.say(&said)) {
                self.out.insert(foe);
            }
            for actor in 0..self.actors.len() {
                if !self.is_named(actor, sentence, &said) {
                    continue;
                }
                let later =
                    said.iter().any(|word| ["before", "until", "unless", "if"].contains(&word.as_str()));
                if lists.passed.say(&said)
                    && !(later && self.is_player(actor))
                    && !sentence.trim_end().ends_with('?')
                {
                    self.excused.insert(actor);
                }
                if lists.down.say(&said) && (!self.is_player(actor) || is_out_cold(&said)) {
                    self.out.insert(actor);
                }
            }
            if let Some(foe) = subject.filter(|foe| self.assaults(*foe, sentence, &said)) {
                found = found.or(self.foe(foe, line, false));
            }
            if begins_round(&said) && !self.acted.is_empty() {
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
            let sets = [&self.acted, &self.excused, &self.out, &self.heard];
            sets.iter().all(|set| !set.contains(actor))
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
        let found = found.or_else(|| self.idle_foe(line));
        self.threw.clear();
        self.from = line.number;
        self.acted.clear();
        self.last = None;
        self.passed_over = None;
        self.moved.clear();
        self.heard.clear();
        self.rounds += 1;
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
        // Whoever waits or holds an action has had the turn; whoever throws dice does not wait.
        let waits = !self.throws(place, line)
            && told.iter().any(|said| LISTS.fight.passed.say(said) || LISTS.fight.holds.say(said))
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
            self.spoke.insert(actor);
            if self.next_player(self.last) == Some(actor) {
                self.heard.insert(actor);
            }
            return None;
        }
        // Whoever acts can, whatever the words before sounded like.
        self.excused.remove(&actor);
        self.out.remove(&actor);
        let mut expected = self.next_player(self.last);
        // Whoever has just said something has acted, by words that no list holds.
        while let Some(spoke) = expected.filter(|expected| *expected != actor && self.spoke.remove(expected))
        {
            self.acted.insert(spoke);
            self.last = Some(spoke);
            expected = self.next_player(self.last);
        }
        // Whom the narrator asks has the turn.
        let asked = expected != Some(actor) && self.is_asked(actor);
        let found = match expected {
            _ if asked => {
                // Who tells the story has seen the others act.
                let count = self.actors.len();
                let first = self.last.map_or(0, |last| last + 1);
                self.acted
                    .extend((0..count).map(|step| (first + step) % count).take_while(|next| *next != actor));
                None
            }
            Some(expected) if self.last == Some(actor) && expected != actor => {
                self.again(actor, expected, line).or_else(|| self.twice((place, line), actor, expected))
            }
            Some(expected) if expected != actor && self.passed_over != Some(actor) => {
                self.passed_over = Some(expected);
                let why =
                    format!("{} acts, though it is the turn of {}", self.shown(actor), self.shown(expected));
                Some(finding("turn-order", (Severity::Warning, 80), [line.number], &line.text, why))
            }
            _ if self.passed_over == Some(actor) => None,
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
            self.spoke.clear();
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

    /// The same call twice in two lines of a player, between which the narrator says nothing, and no word of why there are two.
    fn twice(&mut self, (place, line): (usize, &Line), actor: usize, expected: usize) -> Option<Finding> {
        let before = place.checked_sub(1).map(|before| &self.transcript.lines[before])?;
        if before.voice != line.voice || !self.since.is_empty() {
            return None;
        }
        let next = self.transcript.lines.get(place + 1).map_or(u64::MAX, |next| next.number);
        let own = |from: u64, to: u64| {
            self.rolls.iter().filter(move |roll| {
                roll.number >= from
                    && roll.number < to
                    && roll.told.is_none()
                    && is_act(roll)
                    && roll.success.is_some()
            })
        };
        let tool = |roll: &Check| {
            words(&roll.asked.replace('_', " "))
                .into_iter()
                .find(|word| *word != roll.character.to_lowercase())
        };
        let first: Vec<Option<String>> = own(before.number, line.number).map(tool).collect();
        let second: Vec<Option<String>> = own(line.number, next).map(tool).collect();
        let excuses = |line: &Line| {
            let said = words(&line.text);
            LISTS.fight.reaction.hold(&said)
                || EXCUSES.iter().any(|excuse| said.iter().any(|word| word == excuse))
        };
        let plain = |name: &Option<String>| {
            name.as_deref().is_some_and(|name| !["check", "save", "skill", "roll", "dice"].contains(&name))
        };
        if !second.iter().any(|name| plain(name) && first.contains(name)) || excuses(line) || excuses(before)
        {
            return None;
        }
        self.passed_over = Some(expected);
        let why =
            format!("{} acts twice, though it is the turn of {}", self.shown(actor), self.shown(expected));
        Some(finding("turn-order", (Severity::Warning, 75), [line.number], &line.text, why))
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
            let more = said.windows(2).any(|pair| pair[0] == "once" && pair[1] == "more");
            let now = !sentence.trim_end().ends_with('?')
                && !said
                    .iter()
                    .take(4)
                    .any(|word| later.contains(&word.as_str()) && !(more && word == "once"));
            now && self.does(line, sentence, &said)
        });
        acts || self.throws(place, line)
    }

    /// Are dice thrown for what a player's line does?
    fn throws(&self, place: usize, line: &Line) -> bool {
        let next = self.transcript.lines.get(place + 1).map_or(u64::MAX, |next| next.number);
        self.rolls.iter().any(|roll| {
            let near = roll.number >= line.number && roll.number < next;
            roll.roller.as_deref() == Some(line.voice.as_str()) && near && is_act(roll)
        })
    }

    /// Does a sentence of a player's tell of what their own character does? "Your flame is through" and "a nineteen to hit" do not.
    fn does(&self, line: &Line, sentence: &str, said: &[String]) -> bool {
        let nouns = [
            "to", "your", "his", "her", "their", "the", "a", "an", "that", "its", "you", "he", "she", "they",
        ];
        let acts = LISTS.fight.act.all(said).filter(|found| {
            let before = found.start.checked_sub(1).and_then(|at| said.get(at));
            !found.negated && before.is_none_or(|before| !nouns.contains(&before.as_str()))
        });
        let own = said.iter().any(|word| ["i", "i'm", "i'll", "i've", "my", "we"].contains(&word.as_str()))
            || self.people.is_named(&line.voice, sentence);
        let others = said.iter().any(|word| ["you", "your"].contains(&word.as_str()))
            || self.people.named_in(sentence).is_some_and(|named| named != line.voice);
        acts.count() > 0 && (own || !others)
    }
}

/// Does a sentence begin a new round? "Another turn next round closes it" does not.
fn begins_round(said: &[String]) -> bool {
    let lead = [
        "top", "now", "and", "so", "then", "end", "start", "on", "into", "that", "that's", "begin", "here",
        "this", "back",
    ];
    LISTS
        .fight
        .round
        .all(said)
        .any(|found| found.start <= 1 || found.start <= 4 && lead.contains(&said[0].as_str()))
}

/// "Ada lies dead", and not "dead true".
fn is_out_cold(said: &[String]) -> bool {
    said.windows(2).any(|pair| {
        let falls =
            ["is", "are", "lies", "falls", "drops", "you're", "be", "goes"].contains(&pair[0].as_str());
        falls && ["dead", "unconscious", "dying"].contains(&pair[1].as_str())
    }) || said.iter().any(|word| word == "dies" || word == "unconscious")
}
