//! The words of a message: a text, a list of parts, or an object whose texts are said.

use serde_json::Value;

use crate::limits::WORDS_DEPTH_MAX;
use crate::mapping::{Parts, first, first_at, is_known};

/// The words of a value. What is none of them goes `aside`, with the reason.
pub fn words_of(own: &Parts, value: &Value, aside: &mut Vec<(String, String)>) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(parts) => {
            let words: Vec<String> =
                parts.iter().filter_map(|part| part_of(own, part, true, aside)).collect();
            words.join("\n").trim().to_owned()
        }
        Value::Object(_) => {
            let words = part_of(own, value, false, aside);
            words.unwrap_or_else(|| {
                let mut texts = Vec::new();
                collect(value, 0, &mut texts);
                texts.join("\n").trim().to_owned()
            })
        }
        _ => String::new(),
    }
}

/// The words of a part; in a list it has to be of a kind that is known.
fn part_of(own: &Parts, part: &Value, listed: bool, aside: &mut Vec<(String, String)>) -> Option<String> {
    if let Value::String(text) = part {
        return Some(text.clone());
    }
    if let Some(skip) = first(&own.skip, part) {
        let what = skip.what.as_deref().unwrap_or("part");
        let why = skip.why.as_deref().unwrap_or("the mapping leaves it out");
        aside.push((what.to_owned(), why.to_owned()));
        return None;
    }
    let kind = part.get(&own.kind).and_then(Value::as_str).filter(|_| listed);
    if let Some(kind) = kind.filter(|kind| !is_known(&own.known, kind)) {
        let kind: String = kind.chars().take(60).collect();
        aside.push((format!("unknown part {kind:?}"), "the mapping does not name it".into()));
        return None;
    }
    first_at(part, &own.text).and_then(Value::as_str).map(str::to_owned)
}

/// Every text in a value.
fn collect(value: &Value, depth: usize, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) if depth < WORDS_DEPTH_MAX => {
            items.iter().for_each(|item| collect(item, depth + 1, texts));
        }
        Value::Object(fields) if depth < WORDS_DEPTH_MAX => {
            let fields = fields.iter().filter(|(name, _)| *name != "type");
            fields.for_each(|(_, field)| collect(field, depth + 1, texts));
        }
        _ => {}
    }
}
