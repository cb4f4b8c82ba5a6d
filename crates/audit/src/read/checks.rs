//! Rolls that decided something: recorded ones, and in transcripts without any, those that are written out in the text.

use std::collections::BTreeSet;

use super::outcome::outcome;
use super::people::People;
use super::{ClaimKind, Table, Written, claims, rolls_in};
use crate::text::{sentences, unquoted, words};
use crate::{Kind, Line, Roll, RollKind, Transcript};

/// Lines back in which somebody says what is to be reached: the question, an answer, and the dice.
const DIFFICULTY_LINES: usize = 3;
/// Lines after a roll in which the narrator says what it was against: "Fifteen against her sixteen".
const JUDGED_LINES: usize = 2;
/// Words between a result and what it was against.
const JUDGED_WORDS: usize = 5;

/// Words of a sentence that only says how a roll went.
const VERDICT_WORDS_MAX: usize = 16;
/// What is counted where nobody adds.
const COUNTED: [&str; 9] =
    ["roll", "dice", "count", "counts", "hit", "hits", "success", "successes", "throw"];

/// A roll, and what is known of what it decided.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// Number of its event, or of the line that tells it.
    pub number: u64,
    pub turn: u32,
    /// The place in the list of lines of the first line that may tell its outcome.
    pub line: usize,
    pub kind: RollKind,
    pub roller: Option<String>,
    pub success: Option<bool>,
    pub sides: Option<u16>,
    pub faces: Vec<u16>,
    pub numbers: BTreeSet<i64>,
    pub what: String,
    /// Whose dice the record says they are, whether anybody plays them or not.
    pub character: String,
    /// What a program was asked for, with the name of whose dice they are.
    pub asked: String,
    /// The sum, or how many dice were good, where it is recorded.
    pub total: Option<i64>,
    /// What had to be reached, if that is known.
    pub difficulty: Option<i64>,
    /// The sentence that tells it, where it is told and not recorded.
    pub told: Option<String>,
}

/// Every roll. `None`: there are no dice anywhere, recorded or told.
pub(crate) fn checks(transcript: &Transcript, people: &People<'_>) -> Option<Vec<Check>> {
    let recorded = transcript.rolls.as_deref().unwrap_or_default();
    let table = Table::of(transcript);
    // Where a program rolled, what people write in brackets is no roll: at most it is an invented one.
    if !transcript.foreign || !recorded.iter().all(|roll| is_of_line(transcript, roll)) {
        transcript.rolls.as_ref()?;
        return Some(recorded.iter().map(|roll| of_roll(transcript, people, table, roll)).collect());
    }
    let mut told: Vec<Check> = Vec::new();
    let mut rolls = recorded.iter().peekable();
    for (place, line) in transcript.lines.iter().enumerate() {
        let mut written = of_line(transcript, people, table, place, line);
        let next = transcript.lines.get(place + 1).map_or(u64::MAX, |next| next.number);
        let own = std::iter::from_fn(|| rolls.next_if(|roll| roll.number < next));
        let own: Vec<Check> = own.map(|roll| of_roll(transcript, people, table, roll)).collect();
        if written.is_empty() && own.is_empty() {
            written.extend(echoed(transcript, place, line));
        }
        told.extend(if written.is_empty() { own } else { written });
    }
    (!told.is_empty() || transcript.rolls.is_some()).then_some(told)
}

/// Is a recorded roll what somebody who plays has written themselves?
fn is_of_line(transcript: &Transcript, roll: &Roll) -> bool {
    let after = transcript.lines.partition_point(|line| line.number < roll.number);
    let line = after.checked_sub(1).and_then(|place| transcript.lines.get(place));
    line.is_some_and(|line| {
        roll.asked.is_empty()
            && transcript.kind(&line.voice) != Kind::Other
            && is_same_record(transcript, line.number, roll.number)
    })
}

fn is_same_record(transcript: &Transcript, one: u64, other: u64) -> bool {
    let Some(places) = transcript.file.as_ref().map(|file| &file.lines) else { return false };
    places.get(&one).is_some_and(|place| places.get(&other) == Some(place))
}

/// The line whose own words tell of a roll, and the part of it that does: a record of the roll and of the line is one and the same.
fn told_by(transcript: &Transcript, table: Table, roll: &Roll, after: usize) -> Option<String> {
    let line = transcript.lines.get(after.checked_sub(1)?)?;
    if !is_same_record(transcript, line.number, roll.number) {
        return None;
    }
    let written =
        rolls_in(&line.text, table).into_iter().find(|written| Some(written.total) == roll.total)?;
    Some(line.text[written.start..written.end].to_owned())
}

fn of_roll(transcript: &Transcript, people: &People<'_>, table: Table, roll: &Roll) -> Check {
    let after = transcript.lines.partition_point(|line| line.number < roll.number);
    let told = told_by(transcript, table, roll, after);
    let line = if told.is_some() { after - 1 } else { after };
    let (total, difficulty) = (roll.total, roll.difficulty);
    let asked = || claims(&roll.asked).into_iter().find(|claim| claim.kind == ClaimKind::Difficulty);
    let difficulty = difficulty.or_else(|| Some(asked()?.number));
    let fits = roll.sides.is_none_or(|sides| sides == 20 || table.under);
    let likely = transcript.foreign && fits && !(table.pool && roll.difficulty.is_none());
    // Where dice are counted, only who counts them says how many were needed.
    let counted = transcript.foreign && table.pool && roll.faces.len() > 1;
    let difficulty =
        difficulty.or_else(|| judged(transcript, line, total.filter(|_| likely || counted)?)).or_else(|| {
            let sums = !table.pool && likely;
            announced(transcript, line).filter(|_| sums)
        });
    let reached = total.zip(difficulty).map(|(total, difficulty)| match counted {
        true => total >= difficulty,
        false => table.reaches(total, difficulty),
    });
    let single = likely && roll.sides.is_some_and(|sides| sides > 12);
    let certain = single || counted || likely && roll.difficulty.is_some();
    let success = roll.success.or_else(|| reached.filter(|_| certain));
    let none = table.pool && total == Some(0);
    let said = || transcript.foreign && (none || verdict(transcript, line, total));
    let success = success.or_else(|| said().then_some(false));
    // Where two dice are judged by themselves, nothing else says how they went.
    let two = roll.sides.is_none_or(|sides| sides == 6) && roll.faces.len() != 1 && !table.pool;
    let tiered =
        table.tiers && two && roll.difficulty.is_none() && roll.success.is_none() && transcript.foreign;
    let success = if tiered { total.and_then(|total| table.tier(total)) } else { success };
    let difficulty = difficulty.filter(|_| !tiered);
    Check {
        // What the words tell is found in the words.
        number: if told.is_some() { transcript.lines[line].number } else { roll.number },
        turn: roll.turn,
        line,
        kind: if roll.success.is_none() && success.is_some() { RollKind::Check } else { roll.kind },
        roller: roller(transcript, people, roll),
        success,
        sides: roll.sides.or_else(|| match roll.faces.len() {
            0 => told.as_ref().and(table.sides),
            1 => table.sides.filter(|_| told.is_some() || roll.difficulty.is_some()),
            // Several throws of a hundred are no handful of small dice.
            _ => {
                let fits = |sides: &u16| roll.faces.iter().all(|face| face <= sides);
                table.several.filter(fits).or_else(|| table.sides.filter(|sides| table.under && fits(sides)))
            }
        }),
        faces: roll.faces.clone(),
        numbers: roll.numbers.iter().copied().chain(difficulty).collect(),
        what: match (roll.difficulty, difficulty) {
            (None, Some(difficulty)) => format!("{} against {difficulty}", roll.what),
            _ => roll.what.clone(),
        },
        character: roll.character.clone(),
        asked: format!("{} {}", roll.character, roll.asked),
        total,
        difficulty,
        told,
    }
}

/// Whose dice they are: whom the record names, or who called the program for themselves.
fn roller(transcript: &Transcript, people: &People<'_>, roll: &Roll) -> Option<String> {
    if !transcript.foreign {
        return roll.roller.clone();
    }
    let is_player = |voice: &String| transcript.kind(voice) == Kind::Player;
    if let Some(roller) = roll.roller.clone().filter(is_player) {
        return Some(roller);
    }
    if let Some(named) = subject(people, &roll.character) {
        return Some(named.to_owned());
    }
    if roll.character.is_empty() {
        // What the arguments name, but for whom it is done to: "Lucia vs bravo 1", {"kid": "Pilar"}.
        let parts: Vec<&str> = roll.asked.split('"').collect();
        let suffers = ["at", "on", "target", "vs", "against", "victim", "defender", "to", "foe", "enemy"];
        let named = parts.iter().enumerate().skip(1).filter(|(place, part)| {
            let key = place.checked_sub(2).map_or("", |place| parts[place]);
            part.starts_with(char::is_uppercase) && !suffers.contains(&key)
        });
        if let Some(named) = named.filter_map(|(_, note)| subject(people, note)).next() {
            return Some(named.to_owned());
        }
    }
    // A dice program that names nobody answers whoever spoke last.
    if roll.asked_by.is_none() && roll.asked.is_empty() && roll.character.is_empty() {
        let before = transcript.lines.partition_point(|line| line.number < roll.number);
        let mut before = transcript.lines[..before].iter().rev();
        let last = before.find(|line| transcript.kind(&line.voice) != Kind::Other);
        return last.map(|line| line.voice.clone()).filter(is_player);
    }
    // Whoever called the dice program for somebody has not rolled themselves.
    roll.asked_by.clone().filter(is_player).filter(|_| !roll.asked.is_empty())
}

/// The player whom a note names first, before whatever they do to whom.
fn subject<'t>(people: &People<'t>, note: &str) -> Option<&'t str> {
    let ends = [" vs", " at ", " against ", " on ", " attack", ",", "(", ":", " to ", " with ", " - "];
    let end = ends.iter().filter_map(|end| note.find(end)).min().unwrap_or(note.len());
    people.named_in(&note[..end])
}

/// What is to be reached, as one of the lines right before `line` says.
fn announced(transcript: &Transcript, line: usize) -> Option<i64> {
    let near = transcript.lines.get(line.saturating_sub(DIFFICULTY_LINES)..line)?;
    // What the narrator said before that was about another roll.
    let last = near.iter().rposition(|line| transcript.kind(&line.voice) == Kind::Narrator).unwrap_or(0);
    let difficulties = near[last..].iter().rev().flat_map(|line| claims(&line.text));
    let stated = difficulties.into_iter().find(|claim| claim.kind == ClaimKind::Difficulty);
    let bare = || {
        near[last..]
            .iter()
            .filter(|line| transcript.kind(&line.voice) == Kind::Narrator)
            .find_map(|line| skilled(&line.text))
    };
    stated.map(|claim| claim.number).or_else(bare)
}

/// What is to be reached, where the narrator asks for a skill and says the number alone: "Seamanship, 14.", "nerve, 10".
fn skilled(text: &str) -> Option<i64> {
    let text = unquoted(text);
    sentences(&text).into_iter().rev().take(2).find_map(|sentence| {
        let plain = sentence.trim_end_matches(['.', '!', '*', '_', ' ']);
        let mut parts: Vec<&str> = plain.split(',').map(str::trim).collect();
        // "Climb, 12, Hazel".
        if parts.len() > 2 && parts.last().is_some_and(|part| part.parse::<i64>().is_err()) {
            parts.pop();
        }
        let number = parts.pop()?.parse::<i64>().ok().filter(|number| (5..=30).contains(number))?;
        let skill = words(parts.last()?);
        let asks = crate::cues::LISTS.dice.checks.contains(skill.last()?) || (1..=2).contains(&skill.len());
        asks.then_some(number)
    })
}

/// What a roll was against, as the narrator says who tells of it: "Fifteen against her sixteen", "61 over 55".
fn judged(transcript: &Transcript, line: usize, total: i64) -> Option<i64> {
    let near = transcript.lines.get(line..)?.iter().take(JUDGED_LINES);
    let mut near = near.filter(|line| transcript.kind(&line.voice) == Kind::Narrator);
    let said = super::numbers::numbered(&near.next()?.text);
    let place = said.iter().position(|(_, number)| *number == Some(total))?;
    let rest = said.get(place + 1..(place + 2 + JUDGED_WORDS).min(said.len()))?;
    let link = rest.iter().take(2).position(|(word, _)| {
        ["against", "vs", "versus", "to", "over", "under", "beats", "beat", "on", "meets"]
            .contains(&word.as_str())
    });
    let Some(link) = link else { return wanted(rest) };
    let fits = |(word, number): &&(String, Option<i64>)| {
        number.is_some()
            || [
                "a",
                "an",
                "the",
                "his",
                "her",
                "its",
                "their",
                "your",
                "guard",
                "armour",
                "armor",
                "ac",
                "dc",
                "difficulty",
                "class",
                "of",
                "skill",
            ]
            .contains(&word.as_str())
    };
    rest[link + 1..].iter().take_while(fits).find_map(|(_, number)| *number)
}

/// "Three, and two would do", "One, and it wants one".
fn wanted(rest: &[(String, Option<i64>)]) -> Option<i64> {
    let needs = [
        "would", "needed", "wanted", "needs", "wants", "need", "were", "will", "does", "enough", "takes",
        "took",
    ];
    let near = |place: usize| {
        let around = rest.get(place.saturating_sub(1)..(place + 3).min(rest.len())).unwrap_or_default();
        around.iter().any(|(word, _)| needs.contains(&word.as_str()))
    };
    rest.iter()
        .enumerate()
        .find(|(place, (_, number))| number.is_some() && near(*place))
        .and_then(|(_, (_, number))| *number)
}

/// Does the narrator who tells of a roll call it a failure, in so many words: "Five, that's a miss"?
fn verdict(transcript: &Transcript, line: usize, total: Option<i64>) -> bool {
    let near = transcript.lines.get(line..).unwrap_or_default().iter().take(JUDGED_LINES);
    let mut near = near.filter(|line| transcript.kind(&line.voice) == Kind::Narrator);
    let Some(line) = near.next() else { return false };
    let text = unquoted(&line.text);
    let front = sentences(&text);
    let numbers = super::numbers::numbered(front.first().copied().unwrap_or_default());
    let repeated = numbers.first().is_some_and(|(_, number)| number.is_some() && *number == total);
    let bare = repeated && numbers.len() <= 2;
    let short = |sentence: &&&str| words(sentence).len() <= VERDICT_WORDS_MAX;
    let judged = front.iter().take(if bare { 2 } else { 1 }).filter(short);
    let mut judged = judged.map(|sentence| (outcome(sentence), words(sentence)));
    judged.any(|(said, words)| {
        said.is_some_and(|(won, _)| !won)
            && (repeated || words.iter().any(|word| COUNTED.contains(&word.as_str())))
    })
}

/// What somebody rolled who only names the numbers, as the narrator repeats it: "Dice are 1 and 3, search is one. Five." "Five, that's a miss."
fn echoed(transcript: &Transcript, place: usize, line: &Line) -> Option<Check> {
    if transcript.kind(&line.voice) != Kind::Player {
        return None;
    }
    let next =
        transcript.lines.get(place + 1).filter(|next| transcript.kind(&next.voice) == Kind::Narrator)?;
    let total = super::numbers::numbered(&next.text).first()?.1?;
    let text = unquoted(&line.text);
    let numbers: Vec<i64> =
        super::numbers::numbered(&text).into_iter().filter_map(|(_, number)| number).collect();
    if numbers.last() != Some(&total) || numbers.len() < 2 {
        return None;
    }
    let failed = verdict(transcript, place + 1, Some(total));
    Some(Check {
        number: line.number,
        turn: line.turn,
        line: place + 1,
        kind: if failed { RollKind::Check } else { RollKind::Dice },
        roller: Some(line.voice.clone()),
        success: failed.then_some(false),
        sides: None,
        faces: Vec::new(),
        numbers: numbers.into_iter().collect(),
        what: total.to_string(),
        character: String::new(),
        asked: String::new(),
        total: Some(total),
        difficulty: None,
        told: None,
    })
}

fn of_line(
    transcript: &Transcript,
    people: &People<'_>,
    table: Table,
    place: usize,
    line: &Line,
) -> Vec<Check> {
    if transcript.kind(&line.voice) == Kind::Other {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut from = 0;
    for written in rolls_in(&line.text, table) {
        // The words of one roll may hold another.
        let before = &line.text[from.min(written.start)..written.start];
        from = from.max(written.end);
        found.push(of_written(transcript, people, table, (place, line), before, &written));
    }
    found
}

fn of_written(
    transcript: &Transcript,
    people: &People<'_>,
    table: Table,
    (place, line): (usize, &Line),
    before: &str,
    written: &Written,
) -> Check {
    let text = &line.text[written.start..written.end];
    let own = transcript.kind(&line.voice) == Kind::Player;
    let roller = if own {
        Some(line.voice.clone())
    } else {
        rolled_by(transcript, people, (place, table), before, text)
    };
    let likely = !table.pool && written.sides.is_none_or(|sides| sides == 20 || sides == 100 && table.under);
    let mut after = transcript.lines.get(place + 1).map(|_| place + 1).filter(|_| own && likely);
    let difficulty = written.difficulty.or_else(|| judged(transcript, after.take()?, written.total));
    let difficulty = difficulty.or_else(|| announced(transcript, place).filter(|_| likely));
    let reached = difficulty.filter(|_| likely).map(|difficulty| table.reaches(written.total, difficulty));
    let said = || own && verdict(transcript, place + 1, Some(written.total));
    let success = written.success.or(reached).or_else(|| said().then_some(false));
    Check {
        number: line.number,
        turn: line.turn,
        line: place,
        kind: if success.is_some() { RollKind::Check } else { RollKind::Dice },
        roller,
        success,
        sides: written.sides,
        faces: written.faces.clone(),
        numbers: written.numbers.iter().copied().chain(difficulty).collect(),
        what: match difficulty {
            Some(difficulty) => format!("{} against {difficulty}", written.total),
            None => written.total.to_string(),
        },
        character: String::new(),
        asked: before.to_owned(),
        total: Some(written.total),
        difficulty,
        told: Some(text.to_owned()),
    }
}

/// Whose roll a narrator writes out: who is named before it and is not who suffers it, or whoever is addressed.
fn rolled_by(
    transcript: &Transcript,
    people: &People<'_>,
    (place, table): (usize, Table),
    before: &str,
    text: &str,
) -> Option<String> {
    let said = words(before);
    // "At Ulf: the Referee rolls d20".
    let teller = words(&transcript.lines[place].voice.replace('_', " "));
    if said.last().is_some_and(|last| teller.contains(last) || ["dm", "gm"].contains(&last.as_str())) {
        return None;
    }
    if table.own {
        // "Ada rolls 1d20": nobody else is meant.
        let near = said.iter().rev().take(2).any(|word| {
            people.players().any(|(_, names)| names.iter().any(|name| name.eq_ignore_ascii_case(word)))
        });
        let front = text.starts_with("roll");
        return people.named_in(before).filter(|_| near && front).map(str::to_owned);
    }
    let own = ["i", "dm", "gm", "he", "she", "it", "they"];
    if said.iter().rev().take(2).any(|word| own.contains(&word.as_str()) || word == "roll") {
        return None;
    }
    let to = [
        "at", "on", "against", "upon", "to", "for", "toward", "towards", "by", "near", "with", "behind",
        "sir",
    ];
    let suffers = |voice: &str| {
        people
            .names(voice)
            .iter()
            .filter_map(|name| before.find(name.as_str()))
            .all(|at| words(&before[..at]).last().is_some_and(|word| to.contains(&word.as_str())))
    };
    let named = people.named_in(before).or_else(|| people.named_in(text));
    if let Some(named) = named {
        return (!suffers(named)).then(|| named.to_owned());
    }
    // "He lurches at you": somebody else does.
    let said: Vec<String> = said.into_iter().chain(words(text)).collect();
    let you = (0..said.len()).any(|at| {
        let meant = said[at] == "you" || said[at] == "your";
        meant && at.checked_sub(1).is_none_or(|before| !to.contains(&said[before].as_str()))
    });
    let last =
        transcript.lines[..place].iter().rev().find(|line| transcript.kind(&line.voice) == Kind::Player);
    last.filter(|_| you).map(|line| line.voice.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::scene;
    use crate::{SourceFile, audit};

    #[test]
    fn a_roll_that_a_line_tells_is_told_on_in_the_rest_of_that_line() {
        let mut told = scene(
            "ada: I swing at the deputy.\n\
             dm: [Attack: 1d20+4 = 9 vs AC 14, miss] Your fist lands square on his jaw.\n\
             ! ada 1d20 9 vs 14 fail\n\
             ada: Ha!",
        );
        let mechanics = |told: &Transcript| audit(told, &["mechanics".to_owned()]).findings().count();
        assert_eq!(mechanics(&told), 0, "a program rolled after the line was said");
        // The line and the roll are of one record.
        let lines = [(1, 1), (2, 2), (3, 2), (4, 3)].into();
        told.file = Some(SourceFile { name: "night.jsonl".into(), lines });
        assert_eq!(mechanics(&told), 1);
        let checks = checks(&told, &People::of(&told)).unwrap();
        assert_eq!(checks[0].told.as_deref(), Some("[Attack: 1d20+4 = 9 vs AC 14, miss]"));
    }
}
