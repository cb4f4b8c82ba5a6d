//! Every rule of the strict servers refuses something: a good body is taken, and each small change to it is refused for its reason.

mod anthropic;
mod chat_completions;
mod gemini;
mod ollama;
mod responses;

use serde_json::{Value, json};
use twicetold_dialect::Protocol;
use twicetold_tests::strict::check;

/// What is changed: the place as a JSON pointer, and what is put there; nothing takes away what is there.
type Change = (&'static str, Option<Value>);

/// Takes `good`, and refuses it after each change with words that say so.
fn refuses(protocol: Protocol, good: &Value, changes: &[(&str, &[Change])]) {
    assert_eq!(check(protocol, good), Ok(()), "{}", protocol.name());
    for (why, changes) in changes {
        let mut body = good.clone();
        for (place, value) in *changes {
            change(&mut body, place, value.as_ref());
        }
        assert_ne!(&body, good, "{changes:?} change nothing");
        match check(protocol, &body) {
            Ok(()) => panic!("{}: {changes:?} was taken", protocol.name()),
            Err(said) => assert!(said.contains(why), "{}: {changes:?}: {said}", protocol.name()),
        }
    }
}

/// Puts a value at a place, at the end of a list for `-`, or takes away what is there.
fn change(body: &mut Value, place: &str, value: Option<&Value>) {
    let (parent, name) = place.rsplit_once('/').expect("a pointer");
    match body.pointer_mut(parent).unwrap_or_else(|| panic!("nothing is at {parent}")) {
        Value::Array(items) if name == "-" => items.push(value.expect("a value").clone()),
        Value::Array(items) => match (name.parse::<usize>().expect("a place in a list"), value) {
            (index, Some(value)) => items[index] = value.clone(),
            (index, None) => drop(items.remove(index)),
        },
        Value::Object(members) => match value {
            Some(value) => drop(members.insert(name.to_owned(), value.clone())),
            None => assert!(members.remove(name).is_some(), "nothing is at {place}"),
        },
        other => panic!("{other} at {parent} holds nothing"),
    }
}

/// A schema of a tool that every server takes.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "how": {"type": "string", "enum": ["fast", "slow"], "description": "The way."},
            "count": {"type": "integer"},
            "names": {"type": "array", "items": {"type": "string"}},
            "where": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
        },
        "required": ["how"],
    })
}

/// A schema of a reply that every server takes.
fn form() -> Value {
    let words = json!({"type": "string"});
    let choice = json!({"anyOf": [{"type": "string", "enum": ["go"]}, {"type": "boolean"}]});
    json!({
        "type": "object",
        "properties": {"words": words, "do": choice},
        "required": ["words", "do"],
        "additionalProperties": false,
    })
}

/// A text of so many bytes.
fn long(bytes: usize) -> Value {
    "a".repeat(bytes).into()
}

/// What no server takes in the schema of a tool, wherever it lies.
fn bad_tool_schemas() -> Vec<(&'static str, Value)> {
    let with = |name: &str, property: Value| {
        let mut schema = schema();
        schema["properties"][name] = property;
        schema
    };
    vec![
        ("is none of [\"object\"]", json!({"type": "array", "items": {"type": "string"}})),
        ("no field `type`", json!({"anyOf": [schema()]})),
        ("`properties` belong to objects", json!({"type": "object"})),
        ("`properties` belong to objects", with("x", json!({"type": "object"}))),
        ("`properties` belong to objects", with("x", json!({"type": "string", "properties": {}}))),
        ("`items` belong to lists", with("x", json!({"type": "array"}))),
        ("no text", with("x", json!({"type": ["string", "null"]}))),
        ("is none of", with("x", json!({"type": "null"}))),
        ("no field `type`", with("x", json!({}))),
        ("no object", with("x", json!(true))),
        ("unknown field `const`", with("x", json!({"type": "string", "const": "a"}))),
        ("unknown field `oneOf`", with("x", json!({"oneOf": [{"type": "string"}]}))),
        ("unknown field `anyOf`", with("x", json!({"anyOf": [{"type": "string"}]}))),
        ("unknown field `allOf`", with("x", json!({"allOf": [{"type": "string"}]}))),
        ("unknown field `$ref`", with("x", json!({"$ref": "#/x"}))),
        ("unknown field `default`", with("x", json!({"type": "string", "default": ""}))),
        ("unknown field `format`", with("x", json!({"type": "integer", "format": "uint32"}))),
        ("unknown field `minimum`", with("x", json!({"type": "integer", "minimum": 0}))),
        (
            "unknown field `pattern`",
            with("x", json!({"type": "array", "items": {"type": "string", "pattern": "a"}})),
        ),
        (
            "unknown field `additionalProperties`",
            with("x", json!({"type": "object", "properties": {}, "additionalProperties": false})),
        ),
        ("`enum` belongs to texts", with("x", json!({"type": "integer", "enum": [1]}))),
        ("no text", with("x", json!({"type": "string", "enum": [1]}))),
        ("an empty list", with("x", json!({"type": "string", "enum": []}))),
        ("no text", with("x", json!({"type": "string", "description": 1}))),
        ("more than 64 bytes", with(long(65).as_str().expect("a text"), json!({"type": "string"}))),
        ("required, but no property", json!({"type": "object", "properties": {}, "required": ["x"]})),
    ]
}

/// Refuses every bad schema of a tool at this place.
fn refuses_schemas_of_tools(protocol: Protocol, good: &Value, place: &'static str) {
    for (why, schema) in bad_tool_schemas() {
        refuses(protocol, good, &[(why, &[(place, Some(schema))])]);
    }
}

/// Refuses every bad schema of a reply at this place of a body that is held to one.
fn refuses_forms(protocol: Protocol, good: &Value, place: &'static str, bad: &[(&str, &str, Option<Value>)]) {
    let always = [
        ("`properties` belong to objects", "/properties", None),
        ("unknown field `oneOf`", "/properties/do/oneOf", Some(json!([]))),
        ("unknown field `const`", "/properties/words/const", Some(json!("a"))),
        ("is none of [\"object\"]", "/type", Some(json!("array"))),
        ("no text", "/properties/words/type", Some(json!(["string", "null"]))),
        ("other properties are allowed", "/additionalProperties", Some(json!(true))),
        ("an empty list", "/properties/do/anyOf", Some(json!([]))),
    ];
    for (why, at, value) in always.iter().chain(bad) {
        let mut form = form();
        change(&mut form, at, value.as_ref());
        refuses(protocol, good, &[(why, &[(place, Some(form))])]);
    }
}
