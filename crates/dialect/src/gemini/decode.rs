//! The body of an answer as a reply: strict where something would be lost, lenient about everything else.

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::{Fault, FaultKind, Finish, Opaque, Reply, ToolCall, Usage};

use super::classify::with_the_vendors_word;
use super::part::{Call, Part};
use crate::raw::{
    SHOWN_CHARACTERS_MAX, TOOL_CALLS_MAX, count_of, fault_of, is_something, object, text_of, text_or_raw,
    unreadable,
};
use crate::visible;

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    candidates: Option<&'a RawValue>,
    #[serde(rename = "promptFeedback", borrow)]
    prompt_feedback: Option<&'a RawValue>,
    #[serde(rename = "usageMetadata", borrow)]
    usage_metadata: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Candidate<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(rename = "finishReason", borrow)]
    finish_reason: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    parts: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Feedback<'a> {
    #[serde(rename = "blockReason", borrow)]
    block_reason: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Counts<'a> {
    #[serde(borrow)]
    prompt_token_count: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_prompt_token_count: Option<&'a RawValue>,
    #[serde(borrow)]
    cached_content_token_count: Option<&'a RawValue>,
    #[serde(borrow)]
    candidates_token_count: Option<&'a RawValue>,
    #[serde(borrow)]
    thoughts_token_count: Option<&'a RawValue>,
}

/// Does the server say that it would not read the prompt? Then there is no candidate.
pub(super) fn is_blocked(feedback: Option<&RawValue>) -> bool {
    let reason = feedback.and_then(|feedback| object::<Feedback<'_>>(feedback.get()).ok()?.block_reason);
    reason.and_then(text_of).is_some_and(|reason| reason != "BLOCK_REASON_UNSPECIFIED")
}

/// Reads the body of an answer with status 200.
pub(crate) fn decode(body: &str) -> Result<Reply, Fault> {
    let unreadable = |expected: &str, error: String| unreadable(expected, &error, body);
    let json = body.trim_start_matches('\u{feff}');
    // Errors come as the only element of a list sometimes.
    let only = serde_json::from_str::<[&RawValue; 1]>(json).ok();
    let json = only.map_or(json, |[only]| only.get());
    let read: Body<'_> = object(json).map_err(|error| unreadable("an answer with candidates", error))?;
    if let Some((raw, fault)) = read.error.and_then(|raw| Some((raw, fault_of(raw)?))) {
        return Err(with_the_vendors_word(fault, raw.get()));
    }
    let mut reply = Reply {
        text: String::new(),
        thinking: String::new(),
        opaque: Vec::new(),
        tool_calls: Vec::new(),
        finish: Finish::Filtered,
        usage: read.usage_metadata.map(usage_of).unwrap_or_default(),
    };
    let candidates = match read.candidates {
        Some(candidates) => serde_json::from_str::<Option<Vec<&RawValue>>>(candidates.get())
            .map_err(|error| unreadable("a list `candidates`", error.to_string()))?
            .unwrap_or_default(),
        None if is_blocked(read.prompt_feedback) => return Ok(reply),
        None if read.prompt_feedback.is_some() || read.usage_metadata.is_some() => Vec::new(),
        None => {
            return Err(unreadable(
                "an answer with candidates",
                "there is no member `candidates`".to_owned(),
            ));
        }
    };
    let Some(candidate) = candidates.first() else {
        if is_blocked(read.prompt_feedback) {
            return Ok(reply);
        }
        let message = format!("there is no candidate; what came: {}", visible(body, SHOWN_CHARACTERS_MAX));
        return Err(Fault { status: Some(200), ..Fault::new(FaultKind::NoChoices, message) });
    };
    let candidate: Candidate<'_> =
        object(candidate.get()).map_err(|error| unreadable("an object in `candidates`", error))?;
    let parts: Vec<&RawValue> = match candidate.content {
        Some(content) => {
            let content: Content<'_> =
                object(content.get()).map_err(|error| unreadable("an object `content`", error))?;
            let parts = content.parts.map_or("[]", RawValue::get);
            serde_json::from_str::<Option<Vec<&RawValue>>>(parts)
                .map_err(|error| unreadable("a list `parts`", error.to_string()))?
                .unwrap_or_default()
        }
        // What was cut or filtered at its beginning has no content.
        None if candidate.finish_reason.is_some() => Vec::new(),
        None => {
            return Err(unreadable("a candidate with content", "there is no member `content`".to_owned()));
        }
    };
    for raw in parts {
        let part: Part<'_> = object(raw.get()).map_err(|error| unreadable("an object in `parts`", error))?;
        add(&mut reply, raw, &part);
    }
    reply.finish = finish_of(&candidate.finish_reason.and_then(text_of).unwrap_or_default());
    // The vendor has no word of its own for calls.
    if reply.finish == Finish::Stop && !reply.tool_calls.is_empty() {
        reply.finish = Finish::ToolCalls;
    }
    Ok(reply)
}

fn add(reply: &mut Reply, raw: &RawValue, part: &Part<'_>) {
    if let Some(call) = part.call() {
        if reply.tool_calls.len() >= TOOL_CALLS_MAX {
            return;
        }
        if let Some(signature) = part.signature() {
            // It goes back on the call behind it.
            let json = format!("{{\"thoughtSignature\":{}}}", signature.get());
            reply.opaque.push(Opaque { place: reply.tool_calls.len() as u16 + 1, json });
        }
        reply.tool_calls.push(call_of(call));
        return;
    }
    let text = part.text.and_then(text_of);
    let is_text = text.is_some();
    if part.is_thought() {
        let thought = text.unwrap_or_default();
        reply.thinking.push_str(&thought);
        if part.signature().is_some() {
            keep(reply, raw.get().to_owned());
        }
    } else if let Some(text) = text {
        reply.text.push_str(&text);
        if let Some(signature) = part.signature() {
            // As the vendor sends it at the end of a stream: words that were read may lose what was no speech in them.
            keep(reply, format!("{{\"text\":\"\",\"thoughtSignature\":{}}}", signature.get()));
        }
    }
    if !is_text && !part.is_thought() {
        // A part of another kind, which the server wants back as it came.
        keep(reply, raw.get().to_owned());
    }
}

/// Keeps a block with its place.
fn keep(reply: &mut Reply, json: String) {
    let is_first = reply.text.is_empty() && reply.tool_calls.is_empty();
    // There are no more calls than [`TOOL_CALLS_MAX`].
    let place = if is_first { 0 } else { reply.tool_calls.len() as u16 + 1 };
    reply.opaque.push(Opaque { place, json });
}

/// What is no call is kept as one without a name, so that nothing is lost.
fn call_of(raw: &RawValue) -> ToolCall {
    match object::<Call<'_>>(raw.get()) {
        Ok(call) => ToolCall {
            id: call.id.filter(is_something).map(text_or_raw).unwrap_or_default(),
            name: call.name.filter(is_something).map(text_or_raw).unwrap_or_default(),
            // The vendor leaves arguments out where there are none.
            arguments: call.args.filter(is_something).map_or_else(|| "{}".to_owned(), text_or_raw),
        },
        Err(_) => ToolCall { id: String::new(), name: String::new(), arguments: raw.get().to_owned() },
    }
}

fn finish_of(reason: &str) -> Finish {
    match reason {
        "STOP" => Finish::Stop,
        "MAX_TOKENS" | "CONTINUATION" => Finish::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" => {
            Finish::Filtered
        }
        // Among them calls that the model began and the server could not read: nothing of them comes.
        _ => Finish::Other,
    }
}

/// The vendor counts what was thought apart from what was said.
fn usage_of(usage: &RawValue) -> Usage {
    // Counts that cannot be read are no reason to lose a reply.
    let counts: Counts<'_> = object(usage.get()).unwrap_or_default();
    let thinking_tokens = count_of(counts.thoughts_token_count);
    let prompt = count_of(counts.prompt_token_count);
    Usage {
        input_tokens: prompt.saturating_add(count_of(counts.tool_use_prompt_token_count)),
        cached_tokens: count_of(counts.cached_content_token_count),
        cache_written_tokens: 0,
        output_tokens: count_of(counts.candidates_token_count).saturating_add(thinking_tokens),
        thinking_tokens,
    }
}
