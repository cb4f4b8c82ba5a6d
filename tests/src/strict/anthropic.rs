//! What Anthropic refuses of a request for a message.

use super::look::{Checked, Look};
use super::schema::{ANTHROPIC, of_reply, of_tool};
use super::{Open, tools};

/// Most blocks up to which the server is told to keep what it has read.
const MARKS_MAX: usize = 4;

/// There is no seed, and newer models refuse a temperature even at its default.
const OPTIONAL: [&str; 8] =
    ["system", "tools", "tool_choice", "stop_sequences", "output_config", "thinking", "metadata", "stream"];

pub(super) fn check(body: &Look<'_>) -> Checked {
    body.members(&["model", "max_tokens", "messages"], &OPTIONAL)?;
    body.at("model")?.words()?;
    body.at("max_tokens")?.integer(1, i64::MAX)?;
    let mut marks = 0;
    if let Some(system) = body.get("system") {
        for block in system.some_items()? {
            block.members(&["type", "text"], &["cache_control"])?;
            block.at("type")?.one_of(&["text"])?;
            block.at("text")?.words()?;
            marks += mark(&block)?;
        }
    }
    let has_tools = body.get("tools").is_some();
    if let Some(list) = body.get("tools") {
        tools(&list, one_tool)?;
        marks += list.items()?.iter().map(mark).sum::<Checked<usize>>()?;
    }
    let thinks = body.get("thinking").map(|thinking| thinking_of(body, &thinking)).transpose()? == Some(true);
    marks += messages(&body.at("messages")?, has_tools, thinks)?;
    body.must(marks <= MARKS_MAX, "more than four marks")?;
    if let Some(choice) = body.get("tool_choice") {
        body.must(has_tools, "a choice without tools")?;
        let kind = choice.at("type")?.one_of(&["auto", "any", "none"])?;
        choice.must(!thinks || kind != "any", "a forced call of a model that thinks first")?;
        choice.members(&["type"], if kind == "none" { &[] } else { &["disable_parallel_tool_use"] })?;
    }
    body.get("stop_sequences").map(|stop| stop.stops(usize::MAX)).transpose()?;
    body.get("stream").map(|stream| stream.boolean()).transpose()?;
    let Some(output) = body.get("output_config") else { return Ok(()) };
    output.members(&[], &["format", "effort"])?;
    let Some(format) = output.get("format") else { return Ok(()) };
    format.members(&["type", "schema"], &[])?;
    format.at("type")?.one_of(&["json_schema"])?;
    of_reply(&format.at("schema")?, ANTHROPIC)
}

/// Is the model told to think before every turn?
fn thinking_of(body: &Look<'_>, thinking: &Look<'_>) -> Checked<bool> {
    let kind = thinking.at("type")?.one_of(&["enabled", "adaptive", "disabled"])?;
    thinking.members(if kind == "enabled" { &["type", "budget_tokens"] } else { &["type"] }, &["display"])?;
    if let Some(budget) = thinking.get("budget_tokens") {
        let room = body.at("max_tokens")?.integer(1, i64::MAX)?;
        budget.integer(1_024, room - 1)?;
    }
    Ok(kind == "enabled")
}

/// 1 where the block is marked.
fn mark(block: &Look<'_>) -> Checked<usize> {
    let Some(mark) = block.get("cache_control") else { return Ok(0) };
    mark.members(&["type"], &["ttl"])?;
    mark.at("type")?.one_of(&["ephemeral"])?;
    mark.get("ttl").map(|ttl| ttl.one_of(&["5m", "1h"])).transpose()?;
    Ok(1)
}

fn one_tool<'a>(tool: &Look<'a>) -> Checked<&'a str> {
    tool.members(&["name", "description", "input_schema"], &["cache_control"])?;
    tool.at("description")?.text()?;
    of_tool(&tool.at("input_schema")?)?;
    tool.at("name")?.name()
}

/// The marks of the messages.
fn messages(messages: &Look<'_>, has_tools: bool, thinks: bool) -> Checked<usize> {
    let mut marks = 0;
    let mut open = Open::default();
    let all = messages.some_items()?;
    for (index, message) in all.iter().enumerate() {
        message.members(&["role", "content"], &[])?;
        // The first is the user's, and neighbours would be merged, so that what was sent is not what is read.
        let role = if index % 2 == 0 { "user" } else { "assistant" };
        message.at("role")?.one_of(&[role])?;
        let blocks = message.at("content")?.some_items()?;
        let mut is_talk = false;
        let is_thought = blocks[0].at("type")?.one_of(&["thinking", "redacted_thinking"]).is_ok();
        for block in &blocks {
            marks += mark(block)?;
            let kinds: &[&str] = match role {
                "user" => &["text", "tool_result"],
                _ => &["text", "tool_use", "thinking", "redacted_thinking"],
            };
            match block.at("type")?.one_of(kinds)? {
                "text" => {
                    block.members(&["type", "text"], &["cache_control"])?;
                    block.at("text")?.words()?;
                    // All results stand before any words.
                    is_talk = role == "user";
                    block.must(!is_talk || open.0.is_empty(), "words before a result")?;
                }
                "tool_result" => {
                    block.members(&["type", "tool_use_id"], &["content", "is_error", "cache_control"])?;
                    block.must(!is_talk, "a result behind words")?;
                    block.get("content").map(|content| content.words()).transpose()?;
                    block.get("is_error").map(|is_error| is_error.boolean()).transpose()?;
                    let id = block.at("tool_use_id")?;
                    open.result(&id, id.text()?)?;
                }
                "tool_use" => {
                    block.members(&["type", "id", "name", "input"], &["cache_control"])?;
                    block.must(has_tools, "a call where no tools are offered")?;
                    block.must(
                        !thinks || is_thought,
                        "no thinking at the beginning of a message with calls",
                    )?;
                    block.at("name")?.name()?;
                    block.at("input")?.object()?;
                    let id = block.at("id")?;
                    open.call(&id, id.name()?)?;
                }
                "thinking" => {
                    block.members(&["type", "thinking", "signature"], &[])?;
                    block.at("thinking")?.text()?;
                    block.at("signature")?.words()?;
                }
                _ => {
                    block.members(&["type", "data"], &[])?;
                    block.at("data")?.words()?;
                }
            }
        }
        if role == "user" {
            open.none(message)?;
        } else if let Some(last) = blocks.last() {
            // What was thought may not be the end of a message.
            last.at("type")?.one_of(&["text", "tool_use"])?;
        }
    }
    // Where the model's own words come last, newer models refuse to go on.
    messages.must(all.len() % 2 == 1, "the last message is the model's own")?;
    Ok(marks)
}
