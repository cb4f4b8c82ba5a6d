//! Prompted tool calling, for models and servers without tool calling of their own: the tools are described in the
//! instructions, and calls are read from the text of the reply.

mod blocks;
mod conversation;
mod guided;
mod marked;
mod structured;
mod written;

use twicetold_model::{Parameters, Reply, ToolChoice, ToolSpec};

use crate::{Compat, ToolCalls};

pub(crate) use conversation::told;
pub use guided::CHOICE;
pub use structured::structured_schema;
pub use written::unread_call;
pub(crate) use written::{leads_to_call, may_begin};

/// What a model is told of its tools, deterministic to the byte; nothing when it has none. That it may not use them for once changes
/// nothing: servers keep what they have read of the instructions.
pub(crate) fn instructions(tools: &[ToolSpec], parameters: &Parameters, how: ToolCalls) -> String {
    let form = match how {
        ToolCalls::Prompted => blocks::form(parameters.parallel_tool_calls),
        ToolCalls::Structured => structured::form(parameters.parallel_tool_calls),
        ToolCalls::Native | ToolCalls::Guided => return String::new(),
    };
    if tools.is_empty() {
        return String::new();
    }
    let mut out = format!("# Tools\n\n{form}");
    if parameters.tool_choice == ToolChoice::Required {
        out.push_str(" This reply must use at least one tool.");
    }
    out.push_str(" These are the tools:");
    for tool in tools {
        out.push_str(&format!(
            "\n\n## {}\n{}\nArguments (JSON Schema): {}",
            tool.name, tool.description, tool.schema
        ));
    }
    out
}

/// A reply of the model's own as it is told back to it: its words and calls in the form that it was asked for. The
/// arguments must be JSON.
pub(crate) fn reply(text: &str, calls: &[(&str, &str)], how: ToolCalls) -> String {
    match how {
        ToolCalls::Structured => structured::reply(text, calls),
        ToolCalls::Prompted | ToolCalls::Native | ToolCalls::Guided => blocks::reply(text, calls),
    }
}

/// The result of a call as a model is told it.
pub(crate) fn result(tool: Option<&str>, content: &str) -> String {
    match tool {
        Some(tool) => format!("[result of {tool}] {content}"),
        None => format!("[result] {content}"),
    }
}

/// The reply with the calls that stand in its words among its calls; what cannot be read as one stays in the words, and nothing where
/// none can. Of a reply with tool calling of the server's own, the words are calls only where they are nothing else: some models write
/// them so, and some servers hand them on, but what somebody is quoted with calls nothing.
pub(crate) fn found(reply: &Reply, compat: &Compat) -> Option<Reply> {
    let (text, calls) = match compat.tool_calls {
        ToolCalls::Native if !reply.tool_calls.is_empty() || !may_begin(&reply.text) => None,
        ToolCalls::Native => written::read(&reply.text).filter(|(words, _)| words.is_empty()),
        ToolCalls::Prompted => written::read(&reply.text),
        ToolCalls::Structured => structured::read(&reply.text),
        ToolCalls::Guided => guided::read(&reply.text),
    }?;
    let tool_calls = reply.tool_calls.iter().cloned().chain(calls).collect();
    Some(Reply { text, tool_calls, ..reply.clone() })
}
