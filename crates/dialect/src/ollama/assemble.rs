//! A streamed answer of Ollama as the body that the same answer would have without streaming.

use serde_json::value::RawValue;
use twicetold_model::Fault;

use super::decode::{Line, Message};
use crate::ended::Estimate;
use crate::push_json_string;
use crate::raw::{is_blank_raw, is_something, object, text_of, truncated, unreadable};

/// What the lines so far amount to.
#[derive(Default)]
struct Whole<'a> {
    model: Option<&'a RawValue>,
    created_at: Option<&'a RawValue>,
    content: String,
    thinking: String,
    calls: Vec<&'a RawValue>,
    done_reason: Option<&'a RawValue>,
    prompt_eval_count: Option<&'a RawValue>,
    eval_count: Option<&'a RawValue>,
}

/// The body that a stream of lines amounts to, each of them a JSON object. Anything else is returned as it is: an error, or the
/// whole answer of a server that does not stream.
pub(crate) fn assemble(stream: &str) -> Result<String, Fault> {
    let is_stream = match object::<Line<'_>>(stream) {
        Ok(line) => line.done() == Some(false) && line.error.is_none_or(is_blank_raw),
        Err(_) => stream.trim_start().starts_with('{'),
    };
    if !is_stream {
        return Ok(stream.to_owned());
    }
    let mut whole = Whole::default();
    let mut lines = 0;
    for json in stream.lines().map(str::trim).filter(|line| !line.is_empty()) {
        lines += 1;
        let line: Line<'_> = object(json).map_err(|error| unreadable("a line of a stream", &error, json))?;
        if !line.error.is_none_or(is_blank_raw) {
            return Ok(json.to_owned());
        }
        let is_done = line.done() == Some(true);
        whole.add(line).map_err(|error| unreadable("a line of a stream", &error, json))?;
        if is_done {
            return Ok(whole.body());
        }
    }
    Err(truncated(lines))
}

impl<'a> Whole<'a> {
    fn add(&mut self, line: Line<'a>) -> Result<(), String> {
        self.model = self.model.or(line.model.filter(is_something));
        self.created_at = self.created_at.or(line.created_at.filter(is_something));
        self.done_reason = line.done_reason.filter(is_something).or(self.done_reason);
        self.prompt_eval_count = line.prompt_eval_count.filter(is_something).or(self.prompt_eval_count);
        self.eval_count = line.eval_count.filter(is_something).or(self.eval_count);
        let Some(message) = line.message.filter(is_something) else { return Ok(()) };
        let message: Message<'a> = object(message.get())?;
        if let Some(content) = message.content.filter(is_something) {
            self.content += &text_of(content).ok_or("`content` is not a text")?;
        }
        self.thinking.extend(message.thinking.and_then(text_of));
        if let Some(calls) = message.tool_calls.filter(is_something) {
            let calls: Vec<&RawValue> =
                serde_json::from_str(calls.get()).map_err(|error| error.to_string())?;
            self.calls.extend(calls);
        }
        Ok(())
    }

    fn body(&self) -> String {
        let mut out = String::with_capacity(self.content.len() * 9 / 8 + 512);
        out.push_str("{\"model\":");
        out.push_str(self.model.map_or("\"\"", RawValue::get));
        if let Some(created_at) = self.created_at {
            out.push_str(",\"created_at\":");
            out.push_str(created_at.get());
        }
        out.push_str(",\"message\":{\"role\":\"assistant\",\"content\":");
        push_json_string(&mut out, &self.content);
        if !self.thinking.is_empty() {
            out.push_str(",\"thinking\":");
            push_json_string(&mut out, &self.thinking);
        }
        for (index, call) in self.calls.iter().enumerate() {
            out.push_str(if index == 0 { ",\"tool_calls\":[" } else { "," });
            out.push_str(call.get());
        }
        out.push_str(if self.calls.is_empty() { "}" } else { "]}" });
        let last = [
            ("done_reason", self.done_reason),
            ("prompt_eval_count", self.prompt_eval_count),
            ("eval_count", self.eval_count),
        ];
        out.push_str(",\"done\":true");
        for (name, raw) in last {
            if let Some(raw) = raw {
                out.push_str(",\"");
                out.push_str(name);
                out.push_str("\":");
                out.push_str(raw.get());
            }
        }
        out.push('}');
        out
    }
}

/// The end of a stream that was given up.
pub(crate) fn end(Estimate { prompt, reply }: Estimate) -> String {
    format!(
        "{{\"message\":{{\"role\":\"assistant\",\"content\":\"\"}},\"done\":true,\"done_reason\":\"length\",\
         \"prompt_eval_count\":{prompt},\"eval_count\":{reply}}}\n"
    )
}
