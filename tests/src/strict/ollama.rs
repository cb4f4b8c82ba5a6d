//! What Ollama refuses, and what it would pass over without a word.

use super::chat_completions::function;
use super::look::{Checked, Look};
use super::schema::{LENIENT, of_reply};
use super::{Open, tools};

/// Options that the server knows: others are a line in its log.
const OPTIONS: [&str; 9] =
    ["num_ctx", "num_predict", "temperature", "seed", "stop", "top_k", "top_p", "min_p", "repeat_penalty"];

pub(super) fn check(body: &Look<'_>) -> Checked {
    // Unless it is told otherwise the server streams, and cuts a prompt or reply that is too long.
    body.members(
        &["model", "messages", "stream", "truncate", "shift"],
        &["tools", "format", "options", "think", "keep_alive"],
    )?;
    body.at("model")?.words()?;
    for name in ["stream", "truncate", "shift"] {
        body.at(name)?.boolean()?;
    }
    messages(&body.at("messages")?)?;
    body.get("tools").map(|list| tools(&list, function)).transpose()?;
    body.get("format").map(|form| of_reply(&form, LENIENT)).transpose()?;
    if let Some(options) = body.get("options") {
        options.members(&[], &OPTIONS)?;
        options.get("temperature").map(|value| value.number_to(2.0)).transpose()?;
        // Zero would be a bound.
        for name in ["num_ctx", "num_predict"] {
            options.get(name).map(|value| value.integer(1, i32::MAX.into())).transpose()?;
        }
        options.get("seed").map(|value| value.integer(0, i32::MAX.into())).transpose()?;
        options.get("stop").map(|stop| stop.stops(usize::MAX)).transpose()?;
    }
    Ok(())
}

fn messages(messages: &Look<'_>) -> Checked {
    let mut open = Open::default();
    for message in messages.some_items()? {
        match message.at("role")?.one_of(&["system", "user", "assistant", "tool"])? {
            "tool" => {
                // The newer templates want the name of the tool, the older the id of the call.
                message.members(&["role", "content", "tool_name", "tool_call_id"], &[])?;
                message.at("content")?.text()?;
                message.at("tool_name")?.name()?;
                let id = message.at("tool_call_id")?;
                open.result(&id, id.text()?)?;
            }
            "assistant" => {
                message.members(&["role", "content"], &["tool_calls", "thinking"])?;
                open.none(&message)?;
                let content = message.at("content")?;
                match message.get("tool_calls") {
                    Some(calls) => {
                        content.text()?;
                        calls.some_items()?.iter().try_for_each(|call| one_call(call, &mut open))?;
                    }
                    None => drop(content.words()?),
                }
            }
            _ => {
                message.members(&["role", "content"], &[])?;
                open.none(&message)?;
                message.at("content")?.words()?;
            }
        }
    }
    open.none(messages)
}

/// The server's type of a call has no `type`, and arguments that are no object cannot be read into it.
fn one_call<'a>(call: &Look<'a>, open: &mut Open<'a>) -> Checked {
    call.members(&["id", "function"], &[])?;
    let id = call.at("id")?;
    open.call(&id, id.call_id()?)?;
    let function = call.at("function")?;
    function.members(&["name", "arguments"], &[])?;
    function.at("name")?.name()?;
    function.at("arguments")?.object().map(drop)
}
