//! The body of a response as a reply: strict where something would be lost, lenient about everything else.

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::{Fault, FaultKind, Finish, Opaque, Reply, ToolCall, Usage};

use crate::raw::{
    Details, SHOWN_CHARACTERS_MAX, TOOL_CALLS_MAX, count_of, fault_of, is_something, object, objects,
    text_of, text_or_raw, truncated, unreadable,
};
use crate::visible;

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    #[serde(borrow)]
    incomplete_details: Option<&'a RawValue>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Incomplete<'a> {
    #[serde(borrow)]
    reason: Option<&'a RawValue>,
}

/// A member of `output`, of whatever type.
#[derive(Deserialize)]
struct Item<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    // A message, or thinking that is not hidden.
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    // A call.
    #[serde(borrow)]
    call_id: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    // Thinking.
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    encrypted_content: Option<&'a RawValue>,
}

/// A piece of a message or of thinking.
#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    refusal: Option<&'a RawValue>,
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Counts<'a> {
    #[serde(borrow)]
    input_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    output_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    input_tokens_details: Option<&'a RawValue>,
    #[serde(borrow)]
    output_tokens_details: Option<&'a RawValue>,
}

/// What the items of `output` say together.
#[derive(Default)]
struct Said {
    texts: Vec<String>,
    refusals: Vec<String>,
    thinking: Vec<String>,
    calls: Vec<ToolCall>,
    opaque: Vec<Opaque>,
    /// How many blocks, the last ones, stand before an item that has not come yet.
    waiting: usize,
}

/// Reads the body of an answer with status 200.
pub(crate) fn decode(body: &str) -> Result<Reply, Fault> {
    let unreadable = |expected: &str, error: String| unreadable(expected, &error, body);
    let json = body.trim_start_matches('\u{feff}');
    let read: Body<'_> = object(json).map_err(|error| unreadable("a response", error))?;
    if let Some(fault) = read.error.and_then(fault_of) {
        return Err(fault);
    }
    let status = read.status.and_then(text_of).unwrap_or_default();
    match status.as_str() {
        "failed" => {
            let message = "the response has the status `failed` and no explanation";
            return Err(Fault { status: Some(200), ..Fault::new(FaultKind::ErrorInBody, message) });
        }
        "in_progress" | "queued" => return Err(truncated(1)),
        _ => {}
    }
    let Some(output) = read.output.filter(is_something) else {
        return Err(unreadable("a response", "there is no member `output`".to_owned()));
    };
    let items: Vec<&RawValue> = serde_json::from_str(output.get())
        .map_err(|error| unreadable("a list `output`", error.to_string()))?;
    if items.is_empty() && status != "incomplete" {
        let message = format!("`output` is empty; what came: {}", visible(body, SHOWN_CHARACTERS_MAX));
        return Err(Fault { status: Some(200), ..Fault::new(FaultKind::NoChoices, message) });
    }
    let mut said = Said::default();
    for item in items {
        said.add(item).map_err(|error| unreadable("a member of `output`", error))?;
    }
    // Replies say all their words before their calls.
    said.opaque.sort_by_key(|block| block.place);
    let incomplete: Incomplete<'_> =
        read.incomplete_details.and_then(|raw| object(raw.get()).ok()).unwrap_or_default();
    let mut finish = match (status.as_str(), incomplete.reason.and_then(text_of).as_deref()) {
        ("completed" | "", _) if !said.calls.is_empty() => Finish::ToolCalls,
        ("completed", _) => Finish::Stop,
        ("incomplete", Some("max_output_tokens")) => Finish::Length,
        ("incomplete", Some("content_filter")) => Finish::Filtered,
        _ => Finish::Other,
    };
    let mut text = said.texts.join("\n\n");
    if text.is_empty() && !said.refusals.is_empty() {
        // The model declined in a place of its own: still its words, and no reason to ask again.
        text = said.refusals.join("\n\n");
        finish = Finish::Filtered;
    }
    let usage = read.usage.map(usage_of).unwrap_or_default();
    let thinking = said.thinking.join("\n\n");
    Ok(Reply { text, thinking, opaque: said.opaque, tool_calls: said.calls, finish, usage })
}

impl Said {
    /// Items of types that nobody asked for are passed over.
    fn add(&mut self, raw: &RawValue) -> Result<(), String> {
        let item: Item<'_> = object(raw.get())?;
        match item.kind.and_then(text_of).as_deref() {
            Some("message") => {
                let Some(content) = item.content.filter(is_something) else { return Ok(()) };
                let (text, refusal) = words_of(content)?;
                self.place_blocks(0);
                self.texts.extend(Some(text).filter(|text| !text.is_empty()));
                self.refusals.extend(Some(refusal).filter(|text| !text.is_empty()));
            }
            Some("function_call") => {
                self.place_blocks(self.calls.len() + 1);
                if self.calls.len() < TOOL_CALLS_MAX {
                    self.calls.push(ToolCall {
                        id: item.call_id.or(item.id).map(text_or_raw).unwrap_or_default(),
                        name: item.name.map(text_or_raw).unwrap_or_default(),
                        arguments: item.arguments.map(text_or_raw).unwrap_or_default(),
                    });
                }
            }
            Some("reasoning") => {
                // Servers that show the thinking itself may sum it up too.
                let thought = [item.content, item.summary].into_iter().flatten().map(paragraphs_of);
                self.thinking.extend(thought.into_iter().find(|thought| !thought.is_empty()));
                // Without it the block is only a reference to what the server did not keep.
                if item.encrypted_content.and_then(text_of).is_some_and(|text| !text.is_empty()) {
                    let place = u16::try_from(self.calls.len() + 1).unwrap_or(u16::MAX);
                    self.opaque.push(Opaque { place, json: raw.get().to_owned() });
                    self.waiting += 1;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The item that the last blocks stand before has come.
    fn place_blocks(&mut self, place: usize) {
        let known = self.opaque.len() - self.waiting;
        for block in &mut self.opaque[known..] {
            block.place = u16::try_from(place).unwrap_or(u16::MAX);
        }
        self.waiting = 0;
    }
}

/// What a message says, and what it refuses with: a text, or a list of pieces.
fn words_of(content: &RawValue) -> Result<(String, String), String> {
    if let Some(text) = text_of(content) {
        return Ok((text, String::new()));
    }
    let (mut words, mut refusal) = (String::new(), String::new());
    for piece in objects::<Piece<'_>>(content)? {
        match piece.kind.and_then(text_of).as_deref() {
            Some("output_text" | "text") | None => words.extend(piece.text.and_then(text_of)),
            Some("refusal") => refusal.extend(piece.refusal.and_then(text_of)),
            Some(_) => {}
        }
    }
    Ok((words, refusal))
}

/// The texts of a list of pieces as paragraphs; nothing where it is no such list.
fn paragraphs_of(list: &RawValue) -> String {
    let pieces: Vec<Piece<'_>> = objects(list).unwrap_or_default();
    let texts: Vec<String> = pieces.into_iter().filter_map(|piece| text_of(piece.text?)).collect();
    texts.join("\n\n")
}

fn usage_of(usage: &RawValue) -> Usage {
    let counts: Counts<'_> = object(usage.get()).unwrap_or_default();
    let (input, output) =
        (Details::of(counts.input_tokens_details), Details::of(counts.output_tokens_details));
    Usage {
        input_tokens: count_of(counts.input_tokens),
        cached_tokens: count_of(input.cached_tokens),
        cache_written_tokens: count_of(input.cache_write_tokens),
        output_tokens: count_of(counts.output_tokens),
        thinking_tokens: count_of(output.reasoning_tokens),
    }
}
