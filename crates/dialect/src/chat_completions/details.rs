//! OpenRouter's details of thinking: in a stream each comes in pieces, and it must go back whole.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::push_json_string;

/// Most details of one reply: a model thinks once before each call and before its words, of which there are far fewer.
const DETAILS_MAX: usize = 1_024;

/// Texts that come in pieces. What is encrypted or signed comes whole.
const TEXTS: [&str; 2] = ["text", "summary"];

/// The details so far, each with the pieces of its texts.
#[derive(Default)]
pub(super) struct Details(Vec<Map<String, Value>>);

impl Details {
    /// Adds the details of a chunk. Pieces of one detail have one type and one index and follow each other.
    pub(super) fn add(&mut self, details: Option<&RawValue>) {
        let details = details.and_then(|details| serde_json::from_str(details.get()).ok());
        let details: Vec<Map<String, Value>> = details.unwrap_or_default();
        for detail in details {
            let is_same = |last: &&mut Map<String, Value>| {
                let is_whole = detail.contains_key("data") || !detail.contains_key("index");
                !is_whole && ["type", "index"].into_iter().all(|name| last.get(name) == detail.get(name))
            };
            if let Some(last) = self.0.last_mut().filter(is_same) {
                detail.into_iter().for_each(|(name, more)| extend(last, name, more));
            } else if self.0.len() < DETAILS_MAX {
                self.0.push(detail);
            }
        }
    }

    /// Appends the member of a message, if there are any.
    pub(super) fn push(&self, out: &mut String) {
        for (place, detail) in self.0.iter().enumerate() {
            out.push_str(if place == 0 { ",\"reasoning_details\":[" } else { "," });
            for (place, (name, value)) in detail.iter().enumerate() {
                out.push_str(if place == 0 { "{" } else { "," });
                push_json_string(out, name);
                out.push(':');
                match value {
                    Value::String(text) => push_json_string(out, text),
                    other => out.push_str(&other.to_string()),
                }
            }
            out.push_str(if detail.is_empty() { "{}" } else { "}" });
        }
        out.push_str(if self.0.is_empty() { "" } else { "]" });
    }
}

fn extend(detail: &mut Map<String, Value>, name: String, more: Value) {
    match (detail.get_mut(&name), more) {
        (Some(Value::String(text)), Value::String(more)) if TEXTS.contains(&name.as_str()) => {
            text.push_str(&more);
        }
        // A piece that says nothing of a member leaves it as it was.
        (Some(_), Value::Null) => {}
        (_, more) => drop(detail.insert(name, more)),
    }
}
