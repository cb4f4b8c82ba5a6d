//! Spans and the body that carries them: OTLP over HTTP in its JSON encoding. Ids are hexadecimal, nanoseconds are decimal texts, enums are
//! numbers, names are in camel case.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, json};
use twicetold_event::{CampaignId, Millis, Number};
use twicetold_model::{Digest, Usage};

/// `SPAN_KIND_INTERNAL`.
pub(crate) const INTERNAL: u8 = 1;
/// `SPAN_KIND_CLIENT`.
pub(crate) const CLIENT: u8 = 3;
/// `STATUS_CODE_ERROR`.
const ERROR: u8 = 2;

/// Which trace a span belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TraceId([u8; 16]);

/// Which span it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpanId([u8; 8]);

impl TraceId {
    /// The trace of the turn that began at this number.
    pub fn of(campaign: CampaignId, number: Number) -> TraceId {
        TraceId(first(&digest("twicetold trace 1", campaign, number)))
    }
}

impl SpanId {
    /// The span of what has this number.
    pub fn of(campaign: CampaignId, number: Number) -> SpanId {
        SpanId(first(&digest("twicetold span 1", campaign, number)))
    }
}

fn digest(domain: &str, campaign: CampaignId, number: Number) -> Digest {
    Digest::of(domain, &[campaign.0.as_slice(), &number.0.to_le_bytes()].concat())
}

/// The beginning of a digest. Ids of zeros alone are invalid; no digest that anybody will see begins like that.
fn first<const N: usize>(digest: &Digest) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&digest.0[..N]);
    bytes
}

fn hexadecimal(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

impl Serialize for TraceId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for SpanId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A span that is over.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    /// Its trace.
    pub trace_id: TraceId,
    /// Itself.
    pub span_id: SpanId,
    /// The span that it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_span_id: Option<SpanId>,
    /// The operation and on what.
    pub name: String,
    /// `CLIENT` for calls, which leave the program, `INTERNAL` for all else.
    pub kind: u8,
    /// Nanoseconds since 1970.
    #[serde(serialize_with = "nanoseconds")]
    pub start_time_unix_nano: Millis,
    /// Nanoseconds since 1970.
    #[serde(serialize_with = "nanoseconds")]
    pub end_time_unix_nano: Millis,
    /// What else is known.
    #[serde(serialize_with = "attributes")]
    pub attributes: Vec<(&'static str, Value)>,
    /// Whether it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
}

/// That a span failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    code: u8,
    message: String,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A number.
    Count(u64),
    /// Several values.
    List(Vec<Value>),
    /// Members by their names, in the order of their names.
    Record(Map<String, serde_json::Value>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Value {
        Value::Count(count)
    }
}

impl From<Vec<Value>> for Value {
    fn from(list: Vec<Value>) -> Value {
        Value::List(list)
    }
}

impl Value {
    /// As `AnyValue` of the protocol.
    fn any(&self) -> serde_json::Value {
        match self {
            Value::Text(text) => json!({ "stringValue": text }),
            Value::Count(count) => json!({ "intValue": count.to_string() }),
            Value::List(list) => {
                json!({ "arrayValue": { "values": list.iter().map(Value::any).collect::<Vec<_>>() } })
            }
            Value::Record(members) => any(&serde_json::Value::Object(members.clone())),
        }
    }
}

/// JSON as `AnyValue` of the protocol.
fn any(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(members) => {
            let member = |(key, value): (&String, _)| json!({ "key": key, "value": any(value) });
            json!({ "kvlistValue": { "values": members.iter().map(member).collect::<Vec<_>>() } })
        }
        serde_json::Value::Array(values) => {
            json!({ "arrayValue": { "values": values.iter().map(any).collect::<Vec<_>>() } })
        }
        serde_json::Value::String(text) => json!({ "stringValue": text }),
        other => json!({ "stringValue": other.to_string() }),
    }
}

impl Span {
    pub(crate) fn new(
        trace_id: TraceId,
        span_id: SpanId,
        parent_span_id: Option<SpanId>,
        name: &str,
        kind: u8,
        (start, end): (Millis, Millis),
    ) -> Span {
        let name = name.trim_end().to_owned();
        let (start_time_unix_nano, end_time_unix_nano) = (start, end);
        let (attributes, status) = (Vec::new(), None);
        Span {
            trace_id,
            span_id,
            parent_span_id,
            name,
            kind,
            start_time_unix_nano,
            end_time_unix_nano,
            attributes,
            status,
        }
    }

    pub(crate) fn add(&mut self, key: &'static str, value: impl Into<Value>) {
        self.attributes.push((key, value.into()));
    }

    pub(crate) fn fails(&mut self, kind: &str, message: &str) {
        self.add("error.type", kind);
        self.status = Some(Status { code: ERROR, message: message.to_owned() });
    }

    /// Tokens, as far as the server counted them.
    pub(crate) fn usage(&mut self, usage: &Usage) {
        let counts = [
            ("gen_ai.usage.input_tokens", usage.input_tokens),
            ("gen_ai.usage.output_tokens", usage.output_tokens),
            ("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens),
            ("gen_ai.usage.cache_creation.input_tokens", usage.cache_written_tokens),
            ("gen_ai.usage.reasoning.output_tokens", usage.thinking_tokens),
        ];
        for (key, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            self.add(key, count);
        }
    }
}

fn nanoseconds<S: Serializer>(at: &Millis, serializer: S) -> Result<S::Ok, S::Error> {
    // The protocol has 64 bits, which a forged time may exceed.
    serializer.collect_str(&at.0.saturating_mul(1_000_000))
}

fn attributes<S: Serializer>(attributes: &[(&'static str, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(attributes.iter().map(|(key, value)| json!({ "key": key, "value": value.any() })))
}

/// The body of a request to a collector, of spans that were written as JSON.
pub fn body(spans: &[String]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let attribute = |key: &str, value: &str| json!({ "key": key, "value": { "stringValue": value } });
    let attributes = [attribute("service.name", "twicetold"), attribute("service.version", version)];
    let resource = json!({ "attributes": attributes });
    let scope = json!({ "name": "twicetold", "version": version });
    let spans = spans.join(",");
    format!(
        r#"{{"resourceSpans":[{{"resource":{resource},"scopeSpans":[{{"scope":{scope},"spans":[{spans}]}}]}}]}}"#
    )
}
