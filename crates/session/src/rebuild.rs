//! The exact request of a call, from the journal alone: the manifest's spans, the blobs, replies and schemas they point to.

use std::collections::BTreeMap;
use std::sync::Arc;

use twicetold_dialect::Protocol;
use twicetold_event::{BlobId, CallId, Event, Input, Item, ModelCallRequested, Number, Place, Seat, Span};
use twicetold_journal::Source;
use twicetold_model::{Message, Part as MessagePart, Reply, Request, Role, ToolCall, ToolResult};
use twicetold_referee::{parameters, quirks, said, tool_spec};

use crate::{LoadError, charter_of, entries};

/// A request rebuilt from the journal.
pub struct Rebuilt {
    /// The event that asked for it.
    pub requested: ModelCallRequested,
    /// That event's number.
    pub number: Number,
    /// What it is made of.
    pub parts: Vec<Part>,
    /// The request.
    pub request: Request,
}

/// A piece of a rebuilt request with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As it is recorded.
    pub item: Item,
    /// Its words; empty where a piece has none.
    pub text: String,
}

impl Rebuilt {
    /// Is it the very request that was decided?
    pub fn is_exact(&self) -> bool {
        self.request.digest() == self.requested.digest
    }
}

/// Rebuilds the request of `call`.
///
/// # Errors
/// The journal is damaged, or there is no such call.
pub fn rebuild(source: &dyn Source, call: CallId) -> Result<Option<Rebuilt>, LoadError> {
    let mut found = None;
    rebuild_each(
        source,
        |asked| asked == call,
        |rebuilt| {
            found = Some(rebuilt);
            false
        },
    )?;
    Ok(found)
}

/// Rebuilds the requests of all calls that are `wanted`, in order and in one walk, until `each` has seen enough: it says whether to go on.
///
/// # Errors
/// The journal is damaged.
pub fn rebuild_each(
    source: &dyn Source,
    wanted: impl Fn(CallId) -> bool,
    mut each: impl FnMut(Rebuilt) -> bool,
) -> Result<(), LoadError> {
    let (_, setup) = charter_of(source)?;
    let quirks = quirks(&setup)?;
    let mut asked: BTreeMap<CallId, Seat> = BTreeMap::new();
    let mut replies: BTreeMap<CallId, Reply> = BTreeMap::new();
    let mut items: BTreeMap<Seat, Vec<Item>> = BTreeMap::new();
    for entry in entries(source)? {
        let entry = entry?;
        match &entry.input {
            Input::ModelReplied(word) => {
                // The answer to a call that nobody waits for is never looked at.
                let quirks = asked.remove(&word.call).and_then(|seat| quirks.get(&seat));
                let reply = quirks.and_then(|quirks| Protocol::OpenAiChat.decode(&word.body, quirks).ok());
                replies.extend(reply.map(|reply| (word.call, reply)));
            }
            Input::PersonAnswered(word) => drop(replies.insert(word.call, said(word))),
            _ => {}
        }
        for (number, event) in entry.numbered() {
            let Event::ModelCallRequested(word) = event else { continue };
            asked.insert(word.call, word.seat);
            let base = items.get(&word.seat).map_or(&[][..], Vec::as_slice);
            let resolved = word.manifest.resolve(base);
            let resolved = resolved.map_err(|why| LoadError::Entry { number, why: why.to_string() })?;
            if wanted(word.call) {
                let parts = parts(source, &replies, resolved.clone())?;
                let request = request(&setup, &replies, word.seat, &parts)?;
                if !each(Rebuilt { requested: word.clone(), number, parts, request }) {
                    return Ok(());
                }
            }
            items.insert(word.seat, resolved);
        }
    }
    Ok(())
}

fn parts(
    source: &dyn Source,
    replies: &BTreeMap<CallId, Reply>,
    items: Vec<Item>,
) -> Result<Vec<Part>, LoadError> {
    let mut blobs: BTreeMap<BlobId, Arc<str>> = BTreeMap::new();
    let mut parts = Vec::with_capacity(items.len());
    for item in items {
        let text = match &item {
            Item::Span(Span { place: Place::Inline(text), .. }) => text.clone(),
            Item::Span(Span { place: Place::Reply(call, start), length, .. }) => {
                slice(replies.get(call).map_or("", |reply| &reply.text), *start, *length)
            }
            Item::Span(Span { place: Place::Blob(id, start), length, .. }) => {
                if !blobs.contains_key(id) {
                    let content = source.blob(*id)?.map(|blob| blob.content).unwrap_or_default();
                    blobs.insert(*id, Arc::from(String::from_utf8_lossy(&content)));
                }
                slice(&blobs[id], *start, *length)
            }
            _ => String::new(),
        };
        parts.push(Part { item, text });
    }
    Ok(parts)
}

fn slice(text: &str, start: u32, length: u32) -> String {
    text.get(start as usize..(start as usize).saturating_add(length as usize)).unwrap_or_default().to_owned()
}

fn request(
    setup: &twicetold_world::setup::Setup,
    replies: &BTreeMap<CallId, Reply>,
    seat: Seat,
    parts: &[Part],
) -> Result<Request, LoadError> {
    let mut request = Request { parameters: parameters(setup, seat), ..Request::default() };
    for Part { item, text } in parts {
        let message = request.messages.last_mut();
        match (item, message) {
            (Item::Message(role), _) => {
                request.messages.push(Message { role: role_of(*role), parts: Vec::new() })
            }
            (Item::Tool(file), _) => {
                if let Some(file) = setup.files.get(usize::from(*file)) {
                    request.tools.push(tool_spec(file)?);
                }
            }
            (Item::Span(_), Some(message)) => match message.parts.last_mut() {
                Some(MessagePart::Text(whole)) => whole.push_str(text),
                Some(MessagePart::ToolResult(result)) => result.content.push_str(text),
                _ => message.parts.push(MessagePart::Text(text.clone())),
            },
            (Item::ToolCall { call, index, id }, Some(message)) => {
                let made = replies.get(call).and_then(|reply| reply.tool_calls.get(usize::from(*index)));
                let (name, arguments) = made.map_or((String::new(), String::new()), |made| {
                    (made.name.clone(), made.arguments.clone())
                });
                message.parts.push(MessagePart::ToolCall(ToolCall { id: format!("c{id}"), name, arguments }));
            }
            (Item::ToolResult { id }, Some(message)) => {
                let result = ToolResult { id: format!("c{id}"), content: String::new() };
                message.parts.push(MessagePart::ToolResult(result));
            }
            _ => {}
        }
    }
    Ok(request)
}

fn role_of(number: u8) -> Role {
    match number {
        0 => Role::System,
        2 => Role::Assistant,
        3 => Role::Tool,
        _ => Role::User,
    }
}
