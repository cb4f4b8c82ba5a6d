//! What servers send, read piece by piece: every protocol reads JSON with these functions.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use twicetold_model::{Fault, FaultKind};

use crate::server_error::{ServerError, is_blank};
use crate::visible;

/// Most characters of a body or an event that is not understood to show.
pub(crate) const SHOWN_CHARACTERS_MAX: usize = 200;

/// Tool calls of one reply that are looked at: a table lets a handful pass and refuses the next one.
pub(crate) const TOOL_CALLS_MAX: usize = 128;

/// The fault for a body, or an event of a stream, that is not what the protocol says.
pub(crate) fn unreadable(expected: &str, error: &str, came: &str) -> Fault {
    let shown = if came.is_empty() { "nothing".to_owned() } else { visible(came, SHOWN_CHARACTERS_MAX) };
    let message = format!("expected {expected}: {error}; what came: {shown}");
    Fault { status: Some(200), ..Fault::new(FaultKind::Unreadable, message) }
}

/// The fault for a stream that ended before the reply did.
pub(crate) fn truncated(events: usize) -> Fault {
    let message = format!("the stream ended after {events} events, but not the reply");
    Fault { status: Some(200), ..Fault::new(FaultKind::Truncated, message) }
}

/// The data of the server-sent events of a stream. Every vendor writes the data of an event as one line, and says in it what
/// the line `event:` says.
pub(crate) fn events_of(stream: &str) -> impl Iterator<Item = &str> {
    stream.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim)
}

/// Is it anything but `null`?
pub(crate) fn is_something(raw: &&RawValue) -> bool {
    raw.get() != "null"
}

/// Is it a reason why a reply ended? Some servers write an empty one into every chunk.
pub(crate) fn is_reason(raw: &&RawValue) -> bool {
    is_something(raw) && !matches!(raw.get(), "\"\"" | "false")
}

/// Does the value of a member `error` say nothing?
pub(crate) fn is_blank_raw(error: &RawValue) -> bool {
    fault_of(error).is_none()
}

/// A number of tokens; zero where there is none that makes sense, which is no reason to lose a reply.
pub(crate) fn count_of(raw: Option<&RawValue>) -> u64 {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// Parts of a count of tokens, as OpenAI's two protocols name them.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Details<'a> {
    #[serde(borrow)]
    pub(crate) cached_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) cache_write_tokens: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) reasoning_tokens: Option<&'a RawValue>,
}

impl<'a> Details<'a> {
    /// Those that stand here; none where it is no object.
    pub(crate) fn of(raw: Option<&'a RawValue>) -> Details<'a> {
        raw.and_then(|raw| object(raw.get()).ok()).unwrap_or_default()
    }
}

/// Reads an object, and nothing else.
pub(crate) fn object<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, String> {
    serde_json::from_str(json).map(|Object(read)| read).map_err(|error| error.to_string())
}

/// Reads a list of objects.
pub(crate) fn objects<'a, T: Deserialize<'a>>(list: &'a RawValue) -> Result<Vec<T>, String> {
    let read: Vec<Object<T>> = serde_json::from_str(list.get()).map_err(|error| error.to_string())?;
    Ok(read.into_iter().map(|Object(read)| read).collect())
}

/// What is written as an object. A derived `Deserialize` alone would take a list for one.
#[derive(Default)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}

/// The fault for the value of a member `error`; nothing where it says nothing.
pub(crate) fn fault_of(error: &RawValue) -> Option<Fault> {
    // What cannot be read as a value, such as a nesting of thousands, is still an error that someone sent.
    let value = serde_json::from_str(error.get()).unwrap_or_else(|_| Value::String(error.get().to_owned()));
    if is_blank(&value) { None } else { Some(ServerError::of_value(&value).into_fault_in_body()) }
}

/// A JSON string's text, or the JSON itself where a server sends an object or a number in place of a string.
pub(crate) fn text_or_raw(raw: &RawValue) -> String {
    text_of(raw).unwrap_or_else(|| raw.get().to_owned())
}

/// The text of a JSON string; `None` for other JSON.
pub(crate) fn text_of(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok().map(|LossyText(text)| text)
}

/// A text in which half a surrogate pair, which a server may write when it cuts an emoji, becomes U+FFFD.
struct LossyText(String);

impl<'de> Deserialize<'de> for LossyText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LossyText, D::Error> {
        // Strings that are read as bytes may hold such halves; strings that are read as strings may not.
        deserializer.deserialize_bytes(LossyTextVisitor)
    }
}

struct LossyTextVisitor;

impl Visitor<'_> for LossyTextVisitor {
    type Value = LossyText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<LossyText, E> {
        Ok(LossyText(String::from_utf8_lossy(bytes).into_owned()))
    }
}
