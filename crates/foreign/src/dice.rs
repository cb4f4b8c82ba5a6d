//! Dice, as results of tools and words tell of them; and whether a result says that its call failed.

use serde_json::Value;
use twicetold_event::ForeignRoll;

use crate::fields;
use crate::limits::{CALLS_MAX, FACES_MAX, NAME_BYTES_MAX};
use crate::loose;
use crate::mapping::{Failures, Rolls, any, at, first_at};
use crate::pattern::{Found, places, won};
use crate::python;

/// Fields that say that a call went well, and only beside what had to be reached that a roll did.
const WEAK: [&str; 3] = ["ok", "status", "result"];

/// The dice of a result. `asked` are the tool and the arguments of its call: a tool may be told whose dice they are, or `1d20`, and answer
/// with a bare number.
pub fn of_result(rolls: &Rolls, text: &str, asked: (&str, &str)) -> Result<Vec<ForeignRoll>, String> {
    let mut told = in_result(rolls, text, asked)?;
    let arguments = value(asked.1).filter(Value::is_object);
    let first = told.first().map_or_else(String::new, |roll| roll.dice.clone());
    for roll in told.iter_mut().filter(|_| arguments.is_some()) {
        let field = |paths: &[String]| first_at(arguments.as_ref()?, paths);
        if roll.character.is_empty() {
            roll.character = name(field(&rolls.character).and_then(Value::as_str).unwrap_or_default())?;
        }
        let asked_for = |paths: &[String]| arguments.as_ref().and_then(|value| number(value, paths));
        // What was to be reached is said of the first dice, and not of a wound that is told with them.
        if roll.dice == first {
            roll.difficulty = roll.difficulty.or_else(|| asked_for(&rolls.difficulty));
        }
        if is_hundred(roll) {
            roll.difficulty = roll.difficulty.or_else(|| fields::chance_of(arguments.as_ref()));
        }
    }
    let named = notation(asked.1).or_else(|| notation(asked.0)).map(str::to_owned);
    let named = named.or_else(|| fields::sides(arguments.as_ref()));
    for roll in &mut told {
        roll.success = roll.success.or_else(|| weak(text, roll));
        // A call names the dice that its answer only counts up.
        if let (true, Some(dice)) = (roll.dice.is_empty(), &named) {
            let fits = |sides: u16| roll.faces.iter().all(|face| *face <= sides);
            if twicetold_audit::sides(dice).is_none_or(fits) {
                roll.dice = name(dice)?;
            }
        }
    }
    Ok(told)
}

/// What a field such as `ok` says of a roll: it speaks of the roll where it agrees with the numbers, and a failure is never that of the call.
fn weak(text: &str, roll: &ForeignRoll) -> Option<bool> {
    let value = value(text)?;
    let said = WEAK.iter().find_map(|field| match at(&value, field)? {
        Value::Bool(said) => Some(*said),
        Value::String(word) => won(word.trim_end_matches(['!', '.'])),
        _ => None,
    })?;
    let (total, difficulty) = (roll.total?, roll.difficulty?);
    let reached = if is_hundred(roll) { total <= difficulty } else { total >= difficulty };
    (!said || reached).then_some(said)
}

/// One throw of a hundred, which is to stay at or under a chance.
fn is_hundred(roll: &ForeignRoll) -> bool {
    roll.faces.len() == 1 && twicetold_audit::sides(&roll.dice) == Some(100) && modifier(&roll.dice).is_none()
}

/// The first of these paths with a whole number.
fn number(value: &Value, paths: &[String]) -> Option<i64> {
    paths.iter().find_map(|path| at(value, path)?.as_i64())
}

/// The dice that a result itself tells of.
fn in_result(rolls: &Rolls, text: &str, asked: (&str, &str)) -> Result<Vec<ForeignRoll>, String> {
    if let Some(value) = value(text) {
        let found = rolls.at.iter().filter_map(|path| at(&value, path));
        let found = if rolls.at.is_empty() { vec![&value] } else { found.collect() };
        let mut told = Vec::new();
        for value in found {
            match value {
                Value::Array(items) => {
                    for item in items.iter().take(CALLS_MAX) {
                        told.extend(of_object(rolls, item, asked)?);
                    }
                }
                value => told.extend(of_object(rolls, value, asked)?),
            }
            if !told.is_empty() {
                return Ok(told);
            }
        }
        if let Some(object) = value.as_object() {
            let arguments = self::value(asked.1);
            let told = fields::of_fields(object, asked, arguments.as_ref(), &rolls.difficulty);
            return Ok(told.into_iter().collect());
        }
    }
    let mut told = of_text(rolls, text)?;
    // "12 plus 4 = 16 against 14, hit for d6: 3": a pattern has seen the wound alone.
    if let [wound] = told.as_mut_slice()
        && let Some(check) = before(text, wound, asked)
    {
        return Ok(vec![check, std::mem::take(wound)]);
    }
    // "1d20+3: 5+3=8": a pattern may take what the die showed for the sum.
    if let ([roll], Some((face, total))) = (told.as_mut_slice(), loose::addition(text))
        && roll.total == Some(i64::from(face))
        && face != 0
    {
        (roll.total, roll.success) = (Some(total), None);
        if roll.faces.len() < 2 {
            roll.faces = vec![face];
        }
        let known = loose::of_answer(text, asked, None);
        roll.difficulty = roll.difficulty.or_else(|| known.as_ref()?.difficulty);
        roll.success = known.and_then(|known| known.success);
    }
    let dice = notation(asked.1).or_else(|| notation(asked.0));
    if let (Some((faces, total)), true) = (fields::summands(text, dice), told.len() < 2) {
        let roll = ForeignRoll {
            dice: dice.unwrap_or_default().to_owned(),
            faces,
            total: Some(total),
            ..told.pop().unwrap_or_default()
        };
        return Ok(vec![roll]);
    }
    match (told.is_empty(), text.trim().parse::<i64>()) {
        // A number alone, where dice were asked for.
        (true, Ok(total)) => Ok(dice.map(|dice| complete(dice, total)).into_iter().collect()),
        (true, Err(_)) => Ok(loose::of_answer(text, asked, dice).into_iter().collect()),
        _ => Ok(told),
    }
}

/// The check that an answer tells of before the wound that a pattern has found in it.
fn before(text: &str, wound: &ForeignRoll, asked: (&str, &str)) -> Option<ForeignRoll> {
    let dice = Some(wound.dice.as_str()).filter(|dice| !dice.is_empty())?;
    let front = text.split_once(dice)?.0;
    let (_, total) = loose::addition(front)?;
    let check = loose::of_answer(front, asked, None)?;
    (check.total == Some(total) && check.difficulty.is_some()).then_some(check)
}

/// What a speaker's line tells of that is a program's answer: dice that are named, and what they came to.
pub fn answered(text: &str) -> Option<ForeignRoll> {
    let dice = notation(text)?;
    let told = loose::of_answer(text, (dice, ""), None)?;
    (text.contains(['=', '→', '[', '(']) && !told.faces.is_empty()).then_some(told)
}

/// The dice that a text tells of.
pub fn of_text(rolls: &Rolls, text: &str) -> Result<Vec<ForeignRoll>, String> {
    if rolls.written.is_empty() || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    // Marks of Markdown stand between words and numbers anywhere.
    let plain = if text.contains(['*', '`']) { text.replace(['*', '`'], "") } else { String::new() };
    let found = [places(&rolls.written, text), places(&rolls.written, &plain)];
    let most = found.iter().max_by_key(|found| found.len()).map_or(&[][..], Vec::as_slice);
    most.iter().filter_map(|found| of_found(found).transpose()).take(CALLS_MAX).collect()
}

/// Does a result say that its call failed? None where nothing tells.
pub fn failed(failures: &Failures, text: &str) -> Option<bool> {
    let none = failures.written.is_empty() && failures.when.is_empty();
    let written = || failures.written.iter().any(|pattern| pattern.whole(text).is_some());
    let said = || value(text).is_some_and(|value| any(&failures.when, &value));
    (!none).then(|| written() || said())
}

/// A result that is JSON, or what Python prints of the same.
fn value(text: &str) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    serde_json::from_str(text).ok().or_else(|| python::value(text))
}

/// The dice of an object with a total and with something else that only dice have.
fn of_object(rolls: &Rolls, value: &Value, asked: (&str, &str)) -> Result<Option<ForeignRoll>, String> {
    let Some(fields) = value.as_object() else { return Ok(None) };
    let listed = |face: &Value| match face {
        Value::Array(faces) => Some(faces.clone()),
        face @ Value::Number(_) => Some(vec![face.clone()]),
        _ => None,
    };
    // `"d20": 14` names the die and tells what it showed.
    let named = fields.iter().find(|(field, _)| is_die(field)).and_then(|(field, face)| {
        let count = listed(face)?.len();
        Some((format!("{count}{}", field.to_lowercase()), listed(face)?))
    });
    let faces = named.as_ref().map(|(_, faces)| faces.clone());
    let faces = faces.or_else(|| rolls.faces.iter().find_map(|path| listed(at(value, path)?)));
    // `"dice": [6, 1]` are faces, and `"dice": 2` is how many were thrown.
    let several = || {
        let lists = ["dice", "pool", "results", "values"];
        lists.iter().find_map(|field| listed(at(value, field).filter(|value| value.is_array())?))
    };
    let numbers = |faces: &Vec<Value>| faces.iter().all(Value::is_u64);
    let faces = faces.or_else(|| several().filter(numbers)).unwrap_or_default();
    let number = |paths: &[String]| number(value, paths);
    let text = |paths: &[String]| first_at(value, paths).and_then(Value::as_str).unwrap_or_default();
    if faces.len() > FACES_MAX {
        return Err(format!("{} dice in one roll, at most {FACES_MAX}", faces.len()));
    }
    let face = |face: &Value| {
        let number = face.as_u64().and_then(|face| u16::try_from(face).ok());
        number.ok_or_else(|| format!("{face} is no face of a die"))
    };
    let success = rolls.success.iter().find_map(|path| match at(value, path)? {
        Value::Bool(success) => Some(*success),
        Value::String(word) => won(word.trim_end_matches(['!', '.'])),
        _ => None,
    });
    let difficulty = number(&rolls.difficulty);
    let asked_for = notation(asked.1).or_else(|| notation(asked.0)).unwrap_or_default();
    let written = text(&rolls.dice);
    let known = named.as_ref().map_or(asked_for, |(dice, _)| dice.as_str());
    let dice = if written.is_empty() { known } else { written };
    let faces: Vec<u16> = faces.iter().map(face).collect::<Result<_, _>>()?;
    // A page about a goblin has its attack and its armour, and beside them its life.
    let sheet = ["hp", "hit_points", "max_hp"].iter().any(|field| fields.contains_key(*field));
    let judged = success.is_some() || difficulty.is_some() && !sheet;
    if faces.is_empty() && dice.is_empty() && !judged {
        return Ok(None);
    }
    // Where one of the numbers counts good dice, they are not added up.
    let pool = faces.len() > 1 && number(&rolls.total).is_none() && number(&rolls.modifier).is_none();
    if let Some(told) = Some(())
        .filter(|()| pool)
        .and_then(|()| fields::of_fields(fields, asked, self::value(asked.1).as_ref(), &rolls.difficulty))
    {
        return Ok(Some(ForeignRoll { character: name(text(&rolls.character))?, dice: name(dice)?, ..told }));
    }
    let sum = || {
        let checked = difficulty.is_some() || success.is_some();
        let added = number(&rolls.modifier).or(checked.then_some(0)).filter(|_| !faces.is_empty())?;
        faces.iter().try_fold(added, |sum, face| sum.checked_add(i64::from(*face)))
    };
    // Where each die is judged by itself, those that are good are counted.
    let count = || {
        let counted = ["count", "hits", "successes", "highest"].map(str::to_owned);
        number(&counted)
            .or_else(|| faces.iter().try_fold(0_i64, |sum, face| sum.checked_add(i64::from(*face))))
    };
    let counted = || named.as_ref().and_then(|_| count());
    let Some(total) = number(&rolls.total).or_else(sum).or_else(counted) else { return Ok(None) };
    Ok(Some(ForeignRoll {
        character: name(text(&rolls.character))?,
        dice: name(dice)?,
        faces,
        total: Some(total),
        difficulty,
        success,
    }))
}

/// The dice of a place where a pattern fits.
fn of_found(found: &Found<'_>) -> Result<Option<ForeignRoll>, String> {
    let text = |field: &str| found.get(field).map_or("", |text| text.trim());
    let number = |field: &str| text(field).replace(['+', ' '], "").replace('−', "-").parse::<i64>().ok();
    let faces: Vec<u16> = text("faces")
        .split(|letter: char| !letter.is_ascii_digit())
        .filter(|face| !face.is_empty())
        .filter_map(|face| face.parse().ok())
        .take(FACES_MAX)
        .collect();
    let dice: String = text("dice").split_whitespace().collect();
    let dice = match (dice.is_empty(), number("sides")) {
        (true, Some(sides)) => format!("{}d{sides}", number("count").unwrap_or(1)),
        _ => dice,
    };
    let bonus = number("modifier").or_else(|| modifier(&dice)).unwrap_or(0);
    let sum = || {
        let faces = faces.iter().try_fold(bonus, |sum, face| sum.checked_add(i64::from(*face)));
        faces.filter(|_| !text("faces").is_empty())
    };
    let Some(total) = number("total").or_else(sum) else { return Ok(None) };
    // "natural 19, 19+3 = 22": one die, told twice.
    let twice =
        matches!(faces[..], [one, other] if one == other && i64::from(one).checked_add(bonus) == Some(total));
    let faces = faces[usize::from(twice)..].to_vec();
    let mut roll = match faces.is_empty() && !dice.is_empty() {
        true => complete(&dice, total),
        false => ForeignRoll { dice, faces, total: Some(total), ..ForeignRoll::default() },
    };
    roll.character = name(text("who").trim_end_matches([':', '*', ' ']))?;
    roll.difficulty = number("difficulty");
    roll.success = won(text("outcome"));
    Ok(Some(roll))
}

/// One die without anything added shows its total.
fn complete(dice: &str, total: i64) -> ForeignRoll {
    let one = dice.trim_start_matches('1').starts_with(['d', 'D']) && modifier(dice).is_none();
    let face = u16::try_from(total).ok().filter(|face| {
        let sides = twicetold_audit::sides(dice);
        one && *face > 0 && sides.is_none_or(|sides| *face <= sides)
    });
    ForeignRoll {
        dice: dice.to_owned(),
        faces: face.into_iter().collect(),
        total: Some(total),
        ..ForeignRoll::default()
    }
}

/// What is added to dice such as `1d20+3`.
fn modifier(dice: &str) -> Option<i64> {
    let place = dice.find(['+', '-', '−'])?;
    dice[place..].replace('+', "").replace('−', "-").parse().ok()
}

/// `d20`, as a field is called.
fn is_die(field: &str) -> bool {
    let sides = field.strip_prefix(['d', 'D']).unwrap_or_default();
    (1..=3).contains(&sides.len()) && sides.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first dice that a text names: `1d20+3`.
fn notation(text: &str) -> Option<&str> {
    let word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-');
    let is_dice = |word: &&str| {
        let Some((count, rest)) = word.split_once(['d', 'D']) else { return false };
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let sides = rest.split(['+', '-']).next().unwrap_or_default();
        (count.is_empty() || digits(count)) && digits(sides) && word.len() <= NAME_BYTES_MAX
    };
    // `throw2d6` names them as well.
    let bare = |word: &'_ str| word.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
    text.split(|letter: char| !word(letter))
        .find_map(|word| [word, &word[bare(word)..]].into_iter().find(|word| is_dice(word)))
}

fn name(text: &str) -> Result<String, String> {
    match text.len() > NAME_BYTES_MAX {
        true => Err(format!("a name of {} bytes in a roll, at most {NAME_BYTES_MAX}", text.len())),
        false => Ok(text.trim().to_owned()),
    }
}
