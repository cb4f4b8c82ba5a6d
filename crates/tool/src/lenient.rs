//! Arguments of a call that are no JSON of its schema, read as what they can only mean: numbers in quotation marks, lists as one text, an
//! enum in capitals, a field in another spelling, an object within another. Whatever may be meant otherwise is left as it is, and rejected.

use serde_json::{Map, Value};
use twicetold_world::letters;

/// Fields in which models think aloud, and that count for nothing where a tool has none of that name.
const ASIDES: &[&str] = &[
    "thought",
    "thoughts",
    "thinking",
    "reasoning",
    "explanation",
    "comment",
    "reason",
    "rationale",
    "why",
    "note",
    "notes",
    "description",
    "context",
];
/// A field that can only mean the one there is, and says so where it is empty: it need not be there.
const IMPLIED: &str = "encounterId";
/// The names under which models wrap what they call with, the last as the schema has it that they were shown.
const WRAPPERS: &[&str] = &["arguments", "args", "parameters", "input", "properties"];
/// Objects within objects that are unwrapped.
const WRAPPED_MAX: usize = 3;

/// The arguments as the schema has them; nothing where they are no object.
pub(crate) fn read(arguments: &str, schema: &str) -> Option<Value> {
    let schema: Value = serde_json::from_str(schema).ok()?;
    let mut value: Value = serde_json::from_str(without_fence(arguments)).ok()?;
    for _ in 0..WRAPPED_MAX {
        value = match value {
            Value::String(text) => serde_json::from_str(without_fence(&text)).ok()?,
            Value::Array(mut list) if list.len() == 1 => list.remove(0),
            Value::Object(fields) if is_wrapper(&fields, &schema) => fields
                .into_iter()
                .find(|(name, _)| WRAPPERS.contains(&name.as_str()))
                .map(|(_, value)| value)?,
            other => other,
        };
    }
    value.is_object().then(|| fitted(value, &schema))
}

/// Does an object hold the arguments, and beside them nothing but words of a schema?
fn is_wrapper(fields: &Map<String, Value>, schema: &Value) -> bool {
    let wraps = |name: &String| WRAPPERS.contains(&name.as_str()) && schema["properties"].get(name).is_none();
    let own = || fields.iter().filter(|(name, value)| !is_of_a_schema(name, value));
    own().count() == 1 && own().all(|(name, _)| wraps(name))
}

/// What a schema says beside its fields: `"type": "object"`, `"required": ["path"]`.
fn is_of_a_schema(name: &str, value: &Value) -> bool {
    match name {
        "type" => value == "object",
        "required" => value.is_array(),
        "additionalProperties" => value.is_boolean(),
        _ => false,
    }
}

/// The text between the fences around it, if it has some.
fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    inside.map_or(text, |inside| inside.trim_start_matches(char::is_alphabetic).trim())
}

/// The value as a schema has it, as far as that is the only way to read it.
fn fitted(value: Value, schema: &Value) -> Value {
    match (schema["type"].as_str(), value) {
        (Some("object"), Value::Object(fields)) => object(fields, schema),
        (Some("array"), Value::Array(list)) => {
            Value::Array(list.into_iter().map(|item| fitted(item, &schema["items"])).collect())
        }
        // One text for an object that needs one: its id.
        (Some("object"), Value::String(text)) => match schema["required"].as_array().map(Vec::as_slice) {
            Some([Value::String(field)]) if schema["properties"][field]["type"] == "string" => {
                Value::Object([(field.clone(), Value::String(text))].into_iter().collect())
            }
            _ => Value::String(text),
        },
        (Some("array"), Value::String(text)) => {
            let items = listed(&text).into_iter().map(|item| fitted(item, &schema["items"]));
            Value::Array(items.collect())
        }
        (Some("array"), item @ Value::Object(_)) => Value::Array(vec![fitted(item, &schema["items"])]),
        (Some("integer"), Value::String(text)) => {
            text.trim().trim_start_matches('+').parse::<i64>().map_or(Value::String(text), Value::from)
        }
        (Some("integer"), Value::Number(number)) => {
            let whole = number.to_string().strip_suffix(".0").and_then(|whole| whole.parse::<i64>().ok());
            whole.map_or(Value::Number(number), Value::from)
        }
        (Some("boolean"), Value::String(text)) => match text.trim().to_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::String(text),
        },
        (Some("string"), Value::Number(number)) => Value::String(number.to_string()),
        (Some("string"), Value::String(text)) => Value::String(named(text, schema)),
        (_, value) => value,
    }
}

/// The value of an enum that is written in other letters.
fn named(text: String, schema: &Value) -> String {
    let values = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let alike: Vec<&str> = values.filter(|value| letters(value) == letters(&text)).collect();
    if let [only] = alike.as_slice() { (*only).to_owned() } else { text }
}

fn object(fields: Map<String, Value>, schema: &Value) -> Value {
    let Some(known) = schema["properties"].as_object() else { return Value::Object(fields) };
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let required: Vec<&str> = required.collect();
    let mut fit = Map::new();
    for (name, value) in &fields {
        let field = field(name, known);
        let is_taken = field.as_ref().is_some_and(|field| field != name && fields.contains_key(field));
        match field.filter(|_| !is_taken) {
            // What need not be said and is empty is not said.
            Some(field) if is_empty(value) && !required.contains(&field.as_str()) => {}
            Some(field) => {
                let value = fitted(value.clone(), &known[&field]);
                fit.insert(field, value);
            }
            None if ASIDES.contains(&name.to_lowercase().as_str()) || is_of_a_schema(name, value) => {}
            None => {
                fit.insert(name.clone(), value.clone());
            }
        }
    }
    if required.contains(&IMPLIED) && !fit.contains_key(IMPLIED) {
        fit.insert(IMPLIED.to_owned(), Value::from(""));
    }
    Value::Object(fit)
}

/// The field that is meant by a name: as it is written, in other letters, of more than one, or as the only one with which it begins.
fn field(name: &str, known: &Map<String, Value>) -> Option<String> {
    if known.contains_key(name) {
        return Some(name.to_owned());
    }
    let wanted = letters(name);
    let is_alike = |field: &String| [letters(field), format!("{}s", letters(field))].contains(&wanted);
    let alike: Vec<&String> = known.keys().filter(|field| is_alike(field)).collect();
    if let [only] = alike.as_slice() {
        return Some((*only).clone());
    }
    let begun: Vec<&String> = known.keys().filter(|field| name.starts_with(&format!("{field}_"))).collect();
    if let [only] = begun.as_slice() { Some((*only).clone()) } else { None }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// A list that is written as one text: `["a", "b"]`, `['a', 'b']` or `a, b`.
fn listed(text: &str) -> Vec<Value> {
    let text = text.trim();
    if let Ok(Value::Array(list)) = serde_json::from_str(text) {
        return list;
    }
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let items = bare.split(',').map(|item| item.trim().trim_matches(['\'', '"']).trim());
    items.filter(|item| !item.is_empty()).map(Value::from).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> String {
        let entry = json!({"type": "object", "properties": {"id": {"type": "string"}, "count": {"type": "integer"}}, "required": ["id"]});
        json!({
            "type": "object",
            "properties": {
                "character": {"type": "string"},
                "kind": {"type": "string", "enum": ["notable", "important"]},
                "difficulty": {"type": "integer"},
                "done": {"type": "boolean"},
                "people": {"type": "array", "items": {"type": "string"}},
                "foes": {"type": "array", "items": entry},
                "note": {"type": "string"},
                "note_value": {"type": "string"},
            },
            "required": ["character"],
        })
        .to_string()
    }

    #[test]
    fn what_can_only_be_meant_in_one_way_is_read() {
        for (written, meant) in [
            (r#"{"character": "Ada", "difficulty": "12"}"#, json!({"character": "Ada", "difficulty": 12})),
            (r#"{"character": "Ada", "difficulty": "+5"}"#, json!({"character": "Ada", "difficulty": 5})),
            (r#"{"character": "Ada", "difficulty": 12.0}"#, json!({"character": "Ada", "difficulty": 12})),
            (r#"{"character": "Ada", "done": "True"}"#, json!({"character": "Ada", "done": true})),
            (r#"{"character": "Ada", "kind": "Notable"}"#, json!({"character": "Ada", "kind": "notable"})),
            (
                r#"{"character": "Ada", "people": "hanno, tilda"}"#,
                json!({"character": "Ada", "people": ["hanno", "tilda"]}),
            ),
            (
                r#"{"character": "Ada", "people": "['hanno']"}"#,
                json!({"character": "Ada", "people": ["hanno"]}),
            ),
            (
                r#"{"character": "Ada", "foes": {"id": "crow", "count": "2"}}"#,
                json!({"character": "Ada", "foes": [{"id": "crow", "count": 2}]}),
            ),
            (
                r#"{"character": "Ada", "foes": ["crow"]}"#,
                json!({"character": "Ada", "foes": [{"id": "crow"}]}),
            ),
            (r#"{"character": "Ada", "reason": "to see"}"#, json!({"character": "Ada"})),
            (r#"{"character_name": "Ada", "note": ""}"#, json!({"character": "Ada"})),
            (r#"{"Character": "Ada", "thoughts": "Hm."}"#, json!({"character": "Ada"})),
            (r#"{"arguments": {"character": "Ada"}}"#, json!({"character": "Ada"})),
            (
                r#"{"properties": {"character": "Ada"}, "required": ["character"], "type": "object"}"#,
                json!({"character": "Ada"}),
            ),
            (
                r#"{"properties": {"character": "Ada", "required": ["character"], "type": "object"}}"#,
                json!({"character": "Ada"}),
            ),
            (r#"{"characters": "Ada", "notes": "x"}"#, json!({"character": "Ada", "note": "x"})),
            (r#"[{"character": "Ada"}]"#, json!({"character": "Ada"})),
            (r#""{\"character\": \"Ada\"}""#, json!({"character": "Ada"})),
            ("```json\n{\"character\": \"Ada\"}\n```", json!({"character": "Ada"})),
        ] {
            assert_eq!(read(written, &schema()), Some(meant), "{written}");
        }
    }

    #[test]
    fn what_may_be_meant_otherwise_is_left() {
        for written in [
            r#"{"character": "Ada", "difficulty": "hard"}"#,
            r#"{"character": "Ada", "difficulty": 12.5}"#,
            r#"{"character": "Ada", "kind": "minor"}"#,
            r#"{"character": "Ada", "stranger": 1}"#,
            r#"{"properties": {"character": "Ada"}, "difficulty": 2}"#,
            r#"{"character": "Ada", "type": "npc"}"#,
            // Two fields begin so.
            r#"{"character": "Ada", "note_value_x": "y"}"#,
        ] {
            assert_eq!(read(written, &schema()), serde_json::from_str(written).ok(), "{written}");
        }
        let of_one = json!({"type": "object", "properties": {"encounterId": {"type": "string"}}, "required": ["encounterId"]});
        let of_one = of_one.to_string();
        assert_eq!(read("{}", &of_one), Some(json!({"encounterId": ""})), "there is only one");
        assert_eq!(read("12", &schema()), None);
        assert_eq!(read("[1, 2]", &schema()), None);
        assert_eq!(read("nonsense", &schema()), None);
    }
}
