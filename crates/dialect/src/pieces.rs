//! The pieces of a message, and the words for those that a server does not take.

use std::borrow::Cow;

use twicetold_model::{Message, Part, Role, ToolCall, ToolResult, ToolSpec};

use crate::acceptable::is_object;
use crate::{Compat, SystemRole, push_json_string};

/// One message of ours may be several of a protocol's: most know one result per message, and want the results next to their
/// calls.
pub(crate) struct Pieces<'a> {
    pub(crate) results: Vec<&'a ToolResult>,
    /// The texts, joined by a blank line.
    pub(crate) text: Option<Cow<'a, str>>,
    pub(crate) calls: Vec<&'a ToolCall>,
    /// What the vendor wants back of what the model thought: the members of its objects belong into the message.
    pub(crate) thoughts: Vec<&'a str>,
}

impl<'a> Pieces<'a> {
    /// Blocks of other vendors than this one are none of them.
    pub(crate) fn of(message: &'a Message, vendor: &str) -> Pieces<'a> {
        let mut pieces = Pieces { results: Vec::new(), text: None, calls: Vec::new(), thoughts: Vec::new() };
        for part in &message.parts {
            match part {
                Part::Text(more) => match &mut pieces.text {
                    None => pieces.text = Some(Cow::Borrowed(more)),
                    Some(text) => text.to_mut().extend(["\n\n", more]),
                },
                Part::ToolCall(call) => pieces.calls.push(call),
                Part::ToolResult(result) => pieces.results.push(result),
                // A block that is no JSON any more would lose the whole request.
                Part::Opaque { vendor: of, body } if of == vendor && is_object(body) => {
                    pieces.thoughts.push(body);
                }
                Part::Opaque { .. } => {}
            }
        }
        pieces
    }

    /// Is all said with the results?
    pub(crate) fn is_results_only(&self) -> bool {
        !self.results.is_empty() && self.is_silent()
    }

    /// Are there neither words nor calls?
    fn is_silent(&self) -> bool {
        self.text.is_none() && self.calls.is_empty()
    }

    /// Is there nothing in the message that this protocol can say? What another vendor's model thought, and said nothing, would be
    /// a message without words, which many servers refuse.
    pub(crate) fn is_foreign(&self, message: &Message) -> bool {
        !message.parts.is_empty() && self.results.is_empty() && self.is_silent()
    }

    /// The role of all but the results.
    pub(crate) fn role(&self, role: Role) -> Role {
        if self.calls.is_empty() { role } else { Role::Assistant }
    }
}

/// A role as OpenAI and those who follow it call it.
pub(crate) fn role_name(role: Role, compat: &Compat) -> &'static str {
    match (role, compat.system_role) {
        (Role::System, SystemRole::System) => "system",
        (Role::System, SystemRole::Developer) => "developer",
        (Role::System, SystemRole::User) => "user",
        (Role::Assistant, _) => "assistant",
        // Words beside results are nobody's result.
        (Role::User | Role::Tool, _) => "user",
    }
}

/// Appends what the model thought to a message that is not closed yet. A reply has one block; the member of a second would stand twice.
pub(crate) fn push_thought(out: &mut String, thoughts: &[&str]) {
    let members = thoughts.first().and_then(|thought| thought.trim().strip_prefix('{')?.strip_suffix('}'));
    let members = members.map_or("", str::trim);
    out.push_str(if members.is_empty() { "" } else { "," });
    out.push_str(members);
}

/// Words and calls as words, for servers that take no calls in a history.
pub(crate) fn told_calls(mut told: String, calls: &[&ToolCall]) -> String {
    for call in calls {
        if !told.is_empty() {
            told.push('\n');
        }
        told.push_str(&format!("[call {}] {} {}", call.id, call.name, call.arguments));
    }
    told
}

/// A result as words, for the same servers.
pub(crate) fn told_result(result: &ToolResult) -> String {
    format!("[result {}] {}", result.id, result.content)
}

/// Appends the list of tools as chat completions have it.
pub(crate) fn push_functions(out: &mut String, tools: &[ToolSpec]) {
    out.push_str(",\"tools\":[");
    for (index, tool) in tools.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str("{\"type\":\"function\",\"function\":{\"name\":");
        push_json_string(out, &tool.name);
        out.push_str(",\"description\":");
        push_json_string(out, &tool.description);
        out.push_str(",\"parameters\":");
        out.push_str(&tool.schema);
        out.push_str("}}");
    }
    out.push(']');
}
