//! Prompted tool calling, for models and servers without tool calling of their own: the tools are described in the
//! instructions, and calls are read from the text of the reply.

mod blocks;
mod conversation;
mod guided;
mod structured;

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::{Parameters, Reply, ToolCall, ToolChoice, ToolSpec};

use crate::{Compat, ToolCalls};

pub(crate) use conversation::told;
pub use guided::CHOICE;
pub use structured::structured_schema;

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

/// Moves the calls that stand in a reply's words to its calls. What is not exactly a call stays in the words.
pub(crate) fn read(mut reply: Reply, compat: &Compat) -> Reply {
    let read = match compat.tool_calls {
        ToolCalls::Native => None,
        ToolCalls::Prompted => blocks::read(&reply.text),
        ToolCalls::Structured => structured::read(&reply.text),
        ToolCalls::Guided => guided::read(&reply.text),
    };
    if let Some((text, calls)) = read {
        reply.text = text;
        reply.tool_calls.extend(calls);
    }
    reply
}

/// A call as a model writes it. A name nobody knows is a call all the same: whoever decides on calls refuses it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCall<'a> {
    #[serde(alias = "name")]
    tool: String,
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// One call, from the JSON of an object that is exactly a call.
fn call(json: &str) -> Option<ToolCall> {
    let is_object = |json: &str| json.trim_start().starts_with('{');
    // A derived `Deserialize` would take a list for an object.
    let written: WrittenCall<'_> = is_object(json).then(|| serde_json::from_str(json).ok())??;
    let arguments = written.arguments.get();
    let is_call = is_object(arguments) && !written.tool.trim().is_empty();
    is_call.then(|| ToolCall { id: String::new(), name: written.tool, arguments: arguments.to_owned() })
}

/// All calls of a JSON list, when every element is exactly a call.
fn calls(json: &str) -> Option<Vec<ToolCall>> {
    let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    items.into_iter().map(|item| call(item.get())).collect()
}
