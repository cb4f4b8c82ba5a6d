//! A request as plain text, for servers that accept neither tools nor tool calls and results. It is the same for every protocol.

use std::borrow::Cow;
use std::collections::BTreeMap;

use twicetold_model::{Message, Part, Request, Role, ToolCall};

use crate::acceptable::acceptable_arguments;
use crate::prompted::structured_schema;
use crate::{Compat, SystemRole, ToolCalls, prompted};

/// The request without tools: its tools are described at the end of the instructions, its calls and results are words.
/// Neighbours of one role are one message, for many templates refuse roles that do not take turns.
pub(crate) fn told(request: &Request, compat: &Compat) -> Request {
    let reply_schema = match compat.tool_calls {
        // Whoever asks knows better what may be called now than the tools say; where nothing is said, all of them.
        ToolCalls::Structured if !request.tools.is_empty() && request.reply_schema.is_none() => {
            let calls = request.tools.iter().map(|tool| (&*tool.name, &*tool.schema));
            Some(structured_schema(calls, request.parameters.parallel_tool_calls))
        }
        _ => request.reply_schema.clone(),
    };
    let mut instructions = prompted::instructions(&request.tools, &request.parameters, compat.tool_calls);
    let mut told = Conversation { messages: Vec::with_capacity(request.messages.len() + 1), compat };
    let mut names = BTreeMap::new();
    if request.messages.first().is_none_or(|message| message.role != Role::System) {
        told.say(Role::System, std::mem::take(&mut instructions));
    }
    for message in &request.messages {
        told.tell(message, &mut names);
        if message.role == Role::System {
            told.say(Role::System, std::mem::take(&mut instructions));
        }
    }
    let messages = told.messages.into_iter();
    let messages = messages.map(|(role, text)| Message { role, parts: vec![Part::Text(text)] }).collect();
    Request { messages, tools: Vec::new(), reply_schema, parameters: request.parameters.clone() }
}

struct Conversation<'a> {
    messages: Vec<(Role, String)>,
    compat: &'a Compat,
}

impl Conversation<'_> {
    fn say(&mut self, role: Role, text: String) {
        let role = match (role, self.compat.system_role) {
            (Role::System, SystemRole::User) | (Role::Tool, _) => Role::User,
            _ => role,
        };
        match self.messages.last_mut() {
            _ if text.is_empty() => {}
            Some((last, whole)) if *last == role => whole.extend(["\n\n", &text]),
            _ => self.messages.push((role, text)),
        }
    }

    /// One message: results first, then words, and behind its words what it called. `names` are the tools by the ids of their
    /// calls.
    fn tell<'a>(&mut self, message: &'a Message, names: &mut BTreeMap<&'a str, &'a str>) {
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
                    self.say(Role::Tool, prompted::result(tool, &result.content));
                }
                Part::Opaque { .. } => {}
            }
        }
        let text = text.join("\n\n");
        let role = if calls.is_empty() { message.role } else { Role::Assistant };
        if role != Role::Assistant || (text.is_empty() && calls.is_empty()) {
            self.say(role, text);
            return;
        }
        let arguments: Vec<Cow<'_, str>> =
            calls.iter().map(|call| acceptable_arguments(&call.arguments)).collect();
        let calls: Vec<(&str, &str)> = calls
            .iter()
            .zip(&arguments)
            .map(|(call, arguments)| (call.name.as_str(), arguments.as_ref()))
            .collect();
        self.say(role, prompted::reply(&text, &calls, self.compat.tool_calls));
    }
}
