//! What OpenAI and its many imitations refuse of a chat completion.

use super::look::{Checked, Look};
use super::schema::{LENIENT, STRICT, of_reply, of_tool};
use super::{Open, tools};

const OPTIONAL: [&str; 11] = [
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "response_format",
    "temperature",
    "seed",
    "max_tokens",
    "max_completion_tokens",
    "stop",
    "stream",
    "stream_options",
];

pub(super) fn check(body: &Look<'_>) -> Checked {
    body.members(&["model", "messages"], &OPTIONAL)?;
    body.at("model")?.words()?;
    messages(&body.at("messages")?)?;
    match body.get("tools") {
        Some(list) => tools(&list, function)?,
        // Both are refused without tools.
        None => body.must(
            body.get("tool_choice").is_none() && body.get("parallel_tool_calls").is_none(),
            "a choice without tools",
        )?,
    }
    if let Some(choice) = body.get("tool_choice") {
        choice.one_of(&["auto", "none", "required"])?;
    }
    for name in ["parallel_tool_calls", "stream"] {
        body.get(name).map(|value| value.boolean()).transpose()?;
    }
    if let Some(options) = body.get("stream_options") {
        let streams = body.get("stream").map(|stream| stream.boolean()).transpose()?;
        body.must(streams == Some(true), "options of a stream without a stream")?;
        options.members(&[], &["include_usage"])?;
    }
    body.get("temperature").map(|value| value.number_to(2.0)).transpose()?;
    body.get("seed").map(|value| value.integer(0, i64::MAX)).transpose()?;
    // Reasoning models refuse the former, and nobody takes both.
    body.must(
        body.get("max_tokens").is_none() || body.get("max_completion_tokens").is_none(),
        "two bounds of what is written",
    )?;
    for name in ["max_tokens", "max_completion_tokens"] {
        body.get(name).map(|value| value.integer(1, i64::MAX)).transpose()?;
    }
    body.get("stop").map(|stop| stop.stops(4)).transpose()?;
    body.get("response_format").map_or(Ok(()), |format| form(&format))
}

fn form(format: &Look<'_>) -> Checked {
    format.members(&["type", "json_schema"], &[])?;
    format.at("type")?.one_of(&["json_schema"])?;
    let form = format.at("json_schema")?;
    form.members(&["name", "schema"], &["strict", "description"])?;
    form.at("name")?.name()?;
    let strict = form.get("strict").map(|strict| strict.boolean()).transpose()? == Some(true);
    of_reply(&form.at("schema")?, if strict { STRICT } else { LENIENT })
}

/// A tool's name, where all of the tool is in order.
pub(super) fn function<'a>(tool: &Look<'a>) -> Checked<&'a str> {
    tool.members(&["type", "function"], &[])?;
    tool.at("type")?.one_of(&["function"])?;
    let function = tool.at("function")?;
    function.members(&["name", "description", "parameters"], &[])?;
    function.at("description")?.text()?;
    of_tool(&function.at("parameters")?)?;
    function.at("name")?.name()
}

fn messages(messages: &Look<'_>) -> Checked {
    let mut open = Open::default();
    let mut thinks = None;
    for message in messages.some_items()? {
        let role = message.at("role")?;
        match role.one_of(&["system", "developer", "user", "assistant", "tool"])? {
            "tool" => {
                message.members(&["role", "content", "tool_call_id"], &[])?;
                message.at("content")?.text()?;
                let id = message.at("tool_call_id")?;
                open.result(&id, id.text()?)?;
                continue;
            }
            "assistant" => {
                message.members(&["role", "content"], &["tool_calls", "reasoning_content"])?;
                open.none(&message)?;
                let thought = message.get("reasoning_content");
                thought.as_ref().map(|thought| thought.text()).transpose()?;
                let content = message.at("content")?;
                // Only calls may stand without words.
                match message.get("tool_calls") {
                    Some(calls) => {
                        // Where one call has a thought, the server is one that wants one beside each.
                        let first = *thinks.get_or_insert(thought.is_some());
                        message
                            .must(first == thought.is_some(), "thinking unlike beside the calls before")?;
                        if !content.value.is_null() {
                            content.text()?;
                        }
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

fn one_call<'a>(call: &Look<'a>, open: &mut Open<'a>) -> Checked {
    call.members(&["id", "type", "function"], &[])?;
    call.at("type")?.one_of(&["function"])?;
    let id = call.at("id")?;
    open.call(&id, id.call_id()?)?;
    let function = call.at("function")?;
    function.members(&["name", "arguments"], &[])?;
    function.at("name")?.name()?;
    function.at("arguments")?.object_as_text()
}
