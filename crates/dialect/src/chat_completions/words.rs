//! A conversation as plain text, for servers that accept neither tools nor tool calls and results.

use std::borrow::Cow;
use std::collections::BTreeMap;

use twicetold_model::{Message, Part, Request, Role, ToolCall, ToolChoice};

use super::encode::{acceptable_arguments, role_name};
use crate::{Compat, prompted};

/// Does the request say anything about tools?
pub(super) fn offers_tools(request: &Request) -> bool {
    !request.tools.is_empty() && request.parameters.tool_choice != ToolChoice::None
}

/// The messages with their roles. The tools are described at the end of the instructions. Neighbours of one role are one
/// message, for many templates refuse roles that do not take turns.
pub(super) fn messages(request: &Request, compat: &Compat) -> Vec<(&'static str, String)> {
    let mut instructions = prompted::instructions(&request.tools, &request.parameters, compat.tool_calls);
    let mut told: Vec<(&'static str, String)> = Vec::with_capacity(request.messages.len() + 1);
    let mut names = BTreeMap::new();
    if request.messages.first().is_none_or(|message| message.role != Role::System) {
        say(&mut told, role_name(Role::System, compat), std::mem::take(&mut instructions));
    }
    for message in &request.messages {
        tell(&mut told, message, &mut names, compat);
        if message.role == Role::System {
            say(&mut told, role_name(Role::System, compat), std::mem::take(&mut instructions));
        }
    }
    told
}

fn say(told: &mut Vec<(&'static str, String)>, role: &'static str, text: String) {
    match told.last_mut() {
        _ if text.is_empty() => {}
        Some((last, whole)) if *last == role => whole.extend(["\n\n", &text]),
        _ => told.push((role, text)),
    }
}

/// One message: results first, then words, and behind its words what it called. `names` are the tools by the ids of their calls.
fn tell<'a>(
    told: &mut Vec<(&'static str, String)>,
    message: &'a Message,
    names: &mut BTreeMap<&'a str, &'a str>,
    compat: &Compat,
) {
    let mut calls: Vec<&ToolCall> = Vec::new();
    let mut text: Vec<&str> = Vec::new();
    for part in &message.parts {
        match part {
            Part::Text(more) => text.push(more),
            Part::ToolCall(call) => {
                names.insert(&call.id, &call.name);
                calls.push(call);
            }
            Part::ToolResult(result) => {
                let tool = names.get(result.id.as_str()).copied();
                say(told, role_name(Role::Tool, compat), prompted::result(tool, &result.content));
            }
            Part::Opaque { .. } => {}
        }
    }
    let text = text.join("\n\n");
    let role = if calls.is_empty() { message.role } else { Role::Assistant };
    if role != Role::Assistant || (text.is_empty() && calls.is_empty()) {
        say(told, role_name(role, compat), text);
        return;
    }
    let arguments: Vec<Cow<'_, str>> =
        calls.iter().map(|call| acceptable_arguments(&call.arguments)).collect();
    let calls: Vec<(&str, &str)> = calls
        .iter()
        .zip(&arguments)
        .map(|(call, arguments)| (call.name.as_str(), arguments.as_ref()))
        .collect();
    say(told, role_name(role, compat), prompted::reply(&text, &calls, compat.tool_calls));
}
