//! What the arguments of a tool can be now, in a few words.

use serde_json::Value;
use twicetold_tool::Legal;

use crate::terminal::short;

/// Values that are named, as many as an encounter has checks, mostly; of more, only how many there are.
const NAMED_MAX: usize = 12;
/// Characters of a value that are shown: the name of a check is whole, a quest is a sentence.
const SHOWN_MAX: usize = 70;
/// A text that can be longer has no limit worth telling.
const LENGTH_TOLD: u64 = 200;

/// What an argument can be, over all ways of calling its tool; empty where it can be anything.
pub fn of(legal: &[Legal], argument: &str) -> String {
    let schemas: Vec<&Value> =
        legal.iter().filter_map(|one| one.schema["properties"].get(argument)).collect();
    told(&schemas)
}

fn told(schemas: &[&Value]) -> String {
    let items: Vec<&Value> = schemas.iter().filter_map(|schema| schema.get("items")).collect();
    if !items.is_empty() {
        return told(&items);
    }
    if schemas.iter().any(|schema| schema["type"] == "object") {
        return members(schemas);
    }
    if schemas.iter().any(|schema| schema["type"] == "boolean") {
        return "true, false".to_owned();
    }
    if schemas.iter().any(|schema| schema["type"] == "integer") {
        return range(schemas);
    }
    texts(schemas)
}

/// What each member of an object can be.
fn members(schemas: &[&Value]) -> String {
    let all = schemas.iter().filter_map(|schema| schema["properties"].as_object());
    let mut names: Vec<&String> = all.flat_map(|members| members.keys()).collect();
    names.sort();
    names.dedup();
    let member = |name: &&String| {
        let schemas: Vec<&Value> =
            schemas.iter().filter_map(|schema| schema["properties"].get(name.as_str())).collect();
        let told = told(&schemas);
        if told.is_empty() { (*name).clone() } else { format!("{name}: {told}") }
    };
    names.iter().map(member).collect::<Vec<_>>().join("; ")
}

fn range(schemas: &[&Value]) -> String {
    let bounds = |keyword: &str| {
        let bounds: Option<Vec<i64>> = schemas.iter().map(|schema| schema.get(keyword)?.as_i64()).collect();
        bounds.unwrap_or_default()
    };
    match (bounds("minimum").into_iter().min(), bounds("maximum").into_iter().max()) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("{least} or more"),
        (None, Some(most)) => format!("{most} or less"),
        (None, None) => String::new(),
    }
}

fn texts(schemas: &[&Value]) -> String {
    let mut values: Vec<&str> = Vec::new();
    let listed = schemas.iter().filter_map(|schema| schema["enum"].as_array());
    for value in listed.flatten().filter_map(Value::as_str) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let open = schemas.iter().find(|schema| schema.get("enum").is_none());
    let length = open.and_then(|schema| schema["maxLength"].as_u64()).filter(|most| *most <= LENGTH_TOLD);
    let length = length.map(|most| format!("at most {most} characters"));
    if values.is_empty() {
        return length.unwrap_or_default();
    }
    let named: Vec<String> = values.iter().take(NAMED_MAX).map(|value| short(value, SHOWN_MAX)).collect();
    let mut told = named.join(", ");
    if values.len() > NAMED_MAX {
        told += &format!(" and {} more", values.len() - NAMED_MAX);
    }
    if open.is_some() { told + ", or something else" } else { told }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(properties: &[Value]) -> String {
        let legal = |property: &Value| Legal {
            tool: "attack",
            schema: json!({"type": "object", "properties": {"with": property}}),
        };
        of(&properties.iter().map(legal).collect::<Vec<_>>(), "with")
    }

    #[test]
    fn a_handful_of_values_is_named_and_the_others_are_counted() {
        let values: Vec<String> = (1..=14).map(|number| format!("w{number}")).collect();
        let all = json!({"type": "string", "enum": values});
        let first = "w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12";
        assert_eq!(told(std::slice::from_ref(&all)), format!("{first} and 2 more"));
        let [two, open] =
            [json!({"type": "string", "enum": ["w1", "x"]}), json!({"type": "string", "maxLength": 80})];
        assert_eq!(told(&[two.clone(), two.clone()]), "w1, x");
        assert_eq!(told(&[all, two.clone()]), format!("{first} and 3 more"));
        assert_eq!(told(&[two, open.clone()]), "w1, x, or something else");
        assert_eq!(told(&[open]), "at most 80 characters");
        assert_eq!(told(&[json!({"type": "string", "minLength": 1, "maxLength": 4000})]), "");
    }

    #[test]
    fn numbers_are_told_by_their_bounds_and_lists_by_what_is_in_them() {
        let count = |most: i64| json!({"type": "integer", "minimum": 1, "maximum": most});
        assert_eq!(told(&[count(3), count(12)]), "1 to 12");
        assert_eq!(told(&[json!({"type": "integer", "minimum": 1}), count(9)]), "1 or more");
        assert_eq!(told(&[json!({"type": "integer", "maximum": -1})]), "-1 or less");
        assert_eq!(told(&[json!({"type": "integer"})]), "");
        let entry = json!({"type": "object", "properties": {"id": {"type": "string", "enum": ["crow"]}, "count": count(8)}});
        assert_eq!(told(&[json!({"type": "array", "items": entry})]), "count: 1 to 8; id: crow");
        assert_eq!(told(&[]), "");
    }
}
