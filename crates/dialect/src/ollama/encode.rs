//! A request as the body for Ollama's `/api/chat`. The bytes are recorded by digest: they may not change.

use std::collections::BTreeMap;

use twicetold_model::{Message, Parameters, Request, ToolCall, ToolChoice, ToolResult};

use super::NAME;
use crate::acceptable::{acceptable_arguments, acceptable_name};
use crate::json::{push_extra_fields_but, push_shared_object, push_texts, push_thousandths};
use crate::pieces::{Pieces, push_functions, push_thought, role_name, told_calls, told_result};
use crate::{Compat, TokensField, push_json_string};

/// The body of the HTTP request.
///
/// Streaming is the default there, so it is always decided. Without `truncate` and `shift` a prompt, or a reply, that does not
/// fit the window costs the oldest messages without a word; with them it is an error, or a reply that ends at its limit.
pub(crate) fn encode(request: &Request, compat: &Compat) -> String {
    let mut out =
        String::with_capacity(request.text_bytes() as usize * 9 / 8 + request.messages.len() * 64 + 512);
    out.push_str("{\"model\":");
    push_json_string(&mut out, &request.parameters.model);
    out.push_str(",\"messages\":[");
    let mut messages = Messages { start: out.len(), out, names: BTreeMap::new(), compat };
    for message in &request.messages {
        messages.push(message);
    }
    let mut out = messages.out;
    out.push(']');
    // There is no tool choice: a model without tools cannot call one.
    let forbidden = request.parameters.tool_choice == ToolChoice::None;
    if !request.tools.is_empty() && compat.tools && !forbidden {
        push_functions(&mut out, &request.tools);
    }
    if let Some(form) = &request.reply_schema {
        out.push_str(",\"format\":");
        out.push_str(&form.schema);
    }
    out.push_str(if compat.stream { ",\"stream\":true" } else { ",\"stream\":false" });
    out.push_str(",\"truncate\":false,\"shift\":false");
    push_shared_object(&mut out, "options", &options(&request.parameters, compat), compat);
    push_extra_fields_but(&mut out, compat, "options");
    out.push('}');
    out
}

struct Messages<'a> {
    out: String,
    /// Where the list begins.
    start: usize,
    /// The names of the tools by the ids of their calls: results carry them.
    names: BTreeMap<&'a str, &'a str>,
    compat: &'a Compat,
}

impl<'a> Messages<'a> {
    fn push(&mut self, message: &'a Message) {
        let pieces = Pieces::of(message, NAME);
        for result in &pieces.results {
            self.push_result(result);
        }
        if pieces.is_results_only() || pieces.is_foreign(message) {
            return;
        }
        let role = role_name(pieces.role(message.role), self.compat);
        let Pieces { text, calls, thoughts, .. } = pieces;
        let text = text.unwrap_or_default();
        if calls.is_empty() {
            self.push_head(role, &text);
        } else if self.compat.tool_messages {
            self.push_head(role, &text);
            self.push_calls(&calls);
        } else {
            self.push_head(role, &told_calls(text.into_owned(), &calls));
        }
        if self.compat.tool_messages {
            push_thought(&mut self.out, &thoughts);
        }
        self.out.push('}');
    }

    /// Opens a message and leaves the buffer behind its content.
    fn push_head(&mut self, role: &str, content: &str) {
        if self.out.len() > self.start {
            self.out.push(',');
        }
        self.out.push_str("{\"role\":\"");
        self.out.push_str(role);
        self.out.push_str("\",\"content\":");
        push_json_string(&mut self.out, content);
    }

    fn push_result(&mut self, result: &ToolResult) {
        if self.compat.tool_messages {
            self.push_head("tool", &result.content);
            if let Some(name) = self.names.get(result.id.as_str()) {
                self.out.push_str(",\"tool_name\":");
                push_json_string(&mut self.out, &acceptable_name(name));
            }
            self.out.push_str(",\"tool_call_id\":");
            push_json_string(&mut self.out, &result.id);
        } else {
            self.push_head("user", &told_result(result));
        }
        self.out.push('}');
    }

    fn push_calls(&mut self, calls: &[&'a ToolCall]) {
        self.out.push_str(",\"tool_calls\":[");
        for (index, call) in calls.iter().enumerate() {
            self.names.insert(&call.id, &call.name);
            self.out.push_str(if index == 0 { "{\"id\":" } else { ",{\"id\":" });
            push_json_string(&mut self.out, &call.id);
            self.out.push_str(",\"function\":{\"name\":");
            push_json_string(&mut self.out, &acceptable_name(&call.name));
            self.out.push_str(",\"arguments\":");
            self.out.push_str(&acceptable_arguments(&call.arguments));
            self.out.push_str("}}");
        }
        self.out.push(']');
    }
}

/// What other protocols have as fields of the request. Unknown options are passed over with a line in the server's log.
fn options(parameters: &Parameters, compat: &Compat) -> Vec<(&'static str, String)> {
    let mut options = Vec::new();
    if let Some(context) = compat.context {
        options.push(("num_ctx", context.to_string()));
    }
    // No bound was asked for, and zero would be one.
    if parameters.tokens_max > 0 && compat.tokens_field != TokensField::None {
        options.push(("num_predict", parameters.tokens_max.to_string()));
    }
    if let (Some(milli), true) = (parameters.temperature_milli, compat.temperature) {
        let mut temperature = String::new();
        push_thousandths(&mut temperature, milli);
        options.push(("temperature", temperature));
    }
    if let (Some(seed), true) = (parameters.seed, compat.seed) {
        options.push(("seed", seed.to_string()));
    }
    if !compat.stop.is_empty() {
        let mut stop = String::new();
        push_texts(&mut stop, "", &compat.stop);
        options.push(("stop", stop));
    }
    options
}
