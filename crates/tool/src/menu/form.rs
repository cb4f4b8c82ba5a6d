//! Arguments as they can be now, within the part of JSON Schema that every server takes for replies.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// What an argument can be; nothing where there is nothing to choose from.
#[derive(Clone, Debug)]
pub(crate) struct Field(Option<Value>);

/// One way of calling a tool: its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    properties: Map<String, Value>,
    required: Vec<Value>,
    impossible: bool,
}

impl Form {
    /// Without arguments.
    pub(crate) fn new() -> Form {
        Form::default()
    }

    /// Adds an argument that must be given: with nothing to choose from, nobody can call the tool in this way.
    pub(crate) fn must(mut self, name: &str, field: Field) -> Form {
        self.impossible |= field.0.is_none();
        self.required.push(name.into());
        self.may(name, field)
    }

    /// Adds an argument that may be left out, and is where there is nothing to choose from.
    pub(crate) fn may(mut self, name: &str, field: Field) -> Form {
        self.properties.extend(field.0.map(|field| (name.to_owned(), field)));
        self
    }

    /// As a JSON Schema, if the tool can be called in this way.
    pub(crate) fn schema(self) -> Option<Value> {
        if self.impossible {
            return None;
        }
        let mut schema = json!({"type": "object", "properties": self.properties});
        if !self.required.is_empty() {
            schema["required"] = self.required.into();
        }
        Some(schema)
    }
}

/// One of these texts.
pub(crate) fn one_of(values: impl IntoIterator<Item = impl Into<String>>) -> Field {
    let mut seen = BTreeSet::new();
    let mut known: Vec<String> = values.into_iter().map(Into::into).collect();
    known.retain(|value| seen.insert(value.clone()));
    Field((!known.is_empty()).then(|| json!({"type": "string", "enum": known})))
}

/// A text of 1 to `most` characters.
pub(crate) fn texts(most: usize) -> Field {
    Field(Some(json!({"type": "string", "minLength": 1, "maxLength": most})))
}

/// A text of at most `most` characters, also none.
pub(crate) fn short_texts(most: usize) -> Field {
    Field(Some(json!({"type": "string", "maxLength": most})))
}

/// An integer from `least` to `most`.
pub(crate) fn number(least: i64, most: i64) -> Field {
    Field((least <= most).then(|| json!({"type": "integer", "minimum": least, "maximum": most})))
}

/// An integer from `least` on, of 64 bits.
pub(crate) fn at_least(least: i64) -> Field {
    Field(Some(json!({"type": "integer", "minimum": least})))
}

/// An integer of 64 bits, up to `most`.
pub(crate) fn at_most(most: i64) -> Field {
    Field(Some(json!({"type": "integer", "maximum": most})))
}

/// An integer of 64 bits: the rules set it no limit.
pub(crate) fn integer() -> Field {
    Field(Some(json!({"type": "integer"})))
}

/// Yes or no.
pub(crate) fn truth() -> Field {
    Field(Some(json!({"type": "boolean"})))
}

/// A list of at least one and at most so many of these.
pub(crate) fn list(most: usize, item: impl Into<Field>) -> Field {
    let items = item.into().0;
    Field(items.map(|items| json!({"type": "array", "minItems": 1, "maxItems": most, "items": items})))
}

impl From<Form> for Field {
    fn from(form: Form) -> Field {
        Field(form.schema())
    }
}

/// All values that an argument of a tool can have, as they are written.
pub(crate) fn variants(tool: &str, argument: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(crate::schema::kept(tool)).unwrap_or_default();
    let values = schema["properties"][argument]["enum"].as_array().into_iter().flatten();
    values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

/// The arguments of a call, without those that are `null`: they were left out.
pub(crate) fn call(mut arguments: Value) -> Value {
    drop_nulls(&mut arguments);
    arguments
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::tests::KEYWORDS;

    #[test]
    fn what_must_be_given_and_cannot_makes_a_call_impossible_and_what_may_be_given_is_left_out() {
        let none = || one_of(Vec::<String>::new());
        assert_eq!(Form::new().must("item", none()).schema(), None);
        assert_eq!(Form::new().must("items", list(3, Form::new().must("item", none()))).schema(), None);
        assert_eq!(Form::new().must("count", number(1, 0)).schema(), None);
        let schema = Form::new().may("item", none()).must("text", texts(9)).schema().unwrap();
        let text = json!({"type": "string", "minLength": 1, "maxLength": 9});
        assert_eq!(schema, json!({"type": "object", "properties": {"text": text}, "required": ["text"]}));
        assert_eq!(Form::new().schema().unwrap(), json!({"type": "object", "properties": {}}));
    }

    #[test]
    fn a_value_is_listed_once() {
        let schema = Form::new().must("of", one_of(["b", "a", "b"])).schema().unwrap();
        assert_eq!(schema["properties"]["of"]["enum"], json!(["b", "a"]));
    }

    #[test]
    fn arguments_that_are_null_are_left_out_wherever_they_stand() {
        let arguments = json!({"a": null, "b": [{"c": null, "d": 1}], "e": {"f": null}});
        assert_eq!(call(arguments), json!({"b": [{"d": 1}], "e": {}}));
    }

    #[test]
    fn no_keyword_goes_beyond_what_every_server_takes_and_bounds() {
        let bounds = ["minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"];
        for field in [one_of(["a"]), texts(9), number(1, 2), integer(), truth(), list(3, truth())] {
            for keyword in field.0.unwrap().as_object().unwrap().keys() {
                assert!(bounds.contains(&&**keyword) || KEYWORDS.contains(&&**keyword), "{keyword}");
            }
        }
    }
}
