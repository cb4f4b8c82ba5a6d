//! What OpenAI refuses of a request for a response.

use super::look::{Checked, Look};
use super::schema::{LENIENT, STRICT, of_reply, of_tool};
use super::{Open, tools};

/// There is neither a seed nor a text that ends the reply.
const OPTIONAL: [&str; 9] = [
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "text",
    "temperature",
    "max_output_tokens",
    "include",
    "reasoning",
    "stream",
];

pub(super) fn check(body: &Look<'_>) -> Checked {
    body.members(&["model", "input", "store"], &OPTIONAL)?;
    body.at("model")?.words()?;
    // Without this word the vendor keeps every response.
    body.must(!body.at("store")?.boolean()?, "the vendor is asked to keep the response")?;
    input(&body.at("input")?)?;
    match body.get("tools") {
        Some(list) => tools(&list, one_tool)?,
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
    body.get("temperature").map(|value| value.number_to(2.0)).transpose()?;
    // "Expected a value >= 16".
    body.get("max_output_tokens").map(|value| value.integer(16, i64::MAX)).transpose()?;
    if let Some(include) = body.get("include") {
        include.items()?.iter().try_for_each(|one| one.one_of(&["reasoning.encrypted_content"]).map(drop))?;
    }
    if let Some(text) = body.get("text") {
        text.members(&[], &["format", "verbosity"])?;
        text.get("format").map(|format| form(&format)).transpose()?;
    }
    Ok(())
}

fn form(format: &Look<'_>) -> Checked {
    format.members(&["type", "name", "schema"], &["strict", "description"])?;
    format.at("type")?.one_of(&["json_schema"])?;
    format.at("name")?.name()?;
    // The vendor is strict unless it is told not to be.
    let strict = format.get("strict").map(|strict| strict.boolean()).transpose()? != Some(false);
    of_reply(&format.at("schema")?, if strict { STRICT } else { LENIENT })
}

fn one_tool<'a>(tool: &Look<'a>) -> Checked<&'a str> {
    tool.members(&["type", "name", "description", "parameters", "strict"], &[])?;
    tool.at("type")?.one_of(&["function"])?;
    tool.at("description")?.text()?;
    // Strict tools would have to require every argument.
    tool.must(!tool.at("strict")?.boolean()?, "a strict tool")?;
    of_tool(&tool.at("parameters")?)?;
    tool.at("name")?.name()
}

fn input(input: &Look<'_>) -> Checked {
    let mut open = Open::default();
    // A block of thinking whose words or call have not come yet.
    let mut thought = false;
    // Have results come since the last call? Then the next call is another turn's.
    let mut answered = false;
    for item in input.some_items()? {
        let kind = match item.get("type") {
            Some(kind) => kind.one_of(&["message", "function_call", "function_call_output", "reasoning"])?,
            None => "message",
        };
        match kind {
            "reasoning" => {
                // "provided without its required 'reasoning' item" the other way round: what was thought about must follow.
                item.members(&["type", "id", "summary"], &["encrypted_content", "status", "content"])?;
                item.at("summary")?.items()?;
                thought = true;
                continue;
            }
            "function_call" => {
                item.members(&["type", "call_id", "name", "arguments"], &["id", "status"])?;
                if answered {
                    open.none(&item)?;
                }
                let id = item.at("call_id")?;
                open.call(&id, id.call_id()?)?;
                item.at("name")?.name()?;
                item.at("arguments")?.object_as_text()?;
                answered = false;
            }
            "function_call_output" => {
                item.members(&["type", "call_id", "output"], &["id", "status"])?;
                item.must(!thought, "thinking about nothing before it")?;
                let id = item.at("call_id")?;
                open.result(&id, id.text()?)?;
                item.at("output")?.text()?;
                answered = true;
            }
            _ => {
                item.members(&["role", "content"], &["type"])?;
                let role = item.at("role")?.one_of(&["user", "assistant", "system", "developer"])?;
                item.must(!thought || role == "assistant", "thinking about nothing before it")?;
                open.none(&item)?;
                item.at("content")?.words()?;
            }
        }
        thought = false;
    }
    input.must(!thought, "thinking about nothing at the end")?;
    open.none(input)
}
