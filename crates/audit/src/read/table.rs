//! How a table plays: what counts as a success, and which die is meant where nobody names one.

use super::numbers::numbered;
use super::rolls_in;
use crate::cues::LISTS;
use crate::text::words;
use crate::{Kind, Transcript};

/// Lines at the beginning in which the rules are told.
const RULES_LINES: usize = 6;
/// What a throw of two dice has to reach, where it may go well, half well or ill: these are the same at all such tables.
const TIERS: (i64, i64) = (10, 7);
/// Words between those two numbers in the rules.
const TIER_WORDS: usize = 14;

/// The rules of a table as far as its dice need them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// Is a roll good that is at most the skill?
    pub under: bool,
    /// Is each die judged by itself, and those that are good counted?
    pub pool: bool,
    /// The sides of a die that nobody names.
    pub sides: Option<u16>,
    /// Do players write out what they rolled? Then the rolls that the narrator writes are nobody's who plays.
    pub own: bool,
    /// The sides of dice that are thrown together and that nobody names.
    pub several: Option<u16>,
    /// Is a throw of two dice good from ten on, half good from seven on, and bad below?
    pub tiers: bool,
}

impl Table {
    pub(crate) fn of(transcript: &Transcript) -> Table {
        let mut table = Table::default();
        if !transcript.foreign {
            return table;
        }
        let prompts = transcript.prompts.iter().map(|(_, text)| text.as_str());
        let told = transcript.lines.iter().filter(|line| transcript.kind(&line.voice) != Kind::Player);
        let first = transcript.lines.first();
        let texts =
            prompts.chain(first.into_iter().chain(told.take(RULES_LINES)).map(|line| line.text.as_str()));
        for text in texts {
            let said = words(text);
            table.under |= LISTS.dice.under.hold(&said);
            table.pool |= LISTS.dice.pool.hold(&said);
            table.tiers |= is_tiered(text);
            let die = said.iter().find_map(|word| match word.as_str() {
                "d20" | "d20s" | "1d20" => Some(20),
                "d100" | "d100s" | "1d100" | "percentile" => Some(100),
                _ => None,
            });
            table.several = table.several.or_else(|| several(&said));
            table.sides = table.sides.or(die).or_else(|| LISTS.dice.twenty.hold(&said).then_some(20));
        }
        let mut players = transcript.lines.iter().filter(|line| transcript.kind(&line.voice) == Kind::Player);
        table.own = players.any(|line| !rolls_in(&line.text, table).is_empty());
        table
    }

    /// How a throw of two dice went by itself, if the table has such rules; between good and bad it is neither.
    pub(crate) fn tier(self, total: i64) -> Option<bool> {
        let (good, half) = TIERS;
        if total >= good { Some(true) } else { (total < half).then_some(false) }
    }

    /// Does this result reach that?
    pub(crate) fn reaches(self, total: i64, difficulty: i64) -> bool {
        if self.under { total <= difficulty } else { total >= difficulty }
    }
}

/// "10+ and you do it, 7-9 and it costs you, 6- and it goes wrong", "a ten does it, a seven nearly, less than that is trouble".
fn is_tiered(text: &str) -> bool {
    let said = numbered(text);
    let (good, half) = TIERS;
    let is = |at: usize, wanted: i64| said[at].1 == Some(wanted);
    let third = |(word, number): &(String, Option<i64>)| {
        matches!(number, Some(6 | 9)) || ["under", "below", "less"].contains(&word.as_str())
    };
    // Only so far from each: a text may say ten and seven a hundred thousand times.
    (0..said.len()).any(|first| {
        let other = match (is(first, good), is(first, half)) {
            (true, _) => half,
            (_, true) => good,
            _ => return false,
        };
        let mut lasts = (first..said.len().min(first + TIER_WORDS + 1)).filter(|at| is(*at, other));
        lasts.any(|last| said[first..said.len().min(last + TIER_WORDS)].iter().any(third))
    })
}

/// "Everything is 2d6", "pools of d10", "three ten-siders".
fn several(said: &[String]) -> Option<u16> {
    let notation = |word: &String| {
        let (count, sides) = word.split_once('d')?;
        let many = count.parse::<u16>().is_ok_and(|count| count > 1) || count.is_empty();
        let sides: u16 = sides.trim_end_matches('s').parse().ok()?;
        (many && sides < 20).then_some(sides)
    };
    let spelt = |pair: &[String]| match (pair[0].as_str(), pair[1].as_str()) {
        ("six", "sided" | "siders") => Some(6),
        ("ten", "sided" | "siders") => Some(10),
        ("two" | "three", "dice") => Some(6),
        _ => None,
    };
    said.iter().find_map(notation).or_else(|| said.windows(2).find_map(spelt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_two_dice_are_known_by_their_numbers() {
        assert!(is_tiered("Throw two: 10 or more is fine, 7 to 9 is fine with a bruise, 6 or less hurts."));
        assert!(is_tiered("A ten will do, a seven half does, and below it you are sorry."));
        assert!(!is_tiered("The gate is ten feet high and has seven locks."));
        // A megabyte of it takes no longer than it takes to read.
        assert!(!is_tiered(&"ten seven ".repeat(100_000)));
        let table = Table { tiers: true, ..Table::default() };
        assert_eq!([11, 8, 3].map(|total| table.tier(total)), [Some(true), None, Some(false)]);
    }
}
