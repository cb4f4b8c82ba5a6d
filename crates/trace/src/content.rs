//! What was asked and answered, for whoever wants it: prompts, replies and tools in the form of the conventions.

use serde_json::{Map, Value as Json, json};
use twicetold_model::{Message, Part, Reply, Request, Role, ToolCall, ToolSpec};

use crate::span::{Span, Value};

/// Adds the request of a call and its reply.
pub(crate) fn call(span: &mut Span, request: Option<&Request>, reply: Option<&Reply>) {
    if let Some(request) = request {
        let (system, messages): (Vec<&Message>, Vec<_>) =
            request.messages.iter().partition(|message| message.role == Role::System);
        let instructions = system.iter().flat_map(|message| &message.parts).filter_map(part);
        span.add("gen_ai.system_instructions", list(instructions));
        span.add("gen_ai.input.messages", list(messages.into_iter().map(message)));
        span.add("gen_ai.tool.definitions", list(request.tools.iter().map(definition)));
    }
    if let Some(reply) = reply {
        span.add("gen_ai.output.messages", list([output(reply)]));
    }
}

fn list(members: impl IntoIterator<Item = Map<String, Json>>) -> Value {
    Value::List(members.into_iter().map(Value::Record).collect())
}

fn record<const N: usize>(members: [(&str, Json); N]) -> Map<String, Json> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn message(message: &Message) -> Map<String, Json> {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let parts: Vec<_> = message.parts.iter().filter_map(part).collect();
    record([("role", json!(role)), ("parts", json!(parts))])
}

fn part(part: &Part) -> Option<Map<String, Json>> {
    match part {
        Part::Text(text) => Some(words(text)),
        Part::ToolCall(call) => Some(asked(call)),
        Part::ToolResult(result) => Some(record([
            ("type", json!("tool_call_response")),
            ("id", json!(result.id)),
            ("response", json!(result.content)),
        ])),
        // What only a vendor can read.
        Part::Opaque { .. } => None,
    }
}

fn words(text: &str) -> Map<String, Json> {
    record([("type", json!("text")), ("content", json!(text))])
}

fn asked(call: &ToolCall) -> Map<String, Json> {
    record([
        ("type", json!("tool_call")),
        ("id", json!(call.id)),
        ("name", json!(call.name)),
        ("arguments", json!(call.arguments)),
    ])
}

fn definition(tool: &ToolSpec) -> Map<String, Json> {
    record([
        ("type", json!("function")),
        ("name", json!(tool.name)),
        ("description", json!(tool.description)),
    ])
}

fn output(reply: &Reply) -> Map<String, Json> {
    let text = Some(&reply.text).filter(|text| !text.is_empty()).map(|text| words(text));
    let parts: Vec<_> = text.into_iter().chain(reply.tool_calls.iter().map(asked)).collect();
    let finish = crate::finish(reply.finish);
    record([("role", json!("assistant")), ("parts", json!(parts)), ("finish_reason", json!(finish))])
}
