//! A streamed answer as the body that the same answer would have without streaming.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::Fault;

use super::decode::Block as Start;
use crate::acceptable::is_object;
use crate::ended::Estimate;
use crate::push_json_string;
use crate::raw::{
    events_of, fault_of, is_reason, is_something, object, text_of, text_or_raw, truncated, unreadable,
};

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    index: Option<&'a RawValue>,
    #[serde(borrow)]
    content_block: Option<&'a RawValue>,
    #[serde(borrow)]
    delta: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

/// A piece of a block, or what is said of the whole message at its end.
#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    thinking: Option<&'a RawValue>,
    #[serde(borrow)]
    signature: Option<&'a RawValue>,
    #[serde(borrow)]
    partial_json: Option<&'a RawValue>,
    #[serde(borrow)]
    stop_reason: Option<&'a RawValue>,
    #[serde(borrow)]
    stop_sequence: Option<&'a RawValue>,
}

/// A block as far as it came.
struct Block<'a> {
    index: u64,
    is_closed: bool,
    content: Content<'a>,
}

enum Content<'a> {
    Text(String),
    Thinking {
        thinking: String,
        signature: String,
    },
    Call {
        id: String,
        name: String,
        /// The input as the block began, which is all of it where no pieces follow.
        begun: Option<&'a RawValue>,
        pieces: String,
    },
    /// A block of another kind, which comes whole. Of one that comes in pieces nobody here knows what they amount to.
    Other {
        raw: &'a RawValue,
        is_whole: bool,
    },
}

/// What the events so far amount to.
#[derive(Default)]
struct Whole<'a> {
    id: Option<&'a RawValue>,
    model: Option<&'a RawValue>,
    blocks: Vec<Block<'a>>,
    stop_reason: Option<&'a RawValue>,
    stop_sequence: Option<&'a RawValue>,
    usage: BTreeMap<String, &'a RawValue>,
}

/// The body of the message that a stream of server-sent events amounts to. An answer without events is returned as it is: a
/// server that does not stream answers with the whole body.
pub(crate) fn assemble(stream: &str) -> Result<String, Fault> {
    let mut whole = Whole::default();
    let (mut events, mut is_done) = (0, false);
    for data in events_of(stream) {
        events += 1;
        let event: Event<'_> =
            object(data).map_err(|error| unreadable("an event of a message", &error, data))?;
        let kind = event.kind.and_then(text_of).unwrap_or_default();
        if kind == "error" || event.error.is_some_and(|error| fault_of(error).is_some()) {
            return Ok(data.to_owned());
        }
        if kind == "message_stop" {
            is_done = true;
            break;
        }
        whole.add(&kind, &event).map_err(|error| unreadable("an event of a message", &error, data))?;
    }
    if events == 0 {
        return Ok(stream.to_owned());
    }
    if !is_done && whole.stop_reason.is_none() {
        return Err(truncated(events));
    }
    Ok(whole.body())
}

/// The object in a member; an error where it is missing or none, for what it says would be lost.
fn member<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>, name: &str) -> Result<T, String> {
    let raw = raw.ok_or_else(|| format!("there is no member `{name}`"))?;
    object(raw.get()).map_err(|error| format!("`{name}`: {error}"))
}

fn text(raw: Option<&RawValue>) -> String {
    raw.filter(is_something).map(text_or_raw).unwrap_or_default()
}

impl<'a> Whole<'a> {
    /// Events of other kinds, such as `ping`, say nothing.
    fn add(&mut self, kind: &str, event: &Event<'a>) -> Result<(), String> {
        let index = event.index.and_then(|index| serde_json::from_str(index.get()).ok()).unwrap_or_default();
        match kind {
            "message_start" => {
                let message: Message<'_> = member(event.message, "message")?;
                self.id = self.id.or(message.id);
                self.model = self.model.or(message.model);
                self.count(message.usage);
            }
            "content_block_start" => {
                let start: Start<'_> = member(event.content_block, "content_block")?;
                self.begin(index, &start, event.content_block);
            }
            "content_block_delta" => self.extend(index, &member(event.delta, "delta")?),
            "content_block_stop" => {
                let blocks = self.blocks.iter_mut().filter(|block| block.index == index);
                blocks.for_each(|block| block.is_closed = true);
            }
            "message_delta" => {
                let delta: Delta<'_> = member(event.delta, "delta")?;
                self.stop_reason = delta.stop_reason.filter(is_reason).or(self.stop_reason);
                self.stop_sequence = delta.stop_sequence.filter(is_something).or(self.stop_sequence);
                self.count(event.usage);
            }
            _ => {}
        }
        Ok(())
    }

    /// Counts are those of the whole message so far. Some servers begin or end with zeros that mean nothing.
    fn count(&mut self, usage: Option<&'a RawValue>) {
        let counts = usage.and_then(|usage| object::<BTreeMap<String, &RawValue>>(usage.get()).ok());
        for (name, count) in counts.unwrap_or_default() {
            let says_something = is_something(&count) && count.get() != "0";
            if says_something || !self.usage.contains_key(&name) {
                self.usage.insert(name, count);
            }
        }
    }

    /// A block that begins twice is one block; after its end, another one may have the same index.
    fn begin(&mut self, index: u64, start: &Start<'a>, raw: Option<&'a RawValue>) {
        let content = match (start.kind.and_then(text_of).as_deref(), raw) {
            (Some("text"), _) => Content::Text(text(start.text)),
            (Some("thinking"), _) => {
                Content::Thinking { thinking: text(start.thinking), signature: text(start.signature) }
            }
            (Some("tool_use"), _) => Content::Call {
                id: text(start.id),
                name: text(start.name),
                begun: start.input,
                pieces: String::new(),
            },
            (_, Some(raw)) => Content::Other { raw, is_whole: true },
            (_, None) => return,
        };
        let again = |block: &Block<'_>| block.index == index && (!block.is_closed || block.repeats(&content));
        if !self.blocks.iter().any(again) {
            self.blocks.push(Block { index, is_closed: false, content });
        }
    }

    fn extend(&mut self, index: u64, delta: &Delta<'a>) {
        let kind = delta.kind.and_then(text_of).unwrap_or_default();
        if !self.blocks.iter().any(|block| block.index == index) {
            // The beginning was lost, but not what is said.
            let content = match kind.as_str() {
                "text_delta" => Content::Text(String::new()),
                "thinking_delta" => Content::Thinking { thinking: String::new(), signature: String::new() },
                "input_json_delta" => Content::Call {
                    id: String::new(),
                    name: String::new(),
                    begun: None,
                    pieces: String::new(),
                },
                _ => return,
            };
            self.blocks.push(Block { index, is_closed: false, content });
        }
        let Some(block) = self.blocks.iter_mut().rfind(|block| block.index == index) else { return };
        match &mut block.content {
            Content::Text(words) => words.push_str(&text(delta.text)),
            Content::Thinking { thinking, signature } => {
                thinking.push_str(&text(delta.thinking));
                signature.push_str(&text(delta.signature));
            }
            Content::Call { pieces, .. } => pieces.push_str(&text(delta.partial_json)),
            Content::Other { is_whole, .. } => *is_whole = false,
        }
    }

    fn body(&self) -> String {
        let raw = |raw: Option<&'a RawValue>, otherwise| raw.map_or(otherwise, RawValue::get);
        let mut out = String::with_capacity(1_024);
        out.push_str("{\"id\":");
        out.push_str(raw(self.id, "\"\""));
        out.push_str(",\"type\":\"message\",\"role\":\"assistant\",\"model\":");
        out.push_str(raw(self.model, "\"\""));
        out.push_str(",\"content\":[");
        let start = out.len();
        for block in &self.blocks {
            block.content.push(&mut out, start);
        }
        out.push_str("],\"stop_reason\":");
        out.push_str(raw(self.stop_reason, "null"));
        out.push_str(",\"stop_sequence\":");
        out.push_str(raw(self.stop_sequence, "null"));
        out.push_str(",\"usage\":{");
        for (index, (name, count)) in self.usage.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            push_json_string(&mut out, name);
            out.push(':');
            out.push_str(count.get());
        }
        out.push_str("}}");
        out
    }
}

impl Block<'_> {
    /// Is a block that begins the very one that has ended?
    fn repeats(&self, begun: &Content<'_>) -> bool {
        match (&self.content, begun) {
            (Content::Call { id, .. }, Content::Call { id: other, .. }) => !id.is_empty() && id == other,
            (Content::Other { raw, .. }, Content::Other { raw: other, .. }) => raw.get() == other.get(),
            _ => false,
        }
    }
}

impl Content<'_> {
    fn push(&self, out: &mut String, start: usize) {
        if matches!(self, Content::Other { is_whole: false, .. }) {
            return;
        }
        if out.len() > start {
            out.push(',');
        }
        match self {
            Content::Text(text) => {
                out.push_str("{\"type\":\"text\",\"text\":");
                push_json_string(out, text);
                out.push('}');
            }
            Content::Thinking { thinking, signature } => {
                out.push_str("{\"type\":\"thinking\",\"thinking\":");
                push_json_string(out, thinking);
                if !signature.is_empty() {
                    out.push_str(",\"signature\":");
                    push_json_string(out, signature);
                }
                out.push('}');
            }
            Content::Call { id, name, begun, pieces } => {
                out.push_str("{\"type\":\"tool_use\",\"id\":");
                push_json_string(out, id);
                out.push_str(",\"name\":");
                push_json_string(out, name);
                out.push_str(",\"input\":");
                match begun {
                    Some(begun) if pieces.is_empty() => out.push_str(begun.get()),
                    None if pieces.is_empty() => out.push_str("{}"),
                    _ if is_object(pieces) => out.push_str(pieces),
                    // Half of an input, or no JSON at all, is kept as the text that it is.
                    _ => push_json_string(out, pieces),
                }
                out.push('}');
            }
            Content::Other { raw, .. } => out.push_str(raw.get()),
        }
    }
}

/// The end of a stream that was given up. What was read is said where a stream begins.
pub(crate) fn end(Estimate { reply, .. }: Estimate) -> String {
    format!(
        "data: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":\"max_tokens\"}},\
         \"usage\":{{\"output_tokens\":{reply},\"estimated\":true}}}}\n\ndata: {{\"type\":\"message_stop\"}}\n\n"
    )
}
