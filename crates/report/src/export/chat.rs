//! Every call as a conversation in the shape of chat completions: what was asked, and as the last message what was answered.

use serde_json::{Value, json};
use twicetold_event::{Entry, Event, ForeignOpened, ForeignRole};
use twicetold_foreign::not_recorded;
use twicetold_journal::Source;
use twicetold_model::{Message, Part, Reply, Role};
use twicetold_session::{JournalCursor, Rebuilt, rebuild_in};

use crate::loaded_journal::model;
use crate::{LoadedJournal, ReportError};

/// One line of JSON for each call that was answered: `turn`, `call`, `number`, `seat`, `model`, `digest`, `exact`, `messages` and `tools`.
/// The messages are the very ones of the request, rebuilt from the journal, and the answer.
///
/// # Errors
/// The journal is damaged.
pub fn chat(source: &dyn Source, journal: &LoadedJournal) -> Result<String, ReportError> {
    let mut out = String::new();
    let cursor = JournalCursor::new(source, journal.campaign.amended())?;
    for call in journal.asked() {
        let Some(reply) = journal.campaign.replies().reply(call) else { continue };
        let Some(rebuilt) = rebuild_in(&cursor, call)? else { continue };
        out += &serde_json::to_string(&line(journal, &rebuilt, reply))?;
        out.push('\n');
    }
    Ok(out)
}

/// A transcript of another program as one conversation, in one line of JSON: `file`, `format`, `not_recorded` and `messages`. Who tells the
/// story is the assistant. No request is known, so there is no line for each.
///
/// # Errors
/// The line could not be written, which is a bug.
pub fn foreign_chat(opened: &ForeignOpened, entries: &[Entry]) -> Result<String, ReportError> {
    let messages: Vec<Value> = entries.iter().flat_map(foreign_messages).collect();
    let mut missing = vec!["requests", "models", "tools on offer"];
    missing.extend(not_recorded(opened));
    let line = json!({
        "file": opened.file, "format": opened.format, "not_recorded": missing, "messages": messages,
    });
    Ok(serde_json::to_string(&line)? + "\n")
}

/// The messages of a record: words and the calls beside them are one.
fn foreign_messages(entry: &Entry) -> Vec<Value> {
    let mut messages: Vec<Value> = Vec::new();
    let mut calls: Vec<Value> = Vec::new();
    let mut caller = "";
    for event in &entry.events {
        match event {
            Event::ForeignSpoke(word) if !word.text.is_empty() => {
                let role = if word.role == ForeignRole::Narrator { "assistant" } else { "user" };
                messages.push(json!({"role": role, "name": word.speaker, "content": word.text}));
            }
            Event::ForeignCalled(word) => {
                calls.push(tool_call(&word.id, &word.tool, &word.arguments));
                caller = &word.speaker;
            }
            Event::ForeignAnswered(word) => {
                messages.push(json!({"role": "tool", "tool_call_id": word.id, "content": word.text}));
            }
            _ => {}
        }
    }
    if !calls.is_empty() {
        match messages.first_mut().filter(|message| message["role"] == "assistant") {
            Some(spoken) => spoken["tool_calls"] = calls.into(),
            None => messages.insert(
                0,
                json!({"role": "assistant", "name": caller, "content": null, "tool_calls": calls}),
            ),
        }
    }
    messages
}

fn line(journal: &LoadedJournal, rebuilt: &Rebuilt, reply: &Reply) -> Value {
    let requested = &rebuilt.requested;
    let turn = journal.at(rebuilt.number.0).map(|(entry, _)| entry.turn_of(rebuilt.number));
    let model = journal.calls.get(&requested.call).map(model);
    let mut messages: Vec<Value> = rebuilt.request.messages.iter().flat_map(said).collect();
    let calls: Vec<Value> = (1..)
        .zip(&reply.tool_calls)
        .map(|(place, call)| tool_call(&format!("r{place}"), &call.name, &call.arguments))
        .collect();
    messages.push(assistant(&reply.text, calls));
    let tools = rebuilt.request.tools.iter().map(|tool| {
        let schema: Value = serde_json::from_str(&tool.schema).unwrap_or_default();
        json!({"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": schema}})
    });
    json!({
        "turn": turn, "call": requested.call.0, "number": rebuilt.number.0, "seat": requested.seat.slug(), "model": model,
        "digest": requested.digest.to_string(), "exact": rebuilt.is_exact(),
        "messages": messages, "tools": tools.collect::<Vec<_>>(),
    })
}

/// A message of a request; results of tools are messages of their own.
fn said(message: &Message) -> Vec<Value> {
    let (mut text, mut calls, mut results) = (String::new(), Vec::new(), Vec::new());
    for part in &message.parts {
        match part {
            Part::Text(words) => text += words,
            Part::ToolCall(call) => calls.push(tool_call(&call.id, &call.name, &call.arguments)),
            Part::ToolResult(result) => {
                results.push(json!({"role": "tool", "tool_call_id": result.id, "content": result.content}));
            }
            // A vendor's block is of use to that vendor alone.
            Part::Opaque { .. } => {}
        }
    }
    match message.role {
        Role::System => vec![json!({"role": "system", "content": text})],
        Role::User => vec![json!({"role": "user", "content": text})],
        Role::Assistant => vec![assistant(&text, calls)],
        Role::Tool => results,
    }
}

fn assistant(text: &str, calls: Vec<Value>) -> Value {
    match calls.is_empty() {
        true => json!({"role": "assistant", "content": text}),
        false => json!({"role": "assistant", "content": text, "tool_calls": calls}),
    }
}

fn tool_call(id: &str, name: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}
