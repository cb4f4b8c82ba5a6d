//! A validator for the part of JSON Schema that every server takes: whether a call is on the menu is decided here, and by no tool.

use serde_json::Value;

/// Every keyword that is known. A schema with another one is a fault of whoever made it.
const KEYWORDS: [&str; 11] = [
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
];

/// Is the value as the schema wants it? An object has no other properties than those listed.
///
/// # Errors
/// The place and what is wrong there.
///
/// # Panics
/// The schema goes beyond the common part.
pub fn valid(schema: &Value, value: &Value) -> Result<(), String> {
    at("", schema, value)
}

/// Panics when a schema goes beyond the common part.
pub fn check_schema(schema: &Value) {
    let object = schema.as_object().unwrap_or_else(|| panic!("no schema: {schema}"));
    for keyword in object.keys() {
        assert!(KEYWORDS.contains(&keyword.as_str()), "{keyword} in {schema}");
    }
    let kind = schema["type"].as_str().unwrap_or_else(|| panic!("no type of one word in {schema}"));
    assert_eq!(kind == "object", object.contains_key("properties"), "{schema}");
    assert_eq!(kind == "array", object.contains_key("items"), "{schema}");
    if let Some(values) = object.get("enum") {
        let values = values.as_array().unwrap();
        assert!(kind == "string" && !values.is_empty() && values.iter().all(Value::is_string), "{schema}");
    }
    let properties = schema["properties"].as_object();
    properties.into_iter().flat_map(|all| all.values()).for_each(check_schema);
    object.get("items").into_iter().for_each(check_schema);
    for name in object.get("required").and_then(Value::as_array).into_iter().flatten() {
        assert!(properties.is_some_and(|all| all.contains_key(name.as_str().unwrap())), "{schema}");
    }
}

fn at(place: &str, schema: &Value, value: &Value) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{place}: {what}: {value} by {schema}"));
    let least = |keyword: &str| schema.get(keyword).and_then(Value::as_i64).unwrap_or(i64::MIN);
    let most = |keyword: &str| schema.get(keyword).and_then(Value::as_i64).unwrap_or(i64::MAX);
    match schema["type"].as_str().expect("a type of one word") {
        "object" => {
            let Some(members) = value.as_object() else { return wrong("no object") };
            for required in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
                if !members.contains_key(required.as_str().unwrap_or_default()) {
                    return wrong(&format!("without {required}"));
                }
            }
            for (name, member) in members {
                let Some(property) = schema["properties"].get(name) else {
                    return wrong(&format!("there is no {name}"));
                };
                at(&format!("{place}.{name}"), property, member)?;
            }
        }
        "array" => {
            let Some(items) = value.as_array() else { return wrong("no list") };
            if !(least("minItems")..=most("maxItems")).contains(&(items.len() as i64)) {
                return wrong("too short or too long");
            }
            for item in items {
                at(&format!("{place}[]"), &schema["items"], item)?;
            }
        }
        "string" => {
            let Some(text) = value.as_str() else { return wrong("no text") };
            if schema
                .get("enum")
                .is_some_and(|values| values.as_array().is_none_or(|all| !all.contains(value)))
            {
                return wrong("none of these");
            }
            if !(least("minLength")..=most("maxLength")).contains(&(text.chars().count() as i64)) {
                return wrong("too short or too long");
            }
        }
        "integer" => match value.as_i64() {
            Some(number) if (least("minimum")..=most("maximum")).contains(&number) => {}
            _ => return wrong("no such number"),
        },
        "boolean" if value.is_boolean() => {}
        _ => return wrong("another type"),
    }
    Ok(())
}
