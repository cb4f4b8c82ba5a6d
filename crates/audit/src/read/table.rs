//! How a table plays: what counts as a success, and which die is meant where nobody names one.

use super::rolls_in;
use crate::cues::LISTS;
use crate::text::words;
use crate::{Kind, Transcript};

/// Lines at the beginning in which the rules are told.
const RULES_LINES: usize = 6;

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

    /// Does this result reach that?
    pub(crate) fn reaches(self, total: i64, difficulty: i64) -> bool {
        if self.under { total <= difficulty } else { total >= difficulty }
    }
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
