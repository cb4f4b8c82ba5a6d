//! The schema that a reply is held to, as the vendor takes it.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::push_json_string;

/// Bounds that the vendor's grammar does not know: one of them, and the whole request is refused.
const REFUSED: [&str; 9] = [
    "minLength",
    "maxLength",
    "maxItems",
    "uniqueItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];

/// Schemas within schemas that are looked into: no vendor takes half as many.
const DEPTH_MAX: usize = 64;

/// The members of an object in their order, which is the order in which the model writes them.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'a>, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

/// The schema without the bounds that the vendor refuses; no object in it allows further members, which the vendor demands to
/// be said. What is no schema stays as it is.
pub(super) fn held(schema: &str) -> String {
    let mut out = String::with_capacity(schema.len() + 64);
    push_schema(&mut out, schema, 0);
    out
}

fn push_schema(out: &mut String, schema: &str, depth: usize) {
    let members = serde_json::from_str::<Members<'_>>(schema).ok().filter(|_| depth < DEPTH_MAX);
    let Some(Members(members)) = members else { return out.push_str(schema) };
    out.push('{');
    let start = out.len();
    let mut is_object = false;
    for (name, value) in &members {
        let value = value.get();
        // Of the least number of items the vendor knows 0 and 1.
        let is_refused =
            REFUSED.contains(&name.as_str()) || (name == "minItems" && !["0", "1"].contains(&value));
        if is_refused || name == "additionalProperties" {
            continue;
        }
        push_name(out, start, name);
        match name.as_str() {
            "properties" => {
                is_object = true;
                push_properties(out, value, depth + 1);
            }
            "items" => push_schema(out, value, depth + 1),
            "anyOf" => push_choices(out, value, depth + 1),
            _ => out.push_str(value),
        }
    }
    if is_object {
        push_name(out, start, "additionalProperties");
        out.push_str("false");
    }
    out.push('}');
}

fn push_name(out: &mut String, start: usize, name: &str) {
    if out.len() > start {
        out.push(',');
    }
    push_json_string(out, name);
    out.push(':');
}

fn push_properties(out: &mut String, properties: &str, depth: usize) {
    let Ok(Members(properties)) = serde_json::from_str(properties) else { return out.push_str(properties) };
    out.push('{');
    let start = out.len();
    for (name, schema) in properties {
        push_name(out, start, &name);
        push_schema(out, schema.get(), depth);
    }
    out.push('}');
}

fn push_choices(out: &mut String, choices: &str, depth: usize) {
    let Ok(choices) = serde_json::from_str::<Vec<&RawValue>>(choices) else { return out.push_str(choices) };
    out.push('[');
    for (index, schema) in choices.into_iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        push_schema(out, schema.get(), depth);
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_go_and_every_object_is_closed_in_the_order_that_it_had() {
        for (schema, taken) in [
            (
                r#"{"type":"object","properties":{"words":{"type":"string","minLength":15,"maxLength":260},"do":{"type":"string","enum":["a","maxLength"]}},"required":["words","do"],"additionalProperties":false}"#,
                r#"{"type":"object","properties":{"words":{"type":"string"},"do":{"type":"string","enum":["a","maxLength"]}},"required":["words","do"],"additionalProperties":false}"#,
            ),
            (
                r#"{"type":"object","properties":{"calls":{"type":"array","maxItems":1,"minItems":1,"items":{"anyOf":[{"type":"object","properties":{"maximum":{"type":"integer","maximum":3}}},{"type":"object","properties":{}}]}}}}"#,
                r#"{"type":"object","properties":{"calls":{"type":"array","minItems":1,"items":{"anyOf":[{"type":"object","properties":{"maximum":{"type":"integer"}},"additionalProperties":false},{"type":"object","properties":{},"additionalProperties":false}]}}},"additionalProperties":false}"#,
            ),
            (r#"{"maxLength":1,"type":"array","minItems":2}"#, r#"{"type":"array"}"#),
            ("{}", "{}"),
            ("no schema", "no schema"),
            (
                r#"{"properties":7,"anyOf":[],"items":null}"#,
                r#"{"properties":7,"anyOf":[],"items":null,"additionalProperties":false}"#,
            ),
        ] {
            assert_eq!(held(schema), taken);
        }
    }

    #[test]
    fn what_lies_too_deep_stays_as_it_is() {
        let deep = format!("{}{{\"maxLength\":1}}{}", "{\"items\":".repeat(90_000), "}".repeat(90_000));
        assert_eq!(held(&deep), deep);
    }
}
