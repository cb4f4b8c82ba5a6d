//! What is counted in a campaign. Every score comes from the journal alone, and each can be opened to the events behind it.

mod card;
mod repeated;

use serde::Serialize;

pub use card::{Card, Scorer, Shown, Value};

/// How a score is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Part of a whole, from 0 to 1.
    Share,
    /// A number of things.
    Count,
    /// Money, in the currency of the prices.
    Money,
    /// Seconds of the clock: the only scores that differ from run to run.
    Seconds,
}

impl Unit {
    /// The least and the greatest difference that two values can have, where there are such.
    pub fn bounds(self) -> Option<(f64, f64)> {
        (self == Unit::Share).then_some((-1.0, 1.0))
    }

    /// The least and the greatest value: nothing is counted below 0.
    pub fn bounds_of_mean(self) -> Option<(f64, f64)> {
        Some((0.0, if self == Unit::Share { 1.0 } else { f64::INFINITY }))
    }
}

/// Something that is counted.
#[derive(Debug, PartialEq, Eq)]
pub struct Score {
    /// Its name in plans and on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// How it is written.
    pub unit: Unit,
}

const fn score(name: &'static str, unit: Unit, about: &'static str) -> Score {
    Score { name, about, unit }
}

/// Every score, in the order of tables.
pub const SCORES: &[Score] = &[
    score("primary", Unit::Share, "encounters resolved by a primary goal, of those that ended"),
    score("secondary", Unit::Share, "encounters resolved by a secondary goal"),
    score("failed", Unit::Share, "encounters lost by a failure"),
    score("unresolved", Unit::Share, "encounters ended by a limit"),
    score("turns", Unit::Count, "turns of all seats"),
    score("tool_calls", Unit::Count, "tool calls made"),
    score("accepted", Unit::Share, "tool calls accepted, of those made"),
    score("rejected", Unit::Count, "tool calls rejected by a rule"),
    score("unusable", Unit::Count, "replies rejected as a whole"),
    score("spoke_for_another", Unit::Count, "replies cut or rejected because they spoke for another seat"),
    score("lookups", Unit::Count, "look-ups and searches in rules, memory and campaign"),
    score("goals", Unit::Count, "goals registered during play"),
    score("dialogues", Unit::Count, "private dialogues begun"),
    score("spotlight", Unit::Share, "turns of the player with the fewest, of an equal part"),
    score("findings", Unit::Count, "audit findings for 100 messages"),
    score("repeated", Unit::Share, "sentences that were said before, of all sentences"),
    score("calls", Unit::Count, "model calls answered"),
    score("faults", Unit::Count, "model calls that failed"),
    score("prompt", Unit::Count, "tokens of a request, the median"),
    score("tokens_in", Unit::Count, "tokens read"),
    score("tokens_out", Unit::Count, "tokens written"),
    score("money", Unit::Money, "money paid, by the prices of models.toml"),
    score("seconds", Unit::Seconds, "seconds from a request to its reply, the mean"),
];

/// The scores that are shown where a plan names none.
pub const SHOWN_FIRST: &[&str] = &[
    "primary",
    "secondary",
    "failed",
    "unresolved",
    "tool_calls",
    "accepted",
    "spoke_for_another",
    "lookups",
    "goals",
    "dialogues",
    "spotlight",
    "findings",
    "repeated",
    "calls",
    "prompt",
    "tokens_in",
    "tokens_out",
];

/// The score of this name.
pub fn named(name: &str) -> Option<&'static Score> {
    SCORES.iter().find(|score| score.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_a_name_of_its_own_and_those_shown_first_exist() {
        for (place, score) in SCORES.iter().enumerate() {
            assert!(SCORES[..place].iter().all(|other| other.name != score.name), "{}", score.name);
        }
        assert!(SHOWN_FIRST.iter().all(|name| named(name).is_some()));
    }
}
