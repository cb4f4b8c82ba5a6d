//! Dice in an answer that no pattern knows: `rolled 6, total 9, DC 15: failed`, `17 (rolled 11)`, `[4, 5] + 2 = 11`, `72 - failed`.

use twicetold_event::ForeignRoll;

use crate::limits::FACES_MAX;
use crate::pattern::won;

/// Bytes of an answer that tells of dice alone.
const ANSWER_BYTES_MAX: usize = 160;
/// Words in it: more are a page that was looked up.
const WORDS_MAX: usize = 14;
/// Words and marks between the parts of a sum: "11 (1d20) + 6 = 17".
const SUMMAND_WORDS: usize = 5;
/// Parts of tools' and arguments' names that dice have.
const DICE: [&str; 27] = [
    "roll",
    "dice",
    "die",
    "check",
    "attack",
    "save",
    "saving",
    "test",
    "resolve",
    "skill",
    "damage",
    "initiative",
    "strike",
    "cast",
    "dc",
    "d20",
    "d100",
    "d6",
    "difficulty",
    "hit",
    "contest",
    "pool",
    "percentile",
    "luck",
    "throw",
    "two_dice",
    "ability",
];

/// What the words before a number make of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Face,
    Total,
    Difficulty,
    Modifier,
    Plain,
}

/// The dice of an answer to a call that asked for some. `dice` are those that it named.
pub fn of_answer(text: &str, asked: (&str, &str), dice: Option<&str>) -> Option<ForeignRoll> {
    let text = text.trim();
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1).count();
    if text.len() > ANSWER_BYTES_MAX
        || words > WORDS_MAX
        || text.contains('{')
        || !(asks_for_dice(asked) || is_sum(text))
    {
        return None;
    }
    let (listed, text) = list(text);
    let tokens = tokens(text);
    let (mut faces, mut total, mut difficulty, mut plain, mut added) =
        (Vec::new(), None, None, Vec::new(), 0_i64);
    let (mut success, mut depth, mut part) = (None, 0, Part::Plain);
    let mut named = None;
    for (place, token) in tokens.iter().enumerate() {
        // "1 hit, need 2: missed": what is counted is no outcome, and the last word says it.
        let counted = place.checked_sub(1).is_some_and(|before| tokens[before].parse::<i64>().is_ok());
        let said = match token.as_str() {
            "yes" => Some(true),
            "no" => Some(false),
            token => won(token),
        };
        success = said.filter(|_| !counted).or(success);
        match token.as_str() {
            "[" => depth += 1,
            "]" => depth = 0,
            "+" | "-" | "−" => part = Part::Modifier,
            "=" | "total" | "sum" | "result" | "→" | "totals" => part = Part::Total,
            "rolled" | "roll" | "rolls" | "face" | "natural" | "nat" | "die" | "keep" | "kept" | "raw" => {
                part = Part::Face
            }
            "dc" | "vs" | "versus" | "against" | "target" | "tn" | "ac" | "difficulty" | "need"
            | "needed" | "needs" | "beats" | "beat" | "armour" | "armor" | "guard" | "under" => {
                part = Part::Difficulty
            }
            // "2 of 3" good dice.
            "of" if place > 0 && tokens[place - 1].parse::<i64>().is_ok() => part = Part::Difficulty,
            ":" | "is" | "of" | "(" | "a" => {}
            "," | ";" | "|" | ")" | "." => part = Part::Plain,
            word => {
                let Ok(number) = word.parse::<i64>() else {
                    named = named.or_else(|| notation(word));
                    part = if is_word(word) && part != Part::Difficulty { Part::Plain } else { part };
                    continue;
                };
                let signed = part == Part::Modifier && place > 0;
                match part {
                    _ if depth > 0 => faces.extend(u16::try_from(number).ok()),
                    Part::Face => faces.extend(u16::try_from(number).ok().filter(|_| faces.is_empty())),
                    Part::Total => total = Some(number),
                    Part::Difficulty => difficulty = difficulty.or(Some(number)),
                    Part::Modifier if signed => {
                        let signed =
                            if tokens[place - 1] == "+" { Some(number) } else { number.checked_neg() };
                        added = added.checked_add(signed?)?;
                    }
                    Part::Modifier | Part::Plain => plain.push(number),
                }
                part = Part::Plain;
            }
        }
    }
    if !listed.is_empty() {
        faces = listed;
    }
    faces.truncate(FACES_MAX);
    if let (true, Some(total), Some(first)) = (faces.is_empty() && added != 0, total, plain.first())
        && first.checked_add(added) == Some(total)
    {
        faces.extend(u16::try_from(*first).ok());
    }
    let sum = || (faces.len() == 1 && difficulty.is_some()).then(|| i64::from(faces[0]));
    let total = total.or_else(|| plain.first().copied()).or_else(sum)?;
    let dice = dice.map(str::to_owned).or(named).unwrap_or_default();
    Some(ForeignRoll { dice, faces, total: Some(total), difficulty, success, ..ForeignRoll::default() })
}

/// What a die showed and the sum, where an answer adds them up: "1d20+3: 5+3=8 vs DC 12", "d20=4, +1 -> 5".
pub fn addition(text: &str) -> Option<(u16, i64)> {
    let tokens = tokens(text);
    let number = |place: usize| tokens.get(place)?.parse::<i64>().ok();
    let equals = |place: &usize| ["=", "→", "total", "is"].contains(&tokens[*place].as_str());
    (0..tokens.len()).filter(equals).find_map(|place| {
        let total = number(place + 1)?;
        let added = (place.saturating_sub(SUMMAND_WORDS)..place).rev().find(|at| number(*at).is_some())?;
        let sign = match tokens[added.checked_sub(1)?].as_str() {
            "+" | "plus" => 1,
            "-" | "−" | "–" | "minus" => -1,
            _ => return None,
        };
        let front = added.saturating_sub(SUMMAND_WORDS)..added - 1;
        let face = front.rev().find_map(number)?;
        let fits = face.checked_add(number(added)?.checked_mul(sign)?)? == total;
        u16::try_from(face).ok().filter(|_| fits).map(|face| (face, total))
    })
}

/// "5 + 5 + 1 = 11": only dice are added up like that.
fn is_sum(text: &str) -> bool {
    let front = text.split('=').next().filter(|front| front.len() < text.len()).unwrap_or_default();
    let parts: Vec<&str> = front.split('+').map(str::trim).collect();
    parts.len() > 1 && parts.iter().all(|part| part.parse::<u16>().is_ok())
}

/// What dice showed that stand at the front of an answer, and what follows: "9, 4, 8, 1, 6: 2 of 2", "4d6: 3, 3, 5 = 1 success".
fn list(text: &str) -> (Vec<u16>, &str) {
    let rest = text
        .split_once(':')
        .filter(|(front, _)| notation(front.trim()).is_some())
        .map_or(text, |(_, rest)| rest);
    let end = rest.find([':', '=', '→', '-', '|']).unwrap_or(rest.len());
    let front = rest[..end].trim().trim_matches(['[', ']', '(', ')']);
    let faces: Option<Vec<u16>> = front.split(',').map(|face| face.trim().parse().ok()).collect();
    match faces.filter(|faces| faces.len() > 1) {
        Some(faces) => (faces, &rest[end..]),
        None => (Vec::new(), text),
    }
}

/// Does a call ask for dice, by the names of its tool and its arguments?
pub fn asks_for_dice((tool, arguments): (&str, &str)) -> bool {
    let named = |text: &str| {
        let text = text.to_lowercase();
        text.split(|c: char| !c.is_alphanumeric()).any(|word| {
            DICE.contains(&word)
                || DICE.iter().any(|dice| word.strip_suffix('s') == Some(*dice))
                || notation(word).is_some()
        })
    };
    named(tool) || named(arguments)
}

/// Sides of `2d20kh1`, written as `2d20`.
fn notation(word: &str) -> Option<String> {
    let (count, rest) = word.split_once('d')?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(count) && end > 0).then(|| format!("{count}d{}", &rest[..end]))
}

fn is_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

/// Words, numbers and marks, in small letters.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    for letter in text.to_lowercase().replace("->", "→").chars().chain([' ']) {
        if letter.is_alphanumeric() {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        if !letter.is_whitespace() && !matches!(letter, '*' | '`' | '_' | '"') {
            out.push(letter.to_string());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_no_pattern_knows_are_read_by_their_words() {
        let read = |text: &str, tool: &str| {
            of_answer(text, (tool, "{}"), None)
                .map(|roll| (roll.dice, roll.faces, roll.total, roll.difficulty, roll.success))
        };
        let told = |dice: &str, faces: &[u16], total, difficulty, success| {
            Some((dice.to_owned(), faces.to_vec(), Some(total), difficulty, success))
        };
        assert_eq!(
            read("rolled 6, total 9, DC 15: failed", "check"),
            told("", &[6], 9, Some(15), Some(false))
        );
        assert_eq!(read("17 (rolled 11)", "roll"), told("", &[11], 17, None, None));
        assert_eq!(read("[4, 5] + 2 = 11", "roll_2d6"), told("", &[4, 5], 11, None, None));
        assert_eq!(read("72 - failed", "d100"), told("", &[], 72, None, Some(false)));
        assert_eq!(
            read("2d20kh1+3 = [6, 15] keep 15, + 3 = 18", "roll"),
            told("2d20", &[6, 15], 18, None, None)
        );
        assert_eq!(
            read("Roll: 14 | Total: 17 | Success", "skill_check"),
            told("", &[14], 17, None, Some(true))
        );
        assert_eq!(read("1 hit, need 2: missed", "pool"), told("", &[], 1, Some(2), Some(false)));
        assert_eq!(read("9, 4, 8, 1, 6: 2 of 2", "dice_pool"), told("", &[9, 4, 8, 1, 6], 2, Some(2), None));
        assert_eq!(read("11+5=16, beats 13", "cast"), told("", &[11], 16, Some(13), None));
        assert_eq!(read("The gate is 14 feet high.", "look_up"), None);
    }

    #[test]
    fn what_an_answer_adds_up_is_the_sum() {
        for (text, sum) in [
            ("Falls lore 1d20+3: 5+3=8 vs DC 12 -> failed", Some((5, 8))),
            ("Salome / medicine: d20=8, +3 -> 11. DC 12. Not enough.", Some((8, 11))),
            ("Mab: bluff 1d20+4 = 9 + 4 = 13 (DC 13: success)", Some((9, 13))),
            ("Gossip: 4 (1d20) + 5 = 9, DC 13", Some((4, 9))),
            ("1d20-1 = [17] - 1 = 16 vs DC 11", Some((17, 16))),
            ("1d20+5 = 17", None),
            ("2d6+1: 3, 4 = 8", None),
        ] {
            assert_eq!(addition(text), sum, "{text}");
        }
    }
}
