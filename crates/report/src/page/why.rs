//! The page of a cause: the chain behind a number, the reply as it came, and the very prompt with the source of each piece.

use std::collections::BTreeMap;

use askama::Template;
use twicetold_event::body::blob_digest;
use twicetold_event::{BlobId, Event, Input, Item, Number, Place, Source as SpanSource, Span};
use twicetold_journal::Source;
use twicetold_session::{Became, Cause, Explainer, LoadError, Rebuilt, ReplyWhy};

use super::story::{self, Why};
use crate::text::{clean, counted};
use crate::{Record, ReportError, limits};

/// The page's content. Fields that end in `html` were escaped where they were made.
#[derive(Template)]
#[template(path = "why.html")]
struct WhyTemplate<'a> {
    why: Why,
    told: Vec<(u64, String)>,
    reply: Option<&'a ReplyWhy>,
    body: String,
    prompt: Option<Prompt>,
}

/// A prompt by its messages.
struct Prompt {
    exact: bool,
    messages: Vec<Message>,
    tools: Vec<(String, String)>,
    /// What the pieces come from, each with its bytes.
    sources: Vec<(&'static str, &'static str, String)>,
}

struct Message {
    role: &'static str,
    pieces: Vec<Piece>,
}

/// A piece of a prompt.
struct Piece {
    /// `charter`, `state`, `event` or `call`.
    class: &'static str,
    /// The seat whose words they are, for its colour.
    seat: String,
    /// Where it comes from, as text.
    from: String,
    /// The number of the event behind it.
    number: Option<u64>,
    /// Does it have much in common with the effect?
    near: bool,
    text: String,
}

/// A cause for a page.
pub struct WhyPage {
    /// The number that was explained; an input stands for what first came of it.
    pub number: u64,
    /// What kind of event it is.
    pub event: &'static str,
    /// Its turn.
    pub turn: u32,
    /// The page's content, escaped.
    pub html: String,
}

/// Pieces that are marked as having most in common with the effect.
const NEAR_MAX: usize = 3;

/// The page of a cause; none when there is no such number. `base` is the front of the addresses of such pages. The record holds the
/// journal to its end.
///
/// # Errors
/// The journal is damaged.
pub fn why_page(
    source: &dyn Source,
    record: &Record,
    number: Number,
    base: &str,
) -> Result<Option<WhyPage>, ReportError> {
    let explainer = Explainer::of(source, &record.campaign)?.with_causes_max(limits::TRIGGERS_SHOWN_MAX);
    let Some(chain) = explainer.why(number, 1)? else { return Ok(None) };
    let number = Number(chain.number);
    let near: Vec<u64> = chain
        .request
        .iter()
        .flat_map(|asked| asked.nearest())
        .take(NEAR_MAX)
        .map(|span| span.number)
        .collect();
    let rebuilt = explainer.prompt(number)?;
    let prompt = rebuilt.map(|rebuilt| prompt(source, record, &rebuilt, &near)).transpose()?;
    let answered = chain.request.as_ref().and_then(|asked| asked.reply);
    let reply = answered.map(|reply| explainer.reply(Number(reply), 1)).transpose()?.flatten();
    let body = answered.map_or_else(String::new, |reply| body(record, reply));
    let (event, turn) = (chain.event, chain.turn);
    let told = told(record, number);
    let why = story::of_chain(record, chain);
    let page = WhyTemplate { why, told, reply: reply.as_ref(), body, prompt };
    // Every number has such a page: links lead there and not to a place on this one.
    let html = clean(&page.render()?).replace(" href=\"#n", &format!(" href=\"{base}"));
    Ok(Some(WhyPage { number: number.0, event, turn, html }))
}

/// What people are shown of the effect.
fn told(record: &Record, number: Number) -> Vec<(u64, String)> {
    let Some((entry, _)) = record.at(number.0) else { return Vec::new() };
    let outcome = entry.tool_calls().find(|outcome| outcome.holds(number));
    let is_part = |at: &Number| outcome.as_ref().map_or(*at == number, |outcome| outcome.holds(*at));
    let numbers = entry.numbered().map(|(at, _)| at).filter(is_part);
    let told: Vec<(u64, String)> =
        numbers.filter_map(|at| Some((at.0, record.lines.get(&at.0)?.text.clone()))).collect();
    match told.is_empty() {
        true => record.hint(number.0).map(|(_, text)| (number.0, text)).into_iter().collect(),
        false => told,
    }
}

/// A reply as it came, with line breaks where it is JSON.
fn body(record: &Record, reply: u64) -> String {
    let Some((entry, _)) = record.at(reply) else { return String::new() };
    match &entry.input {
        Input::ModelReplied(word) => {
            let value: Result<serde_json::Value, _> = serde_json::from_str(&word.body);
            let pretty = value.and_then(|value| serde_json::to_string_pretty(&value));
            pretty.unwrap_or_else(|_| word.body.clone())
        }
        Input::PersonAnswered(word) => word.text.clone(),
        _ => String::new(),
    }
}

fn prompt(
    source: &dyn Source,
    record: &Record,
    rebuilt: &Rebuilt,
    near: &[u64],
) -> Result<Prompt, ReportError> {
    let mut messages: Vec<Message> = Vec::new();
    let mut bytes: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut files = Files::new(source, record);
    for part in &rebuilt.parts {
        let piece = match &part.item {
            Item::Message(role) => {
                messages.push(Message { role: role_of(*role), pieces: Vec::new() });
                continue;
            }
            Item::ReplySchema => {
                messages.push(Message { role: "the form of the answer", pieces: Vec::new() });
                continue;
            }
            Item::Span(Span { source: from, place, .. }) => {
                let piece = piece(record, &mut files, (*from, place), &part.text, near)?;
                *bytes.entry(piece.class).or_default() += part.text.len();
                piece
            }
            Item::ToolCall { call, index, .. } => {
                let reply = record.campaign.replies().reply(*call);
                let made = reply.and_then(|reply| reply.tool_calls.get(usize::from(*index)));
                let text = made.map_or_else(String::new, |made| format!("{} {}", made.name, made.arguments));
                plain("call", "a tool call of an earlier reply", text)
            }
            Item::ToolResult { .. } => plain("call", "a result begins here", "↳ ".to_owned()),
            Item::Opaque { .. } => {
                plain("call", "a block of the server, sent back unchanged", "[…]".to_owned())
            }
            Item::Tool(_) | Item::NoTools => continue,
        };
        match messages.last_mut() {
            Some(message) => message.pieces.push(piece),
            None => messages.push(Message { role: "before the messages", pieces: vec![piece] }),
        }
    }
    let tools =
        rebuilt.request.tools.iter().map(|tool| (tool.name.to_string(), tool.description.to_string()));
    let legend = [
        ("charter", "templates of the charter"),
        ("state", "the state of the table"),
        ("event", "earlier events"),
    ];
    let counted = |class: &str| counted(bytes.get(class).copied().unwrap_or(0) as u64, "byte", "bytes");
    let sources = legend.map(|(class, name)| (class, name, counted(class))).into();
    Ok(Prompt { exact: rebuilt.is_exact(), messages, tools: tools.collect(), sources })
}

fn plain(class: &'static str, from: &str, text: String) -> Piece {
    Piece { class, seat: String::new(), from: from.to_owned(), number: None, near: false, text }
}

fn piece(
    record: &Record,
    files: &mut Files<'_>,
    (from, place): (SpanSource, &Place),
    text: &str,
    near: &[u64],
) -> Result<Piece, ReportError> {
    let text = text.to_owned();
    Ok(match from {
        SpanSource::Charter => {
            let file = match place {
                Place::Blob(id, _) => files.name(*id)?,
                _ => None,
            };
            plain("charter", file.as_deref().unwrap_or("the referee"), text)
        }
        SpanSource::State => plain("state", "the state of the table at the request", text),
        SpanSource::Event(number) => {
            let (name, seat) = match record.at(number.0) {
                Some((_, Some(Event::MessageSpoken(word)))) => ("MessageSpoken", word.seat.slug()),
                Some((_, Some(event))) => (event.name(), String::new()),
                Some((entry, None)) => (entry.input.name(), String::new()),
                None => ("an event", String::new()),
            };
            Piece {
                class: "event",
                seat,
                from: format!("#{} {name}", number.0),
                number: Some(number.0),
                near: near.contains(&number.0),
                text,
            }
        }
    })
}

/// The files of the charter by the blobs that hold them.
struct Files<'s> {
    source: &'s dyn Source,
    record: &'s Record,
    known: BTreeMap<BlobId, Option<String>>,
}

impl<'s> Files<'s> {
    fn new(source: &'s dyn Source, record: &'s Record) -> Files<'s> {
        Files { source, record, known: BTreeMap::new() }
    }

    fn name(&mut self, id: BlobId) -> Result<Option<String>, ReportError> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let digest = self.source.blob(id).map_err(LoadError::from)?.map(|blob| blob.digest);
        let files = &self.record.state().setup().files;
        let found = files.iter().find(|file| Some(blob_digest(file.text.as_bytes())) == digest);
        let found = found.map(|file| file.path.clone());
        self.known.insert(id, found.clone());
        Ok(found)
    }
}

fn role_of(role: u8) -> &'static str {
    match role {
        0 => "system",
        2 => "assistant",
        3 => "tool",
        _ => "user",
    }
}
