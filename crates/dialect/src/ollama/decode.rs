//! The body of Ollama's answer as a reply: strict where something would be lost, lenient about everything else.

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::{Fault, Finish, Opaque, Reply, Usage};

use crate::calls::calls_of;
use crate::raw::{count_of, fault_of, is_something, object, text_of, truncated, unreadable};

/// A whole answer, or one line of a stream.
#[derive(Deserialize)]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) model: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) created_at: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) done: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) done_reason: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) prompt_eval_count: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) eval_count: Option<&'a RawValue>,
}

impl Line<'_> {
    /// Does it say whether the reply is whole, and if so, that it is?
    pub(super) fn done(&self) -> Option<bool> {
        serde_json::from_str(self.done?.get()).ok()
    }
}

#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) thinking: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) tool_calls: Option<&'a RawValue>,
}

/// Reads the body of an answer with status 200.
pub(crate) fn decode(body: &str) -> Result<Reply, Fault> {
    let unreadable = |expected: &str, error: String| unreadable(expected, &error, body);
    let json = body.trim_start_matches('\u{feff}');
    let line: Line<'_> = object(json).map_err(|error| unreadable("an answer of Ollama", error))?;
    if let Some(fault) = line.error.and_then(fault_of) {
        return Err(fault);
    }
    if line.done() == Some(false) {
        return Err(truncated(1));
    }
    let Some(message) = line.message else {
        return Err(unreadable("an answer of Ollama", "there is no member `message`".to_owned()));
    };
    let message: Message<'_> =
        object(message.get()).map_err(|error| unreadable("an object `message`", error))?;
    let text = match message.content.filter(is_something) {
        Some(content) => text_of(content)
            .ok_or_else(|| unreadable("a text `content`", "it is something else".to_owned()))?,
        None => String::new(),
    };
    let tool_calls = match message.tool_calls.filter(is_something) {
        Some(calls) => calls_of(calls).map_err(|error| unreadable("a list `tool_calls`", error))?,
        None => Vec::new(),
    };
    let reason = line.done_reason.and_then(text_of);
    let finish = match reason.as_deref() {
        // Calls have no reason of their own, and older versions give none at all.
        Some("stop") if !tool_calls.is_empty() => Finish::ToolCalls,
        None if !tool_calls.is_empty() => Finish::ToolCalls,
        Some("stop") => Finish::Stop,
        None if line.done() == Some(true) => Finish::Stop,
        Some("length") => Finish::Length,
        // `load` and `unload`: nothing was asked, as the server saw it.
        _ => Finish::Other,
    };
    // What was read from the server's cache is not told apart.
    let usage = Usage {
        input_tokens: count_of(line.prompt_eval_count),
        output_tokens: count_of(line.eval_count),
        ..Usage::default()
    };
    let thinking = message.thinking.and_then(text_of).unwrap_or_default();
    // The server takes it back by the same name, and many templates tell it to the model.
    let thought = message.thinking.filter(|_| !thinking.is_empty());
    let thought = thought.map(|thought| format!("{{\"thinking\":{}}}", thought.get()));
    let opaque = thought.into_iter().map(|json| Opaque { place: 0, json }).collect();
    Ok(Reply { text, thinking, opaque, tool_calls, finish, usage })
}
