//! A reply being built, tool calls that fit the offered schema, and the JSON of a chat completion.

use serde_json::{Map, Value, json};

use super::request::Request;

/// What the model will say.
#[derive(Default, Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) text: String,
    /// Name and arguments as JSON text.
    pub(super) calls: Vec<(String, String)>,
    /// True when the reply stops because the limit of tokens is reached.
    pub(super) cut: bool,
}

impl Reply {
    /// Words alone.
    pub(super) fn words(text: String) -> Reply {
        Reply { text, ..Reply::default() }
    }

    /// A call alone, or words when the tool is not there or its schema wants something else.
    pub(super) fn call(call: (String, String)) -> Reply {
        Reply { calls: vec![call], ..Reply::default() }
    }

    /// The body of the chat completion.
    pub(super) fn body(&self, model: &str, name: &str, prompt_bytes: usize) -> String {
        let calls: Vec<Value> = self
            .calls
            .iter()
            .enumerate()
            .map(|(index, (tool, arguments))| {
                json!({
                    "id": format!("call_{name}_{index}"),
                    "type": "function",
                    "function": {"name": tool, "arguments": arguments},
                })
            })
            .collect();
        let reason = match (self.cut, calls.is_empty()) {
            (true, _) => "length",
            (false, true) => "stop",
            (false, false) => "tool_calls",
        };
        let mut message = Map::new();
        message.insert("role".into(), "assistant".into());
        let silent = self.text.is_empty() && !calls.is_empty();
        message.insert("content".into(), if silent { Value::Null } else { self.text.clone().into() });
        if !calls.is_empty() {
            message.insert("tool_calls".into(), calls.into());
        }
        let said: usize =
            self.text.len() + self.calls.iter().map(|(tool, text)| tool.len() + text.len()).sum::<usize>();
        let (prompt, completion) = (prompt_bytes / 4, said.div_ceil(4));
        json!({
            "id": format!("chatcmpl-{name}"),
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        })
        .to_string()
    }
}

/// A call of an offered tool with those of the arguments that its schema has; nothing when the tool is not
/// offered, wants more than is given, or does not allow a value.
pub(super) fn call(request: &Request<'_>, tool: &str, arguments: Value) -> Option<(String, String)> {
    let offer = request.tools.iter().find(|offer| offer.name == tool)?;
    let schema: Value = serde_json::from_str(offer.schema).unwrap_or(Value::Null);
    let mut given = match arguments {
        Value::Object(given) => given,
        _ => return None,
    };
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        given = fit(given, properties);
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            let name = name.as_str()?;
            if !given.contains_key(name) {
                let property = properties.get(name)?;
                given.insert(name.to_owned(), empty_value(property)?);
            }
        }
        for (name, value) in &given {
            let allowed = properties.get(name)?.get("enum").and_then(Value::as_array);
            if allowed.is_some_and(|allowed| !allowed.contains(value)) {
                return None;
            }
        }
    }
    Some((tool.to_owned(), Value::Object(given).to_string()))
}

/// Keeps what the schema knows; an argument under another spelling (`check` for `skill_check`, `isPrimary` for
/// `is_primary`) takes the spelling of the schema.
fn fit(given: Map<String, Value>, properties: &Map<String, Value>) -> Map<String, Value> {
    let mut fitting = Map::new();
    for (name, value) in given {
        if properties.contains_key(&name) {
            fitting.insert(name, value);
            continue;
        }
        let wanted = folded(&name);
        let similar = properties.keys().find(|key| folded(key) == wanted).or_else(|| {
            properties.keys().find(|key| folded(key).ends_with(&wanted) && !fitting.contains_key(*key))
        });
        if let Some(similar) = similar {
            fitting.entry(similar.clone()).or_insert(value);
        }
    }
    fitting
}

fn folded(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// A value that says nothing, for a required argument that we have nothing to say about.
fn empty_value(property: &Value) -> Option<Value> {
    let kinds = property.get("type")?;
    let allows = |kind: &str| {
        kinds.as_str() == Some(kind)
            || kinds.as_array().is_some_and(|kinds| kinds.iter().any(|one| one == kind))
    };
    if allows("null") {
        Some(Value::Null)
    } else if allows("array") {
        Some(json!([]))
    } else {
        None
    }
}
