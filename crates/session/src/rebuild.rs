//! The exact request of a call, from the journal alone: the manifest's spans, the blobs, replies and schemas they point to.

use std::collections::BTreeMap;
use std::sync::Arc;

use twicetold_event::{BlobId, CallId, Item, ModelCallRequested, Number, Place, Span};
use twicetold_journal::Source;
use twicetold_model::{Message, Part as MessagePart, Reply, Request, Role, ToolCall, ToolChoice, ToolResult};
use twicetold_referee::{held_to, parameters, speaks_only, tool_spec};

use crate::cursor::JournalCursor;
use crate::{LoadError, load};

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

/// Rebuilds the request of `call` from the journal alone; none when there is no such call.
///
/// # Errors
/// The journal is damaged.
pub fn rebuild(source: &dyn Source, call: CallId) -> Result<Option<Rebuilt>, LoadError> {
    let amended = load(source)?.campaign.amended().to_vec();
    rebuild_in(&JournalCursor::new(source, &amended)?, call)
}

/// The same with an existing cursor.
///
/// # Errors
/// As [`rebuild`].
pub fn rebuild_in(cursor: &JournalCursor<'_>, call: CallId) -> Result<Option<Rebuilt>, LoadError> {
    let Some((number, requested)) = cursor.request(call)? else { return Ok(None) };
    let items = cursor.items(number, &requested)?;
    let replies = replies(cursor, &items)?;
    let parts = parts(cursor.source(), &replies, items)?;
    let request = request(cursor.setup_at(number), &replies, &requested, &parts)?;
    Ok(Some(Rebuilt { requested, number, parts, request }))
}

/// The replies that items point into.
fn replies(cursor: &JournalCursor<'_>, items: &[Item]) -> Result<BTreeMap<CallId, Reply>, LoadError> {
    let mut replies = BTreeMap::new();
    for item in items {
        let call = match item {
            Item::Span(Span { place: Place::Reply(call, _), .. })
            | Item::ToolCall { call, .. }
            | Item::Opaque { call, .. } => *call,
            _ => continue,
        };
        if !replies.contains_key(&call)
            && let Some(reply) = cursor.reply(call)?
        {
            replies.insert(call, reply);
        }
    }
    Ok(replies)
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
            Item::Span(Span { place: Place::Inline(text), .. }) => text.to_string(),
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
    ModelCallRequested { seat, purpose, call, .. }: &ModelCallRequested,
    parts: &[Part],
) -> Result<Request, LoadError> {
    let mut request = Request { parameters: parameters(setup, *seat, *purpose, *call), ..Request::default() };
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
            (Item::NoTools, _) => request.parameters.tool_choice = ToolChoice::None,
            (Item::ReplySchema, _) => request.reply_schema = Some(held_to(String::new())),
            (Item::Span(_), _) if request.reply_schema.is_some() => {
                request.reply_schema.iter_mut().for_each(|form| form.schema.push_str(text));
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
                message.parts.push(MessagePart::ToolCall(ToolCall {
                    id: ToolCall::own_id(*id),
                    name,
                    arguments,
                }));
            }
            (Item::Opaque { call, index }, Some(message)) => {
                let block = replies.get(call).and_then(|reply| reply.opaque.get(usize::from(*index)));
                let body = block.map_or_else(String::new, |block| block.json.clone());
                let vendor = setup.seats.of(*seat).map_or_else(String::new, |model| model.protocol.clone());
                message.parts.push(MessagePart::Opaque { vendor, body });
            }
            (Item::ToolResult { id }, Some(message)) => {
                let result = ToolResult { id: ToolCall::own_id(*id), content: String::new() };
                message.parts.push(MessagePart::ToolResult(result));
            }
            _ => {}
        }
    }
    // Beside tools it holds their calls, whose arguments may be left out.
    let is_strict = request.tools.is_empty();
    request.reply_schema.iter_mut().for_each(|form| form.strict = is_strict);
    let is_guided = setup.seats.of(*seat).is_some_and(|model| model.is_guided());
    if is_guided && purpose.is_turn() && request.reply_schema.is_none() {
        speaks_only(&mut request.parameters);
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
