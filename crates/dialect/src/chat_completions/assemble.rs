//! A streamed answer as the body that the same answer would have without streaming.

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::Fault;

use super::decode::{content_of, thought};
use super::details::Details;
use crate::acceptable::is_object;
use crate::ended::Estimate;
use crate::push_json_string;
use crate::raw::{
    TOOL_CALLS_MAX, events_of, is_blank_raw, is_reason, is_something, object, text_of, text_or_raw,
    truncated, unreadable,
};

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    created: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    index: Option<u64>,
    #[serde(borrow)]
    delta: Option<Delta<'a>>,
    #[serde(borrow)]
    finish_reason: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning_content: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning_details: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_calls: Option<Vec<CallDelta<'a>>>,
}

#[derive(Deserialize)]
struct CallDelta<'a> {
    index: Option<u64>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    function: Option<FunctionDelta<'a>>,
}

#[derive(Deserialize)]
struct FunctionDelta<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

#[derive(Default)]
struct Call {
    index: u64,
    id: String,
    name: String,
    arguments: String,
}

/// What the chunks so far amount to.
#[derive(Default)]
struct Whole<'a> {
    id: Option<&'a RawValue>,
    created: Option<&'a RawValue>,
    model: Option<&'a RawValue>,
    content: String,
    refusal: String,
    thinking: String,
    details: Details,
    calls: Vec<Call>,
    finish_reason: Option<&'a RawValue>,
    usage: Option<&'a RawValue>,
}

/// The body of the chat completion that a stream of server-sent events amounts to. An answer without events is returned as
/// it is: a server that does not stream answers with the whole body.
pub(crate) fn assemble(stream: &str) -> Result<String, Fault> {
    let mut whole = Whole::default();
    let (mut events, mut is_done) = (0, false);
    for data in events_of(stream) {
        events += 1;
        if data == "[DONE]" {
            is_done = true;
            break;
        }
        let chunk: Chunk<'_> =
            object(data).map_err(|error| unreadable("a chunk of a chat completion", &error, data))?;
        if !chunk.error.is_none_or(is_blank_raw) {
            return Ok(data.to_owned());
        }
        whole.add(chunk);
    }
    if events == 0 {
        return Ok(stream.to_owned());
    }
    if !is_done && whole.finish_reason.is_none() {
        return Err(truncated(events));
    }
    Ok(whole.body())
}

impl<'a> Whole<'a> {
    fn add(&mut self, chunk: Chunk<'a>) {
        self.id = self.id.or(chunk.id.filter(is_something));
        self.created = self.created.or(chunk.created.filter(is_something));
        self.model = self.model.or(chunk.model.filter(is_something));
        self.usage = chunk.usage.filter(is_something).or(self.usage);
        let choices = chunk.choices.into_iter().flatten();
        for choice in choices.filter(|choice| choice.index.unwrap_or_default() == 0) {
            self.finish_reason = choice.finish_reason.filter(is_reason).or(self.finish_reason);
            let Some(delta) = choice.delta else { continue };
            self.content.extend(delta.content.and_then(|content| content_of(content).ok()));
            self.details.add(delta.reasoning_details);
            self.thinking += &thought(delta.reasoning_content, delta.reasoning, delta.reasoning_details);
            self.refusal.extend(delta.refusal.and_then(text_of));
            delta.tool_calls.into_iter().flatten().for_each(|call| self.add_call(call));
        }
    }

    /// The pieces of one call have one index. Some servers give every call the index 0 and an id of its own, or no index.
    fn add_call(&mut self, delta: CallDelta<'_>) {
        let text = |raw: Option<&RawValue>| raw.filter(is_something).map(text_or_raw).unwrap_or_default();
        let id = text(delta.id);
        let arguments = text(delta.function.as_ref().and_then(|function| function.arguments));
        // A server that gives neither: what begins behind a whole object is another call.
        let begins = id.is_empty() && arguments.trim_start().starts_with('{');
        let place = self.calls.iter().rposition(|call| {
            let is_known = id.is_empty() || call.id.is_empty() || id == call.id;
            delta.index.is_none_or(|index| index == call.index) && is_known
        });
        // A whole object ends with its bracket: all of it is read only then.
        let is_whole = |arguments: &str| arguments.trim_end().ends_with('}') && is_object(arguments);
        let place = place.filter(|place| !(begins && is_whole(&self.calls[*place].arguments)));
        // No more of them are looked at in the end.
        if place.is_none() && self.calls.len() >= TOOL_CALLS_MAX {
            return;
        }
        let place = place.unwrap_or_else(|| {
            self.calls.push(Call { index: delta.index.unwrap_or_default(), ..Call::default() });
            self.calls.len() - 1
        });
        let call = &mut self.calls[place];
        if call.id.is_empty() {
            call.id = id;
        }
        let Some(function) = delta.function else { return };
        // Some servers repeat the name with every piece.
        if call.name.is_empty() {
            call.name = text(function.name);
        }
        call.arguments.push_str(&arguments);
    }

    fn body(&self) -> String {
        let raw = |raw: Option<&'a RawValue>, otherwise| raw.map_or(otherwise, RawValue::get);
        let mut out = String::with_capacity(self.content.len() * 9 / 8 + 512);
        out.push_str("{\"id\":");
        out.push_str(raw(self.id, "\"\""));
        out.push_str(",\"object\":\"chat.completion\",\"created\":");
        out.push_str(raw(self.created, "0"));
        out.push_str(",\"model\":");
        out.push_str(raw(self.model, "\"\""));
        out.push_str(",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
        match self.content.is_empty() {
            true => out.push_str("null"),
            false => push_json_string(&mut out, &self.content),
        }
        if !self.refusal.is_empty() {
            out.push_str(",\"refusal\":");
            push_json_string(&mut out, &self.refusal);
        }
        if !self.thinking.is_empty() {
            out.push_str(",\"reasoning_content\":");
            push_json_string(&mut out, &self.thinking);
        }
        self.details.push(&mut out);
        for (place, call) in self.calls.iter().enumerate() {
            out.push_str(if place == 0 { ",\"tool_calls\":[{\"id\":" } else { ",{\"id\":" });
            push_json_string(&mut out, &call.id);
            out.push_str(",\"type\":\"function\",\"function\":{\"name\":");
            push_json_string(&mut out, &call.name);
            out.push_str(",\"arguments\":");
            push_json_string(&mut out, &call.arguments);
            out.push_str("}}");
        }
        out.push_str(if self.calls.is_empty() { "},\"finish_reason\":" } else { "]},\"finish_reason\":" });
        out.push_str(raw(self.finish_reason, "null"));
        out.push_str("}]");
        if let Some(usage) = self.usage {
            out.push_str(",\"usage\":");
            out.push_str(usage.get());
        }
        out.push('}');
        out
    }
}

/// The end of a stream that was given up.
pub(crate) fn end(Estimate { prompt, reply }: Estimate) -> String {
    format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"length\"}}],\
         \"usage\":{{\"prompt_tokens\":{prompt},\"completion_tokens\":{reply},\"estimated\":true}}}}\n\ndata: [DONE]\n\n"
    )
}
