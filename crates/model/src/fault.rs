//! What can go wrong outside: the server, the network, the bytes that came back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of fault. The order is part of the journal's format: append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FaultKind {
    /// No connection: refused, no such host, TLS failed.
    Unreachable,
    /// No answer within the time allowed.
    Timeout,
    /// The connection ended in the middle of the answer.
    Truncated,
    /// The answer was larger than we read.
    TooLarge,
    /// 401 or 403: the key is missing or refused.
    Unauthorized,
    /// 429.
    RateLimited,
    /// 408, 409 or 5xx: the server's trouble.
    Server,
    /// Another 4xx: the request as such was refused.
    Refused,
    /// The prompt was longer than the model's context.
    ContextTooLong,
    /// The body was not JSON of the protocol.
    Unreadable,
    /// An error inside a 200.
    ErrorInBody,
    /// A reply without choices.
    NoChoices,
    /// A scripted or recorded provider had nothing left to say.
    OutOfScript,
    /// The actor that made the call failed: a bug of ours, not the server's trouble.
    Crashed,
    /// The account that pays for the server has no credit left, or has reached its own limit.
    OutOfCredit,
    /// The server found calls of tools in what its model wrote, and could not read them.
    CallsUnread,
    /// Turn after turn ended without a reply that could be used.
    Unusable,
}

impl FaultKind {
    /// May the very same request succeed when it is sent again?
    pub fn is_retryable(self) -> bool {
        use FaultKind::*;
        match self {
            Unreachable | Timeout | Truncated | RateLimited | Server | Unreadable | ErrorInBody
            | NoChoices | Crashed | CallsUnread => true,
            TooLarge | Unauthorized | Refused | ContextTooLong | OutOfScript | OutOfCredit | Unusable => {
                false
            }
        }
    }

    /// In plain words.
    pub fn describe(self) -> &'static str {
        use FaultKind::*;
        match self {
            Unreachable => "the model server could not be reached",
            Timeout => "the model server did not answer in time",
            Truncated => "the model server's answer was cut off",
            TooLarge => "the model server's answer was too large",
            Unauthorized => "the model server refused the key",
            RateLimited => "the model server asked us to slow down",
            Server => "the model server failed",
            Refused => "the model server refused the request",
            ContextTooLong => "the prompt is longer than the model's context",
            Unreadable => "the model server's answer was not what the protocol says",
            ErrorInBody => "the model server reported an error",
            NoChoices => "the model server's answer held no reply",
            OutOfScript => "the script had no further reply",
            Crashed => "this program failed while it made the call",
            OutOfCredit => "the account at the model server has no credit left",
            CallsUnread => "the model server could not read its model's tool calls",
            Unusable => "the models' replies could not be used",
        }
    }
}

/// One fault, as it is recorded. Secrets never enter `message`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// The HTTP status, when there was one.
    pub status: Option<u16>,
    /// How long the server asked us to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// What the server or the operating system said, shortened, keys removed.
    pub message: String,
}

impl Fault {
    /// A fault without a status.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Fault {
        Fault { kind, status: None, retry_after_ms: None, message: message.into() }
    }
}
