//! What the tests of every protocol share: how a request is written and how a body is read.

use serde_json::Value;
use twicetold_dialect::{Compat, Protocol, Wire};
use twicetold_model::{Fault, FaultKind, Part, Reply, Request, ToolCall, ToolResult};

/// The protocols that have servers.
pub(super) const PROTOCOLS: [Protocol; 5] =
    [Protocol::ChatCompletions, Protocol::Responses, Protocol::Anthropic, Protocol::Gemini, Protocol::Ollama];

/// A stream of each, as a server sends it, with words and calls.
pub(super) fn stream_of(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::ChatCompletions | Protocol::Improv => include_str!("../streams/two-calls.sse"),
        Protocol::Responses => include_str!("../streams/responses.sse"),
        Protocol::Anthropic => include_str!("../streams/anthropic.sse"),
        Protocol::Gemini => include_str!("../streams/gemini.sse"),
        Protocol::Ollama => include_str!("../streams/ollama.ndjson"),
    }
}

pub(super) fn wire(protocol: Protocol, compat: Compat) -> Wire {
    Wire::new(protocol.name(), protocol.version(), compat).unwrap()
}

/// The body of a request: JSON, and always the same.
pub(super) fn encode(protocol: Protocol, request: &Request, compat: &Compat) -> String {
    let body = wire(protocol, compat.clone()).encode(request);
    assert!(serde_json::from_str::<Value>(&body).is_ok(), "not JSON: {body}");
    assert_eq!(body, wire(protocol, compat.clone()).encode(request));
    body
}

pub(super) fn decode(protocol: Protocol, body: &str) -> Result<Reply, Fault> {
    wire(protocol, Compat::default()).decode(body)
}

/// What a streamed answer is read as.
pub(super) fn streamed(protocol: Protocol, stream: &str) -> Result<Reply, Fault> {
    decode(protocol, &protocol.assemble(stream)?)
}

/// The kind of fault that a body is.
pub(super) fn kind(protocol: Protocol, body: &str) -> FaultKind {
    decode(protocol, body).map(|reply| panic!("{body}: {reply:?}")).unwrap_err().kind
}

pub(super) fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
}

pub(super) fn result(id: &str, content: &str) -> Part {
    Part::ToolResult(ToolResult { id: id.into(), content: content.into() })
}
