//! The body of an answer as a reply: strict where something would be lost, lenient about everything else.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use twicetold_model::{Fault, FaultKind, Finish, Opaque, Reply, ToolCall, Usage};

use super::classify::with_the_vendors_word;
use crate::raw::{
    TOOL_CALLS_MAX, count_of, fault_of, is_something, object, text_of, text_or_raw, unreadable,
};

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    stop_reason: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

/// A block of an answer, or how one begins in a stream.
#[derive(Deserialize)]
pub(super) struct Block<'a> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) thinking: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) signature: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) name: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Counts<'a> {
    #[serde(borrow)]
    input_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    cache_read_input_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    cache_creation_input_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    output_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    output_tokens_details: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OutputDetails<'a> {
    #[serde(borrow)]
    thinking_tokens: Option<&'a RawValue>,
}

/// Reads the body of an answer with status 200.
pub(crate) fn decode(body: &str) -> Result<Reply, Fault> {
    let unreadable = |expected: &str, error: String| unreadable(expected, &error, body);
    let json = body.trim_start_matches('\u{feff}');
    let read: Body<'_> = object(json).map_err(|error| unreadable("a message", error))?;
    if let Some((raw, fault)) = read.error.and_then(|raw| Some((raw, fault_of(raw)?))) {
        let error: Value = serde_json::from_str(raw.get()).unwrap_or_default();
        return Err(match fault.kind {
            FaultKind::ErrorInBody => with_the_vendors_word(fault, &error),
            _ => fault,
        });
    }
    let Some(content) = read.content else {
        return Err(unreadable("a message", "there is no member `content`".to_owned()));
    };
    let finish = finish_of(&read.stop_reason.and_then(text_of).unwrap_or_default());
    let usage = read.usage.map(usage_of).unwrap_or_default();
    let mut reply = Reply {
        text: String::new(),
        thinking: String::new(),
        opaque: Vec::new(),
        tool_calls: Vec::new(),
        finish,
        usage,
    };
    if let Some(text) = text_of(content) {
        return Ok(Reply { text, ..reply });
    }
    let blocks: Vec<&RawValue> = serde_json::from_str(content.get())
        .map_err(|error| unreadable("a list `content`", error.to_string()))?;
    for raw in blocks {
        let block: Block<'_> =
            object(raw.get()).map_err(|error| unreadable("an object in `content`", error))?;
        add(&mut reply, raw, &block);
    }
    Ok(reply)
}

fn add(reply: &mut Reply, raw: &RawValue, block: &Block<'_>) {
    match block.kind.and_then(text_of).as_deref() {
        Some("text") => reply.text.extend(block.text.and_then(text_of)),
        // A kind that is not named is known by what the block holds.
        None if block.text.is_some() => reply.text.extend(block.text.and_then(text_of)),
        Some("tool_use") => {
            if reply.tool_calls.len() < TOOL_CALLS_MAX {
                reply.tool_calls.push(ToolCall {
                    id: block.id.map(text_or_raw).unwrap_or_default(),
                    name: block.name.map(text_or_raw).unwrap_or_default(),
                    arguments: block.input.filter(is_something).map(text_or_raw).unwrap_or_default(),
                });
            }
        }
        Some("thinking") => {
            let thought = block.thinking.and_then(text_of).unwrap_or_default();
            if !reply.thinking.is_empty() && !thought.is_empty() {
                reply.thinking.push_str("\n\n");
            }
            reply.thinking.push_str(&thought);
            // The vendor takes back no thinking without a signature.
            if block.signature.is_some_and(|signature| text_of(signature).is_some()) {
                keep(reply, raw);
            }
        }
        // Thinking that only the server can read, and whatever there will be: the server wants it back as it came.
        _ => keep(reply, raw),
    }
}

/// Keeps a block with its place. The texts of a reply are one text, so that what stood between two of them comes after both.
fn keep(reply: &mut Reply, raw: &RawValue) {
    let is_first = reply.text.is_empty() && reply.tool_calls.is_empty();
    // There are no more calls than [`TOOL_CALLS_MAX`].
    let place = if is_first { 0 } else { reply.tool_calls.len() as u16 + 1 };
    reply.opaque.push(Opaque { place, json: raw.get().to_owned() });
}

fn finish_of(reason: &str) -> Finish {
    match reason {
        "end_turn" | "stop_sequence" => Finish::Stop,
        "tool_use" => Finish::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Filtered,
        _ => Finish::Other,
    }
}

/// The vendor counts what came from its cache, and what went into it, apart from the rest.
fn usage_of(usage: &RawValue) -> Usage {
    // Counts that cannot be read are no reason to lose a reply.
    let counts: Counts<'_> = object(usage.get()).unwrap_or_default();
    let cached_tokens = count_of(counts.cache_read_input_tokens);
    let cache_written_tokens = count_of(counts.cache_creation_input_tokens);
    let input_tokens = count_of(counts.input_tokens);
    let details = counts.output_tokens_details.and_then(|raw| object(raw.get()).ok());
    let details: OutputDetails<'_> = details.unwrap_or_default();
    Usage {
        input_tokens: input_tokens.saturating_add(cached_tokens).saturating_add(cache_written_tokens),
        cached_tokens,
        cache_written_tokens,
        output_tokens: count_of(counts.output_tokens),
        thinking_tokens: count_of(details.thinking_tokens),
    }
}
