//! The body of an answer as a reply: strict where something would be lost, lenient about everything else.

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::{Fault, FaultKind, Finish, Opaque, Reply, Usage};

use crate::calls::calls_of;
use crate::raw::{
    Details, SHOWN_CHARACTERS_MAX, count_of, fault_of, is_something, object, objects, text_of, unreadable,
};
use crate::{ThinkingField, push_json_string, visible};

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    choices: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    finish_reason: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_calls: Option<&'a RawValue>,
    // What the model thought: llama.cpp and DeepSeek; vLLM and Ollama; OpenRouter.
    #[serde(borrow)]
    reasoning_content: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning_details: Option<&'a RawValue>,
}

/// A piece of OpenRouter's thinking; encrypted ones have no words.
#[derive(Deserialize)]
struct Detail<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
}

/// A piece of a content that is a list.
#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Counts<'a> {
    #[serde(borrow)]
    prompt_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    completion_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    prompt_tokens_details: Option<&'a RawValue>,
    #[serde(borrow)]
    completion_tokens_details: Option<&'a RawValue>,
}

/// Reads the body of an answer with status 200. What the model thought is kept for the field in which the server takes it back.
pub(crate) fn decode(body: &str, field: ThinkingField) -> Result<Reply, Fault> {
    let unreadable = |expected: &str, error: String| unreadable(expected, &error, body);
    let json = body.trim_start_matches('\u{feff}');
    let read: Body<'_> = object(json).map_err(|error| unreadable("a chat completion", error))?;
    if let Some(fault) = read.error.and_then(fault_of) {
        return Err(fault);
    }
    let Some(choices) = read.choices else {
        return Err(unreadable("a chat completion", "there is no member `choices`".to_owned()));
    };
    let choices: Vec<&RawValue> = serde_json::from_str(choices.get())
        .map_err(|error| unreadable("a list `choices`", error.to_string()))?;
    let Some(choice) = choices.first() else {
        let message = format!("`choices` is empty; what came: {}", visible(body, SHOWN_CHARACTERS_MAX));
        return Err(Fault { status: Some(200), ..Fault::new(FaultKind::NoChoices, message) });
    };
    let choice: Choice<'_> =
        object(choice.get()).map_err(|error| unreadable("an object in `choices`", error))?;
    if let Some(fault) = choice.error.and_then(fault_of) {
        return Err(fault);
    }
    let finish_reason = choice.finish_reason.and_then(text_of).unwrap_or_default();
    if finish_reason == "error" {
        let message = "the choice ended with finish_reason `error` and no explanation";
        return Err(Fault { status: Some(200), ..Fault::new(FaultKind::ErrorInBody, message) });
    }
    let message: Message<'_> = match choice.message {
        Some(message) => object(message.get()).map_err(|error| unreadable("an object `message`", error))?,
        None => return Err(unreadable("a choice with a message", "there is no member `message`".to_owned())),
    };
    let mut finish = finish_of(&finish_reason);
    let mut text = match message.content {
        Some(content) => content_of(content).map_err(|error| unreadable("a text `content`", error))?,
        None => String::new(),
    };
    if let (true, Some(refusal)) = (text.is_empty(), message.refusal.and_then(text_of)) {
        // The model declined in a place of its own: still its words, and no reason to ask again.
        text = refusal;
        finish = Finish::Filtered;
    }
    let tool_calls = match message.tool_calls {
        Some(calls) => calls_of(calls).map_err(|error| unreadable("a list `tool_calls`", error))?,
        None => Vec::new(),
    };
    let thinking = thought(message.reasoning_content, message.reasoning, message.reasoning_details);
    let usage = read.usage.map(usage_of).unwrap_or_default();
    let opaque = taken_back(&thinking, message.reasoning_details, field).into_iter().collect();
    Ok(Reply { text, thinking, opaque, tool_calls, finish, usage })
}

/// What a server wants back of what its model thought: the details as they came, which may be signed, or else the words.
fn taken_back(thinking: &str, details: Option<&RawValue>, field: ThinkingField) -> Option<Opaque> {
    let name = field.name()?;
    let mut json = format!("{{\"{name}\":");
    match field {
        ThinkingField::ReasoningDetails => json.push_str(details.filter(is_something)?.get()),
        _ if thinking.is_empty() => return None,
        _ => push_json_string(&mut json, thinking),
    }
    json.push('}');
    Some(Opaque { place: 0, json })
}

/// What a model thought, from the first place that holds something: servers that fill two say the same in both.
pub(super) fn thought(
    content: Option<&RawValue>,
    reasoning: Option<&RawValue>,
    details: Option<&RawValue>,
) -> String {
    let mut texts = [content, reasoning].into_iter().flatten().filter_map(text_of);
    let details = || -> Option<String> {
        let pieces: Vec<Detail<'_>> = objects(details?).ok()?;
        Some(pieces.into_iter().filter_map(|piece| piece.text.or(piece.summary).and_then(text_of)).collect())
    };
    texts.find(|text| !text.is_empty()).or_else(details).unwrap_or_default()
}

fn finish_of(reason: &str) -> Finish {
    match reason {
        "stop" => Finish::Stop,
        "tool_calls" | "function_call" => Finish::ToolCalls,
        "length" => Finish::Length,
        "content_filter" => Finish::Filtered,
        _ => Finish::Other,
    }
}

/// A text, or a list of pieces with texts; pieces of other kinds are left out.
pub(super) fn content_of(content: &RawValue) -> Result<String, String> {
    if let Some(text) = text_of(content) {
        return Ok(text);
    }
    let pieces: Vec<Piece<'_>> = objects(content)?;
    let is_said = |piece: &Piece<'_>| {
        piece.kind.and_then(text_of).is_none_or(|kind| kind == "text" || kind == "output_text")
    };
    Ok(pieces.into_iter().filter(is_said).filter_map(|piece| text_of(piece.text?)).collect())
}

fn usage_of(usage: &RawValue) -> Usage {
    // Counts that cannot be read are no reason to lose a reply.
    let counts: Counts<'_> = object(usage.get()).unwrap_or_default();
    let prompt = Details::of(counts.prompt_tokens_details);
    let completion = Details::of(counts.completion_tokens_details);
    Usage {
        input_tokens: count_of(counts.prompt_tokens),
        cached_tokens: count_of(prompt.cached_tokens),
        cache_written_tokens: count_of(prompt.cache_write_tokens),
        output_tokens: count_of(counts.completion_tokens),
        thinking_tokens: count_of(completion.reasoning_tokens),
    }
}
