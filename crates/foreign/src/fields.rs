//! Dice in the fields of an answer whose names nobody knows: what a call asked for comes back in its answer, and what is new in it is what fell.

use serde_json::{Map, Value};
use twicetold_event::ForeignRoll;

use crate::limits::FACES_MAX;
use crate::loose::asks_for_dice;
use crate::pattern::won;

/// The smallest number that is a chance in a hundred and no difficulty of a die of twenty sides with what is added to it.
const CHANCE_MIN: i64 = 31;
/// Parts of names of what somebody has or loses: no throw, and no chance of one.
const OWNED: [&str; 10] =
    ["hp", "health", "damage", "hurt", "wound", "left", "remain", "gold", "price", "cost"];
/// Fields of an answer to a call for dice: more are a sheet or a page.
const FIELDS_MAX: usize = 8;
/// The best face that some tables still count, and the least: a four counts at the most generous, the highest face alone at the others.
const COUNTED_FROM: u16 = 3;

/// What an object says of dice beside what its names do. `wanted`: names of what has to be reached.
pub fn of_fields(
    fields: &Map<String, Value>,
    asked: (&str, &str),
    arguments: Option<&Value>,
    wanted: &[String],
) -> Option<ForeignRoll> {
    let known = |field: &String| asks_for_dice((field, "")) || field.starts_with("face");
    if fields.len() > FIELDS_MAX || !(asks_for_dice(asked) || fields.keys().any(known)) {
        return None;
    }
    let numbers: Vec<(&str, i64)> =
        fields.iter().filter_map(|(field, value)| Some((field.as_str(), value.as_i64()?))).collect();
    if fields.keys().any(|field| OWNED.iter().any(|owned| field.to_lowercase().contains(owned))) {
        return None;
    }
    let echoed = |number: i64| {
        let values = arguments.and_then(Value::as_object).into_iter().flat_map(Map::values);
        values.into_iter().any(|value| value.as_i64() == Some(number))
    };
    let (given, new): (Vec<_>, Vec<_>) = numbers.iter().partition(|(field, number)| {
        let asked = arguments.is_some_and(|arguments| arguments.get(field).is_some());
        echoed(*number) && asked || wanted.iter().any(|name| name == field)
    });
    let given: Vec<(&str, i64)> = given.into_iter().copied().collect();
    let new: Vec<i64> = new.into_iter().map(|(_, number)| *number).collect();
    let listed = fields.values().find_map(faces);
    let said = outcome(fields);
    match listed {
        Some(faces) if faces.iter().any(|face| *face > 20) => of_hundred_each(&faces, &given, said),
        Some(faces) if faces.len() > 1 => counted(faces, &given, &new, said),
        Some(_) => None,
        None => of_hundred(&new, &given, said),
    }
}

/// A list of what dice showed.
fn faces(value: &Value) -> Option<Vec<u16>> {
    let items = value.as_array().filter(|items| !items.is_empty() && items.len() <= FACES_MAX)?;
    let face = |item: &Value| u16::try_from(item.as_u64()?).ok().filter(|face| (1..=100).contains(face));
    items.iter().map(face).collect()
}

/// How it went, as any field says: `"made": true`, `"level": "fail"`, or a list in which all say the same.
fn outcome(fields: &Map<String, Value>) -> Option<bool> {
    let of = |value: &Value| match value {
        Value::Bool(said) => Some(*said),
        Value::String(word) => won(word.trim_end_matches(['!', '.'])),
        _ => None,
    };
    fields.values().find_map(|value| match value {
        Value::Array(items) => {
            let said: Option<Vec<bool>> = items.iter().map(of).collect();
            let said = said.filter(|said| said.windows(2).all(|pair| pair[0] == pair[1]))?;
            said.first().copied()
        }
        value => of(value),
    })
}

/// A pool: one of the new numbers is how many of the dice are good ones.
fn counted(faces: Vec<u16>, given: &[(&str, i64)], new: &[i64], said: Option<bool>) -> Option<ForeignRoll> {
    let most = faces.iter().max().copied()?.max(6);
    let count = |least: u16| faces.iter().filter(|face| **face >= least).count();
    let good = |number: &&i64| {
        (COUNTED_FROM..=most)
            .any(|least| usize::try_from(**number).is_ok_and(|number| number == count(least)))
    };
    let total = new.iter().find(good).copied()?;
    let fits =
        |number: &i64| usize::try_from(*number).is_ok_and(|number| (1..=faces.len()).contains(&number));
    // How many dice were asked for is no number of good ones.
    let size = i64::try_from(faces.len()).ok();
    let given: Vec<i64> = given.iter().map(|(_, number)| *number).filter(fits).collect();
    let difficulty = given.iter().find(|number| Some(**number) != size).or(given.first()).copied();
    let success = said.or_else(|| difficulty.map(|difficulty| total >= difficulty));
    Some(ForeignRoll { faces, total: Some(total), difficulty, success, ..ForeignRoll::default() })
}

/// A throw of a hundred at or under a chance, of which the call said how large it is.
fn of_hundred(new: &[i64], given: &[(&str, i64)], said: Option<bool>) -> Option<ForeignRoll> {
    let chance = chance(given)?;
    // Tens and units are told beside their sum.
    let all = sum(new);
    let sum = new.iter().find(|sum| new.len() > 1 && all.is_some() && all == sum.checked_mul(2));
    let total = match new {
        [alone] => Some(alone),
        _ => sum,
    };
    let total = total.copied().filter(|total| (1..=100).contains(total))?;
    Some(ForeignRoll {
        dice: "1d100".to_owned(),
        faces: u16::try_from(total).into_iter().collect(),
        total: Some(total),
        difficulty: Some(chance),
        success: said.or(Some(total <= chance)),
        ..ForeignRoll::default()
    })
}

/// Several such throws at once; where they went both ways nobody says what they decided together.
fn of_hundred_each(faces: &[u16], given: &[(&str, i64)], said: Option<bool>) -> Option<ForeignRoll> {
    let chance = chance(given)?;
    let under = |face: &u16| i64::from(*face) <= chance;
    let same = faces.iter().all(under) || !faces.iter().any(under);
    Some(ForeignRoll {
        dice: format!("{}d100", faces.len()),
        faces: faces.to_vec(),
        total: faces.first().map(|face| i64::from(*face)),
        difficulty: Some(chance).filter(|_| same),
        success: said.filter(|_| same),
        ..ForeignRoll::default()
    })
}

/// The chance that a call gave, and nothing that might be a difficulty to reach.
fn chance(given: &[(&str, i64)]) -> Option<i64> {
    let fits = |(field, number): &&(&str, i64)| {
        let named = field.starts_with("under") || field.starts_with("chance") || field.contains("percent");
        (CHANCE_MIN..=100).contains(number) || named && (1..=100).contains(number)
    };
    match given.iter().filter(fits).collect::<Vec<_>>()[..] {
        [(_, chance)] => Some(*chance),
        _ => None,
    }
}

/// The chance that the arguments of a call for a throw of a hundred give.
pub fn chance_of(arguments: Option<&Value>) -> Option<i64> {
    let fields = arguments?.as_object()?;
    let numbers: Vec<(&str, i64)> =
        fields.iter().filter_map(|(field, value)| Some((field.as_str(), value.as_i64()?))).collect();
    chance(&numbers)
}

/// The sides of a die that a field of a call names: `"sides": 20`.
pub fn sides(arguments: Option<&Value>) -> Option<String> {
    let fields = arguments?.as_object()?;
    let number = |field: &str| fields.get(field).and_then(Value::as_u64);
    let sides = number("sides").or_else(|| number("die"))?;
    [4, 6, 8, 10, 12, 20, 100].contains(&sides).then(|| format!("1d{sides}"))
}

/// The dice at the front of a sum that is written out, if it is right: "3+4+2=9" of two dice.
pub fn summands(text: &str, dice: Option<&str>) -> Option<(Vec<u16>, i64)> {
    let count: usize =
        dice?.split(['d', 'D']).next()?.parse().ok().filter(|count| (1..=FACES_MAX).contains(count))?;
    let (front, rest) = text.split_once('=')?;
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).take(6).collect();
    let total: i64 = digits.parse().ok()?;
    let parts: Option<Vec<i64>> =
        front.split('+').take(FACES_MAX + 1).map(|part| part.trim().parse().ok()).collect();
    let parts = parts.filter(|parts| parts.len() >= count && parts.len() > 1 && sum(parts) == Some(total))?;
    let faces: Option<Vec<u16>> = parts[..count].iter().map(|part| u16::try_from(*part).ok()).collect();
    Some((faces?, total))
}

/// Nothing where it is larger than any number that is read.
fn sum(numbers: &[i64]) -> Option<i64> {
    numbers.iter().try_fold(0_i64, |sum, number| sum.checked_add(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(answer: &str, tool: &str, arguments: &str) -> Option<ForeignRoll> {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let given: Value = serde_json::from_str(arguments).unwrap();
        of_fields(answer.as_object().unwrap(), (tool, arguments), Some(&given), &[])
    }

    #[test]
    fn what_comes_back_was_asked_for_and_what_is_new_has_fallen() {
        let told =
            read(r#"{"ten": 60, "one": 5, "fell": 65, "talent": 40}"#, "throw", r#"{"talent": 40}"#).unwrap();
        assert_eq!((told.total, told.difficulty, told.success), (Some(65), Some(40), Some(false)));
        let told = read(r#"{"luck": 9, "art": 70, "went": "fail"}"#, "roll_for", r#"{"art": 70}"#).unwrap();
        assert_eq!((told.total, told.success), (Some(9), Some(false)));
        assert!(read(r#"{"price": 45, "left": 12}"#, "shop", r#"{"price": 45}"#).is_none());
        assert!(read(r#"{"hp": 45, "damage": 7}"#, "attack", r#"{"hp": 45}"#).is_none());
        assert!(read(r#"{"roll": 12, "dc": 15}"#, "roll", r#"{"dc": 15}"#).is_none());
    }

    #[test]
    fn good_dice_are_counted() {
        let told =
            read(r#"{"bones": [2, 6, 5, 1], "good": 2, "asked": 3}"#, "dice", r#"{"asked": 3}"#).unwrap();
        assert_eq!((told.total, told.difficulty, told.success), (Some(2), Some(3), Some(false)));
        assert!(read(r#"{"bones": [2, 6, 5, 1], "sum": 14}"#, "dice", "{}").is_none());
    }

    #[test]
    fn numbers_that_no_dice_give_are_no_dice() {
        let (most, least) = (i64::MAX, i64::MIN);
        for (one, other) in [(most, most), (least, least), (most, 1), (least, -1)] {
            let answer = format!(r#"{{"ten": {one}, "one": {other}, "art": 70}}"#);
            assert_eq!(read(&answer, "roll", r#"{"art": 70}"#), None, "{answer}");
        }
        assert_eq!(summands(&format!("{most}+{most}=2"), Some("2d6")), None);
    }

    #[test]
    fn several_throws_are_told_in_one_answer() {
        let told =
            read(r#"{"all": [71, 88], "skill": 45, "made": [false, false]}"#, "roll", r#"{"skill": 45}"#)
                .unwrap();
        assert_eq!((told.faces, told.success), (vec![71, 88], Some(false)));
    }

    #[test]
    fn dice_stand_before_what_is_added_to_them() {
        assert_eq!(summands("2+5+1=8 (so so)", Some("2d6")), Some((vec![2, 5], 8)));
        assert_eq!(summands("2+5+1=9", Some("2d6")), None);
        assert_eq!(sides(Some(&serde_json::json!({"sides": 8}))), Some("1d8".to_owned()));
    }
}
