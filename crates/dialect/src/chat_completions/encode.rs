//! A request as the body of a chat completion. The bytes are recorded by digest: they may not change.

use twicetold_model::{Message, Parameters, ReplySchema, Request, ToolCall, ToolChoice, ToolResult};

use super::NAME;
use crate::acceptable::{acceptable_arguments, acceptable_name};
use crate::json::{push_extra_fields, push_number, push_texts, push_thousandths};
use crate::pieces::{Pieces, push_functions, push_thought, role_name, told_calls, told_result};
use crate::{Compat, ThinkingField, TokensField, push_json_string};

/// The body of the HTTP request.
///
/// The texts of one message are joined by a blank line. Blocks of other vendors are left out.
/// A model's own words that a server would refuse in its history (a name that is not one, arguments that are not a JSON
/// object) are sent in a form that servers take, so that one bad call cannot end a campaign.
pub(crate) fn encode(request: &Request, compat: &Compat) -> String {
    let parameters = &request.parameters;
    let mut out =
        String::with_capacity(request.text_bytes() as usize * 9 / 8 + request.messages.len() * 64 + 512);
    out.push_str("{\"model\":");
    push_json_string(&mut out, &parameters.model);
    out.push_str(",\"messages\":[");
    let start = out.len();
    for message in &request.messages {
        push_message(&mut out, start, message, compat);
    }
    out.push(']');
    push_tools(&mut out, request, compat);
    // A member that stands twice is read by no two servers alike.
    if let Some(form) = &request.reply_schema
        && !compat.extra_fields.contains_key("response_format")
    {
        push_reply_schema(&mut out, form);
    }
    push_parameters(&mut out, parameters, compat);
    if compat.stream {
        out.push_str(",\"stream\":true,\"stream_options\":{\"include_usage\":true}");
    }
    push_extra_fields(&mut out, compat);
    out.push('}');
    out
}

fn push_message(out: &mut String, start: usize, message: &Message, compat: &Compat) {
    let pieces = Pieces::of(message, NAME);
    for result in &pieces.results {
        push_result(out, start, result, compat);
    }
    if pieces.is_results_only() || pieces.is_foreign(message) {
        return;
    }
    push_head(out, start, role_name(pieces.role(message.role), compat));
    let Pieces { text, calls, thoughts, .. } = pieces;
    if calls.is_empty() {
        push_json_string(out, &text.unwrap_or_default());
    } else if compat.tool_messages {
        match text {
            Some(text) => push_json_string(out, &text),
            None => out.push_str("null"),
        }
        push_calls(out, &calls);
        match compat.thinking_field.name() {
            // The server wants the field even where the model thought nothing.
            Some(name) if thoughts.is_empty() && compat.thinking_field.is_demanded() => {
                let nothing =
                    if compat.thinking_field == ThinkingField::ReasoningDetails { "[]" } else { "\"\"" };
                out.extend([",\"", name, "\":", nothing]);
            }
            _ => {}
        }
    } else {
        push_json_string(out, &told_calls(text.unwrap_or_default().into_owned(), &calls));
    }
    if compat.tool_messages {
        push_thought(out, &thoughts);
    }
    out.push('}');
}

/// Opens a message and leaves the buffer where its content goes.
fn push_head(out: &mut String, start: usize, role: &str) {
    if out.len() > start {
        out.push(',');
    }
    out.push_str("{\"role\":\"");
    out.push_str(role);
    out.push_str("\",\"content\":");
}

fn push_result(out: &mut String, start: usize, result: &ToolResult, compat: &Compat) {
    if compat.tool_messages {
        push_head(out, start, "tool");
        push_json_string(out, &result.content);
        out.push_str(",\"tool_call_id\":");
        push_json_string(out, &result.id);
    } else {
        push_head(out, start, "user");
        push_json_string(out, &told_result(result));
    }
    out.push('}');
}

fn push_calls(out: &mut String, calls: &[&ToolCall]) {
    out.push_str(",\"tool_calls\":[");
    for (index, call) in calls.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str("{\"id\":");
        push_json_string(out, &call.id);
        out.push_str(",\"type\":\"function\",\"function\":{\"name\":");
        push_json_string(out, &acceptable_name(&call.name));
        out.push_str(",\"arguments\":");
        push_json_string(out, &acceptable_arguments(&call.arguments));
        out.push_str("}}");
    }
    out.push(']');
}

/// Tools and what may be done with them: none of it is sent without tools, which servers refuse.
fn push_tools(out: &mut String, request: &Request, compat: &Compat) {
    let parameters = &request.parameters;
    let forbidden = parameters.tool_choice == ToolChoice::None;
    if request.tools.is_empty() || !compat.tools || (forbidden && !compat.tool_choice) {
        return;
    }
    push_functions(out, &request.tools);
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

fn push_reply_schema(out: &mut String, form: &ReplySchema) {
    out.push_str(",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":");
    push_json_string(out, &form.name);
    out.push_str(if form.strict { ",\"strict\":true,\"schema\":" } else { ",\"schema\":" });
    out.push_str(&form.schema);
    out.push_str("}}");
}

fn push_parameters(out: &mut String, parameters: &Parameters, compat: &Compat) {
    if let (Some(milli), true) = (parameters.temperature_milli, compat.temperature) {
        out.push_str(",\"temperature\":");
        push_thousandths(out, milli);
    }
    if let (Some(seed), true) = (parameters.seed, compat.seed) {
        push_number(out, ",\"seed\":", seed);
    }
    match compat.tokens_field {
        // No bound was asked for, and servers refuse zero.
        _ if parameters.tokens_max == 0 => {}
        TokensField::MaxTokens => push_number(out, ",\"max_tokens\":", parameters.tokens_max),
        TokensField::MaxCompletionTokens => {
            push_number(out, ",\"max_completion_tokens\":", parameters.tokens_max)
        }
        TokensField::None => {}
    }
    push_texts(out, ",\"stop\":", &compat.stop);
}
