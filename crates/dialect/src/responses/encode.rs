//! A request as the body for Responses. The bytes are recorded by digest: they may not change.

use twicetold_model::{
    Message, Parameters, Part, ReplySchema, Request, Role, ToolCall, ToolChoice, ToolResult, ToolSpec,
};

use super::NAME;
use crate::acceptable::{acceptable_arguments, acceptable_name, is_object};
use crate::json::{push_extra_fields_but, push_number, push_shared_object, push_thousandths};
use crate::pieces::{role_name, told_calls, told_result};
use crate::{Compat, TokensField, push_json_string};

/// OpenAI refuses the whole request for a smaller bound ("Expected a value >= 16").
const TOKENS_MAX_LEAST: u32 = 16;

/// The body of the HTTP request.
///
/// There is neither a seed nor a text that ends the reply. Servers keep every response unless told not to, and hold tools to
/// the strictest subset of JSON Schema unless told not to. Since nothing is kept there, thinking must come in a form that can be
/// sent back, which `include` asks for; an extra field `include = "[]"` takes that away for models that do not think and refuse
/// it.
pub(crate) fn encode(request: &Request, compat: &Compat) -> String {
    let parameters = &request.parameters;
    let mut out =
        String::with_capacity(request.text_bytes() as usize * 9 / 8 + request.messages.len() * 64 + 512);
    out.push_str("{\"model\":");
    push_json_string(&mut out, &parameters.model);
    out.push_str(",\"input\":[");
    let mut items = Items { start: out.len(), out, compat };
    for message in &request.messages {
        items.push_message(message);
    }
    let mut out = items.out;
    out.push(']');
    push_tools(&mut out, request, compat);
    let format = request.reply_schema.as_ref().map(|form| ("format", reply_format(form)));
    push_shared_object(&mut out, "text", format.as_slice(), compat);
    push_parameters(&mut out, parameters, compat);
    out.push_str(",\"store\":false");
    if !compat.extra_fields.contains_key("include") {
        out.push_str(",\"include\":[\"reasoning.encrypted_content\"]");
    }
    if compat.stream {
        out.push_str(",\"stream\":true");
    }
    push_extra_fields_but(&mut out, compat, "text");
    out.push('}');
    out
}

struct Items<'a> {
    out: String,
    /// Where the list begins.
    start: usize,
    compat: &'a Compat,
}

impl Items<'_> {
    /// One message of ours is several items: its results, then its texts, blocks and calls in order. Texts side by side are
    /// joined by a blank line; those without a word are left out.
    fn push_message(&mut self, message: &Message) {
        let mut calls: Vec<&ToolCall> = Vec::new();
        for part in &message.parts {
            match part {
                Part::ToolResult(result) => self.push_result(result),
                Part::ToolCall(call) => calls.push(call),
                Part::Text(_) | Part::Opaque { .. } => {}
            }
        }
        let role = if calls.is_empty() { message.role } else { Role::Assistant };
        let mut text = String::new();
        // A block of thinking is refused when nothing follows that was thought about.
        let mut blocks: Vec<&str> = Vec::new();
        for part in &message.parts {
            match part {
                Part::Text(more) if more.is_empty() => {}
                Part::Text(more) if text.is_empty() => text.push_str(more),
                Part::Text(more) => text.extend(["\n\n", more]),
                Part::Opaque { vendor, body } => {
                    self.push_text(role, &mut text, &mut blocks);
                    if vendor == NAME && is_object(body) {
                        blocks.push(body);
                    }
                }
                Part::ToolCall(call) if self.compat.tool_messages => {
                    self.push_text(role, &mut text, &mut blocks);
                    self.push_call(call, &mut blocks);
                }
                Part::ToolCall(_) | Part::ToolResult(_) => {}
            }
        }
        if !self.compat.tool_messages {
            text = told_calls(text, &calls);
        }
        self.push_text(role, &mut text, &mut blocks);
    }

    /// Begins an item.
    fn open(&mut self, item: &str) {
        if self.out.len() > self.start {
            self.out.push(',');
        }
        self.out.push_str(item);
    }

    fn push_blocks(&mut self, blocks: &mut Vec<&str>) {
        for block in blocks.drain(..) {
            self.open(block);
        }
    }

    fn push_text(&mut self, role: Role, text: &mut String, blocks: &mut Vec<&str>) {
        if text.is_empty() {
            return;
        }
        self.push_blocks(blocks);
        self.open("{\"role\":\"");
        self.out.push_str(role_name(role, self.compat));
        self.out.push_str("\",\"content\":");
        push_json_string(&mut self.out, text);
        self.out.push('}');
        text.clear();
    }

    fn push_call(&mut self, call: &ToolCall, blocks: &mut Vec<&str>) {
        self.push_blocks(blocks);
        self.open("{\"type\":\"function_call\",\"call_id\":");
        push_json_string(&mut self.out, &call.id);
        self.out.push_str(",\"name\":");
        push_json_string(&mut self.out, &acceptable_name(&call.name));
        self.out.push_str(",\"arguments\":");
        push_json_string(&mut self.out, &acceptable_arguments(&call.arguments));
        self.out.push('}');
    }

    fn push_result(&mut self, result: &ToolResult) {
        if !self.compat.tool_messages {
            self.push_text(Role::User, &mut told_result(result), &mut Vec::new());
            return;
        }
        self.open("{\"type\":\"function_call_output\",\"call_id\":");
        push_json_string(&mut self.out, &result.id);
        self.out.push_str(",\"output\":");
        push_json_string(&mut self.out, &result.content);
        self.out.push('}');
    }
}

/// Tools and what may be done with them: none of it is sent without tools, which servers refuse.
fn push_tools(out: &mut String, request: &Request, compat: &Compat) {
    let parameters = &request.parameters;
    let forbidden = parameters.tool_choice == ToolChoice::None;
    if request.tools.is_empty() || !compat.tools || (forbidden && !compat.tool_choice) {
        return;
    }
    for (index, tool) in request.tools.iter().enumerate() {
        out.push_str(if index == 0 { ",\"tools\":[" } else { "," });
        push_tool(out, tool);
    }
    out.push(']');
    if compat.tool_choice {
        match parameters.tool_choice {
            // What every server does when nothing is said.
            ToolChoice::Auto => {}
            ToolChoice::Required => out.push_str(",\"tool_choice\":\"required\""),
            ToolChoice::None => out.push_str(",\"tool_choice\":\"none\""),
        }
    }
    if compat.parallel_tool_calls {
        out.push_str(",\"parallel_tool_calls\":");
        out.push_str(if parameters.parallel_tool_calls { "true" } else { "false" });
    }
}

fn push_tool(out: &mut String, tool: &ToolSpec) {
    out.push_str("{\"type\":\"function\",\"name\":");
    push_json_string(out, &tool.name);
    out.push_str(",\"description\":");
    push_json_string(out, &tool.description);
    out.push_str(",\"parameters\":");
    out.push_str(&tool.schema);
    out.push_str(",\"strict\":false}");
}

fn reply_format(form: &ReplySchema) -> String {
    let mut out = String::from("{\"type\":\"json_schema\",\"name\":");
    push_json_string(&mut out, &form.name);
    out.push_str(if form.strict { ",\"strict\":true,\"schema\":" } else { ",\"strict\":false,\"schema\":" });
    out.push_str(&form.schema);
    out.push('}');
    out
}

fn push_parameters(out: &mut String, parameters: &Parameters, compat: &Compat) {
    if let (Some(milli), true) = (parameters.temperature_milli, compat.temperature) {
        out.push_str(",\"temperature\":");
        push_thousandths(out, milli);
    }
    // No bound was asked for, and servers refuse zero.
    if parameters.tokens_max > 0 && compat.tokens_field != TokensField::None {
        push_number(out, ",\"max_output_tokens\":", parameters.tokens_max.max(TOKENS_MAX_LEAST));
    }
}
