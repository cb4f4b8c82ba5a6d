//! Rolls that people write out: "d20+5: rolled 19, total 24", "rolls d20* 13, plus 6 Medicine: 19", "Ilse rolls 18 for Will (DC 12)".

use super::Table;
use super::tokens::{Kind, Token, tokens};
use crate::cues::LISTS;

/// The largest number that dice at a table show.
const NUMBER_MAX: i64 = 200;
/// Tokens of a roll: "1d20 (11) + 3 = 14 vs a DC of 15: failure" has fifteen.
const WRITTEN_MAX: usize = 28;
/// Tokens between a skill and what was rolled under it.
const UNDER_MAX: usize = 6;
/// Words of a skill's name between "against" and its number.
const SKILL_WORDS: usize = 2;

/// A roll that is written out in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The first and last byte of it.
    pub start: usize,
    pub end: usize,
    /// The faces that are told, if the dice are of one kind.
    pub faces: Vec<u16>,
    pub sides: Option<u16>,
    /// The sum.
    pub total: i64,
    /// What had to be reached, if it is told.
    pub difficulty: Option<i64>,
    /// Did it pass, if that is told?
    pub success: Option<bool>,
    /// Every number in it.
    pub numbers: Vec<i64>,
}

const ROLLS: [&str; 9] =
    ["roll", "rolls", "rolled", "rolling", "throw", "throws", "threw", "thrown", "throwing"];
const AGAINST: [&str; 24] = [
    "vs",
    "versus",
    "against",
    "dc",
    "ac",
    "tn",
    "cr",
    "difficulty",
    "target",
    "guard",
    "armour",
    "armor",
    "beat",
    "beats",
    "need",
    "needs",
    "needed",
    "needing",
    "under",
    "over",
    "below",
    "defence",
    "defense",
    "resist",
];
/// Words between those and their number.
const LINKS: [&str; 17] = [
    "a", "an", "the", "his", "her", "their", "your", "my", "its", "of", "is", "was", ":", "dc", "ac",
    "class", "number",
];

/// Every roll that a text writes out, from left to right. What people say in quotation marks is no roll.
pub(crate) fn rolls_in(text: &str, table: Table) -> Vec<Written> {
    let tokens = tokens(text);
    let mut found: Vec<Written> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let read = if token.is_dice() {
            written(&tokens, at, table)
        } else if token.is(&ROLLS) {
            named(&tokens, at, table)
        } else if opens(&tokens, at) {
            bracketed(&tokens, at, table)
        } else if LISTS.dice.checks.contains(&token.text) {
            skilled(&tokens, at, table)
        } else {
            None
        };
        let read = read.or_else(|| under(&tokens, at, table));
        match read {
            Some((mut roll, next)) => {
                roll.end = closed(text, roll.end);
                found.push(roll);
                at = next.max(at + 1);
            }
            None => at += 1,
        }
    }
    found
}

/// Brackets, stars and a full stop right behind a roll belong to it.
fn closed(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    end + rest.len() - rest.trim_start_matches([')', ']', '}', '*', '_', '`']).len()
}

/// "[Stealth check: 9 vs DC 13 - FAIL]": a bracket that names a check.
fn opens(tokens: &[Token], at: usize) -> bool {
    let near = tokens.iter().skip(at + 1).take(6);
    let ends = |token: &&Token| !matches!(token.kind, Kind::Mark(']' | ')' | '.'));
    matches!(tokens[at].kind, Kind::Mark('[' | '(' | '{' | '🎲'))
        && near
            .take_while(ends)
            .any(|token| LISTS.dice.checks.contains(&token.text) || token.is(&["roll", "rolls", "rolled"]))
        && !tokens.iter().skip(at + 1).take(6).any(Token::is_dice)
}

fn bracketed(tokens: &[Token], at: usize, table: Table) -> Option<(Written, usize)> {
    let (mut roll, next) = numbers(tokens, at + 1, None, table)?;
    roll.start = tokens[at].start;
    (roll.difficulty.is_some() || roll.success.is_some() || roll.numbers.len() > 1).then_some((roll, next))
}

/// From dice on: "1d20 (11) + 3 = 14 vs DC 15: failure".
fn written(tokens: &[Token], at: usize, table: Table) -> Option<(Written, usize)> {
    let Kind::Dice(count, sides) = tokens[at].kind else { return None };
    // "roll a d20, please": somebody is asked, and what follows is another sentence.
    let (mut roll, next) = numbers(tokens, at + 1, Some((count, sides)), table)?;
    let front = at
        .checked_sub(1)
        .filter(|front| tokens[*front].is(&ROLLS) || tokens[*front].is(&["a", "an", "(", "["]));
    roll.start = front.map_or(tokens[at].start, |front| tokens[front].start);
    // "[Attack: 1d20+4 = 9 vs AC 14, miss]": the bracket is all of it.
    let back = (at.saturating_sub(6)..at)
        .rev()
        .take_while(|place| !matches!(tokens[*place].kind, Kind::Mark(']' | ')' | '.' | '\n')));
    if let Some(open) =
        back.into_iter().find(|place| matches!(tokens[*place].kind, Kind::Mark('[' | '(' | '{')))
    {
        roll.start = tokens[open].start;
    }
    roll.sides = Some(sides);
    Some((roll, next))
}

/// "Ilse rolls 18 for Perception (DC 13)", "I rolled a natural 20".
fn named(tokens: &[Token], at: usize, table: Table) -> Option<(Written, usize)> {
    let skipped = tokens.iter().skip(at + 1).take(5);
    let skipped = skipped.take_while(|token| {
        LISTS.dice.between.contains(&token.text) || matches!(token.kind, Kind::Mark(':' | '=' | '→'))
    });
    let place = at + 1 + skipped.count();
    let token = tokens.get(place)?;
    if token.is_dice() {
        return None;
    }
    token.number().filter(|_| token.plain)?;
    let next = tokens.get(place + 1);
    let alone = next.is_none_or(|next| {
        next.kind != Kind::Word || LISTS.dice.after.contains(&next.text) || next.is(&["dc", "ac"])
    });
    // "rolls 3 barrels", "rolls 2 of them".
    if !alone || next.is_some_and(|next| next.is(&["of", "or", "and"])) {
        return None;
    }
    let (mut roll, next) = numbers(tokens, at + 1, None, table)?;
    roll.start = tokens[at].start;
    let skill = (at.saturating_sub(4)..at).any(|place| LISTS.dice.checks.contains(&tokens[place].text));
    let told = roll.difficulty.is_some()
        || roll.numbers.len() > 1
        || roll.success.is_some()
        || table.sides.is_some();
    roll.difficulty = roll.difficulty.or_else(|| skill_before(tokens, at, table));
    (told || skill).then(|| (completed(roll, table), next))
}

/// "Stealth: 17.", "Brawl: 9.", "Athletics: 8 + 4 = 12".
fn skilled(tokens: &[Token], at: usize, table: Table) -> Option<(Written, usize)> {
    if !matches!(tokens.get(at + 1)?.kind, Kind::Mark(':' | '=')) || !tokens[at].plain {
        return None;
    }
    tokens.get(at + 2)?.number().filter(|_| tokens[at + 2].plain)?;
    let after = tokens.get(at + 3);
    let counts =
        after.is_some_and(|after| after.kind == Kind::Word && !LISTS.dice.after.contains(&after.text));
    // "Perception: 12, Stealth: 14" is a sheet.
    let listed = after.is_some_and(|after| after.kind == Kind::Mark(','))
        && tokens.get(at + 5).is_some_and(|next| next.kind == Kind::Mark(':'));
    if counts || listed {
        return None;
    }
    let (mut roll, next) = numbers(tokens, at + 2, None, table)?;
    roll.start = tokens[at].start;
    Some((completed(roll, table), next))
}

/// "Spot Hidden 60, rolled 34": the skill is what the roll has to be under.
fn skill_before(tokens: &[Token], at: usize, table: Table) -> Option<i64> {
    let place = (at.saturating_sub(UNDER_MAX)..at).rev().find(|place| tokens[*place].number().is_some())?;
    tokens[place].number().filter(|number| table.under && (1..=99).contains(number))
}

fn completed(mut roll: Written, table: Table) -> Written {
    roll.success =
        roll.success.or_else(|| roll.difficulty.map(|difficulty| table.reaches(roll.total, difficulty)));
    roll
}

/// "Blade 60: 22", "Own Language 60. 74", "skill 40: I roll 83", where people roll under their skill.
fn under(tokens: &[Token], at: usize, table: Table) -> Option<(Written, usize)> {
    if !table.under || table.pool {
        return None;
    }
    let skill = tokens[at].number().filter(|number| tokens[at].plain && (5..=99).contains(number))?;
    let before = tokens.get(at.checked_sub(1)?)?;
    let named = before.kind == Kind::Word && (before.plain || before.is(&["skill", "is", "at"]))
        || before.kind == Kind::Mark(',');
    let fits = |token: &Token| {
        matches!(token.kind, Kind::Mark(',' | '.' | ':' | ';' | '…' | '*' | '-' | '–' | '—'))
            || token.is(&[
                "i", "roll", "rolled", "throw", "threw", "get", "got", "have", "the", "dice", "die", "say",
                "says", "it's", "its", "a", "an", "is", "comes", "came", "up", "that's",
            ])
    };
    let between = tokens.iter().skip(at + 1).take(UNDER_MAX).take_while(|token| fits(token)).count();
    let place = at + 1 + between;
    let rolled = tokens.get(place).filter(|token| between > 0 && token.plain)?;
    let total = rolled.number().filter(|number| named && (1..=100).contains(number))?;
    let next = tokens.get(place + 1);
    if next.is_some_and(|next| next.kind == Kind::Word && !LISTS.dice.after.contains(&next.text)) {
        return None;
    }
    let roll = Written {
        start: before.start,
        end: rolled.end,
        faces: u16::try_from(total).into_iter().collect(),
        sides: table.sides,
        total,
        difficulty: Some(skill),
        success: None,
        numbers: vec![total, skill],
    };
    Some((completed(roll, table), place + 1))
}

/// What a number of a roll is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Plain,
    Inside,
    Added,
    Sum,
    Against,
}

/// Reads the numbers of a roll from a token on; gives the place after it.
fn numbers(
    tokens: &[Token],
    from: usize,
    dice: Option<(i64, u16)>,
    table: Table,
) -> Option<(Written, usize)> {
    let mut parts: Vec<(Part, i64)> = Vec::new();
    let (mut success, mut added_to_dice, mut told, mut words) = (None, 0_i64, dice.is_none(), 0);
    let (mut end, mut next) = (tokens.get(from)?.start, from);
    let text = |place: usize| tokens.get(place).map_or("", |token| token.text.as_str());
    for place in from..tokens.len().min(from + WRITTEN_MAX) {
        let token = &tokens[place];
        let has_total = parts.iter().any(|(part, _)| *part != Part::Against && *part != Part::Added);
        match token.kind {
            Kind::Dice(..) if has_total || place > from + 3 => break,
            Kind::Dice(..) => return None,
            // "A 4. Plus 2, 6": what is added may stand in a sentence of its own.
            Kind::Mark('.' | '!') if has_total && is_added_later(tokens, place) => {}
            Kind::Mark('.' | '!' | '?' | '\n' | '…') if has_total || words > 2 || token.text == "\n" => {
                break;
            }
            Kind::Mark(mark) => {
                told |= matches!(mark, ':' | '=' | '→' | '(' | '[' | ',' | '*' | '…');
                // What follows a bracket that held the whole roll is narration.
                if matches!(mark, ']' | '}') && has_total {
                    (end, next) = (token.end, place + 1);
                    break;
                }
            }
            Kind::Word => {
                if has_total && token.is(&ROLLS) {
                    break;
                }
                let outcome = success.is_none() && text(place.wrapping_sub(1)) != "to";
                let outcome = outcome && (has_total || dice.is_some());
                let said = if !outcome {
                    None
                } else if LISTS.dice.passed.contains(&token.text) {
                    Some(text(place.wrapping_sub(1)) != "not")
                } else {
                    LISTS.dice.failed.contains(&token.text).then_some(false)
                };
                if said.is_some() {
                    success = said;
                    (end, next) = (token.end, place + 1);
                }
                told |= token.is(&[
                    "gets", "got", "get", "is", "result", "total", "shows", "came", "comes", "rolled", "for",
                    "makes",
                ]);
                words += usize::from(
                    !LISTS.dice.between.contains(&token.text) && !AGAINST.contains(&token.text.as_str()),
                );
                if has_total && words > 12 {
                    break;
                }
            }
            Kind::Number(number) => {
                let part = part(tokens, place, from);
                // "rolls d20* 13": the number follows the dice.
                told |= place == from;
                let first = !parts.iter().any(|(part, _)| *part == Part::Plain);
                if part == Part::Added && !told && parts.is_empty() {
                    let is_less = matches!(text(place - 1), "-" | "minus");
                    let signed = if is_less { number.saturating_neg() } else { number };
                    added_to_dice = added_to_dice.saturating_add(signed);
                    continue;
                }
                let after = tokens.get(place + 1);
                let counted = after
                    .is_some_and(|after| after.kind == Kind::Word && !LISTS.dice.after.contains(&after.text));
                let spelt = !token.plain && part == Part::Plain;
                // A second bare number far behind, or one that counts things, is none of the roll's.
                if part == Part::Plain
                    && (!first && (words > 2 || counted)
                        || !told && first
                        || spelt
                        || first && counted && words > 3)
                {
                    if !first {
                        break;
                    }
                    continue;
                }
                let number = if part == Part::Added && matches!(text(place - 1), "-" | "minus") {
                    -number
                } else {
                    number
                };
                parts.push((part, number));
                words = 0;
                (end, next) = (token.end, place + 1);
            }
        }
    }
    assembled(&parts, success, added_to_dice, dice, table)
        .map(|roll| (Written { start: end, end, ..roll }, next))
}

/// Do marks and then "plus" and a number follow?
fn is_added_later(tokens: &[Token], place: usize) -> bool {
    let mut rest = tokens.iter().skip(place).skip_while(|token| matches!(token.kind, Kind::Mark('.' | '!')));
    rest.next().is_some_and(|token| token.is(&["plus", "minus"]))
        && rest.next().is_some_and(|token| token.number().is_some())
}

fn part(tokens: &[Token], place: usize, from: usize) -> Part {
    let token = |by: usize| place.checked_sub(by).filter(|at| *at >= from).map(|at| &tokens[at]);
    let is = |by: usize, words: &[&str]| token(by).is_some_and(|token| token.is(words));
    if is(1, &["+", "-", "plus", "minus"]) {
        return Part::Added;
    }
    let mut by = 1;
    while by < 5 && is(by, &LINKS) && !is(by, &AGAINST) {
        by += 1;
    }
    // "Against Fast Talk 35": the number stands behind what it is of.
    let named = |by: usize| token(by).is_some_and(|token| token.kind == Kind::Word && !token.is(&AGAINST));
    let beyond = by + (by..by + SKILL_WORDS).take_while(|by| named(*by)).count();
    if is(by, &AGAINST) || is(beyond, &AGAINST) {
        return Part::Against;
    }
    if is(1, &["(", "["]) {
        return Part::Inside;
    }
    if is(1, &["=", "→", "is", "total", "totals", "makes", "totalling", "totaling"])
        || is(1, &["of", ":", "a"]) && is(2, &["total", "for"])
    {
        return Part::Sum;
    }
    Part::Plain
}

/// The roll that these numbers make.
fn assembled(
    parts: &[(Part, i64)],
    success: Option<bool>,
    added_to_dice: i64,
    dice: Option<(i64, u16)>,
    table: Table,
) -> Option<Written> {
    // No roll has numbers that cannot be added up.
    let is_huge = |number: i64| number.unsigned_abs() > u64::from(u32::MAX);
    if is_huge(added_to_dice) || parts.iter().any(|(_, number)| is_huge(*number)) {
        return None;
    }
    let of = |wanted: &[Part]| -> Vec<i64> {
        parts.iter().filter(|(part, _)| wanted.contains(part)).map(|(_, number)| *number).collect()
    };
    let shown = of(&[Part::Plain, Part::Inside, Part::Sum]);
    let added: i64 = of(&[Part::Added]).iter().sum();
    let difficulty = of(&[Part::Against]).first().copied();
    let first = *shown.first()?;
    let pairs = shown.iter().flat_map(|face| shown.iter().map(move |total| (*face, *total)));
    let sums = |(face, total): &(i64, i64)| {
        (*total == face + added && added != 0) || (*total == face + added_to_dice && added_to_dice != 0)
    };
    let exact = pairs.into_iter().find(sums);
    let sum = of(&[Part::Sum]).last().copied();
    let (face, total) = match (exact, sum) {
        (Some((face, total)), _) => (Some(face), total),
        (None, Some(sum)) => (
            shown.iter().copied().find(|number| *number != sum || shown.len() == 1 && added_to_dice == 0),
            sum,
        ),
        // "rolls d20: 7, plus 1".
        (None, None) if added != 0 && shown.len() == 1 => (Some(first), first + added),
        (None, None) if added_to_dice != 0 => (None, first),
        (None, None) if shown.len() == 2 && of(&[Part::Inside]).len() == 1 => {
            (of(&[Part::Inside]).first().copied(), first)
        }
        (None, None) => (Some(first), first),
    };
    let sides = dice.map(|(_, sides)| sides).or(table.sides);
    let one = dice.is_none_or(|(count, _)| count == 1);
    let face = face.and_then(|face| u16::try_from(face).ok());
    let face = face.filter(|face| one && sides.is_some_and(|sides| (1..=sides).contains(face)));
    let total = Some(total).filter(|total| (-20..=NUMBER_MAX).contains(total))?;
    let numbers = parts
        .iter()
        .filter(|(part, _)| *part != Part::Added)
        .map(|(_, number)| *number)
        .chain([total])
        .collect();
    Some(Written {
        start: 0,
        end: 0,
        faces: face.into_iter().collect(),
        sides,
        total,
        difficulty,
        success,
        numbers,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, table: Table) -> Vec<(Option<u16>, i64, Option<i64>)> {
        rolls_in(text, table)
            .into_iter()
            .map(|roll| (roll.faces.first().copied(), roll.total, roll.difficulty))
            .collect()
    }

    #[test]
    fn rolls_are_read_however_people_write_them() {
        let d20 = Table { sides: Some(20), ..Table::default() };
        type Roll = (Option<u16>, i64, Option<i64>);
        let cases: &[(&str, &[Roll])] = &[
            ("Third pass. d20+3: rolled 4, total 7.", &[(Some(4), 7, None)]),
            ("I leap for it. d20, 6 on the die. Plus 3, 9. Hold my hat.", &[(Some(6), 9, None)]),
            ("*Listening.* d100 → 05 against Fast Talk 35.", &[(Some(5), 5, Some(35))]),
            ("d100 → 62 against Psychology 40. No.", &[(Some(62), 62, Some(40))]),
            ("I'd like to read him. Insight d20+4 against 13: **12 + 4 = 16**.", &[(Some(12), 16, Some(13))]),
            (
                "d20+6: **12 + 6 = 18**. Damage d8+4: **5 + 4 = 9**.",
                &[(Some(12), 18, None), (Some(5), 9, None)],
            ),
            ("\"His lips.\" *rolls d20* 13, plus 6 Medicine: 19.", &[(Some(13), 19, None)]),
            (
                "Attack, *rolls d20* 13, +4 is 17. Cabbage damage d4: 2.",
                &[(Some(13), 17, None), (Some(2), 2, None)],
            ),
            ("*rolls d20* 12 (plus 2, 14). *She tests with the pole.*", &[(Some(12), 14, None)]),
            ("*rolls d20* 4 for Charm, against 12 I suppose.", &[(Some(4), 4, Some(12))]),
            ("*rolls d20* 13 to remember where I drove him, DC 12.", &[(Some(13), 13, Some(12))]),
            ("*GM rolls d20* 5, +3 is 8 against AC 14. Whiff.", &[(Some(5), 8, Some(14))]),
            ("Seamanship, rolled d20+4: 12+4 = 16.", &[(Some(12), 16, None)]),
            (
                "Ilse rolls 20 for Will (DC 12), and Ilse rolls 19 for Séance (DC 15).",
                &[(Some(20), 20, Some(12)), (Some(19), 19, Some(15))],
            ),
            (
                "*DM rolls d20+5:* 8 + 5 = 13 against your 18. *It takes a chip off the wall.*",
                &[(Some(8), 13, Some(18))],
            ),
            ("1d20 (11) + 3 = 14 vs DC 15: failure", &[(Some(11), 14, Some(15))]),
            ("[Stealth check: 9 vs DC 13 - FAIL] You trip.", &[(None, 9, Some(13))]),
            ("Rowan rolls a 1d20+4 and gets: 11 (7)", &[(Some(7), 11, None)]),
            ("*The left-hand hobgoblin.* d20+7: **6 + 7 = 13**, against 16.", &[(Some(6), 13, Some(16))]),
            ("I swing. 1d20+5 = 17", &[(None, 17, None)]),
            ("Roll a d20 and add 3. There are 14 steps.", &[]),
            ("He rolls 3 barrels to the 2 carts. \"I rolled a 20 once,\" he says.", &[]),
        ];
        for (text, wanted) in cases {
            let table = if text.contains("Stealth check") { Table::default() } else { d20 };
            assert_eq!(read(text, table), *wanted, "{text}");
        }
    }

    #[test]
    fn rolls_under_a_skill_are_read_with_the_skill() {
        let table = Table { under: true, sides: Some(100), ..Table::default() };
        for (text, total, skill) in [
            ("I come down on the gong man. Blade 60: 22.", 22, 60),
            ("Own Language 60. 74. No.", 74, 60),
            ("He lurches at you with a parang, skill 40: I roll 83, and misses.", 83, 40),
            ("I find it. Spot Hidden 60, rolled 34.", 34, 60),
            ("Mechanical Repair 35... rolled 88. No.", 88, 35),
            ("DEX roll, 65: I get 47.", 47, 65),
            ("Belaying pin. Brawl 55. The dice say 31.", 31, 55),
        ] {
            assert_eq!(read(text, table), [(Some(total as u16), total, Some(skill))], "{text}");
        }
        assert_eq!(read("He has six left of his 60 men, and 4 boats.", table), []);
    }
}
