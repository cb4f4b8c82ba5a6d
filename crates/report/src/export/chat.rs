//! Every call as a conversation in the shape of chat completions: what was asked, and as the last message what was answered.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use twicetold_event::{CampaignId, Entry, Event, ForeignOpened, ForeignRole, Seat};
use twicetold_foreign::not_recorded;
use twicetold_journal::Source;
use twicetold_model::{Digest, Message, Part, Reply, Role};
use twicetold_session::{JournalCursor, Rebuilt, rebuild_in};

use crate::form::{Form, OfCampaign};
use crate::loaded_journal::model;
use crate::{LoadedJournal, ReportError};

/// A call that was answered, as a conversation.
#[derive(Serialize, JsonSchema)]
pub struct ChatLine {
    /// The turn.
    turn: Option<u32>,
    /// Which call, counted within the campaign.
    call: u32,
    /// The sequence number of the request.
    number: u64,
    /// The seat that was asked.
    seat: Seat,
    /// The model, as its server knows it, or `a person`.
    model: Option<String>,
    /// The digest of the request.
    digest: Digest,
    /// Was the request rebuilt with that very digest?
    exact: bool,
    /// The messages of the request, and the answer as the last one.
    messages: Vec<Said>,
    /// The tools on offer.
    tools: Vec<Offered>,
}

impl Form for ChatLine {
    const NAME: &'static str = "chat";
    const ABOUT: &'static str = "a model call as a conversation: export --as chat";
}

/// A transcript of another program as one conversation.
#[derive(Serialize, JsonSchema)]
pub struct ForeignChat {
    /// The file.
    file: String,
    /// The name of the mapping.
    format: String,
    /// What is not recorded.
    not_recorded: Vec<&'static str>,
    /// Who tells the story is the assistant.
    messages: Vec<Said>,
}

impl Form for ForeignChat {
    const NAME: &'static str = "chat-transcript";
    const ABOUT: &'static str = "a transcript as one conversation: export --as chat";
}

/// A message, as chat completions have it.
#[derive(Serialize, JsonSchema)]
struct Said {
    /// Who says it.
    role: ChatRole,
    /// The speaker's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The words; null beside calls of a tool without any.
    content: Option<String>,
    /// What the assistant calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Called>,
    /// Whose result it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
}

/// Who says something.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ChatRole {
    System,
    User,
    Assistant,
    Tool,
}

/// The only type that a tool has.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ToolType {
    Function,
}

/// A call of a tool.
#[derive(Serialize, JsonSchema)]
struct Called {
    id: String,
    r#type: ToolType,
    function: CalledFunction,
}

#[derive(Serialize, JsonSchema)]
struct CalledFunction {
    name: String,
    /// As the model wrote them.
    arguments: String,
}

/// A tool on offer.
#[derive(Serialize, JsonSchema)]
struct Offered {
    r#type: ToolType,
    function: OfferedFunction,
}

#[derive(Serialize, JsonSchema)]
struct OfferedFunction {
    name: String,
    description: String,
    /// Their JSON Schema.
    parameters: Value,
}

impl Said {
    fn new(role: ChatRole, content: impl Into<String>) -> Said {
        Said { role, name: None, content: Some(content.into()), tool_calls: Vec::new(), tool_call_id: None }
    }

    fn result(id: &str, content: &str) -> Said {
        Said { tool_call_id: Some(id.to_owned()), ..Said::new(ChatRole::Tool, content) }
    }
}

/// A line for each call that was answered. The messages are the very ones of the request, rebuilt from the journal, and the answer.
///
/// # Errors
/// The journal is damaged.
pub fn chat(source: &dyn Source, journal: &LoadedJournal) -> Result<String, ReportError> {
    let mut out = String::new();
    let cursor = JournalCursor::new(source, journal.campaign.amended())?;
    for call in journal.asked() {
        let Some(reply) = journal.campaign.replies().reply(call) else { continue };
        let Some(rebuilt) = rebuild_in(&cursor, call)? else { continue };
        out += &serde_json::to_string(&OfCampaign::new(journal.id, line(journal, &rebuilt, reply)))?;
        out.push('\n');
    }
    Ok(out)
}

/// A transcript of another program as one conversation, in one line. No request is known, so there is no line for each.
///
/// # Errors
/// The line could not be written, which is a bug.
pub fn foreign_chat(
    campaign: CampaignId,
    opened: &ForeignOpened,
    entries: &[Entry],
) -> Result<String, ReportError> {
    let mut missing = vec!["requests", "models", "tools on offer"];
    missing.extend(not_recorded(opened));
    let line = ForeignChat {
        file: opened.file.clone(),
        format: opened.format.clone(),
        not_recorded: missing,
        messages: entries.iter().flat_map(foreign_messages).collect(),
    };
    Ok(serde_json::to_string(&OfCampaign::new(campaign, line))? + "\n")
}

/// The messages of a record: words and the calls beside them are one.
fn foreign_messages(entry: &Entry) -> Vec<Said> {
    let mut messages: Vec<Said> = Vec::new();
    let mut calls: Vec<Called> = Vec::new();
    let mut caller = "";
    for event in &entry.events {
        match event {
            Event::ForeignSpoke(word) if !word.text.is_empty() => {
                let is_narrator = word.role == ForeignRole::Narrator;
                let role = if is_narrator { ChatRole::Assistant } else { ChatRole::User };
                messages.push(Said { name: Some(word.speaker.clone()), ..Said::new(role, &word.text) });
            }
            Event::ForeignCalled(word) => {
                calls.push(tool_call(&word.id, &word.tool, &word.arguments));
                caller = &word.speaker;
            }
            Event::ForeignAnswered(word) => messages.push(Said::result(&word.id, &word.text)),
            _ => {}
        }
    }
    if !calls.is_empty() {
        match messages.first_mut().filter(|message| message.role == ChatRole::Assistant) {
            Some(spoken) => spoken.tool_calls = calls,
            None => {
                let name = Some(caller.to_owned());
                let called = Said { name, content: None, ..assistant("", calls) };
                messages.insert(0, called);
            }
        }
    }
    messages
}

fn line(journal: &LoadedJournal, rebuilt: &Rebuilt, reply: &Reply) -> ChatLine {
    let requested = &rebuilt.requested;
    let mut messages: Vec<Said> = rebuilt.request.messages.iter().flat_map(said).collect();
    let calls = (1..)
        .zip(&reply.tool_calls)
        .map(|(place, call)| tool_call(&format!("r{place}"), &call.name, &call.arguments));
    messages.push(assistant(&reply.text, calls.collect()));
    let tools = rebuilt.request.tools.iter().map(|tool| Offered {
        r#type: ToolType::Function,
        function: OfferedFunction {
            name: tool.name.to_string(),
            description: tool.description.to_string(),
            parameters: serde_json::from_str(&tool.schema).unwrap_or_default(),
        },
    });
    ChatLine {
        turn: journal.at(rebuilt.number.0).map(|(entry, _)| entry.turn_of(rebuilt.number)),
        call: requested.call.0,
        number: rebuilt.number.0,
        seat: requested.seat,
        model: journal.calls.get(&requested.call).map(|call| model(call).to_owned()),
        digest: requested.digest,
        exact: rebuilt.is_exact(),
        messages,
        tools: tools.collect(),
    }
}

/// A message of a request; results of tools are messages of their own.
fn said(message: &Message) -> Vec<Said> {
    let (mut text, mut calls, mut results) = (String::new(), Vec::new(), Vec::new());
    for part in &message.parts {
        match part {
            Part::Text(words) => text += words,
            Part::ToolCall(call) => calls.push(tool_call(&call.id, &call.name, &call.arguments)),
            Part::ToolResult(result) => results.push(Said::result(&result.id, &result.content)),
            // A vendor's block is of use to that vendor alone.
            Part::Opaque { .. } => {}
        }
    }
    match message.role {
        Role::System => vec![Said::new(ChatRole::System, text)],
        Role::User => vec![Said::new(ChatRole::User, text)],
        Role::Assistant => vec![assistant(&text, calls)],
        Role::Tool => results,
    }
}

fn assistant(text: &str, tool_calls: Vec<Called>) -> Said {
    Said { tool_calls, ..Said::new(ChatRole::Assistant, text) }
}

fn tool_call(id: &str, name: &str, arguments: &str) -> Called {
    let function = CalledFunction { name: name.to_owned(), arguments: arguments.to_owned() };
    Called { id: id.to_owned(), r#type: ToolType::Function, function }
}
