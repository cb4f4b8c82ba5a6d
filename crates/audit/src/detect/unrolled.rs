//! A number that prose presents as the result of dice, and that no dice showed.

use std::collections::{BTreeMap, BTreeSet};

use super::finding;
use crate::cues::LISTS;
use crate::limits::{ROLL_TURNS_AFTER, ROLL_TURNS_BEFORE, TOLD_ROLLS_MIN};
use crate::read::{Check, ClaimKind, People, checks, claims, leading};
use crate::text::{quoted, sentences, unquoted, words};
use crate::{Call, Finding, Kind, Line, Severity, Transcript, Verdict};

/// Words after a number that may still say that it is no claim about now.
const ELSEWHERE_WORDS: usize = 5;
/// Tellings that begin with what was rolled, from which on it is a habit.
const HABIT_LINES_MIN: usize = 2;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let people = People::of(transcript);
    let Some(rolls) = checks(transcript, &people) else { return Verdict::NotRecorded("rolls") };
    // Where nobody writes rolls out, a number told by the way may be the only record of one.
    if transcript.foreign
        && transcript.rolls.as_ref().is_none_or(Vec::is_empty)
        && rolls.len() < TOLD_ROLLS_MIN
    {
        return Verdict::NotRecorded("rolls");
    }
    let repeated = if transcript.foreign { Repeated::of(transcript, &rolls) } else { Repeated::default() };
    let found = transcript
        .play()
        .filter_map(|line| check(transcript, &rolls, line).or_else(|| repeated.wrong(&rolls, line)));
    Verdict::Looked(found.collect())
}

/// Tellings that begin with what was rolled, where the narrator makes a habit of it.
#[derive(Default)]
struct Repeated {
    /// Lines that begin with another number, and the rolls that they tell of.
    others: BTreeMap<u64, Vec<usize>>,
}

impl Repeated {
    fn of(transcript: &Transcript, rolls: &[Check]) -> Repeated {
        let mut told: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let lines = transcript.lines.iter().enumerate();
        let narrated = lines.filter(|(_, line)| transcript.kind(&line.voice) == Kind::Narrator);
        let narrated: Vec<usize> = narrated.map(|(place, _)| place).collect();
        for (place, roll) in
            rolls.iter().enumerate().filter(|(_, roll)| roll.told.is_none() && roll.total.is_some())
        {
            // What several have rolled may be told together.
            let later = narrated.partition_point(|place| *place < roll.line);
            let line = narrated.get(later).copied();
            told.entry(line.unwrap_or(roll.line)).or_default().push(place);
        }
        let (mut others, mut right) = (BTreeMap::new(), 0);
        for (place, near) in told {
            let Some(line) = transcript.lines.get(place) else { continue };
            let said =
                leading(&unquoted(&line.text)).filter(|_| transcript.kind(&line.voice) == Kind::Narrator);
            let Some(said) = said else { continue };
            if near.iter().any(|roll| rolls[*roll].shows(said)) {
                right += 1;
            } else {
                others.insert(line.number, near);
            }
        }
        if right < HABIT_LINES_MIN || right < 2 * others.len() {
            others.clear();
        }
        Repeated { others }
    }

    /// A line that begins with a number that the roll before it did not have.
    fn wrong(&self, rolls: &[Check], line: &Line) -> Option<Finding> {
        let near = self.others.get(&line.number)?;
        let said = leading(&unquoted(&line.text))?;
        let roll = &rolls[*near.last()?];
        let why = format!("the narration gives the result {said}, but the roll before it was {}", roll.what);
        let first = sentences(&line.text).into_iter().next().unwrap_or_default();
        Some(finding("unrolled", (Severity::Warning, 85), [line.number, roll.number], first, why))
    }
}

impl Check {
    /// Did it come to this number, or show it, or was it against it?
    fn shows(&self, number: i64) -> bool {
        let alone = self.faces.len() == 1 && i64::from(self.faces[0]) == number;
        self.total == Some(number) || self.difficulty == Some(number) || alone
    }
}

fn check(transcript: &Transcript, rolls: &[Check], line: &Line) -> Option<Finding> {
    let near: Vec<&Check> = rolls
        .iter()
        .filter(|roll| {
            roll.turn + ROLL_TURNS_BEFORE >= line.turn && roll.turn <= line.turn + ROLL_TURNS_AFTER
        })
        .collect();
    // Elsewhere dice fall before anybody tells of them; only what is to be reached is said before.
    let past: Vec<&Check> = match transcript.foreign {
        true => near.iter().filter(|roll| roll.turn <= line.turn).copied().collect(),
        false => near.clone(),
    };
    // What is told before any dice fell is a rule or a wish.
    if transcript.foreign && !rolls.iter().any(|roll| roll.turn <= line.turn) {
        return None;
    }
    let mut numbers: BTreeSet<i64> = past.iter().flat_map(|roll| roll.numbers.iter().copied()).collect();
    let no_calls = transcript.calls.as_ref().is_none_or(Vec::is_empty);
    let by_hand = transcript.foreign && no_calls;
    if by_hand {
        numbers.extend(written(transcript, line));
    }
    numbers.extend(argued(transcript, line));
    let hurts: BTreeSet<i64> = match transcript.foreign {
        true => {
            let is_wound = |roll: &&&Check| !matches!(roll.sides, Some(20 | 100));
            let dealt = past.iter().filter(is_wound).flat_map(|roll| roll.numbers.iter().copied());
            let mut hurts: BTreeSet<i64> = dealt.chain(argued(transcript, line)).collect();
            if by_hand {
                let tried = past.iter().filter(|roll| !is_wound(roll));
                let tried: BTreeSet<i64> = tried.flat_map(|roll| roll.numbers.iter().copied()).collect();
                hurts.extend(written(transcript, line).difference(&tried));
            }
            hurts
        }
        false => numbers.clone(),
    };
    let last = past.iter().filter(|roll| !matches!(roll.sides, Some(20 | 100))).map(|roll| roll.turn).max();
    let sums: Option<BTreeSet<i64>> = transcript.foreign.then(|| {
        let together =
            past.iter().filter(|roll| Some(roll.turn) == last && !matches!(roll.sides, Some(20 | 100)));
        together.flat_map(|roll| roll.numbers.iter().copied()).collect()
    });
    let difficulties = near.iter().any(|roll| roll.difficulty.is_some());
    let reached: BTreeSet<i64> =
        near.iter().filter_map(|roll| roll.difficulty).chain(numbers.clone()).collect();
    // Elsewhere whoever halves or doubles a wound says so.
    let bent = !transcript.foreign || LISTS.dice.bent.hold(&words(&line.text));
    let text = unquoted(&line.text);
    // Players speak of their dice in the mouths of their characters too: "Your 17 was plenty, miss".
    let spoken =
        if transcript.kind(&line.voice) == Kind::Player { quoted(&line.text) } else { String::new() };
    let spoken = sentences(&spoken).into_iter().filter(|sentence| is_owned(sentence));
    for sentence in sentences(&text).into_iter().chain(spoken) {
        let said = words(sentence);
        // "That 18, so I'd hear her if she moved": what follows the number far behind it does not make it another time's.
        let last = said.iter().rposition(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let until = last
            .filter(|_| transcript.foreign)
            .map_or(said.len(), |at| (at + ELSEWHERE_WORDS).min(said.len()));
        if LISTS.dice.elsewhere.hold(&said[..until]) {
            continue;
        }
        let all = claims(sentence);
        let rolled =
            |number: i64| past.iter().any(|roll| roll.total == Some(number) && roll.turn + 1 >= line.turn);
        let compared =
            all.iter().any(|claim| claim.kind == ClaimKind::Result) || leading(sentence).is_some_and(rolled);
        for claim in all {
            let (known, what) = match claim.kind {
                ClaimKind::Result => (numbers.contains(&claim.number), "result"),
                // A difficulty that nobody rolled against is an offer.
                ClaimKind::Difficulty => {
                    // Where people throw their own dice, what is to be reached is the narrator's to say.
                    // So is one beside which no result stands, in the words of somebody who tells what there is.
                    let offer = by_hand || !difficulties || transcript.foreign && !compared;
                    (offer || reached.contains(&claim.number), "difficulty")
                }
                ClaimKind::Damage => {
                    (is_damage_of(claim.number, &hurts, sums.as_ref().unwrap_or(&hurts), bent), "damage")
                }
            };
            if known {
                continue;
            }
            let nearest = near.iter().rev().find(|roll| roll.turn <= line.turn && !roll.what.is_empty());
            let made = nearest.map_or_else(String::new, |roll| format!("; the nearest roll: {}", roll.what));
            let why = format!(
                "the narration gives the {what} {}, but no roll near turn {} has it{made}",
                claim.number, line.turn
            );
            let cited = [line.number]
                .into_iter()
                .chain(nearest.map(|roll| roll.number).filter(|number| *number != line.number));
            return Some(finding("unrolled", (Severity::Warning, 85), cited, sentence, why));
        }
    }
    None
}

/// Does a sentence speak of somebody's number, in digits: "your 17", "that 9"?
fn is_owned(sentence: &str) -> bool {
    let said = words(sentence);
    said.windows(2).any(|pair| {
        let owner = ["your", "his", "her", "their", "my", "that", "a", "an"].contains(&pair[0].as_str());
        owner && pair[1].parse::<i64>().is_ok_and(|number| (1..=40).contains(&number))
    })
}

/// Damage is rolled, halved by a resistance, doubled by a critical hit, or the sum of two hits.
/// `bent`: it may have been halved or doubled. `sums` are the numbers that may be added: elsewhere than in our own campaigns only those that fell together.
fn is_damage_of(damage: i64, numbers: &BTreeSet<i64>, sums: &BTreeSet<i64>, bent: bool) -> bool {
    damage == 0
        || numbers.iter().any(|number| {
            *number == damage
                || bent && (number / 2 == damage || (number + 1) / 2 == damage || number * 2 == damage)
                || (damage > *number
                    && *number > 0
                    && sums.contains(number)
                    && sums.contains(&(damage - number)))
        })
}

/// Numbers that people write as dice they have thrown themselves, near a line: they are the record where no program rolls.
fn written(transcript: &Transcript, line: &Line) -> BTreeSet<i64> {
    let near = transcript
        .play()
        .filter(|other| other.turn + ROLL_TURNS_BEFORE >= line.turn && other.turn <= line.turn);
    let mut numbers = BTreeSet::new();
    for other in near {
        let own = transcript.kind(&other.voice) == Kind::Player;
        let text = unquoted(&other.text);
        // Who is asked for a throw answers with one.
        let mut dice = own && is_asked(transcript, other);
        for sentence in sentences(&text) {
            dice |= names_dice(sentence);
            let said = words(sentence);
            let another = said.iter().any(|word| word == "your" || word == "yours");
            let rolled =
                said.iter().any(|word| ["roll", "rolls", "rolled", "rolling"].contains(&word.as_str()));
            if dice || own && rolled && !another {
                numbers.extend(said.iter().filter_map(|word| word.parse::<i64>().ok()));
            }
        }
    }
    numbers
}

/// Has the narrator asked for dice right before a line?
fn is_asked(transcript: &Transcript, line: &Line) -> bool {
    let before = transcript.lines.iter().take_while(|other| other.number < line.number);
    let last = before.last().filter(|last| transcript.kind(&last.voice) == Kind::Narrator);
    last.is_some_and(|last| {
        let asks = ["roll", "throw", "dice", "d20", "check", "save"];
        sentences(&last.text).into_iter().any(|sentence| {
            names_dice(sentence) || words(sentence).iter().any(|word| asks.contains(&word.as_str()))
        })
    })
}

/// Does a sentence name dice, such as `d20` or `2d6`?
fn names_dice(sentence: &str) -> bool {
    sentence.split(|c: char| !c.is_alphanumeric()).any(|word| {
        word.split_once(['d', 'D']).is_some_and(|(count, sides)| {
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            digits(count) && digits(sides) && !sides.is_empty()
        })
    })
}

/// Numbers in the arguments of calls nearby: what a call has recorded is no invention of the prose.
fn argued(transcript: &Transcript, line: &Line) -> BTreeSet<i64> {
    let calls = transcript.calls.iter().flatten().filter(|_| transcript.foreign);
    let near = calls.filter(|call| {
        call.turn + ROLL_TURNS_BEFORE >= line.turn && call.turn <= line.turn + ROLL_TURNS_AFTER
    });
    near.flat_map(|call| {
        let asked = call.key.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|part| part.parse().ok());
        asked.chain(answered(call))
    })
    .collect()
}

/// Numbers of wounds that a tool has answered, beside the dice of the same answer: `{"total": 20, "hit": true, "damage": 11}`.
fn answered(call: &Call) -> Vec<i64> {
    let wounds = ["damage", "dmg", "harm", "wound", "heal", "hp", "lost", "hurt", "loss"];
    if !call.answer.contains(['"', '{']) {
        // "16 vs 12: hit, damage 6".
        let said = words(&call.answer);
        let near = |place: usize| {
            let around = said.get(place.saturating_sub(2)..(place + 3).min(said.len())).unwrap_or_default();
            around.iter().any(|word| wounds.iter().any(|wound| word.contains(wound)))
        };
        let numbers = said.iter().enumerate().filter(|(place, _)| near(*place));
        return numbers.filter_map(|(_, word)| word.parse().ok()).collect();
    }
    let mut fields = call.answer.split(['"', '\'']).collect::<Vec<_>>().into_iter().peekable();
    let mut found = Vec::new();
    while let Some(field) = fields.next() {
        let field = field.to_lowercase();
        if let Some(value) = fields.peek().filter(|_| wounds.iter().any(|wound| field.contains(wound))) {
            found.extend(
                value.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse::<i64>().ok()),
            );
        }
    }
    found
}
