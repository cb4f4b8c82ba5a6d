//! A number that prose presents as the result of dice, and that no dice showed.

use std::collections::BTreeSet;

use super::finding;
use crate::limits::{ROLL_TURNS_AFTER, ROLL_TURNS_BEFORE};
use crate::text::{sentences, words};
use crate::{Finding, Line, Severity, Transcript, Verdict};

/// Words after a number that make it a result and not a count of things: "rolled a 17 for stealth", not "rolls 3 barrels".
const AFTER: [&str; 16] = [
    "on", "for", "against", "versus", "vs", "total", "to", "plus", "minus", "and", "with", "which", "so",
    "but", "that", "is",
];
/// Words between "rolled" and its number.
const BETWEEN: [&str; 9] = ["a", "an", "the", "of", "natural", "total", "with", "his", "her"];
/// The largest number that dice at a table show: what is larger is a year, a price or a page.
const NUMBER_MAX: i64 = 200;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let Some(rolls) = &transcript.rolls else { return Verdict::NotRecorded("rolls") };
    let check = |line: &Line| -> Option<Finding> {
        let near: BTreeSet<i64> = rolls
            .iter()
            .filter(|roll| {
                roll.turn + ROLL_TURNS_BEFORE >= line.turn && roll.turn <= line.turn + ROLL_TURNS_AFTER
            })
            .flat_map(|roll| roll.numbers.iter().copied())
            .collect();
        let claims = sentences(&line.text).into_iter().map(|sentence| (sentence, claimed(sentence)));
        let invented = |(sentence, numbers): (_, Vec<i64>)| {
            numbers.into_iter().find(|number| !near.contains(number)).map(|number| (sentence, number))
        };
        let (sentence, number) = claims.into_iter().find_map(invented)?;
        let why =
            format!("the narration gives the result {number}, but no roll near turn {} has it", line.turn);
        Some(finding("unrolled", (Severity::Warning, 85), [line.number], sentence, why))
    };
    Verdict::Looked(transcript.play().filter_map(check).collect())
}

/// Numbers that a sentence presents as results of dice, damage or difficulties.
fn claimed(sentence: &str) -> Vec<i64> {
    let words = words(sentence);
    let number = |place: usize| {
        let number: i64 = words.get(place)?.parse().ok()?;
        (0..=NUMBER_MAX).contains(&number).then_some(number)
    };
    let is_result = |place: usize| words.get(place + 1).is_none_or(|next| AFTER.contains(&next.as_str()));
    let mut numbers = Vec::new();
    for (place, word) in words.iter().enumerate() {
        match word.as_str() {
            "roll" | "rolls" | "rolled" | "rolling" => {
                let gap =
                    words[place + 1..].iter().take(3).take_while(|word| BETWEEN.contains(&word.as_str()));
                let at = place + 1 + gap.count();
                numbers.extend(number(at).filter(|_| is_result(at)));
            }
            "natural" | "nat" | "dc" => numbers.extend(number(place + 1)),
            "total" if words.get(place + 1).is_some_and(|word| word == "of") => {
                numbers.extend(number(place + 2).filter(|_| is_result(place + 2)));
            }
            "damage" => {
                let back = if place >= 3 && words[place - 1] == "of" && words[place - 2].starts_with("point")
                {
                    3
                } else {
                    1
                };
                numbers.extend(place.checked_sub(back).and_then(number));
            }
            // "1d20: 17", "d20 (14)"
            dice if is_dice(dice) => numbers.extend(number(place + 1).filter(|_| is_result(place + 1))),
            _ => {}
        }
    }
    numbers
}

fn is_dice(word: &str) -> bool {
    let Some((count, sides)) = word.split_once('d') else { return false };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    digits(count) && digits(sides) && !sides.is_empty()
}

#[cfg(test)]
mod tests {
    use super::claimed;

    #[test]
    fn results_are_told_from_counts_of_things() {
        assert_eq!(claimed("She rolled a 17 on her search, a natural 20!"), [17, 20]);
        assert_eq!(claimed("The ogre deals 12 points of damage, then 7 damage."), [12, 7]);
        assert_eq!(claimed("[1d20: 14] against DC 15"), [14, 15]);
        assert!(claimed("He rolls 3 barrels to the 2 carts and pays 12 gold. Roll 2d6 at noon.").is_empty());
    }
}
