//! What Google refuses of a request for content.

use super::look::{Checked, Look};
use super::schema::{LENIENT, of_reply, of_tool};
use super::tools;

const OPTIONAL: [&str; 5] =
    ["systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings"];

const CONFIG: [&str; 7] = [
    "temperature",
    "seed",
    "maxOutputTokens",
    "stopSequences",
    "responseMimeType",
    "responseJsonSchema",
    "thinkingConfig",
];

pub(super) fn check(body: &Look<'_>) -> Checked {
    // The model stands in the address.
    body.members(&["contents"], &OPTIONAL)?;
    if let Some(system) = body.get("systemInstruction") {
        system.members(&["parts"], &[])?;
        for part in system.at("parts")?.some_items()? {
            part.members(&["text"], &[])?;
            part.at("text")?.words()?;
        }
    }
    contents(&body.at("contents")?)?;
    if let Some(list) = body.get("tools") {
        for group in list.some_items()? {
            group.members(&["functionDeclarations"], &[])?;
            tools(&group.at("functionDeclarations")?, one_tool)?;
        }
    }
    if let Some(config) = body.get("toolConfig") {
        body.must(body.get("tools").is_some(), "a choice without tools")?;
        config.members(&["functionCallingConfig"], &[])?;
        let config = config.at("functionCallingConfig")?;
        config.members(&["mode"], &["allowedFunctionNames"])?;
        config.at("mode")?.one_of(&["AUTO", "ANY", "NONE", "VALIDATED"])?;
    }
    let Some(config) = body.get("generationConfig") else { return Ok(()) };
    config.members(&[], &CONFIG)?;
    config.get("temperature").map(|value| value.number_to(2.0)).transpose()?;
    // 32 bits with a sign.
    config.get("seed").map(|value| value.integer(i32::MIN.into(), i32::MAX.into())).transpose()?;
    config.get("maxOutputTokens").map(|value| value.integer(1, i32::MAX.into())).transpose()?;
    config.get("stopSequences").map(|stop| stop.stops(5)).transpose()?;
    if let Some(schema) = config.get("responseJsonSchema") {
        config.at("responseMimeType")?.one_of(&["application/json"])?;
        // Models before the third generation take one or the other.
        body.must(body.get("tools").is_none(), "tools beside a schema of the reply")?;
        of_reply(&schema, LENIENT)?;
    }
    Ok(())
}

/// Names begin with a letter.
fn name<'a>(at: &Look<'a>) -> Checked<&'a str> {
    let name = at.name()?;
    at.must(name.starts_with(|first: char| first.is_ascii_alphabetic()), "a name without a letter first")?;
    Ok(name)
}

fn one_tool<'a>(tool: &Look<'a>) -> Checked<&'a str> {
    // `parameters`, the vendor's own form, and JSON Schema exclude each other; we send the latter.
    tool.members(&["name", "description"], &["parametersJsonSchema"])?;
    tool.at("description")?.text()?;
    if let Some(schema) = tool.get("parametersJsonSchema") {
        of_tool(&schema)?;
        let properties = schema.at("properties")?;
        properties.must(!properties.object()?.is_empty(), "a schema without properties")?;
    }
    name(&tool.at("name")?)
}

fn contents(contents: &Look<'_>) -> Checked {
    // Calls of the content before, by id and name.
    let mut open: Vec<(&str, &str)> = Vec::new();
    let mut is_signed = None;
    let all = contents.some_items()?;
    for (index, content) in all.iter().enumerate() {
        content.members(&["role", "parts"], &[])?;
        // The vendor's two roles take turns, and the user begins.
        let role = if index % 2 == 0 { "user" } else { "model" };
        content.at("role")?.one_of(&[role])?;
        let mut calls = Vec::new();
        for part in content.at("parts")?.some_items()? {
            // A part is of one kind.
            let kinds = ["text", "functionCall", "functionResponse"];
            let kinds: Vec<&str> = kinds.into_iter().filter(|kind| part.get(kind).is_some()).collect();
            let [kind] = kinds[..] else { return part.refuse(format!("{} kinds in one part", kinds.len())) };
            part.members(&[kind], if role == "model" { &["thoughtSignature", "thought"] } else { &[] })?;
            let signature = part.get("thoughtSignature");
            signature.as_ref().map(base64).transpose()?;
            match kind {
                "functionCall" => {
                    content.must(role == "model", "a call of the user's")?;
                    let call = part.at("functionCall")?;
                    call.members(&["id", "name", "args"], &[])?;
                    call.at("args")?.object()?;
                    if calls.is_empty() {
                        // Models that sign refuse a step whose first call has no signature.
                        let first = *is_signed.get_or_insert(signature.is_some());
                        part.must(first == signature.is_some(), "signed unlike the calls before it")?;
                    }
                    let id = call.at("id")?.name()?;
                    call.must(calls.iter().all(|(other, _)| *other != id), "two calls of one id")?;
                    calls.push((id, name(&call.at("name")?)?));
                }
                "functionResponse" => {
                    content.must(role == "user", "a result of the model's")?;
                    let result = part.at("functionResponse")?;
                    result.members(&["id", "name", "response"], &[])?;
                    let response = result.at("response")?;
                    response.members(&[], &["output", "error"])?;
                    response.must(response.object()?.len() == 1, "neither one output nor one error")?;
                    let answered = (result.at("id")?.text()?, name(&result.at("name")?)?);
                    // As many results as calls, in their order.
                    result.must(open.first() == Some(&answered), "a result without its call")?;
                    open.remove(0);
                }
                _ => {
                    let text = part.at("text")?;
                    // Only a signature may stand beside nothing.
                    if signature.is_none() { text.words() } else { text.text() }?;
                    part.must(role == "model" || open.is_empty(), "words between calls and their results")?;
                }
            }
        }
        content.must(open.is_empty(), "calls without results")?;
        open = calls;
    }
    contents.must(all.len() % 2 == 1, "the last content is the model's own")
}

fn base64(signature: &Look<'_>) -> Checked {
    let text = signature.words()?;
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_".contains(&byte);
    signature.must(text.len().is_multiple_of(4) && text.bytes().all(is_digit), "no base64")
}
