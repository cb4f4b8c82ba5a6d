//! Rolls that decided something: recorded ones, and in transcripts without any, those that are written out in the text.

use std::collections::BTreeSet;

use super::people::People;
use super::{ClaimKind, claims, rolled_in};
use crate::text::{sentences, words};
use crate::{Kind, Line, Roll, RollKind, Transcript};

/// Lines back in which somebody says what is to be reached: the question, an answer, and the dice.
const DIFFICULTY_LINES: usize = 3;

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
    /// What had to be reached, if that is known.
    pub difficulty: Option<i64>,
    /// The sentence that tells it, where it is told and not recorded.
    pub told: Option<String>,
}

/// Every roll. `None`: there are no dice anywhere, recorded or told.
pub(crate) fn checks(transcript: &Transcript, people: &People<'_>) -> Option<Vec<Check>> {
    let recorded = transcript.rolls.as_deref().unwrap_or_default();
    // Where a program rolled, what people write in brackets is no roll: at most it is an invented one.
    if !transcript.foreign || !recorded.is_empty() {
        transcript.rolls.as_ref()?;
        return Some(recorded.iter().map(|roll| of_roll(transcript, roll)).collect());
    }
    let mut told = Vec::new();
    for (place, line) in transcript.lines.iter().enumerate() {
        told.extend(of_line(transcript, people, place, line));
    }
    (!told.is_empty() || transcript.rolls.is_some()).then_some(told)
}

/// The line whose own words tell of a roll, and the part of it that does: a record of the roll and of the line is one and the same.
fn told_by<'t>(transcript: &'t Transcript, roll: &Roll, after: usize) -> Option<&'t str> {
    let line = transcript.lines.get(after.checked_sub(1)?)?;
    let places = &transcript.file.as_ref()?.lines;
    if places.get(&line.number)? != places.get(&roll.number)? {
        return None;
    }
    let mut told = sentences(&line.text).into_iter();
    told.find(|sentence| rolled_in(sentence).is_some_and(|written| Some(written.total) == roll.total))
        .map(written_out)
}

fn of_roll(transcript: &Transcript, roll: &Roll) -> Check {
    let after = transcript.lines.partition_point(|line| line.number < roll.number);
    let told = told_by(transcript, roll, after);
    let line = if told.is_some() { after - 1 } else { after };
    let (total, difficulty) = (roll.total, roll.difficulty);
    let difficulty = difficulty.or_else(|| announced(transcript, line));
    let reached = total.zip(difficulty).map(|(total, difficulty)| total >= difficulty);
    let success = roll.success.or_else(|| reached.filter(|_| transcript.foreign && roll.sides == Some(20)));
    Check {
        // What the words tell is found in the words.
        number: if told.is_some() { transcript.lines[line].number } else { roll.number },
        turn: roll.turn,
        line,
        kind: if roll.success.is_none() && success.is_some() { RollKind::Check } else { roll.kind },
        // Whoever called the dice program for somebody has not rolled themselves.
        roller: roll
            .roller
            .clone()
            .filter(|roller| !transcript.foreign || transcript.kind(roller) == Kind::Player),
        success,
        sides: roll.sides,
        faces: roll.faces.clone(),
        numbers: roll.numbers.iter().copied().chain(difficulty).collect(),
        what: match (roll.difficulty, difficulty) {
            (None, Some(difficulty)) => format!("{} against {difficulty}", roll.what),
            _ => roll.what.clone(),
        },
        difficulty,
        told: told.map(str::to_owned),
    }
}

/// What is to be reached, as one of the lines right before `line` says.
fn announced(transcript: &Transcript, line: usize) -> Option<i64> {
    let near = transcript.lines.get(line.saturating_sub(DIFFICULTY_LINES)..line)?;
    // What the narrator said before that was about another roll.
    let last = near.iter().rposition(|line| transcript.kind(&line.voice) == Kind::Narrator).unwrap_or(0);
    let difficulties = near[last..].iter().rev().flat_map(|line| claims(&line.text));
    difficulties.into_iter().find(|claim| claim.kind == ClaimKind::Difficulty).map(|claim| claim.number)
}

fn of_line(transcript: &Transcript, people: &People<'_>, place: usize, line: &Line) -> Vec<Check> {
    let mut found = Vec::new();
    let mut before = "";
    for sentence in sentences(&line.text) {
        let Some(written) = rolled_in(sentence) else {
            before = sentence;
            continue;
        };
        let named = people.named_in(sentence).or_else(|| people.named_in(before));
        let addressed = || {
            let you =
                words(sentence).iter().chain(&words(before)).any(|word| word == "you" || word == "your");
            let last = transcript.lines[..place]
                .iter()
                .rev()
                .find(|line| transcript.kind(&line.voice) == Kind::Player);
            last.filter(|_| you).map(|line| line.voice.as_str())
        };
        let own = (transcript.kind(&line.voice) == Kind::Player).then_some(line.voice.as_str());
        let roller = own.or(named).or_else(addressed).map(str::to_owned);
        let difficulty = written.difficulty.or_else(|| announced(transcript, place));
        let reached = difficulty.filter(|_| written.sides.is_none_or(|sides| sides == 20));
        let success = written.success.or(reached.map(|difficulty| written.total >= difficulty));
        found.push(Check {
            number: line.number,
            turn: line.turn,
            line: place,
            kind: if success.is_some() { RollKind::Check } else { RollKind::Dice },
            roller,
            success,
            sides: written.sides,
            faces: written.face.into_iter().collect(),
            numbers: written.numbers.iter().copied().chain(difficulty).collect(),
            what: match difficulty {
                Some(difficulty) => format!("{} against {difficulty}", written.total),
                None => written.total.to_string(),
            },
            difficulty,
            told: Some(written_out(sentence).to_owned()),
        });
        before = sentence;
    }
    found
}

/// The part of a sentence that writes a roll out: what stands behind its bracket is narration.
fn written_out(sentence: &str) -> &str {
    let close = match sentence.chars().next() {
        Some('[') => ']',
        Some('(') => ')',
        Some('{') => '}',
        _ => return sentence,
    };
    let opened = sentence.chars().next();
    let mut depth = 0;
    for (at, letter) in sentence.char_indices() {
        depth += i32::from(Some(letter) == opened) - i32::from(letter == close);
        if depth == 0 {
            return &sentence[..=at];
        }
    }
    sentence
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
