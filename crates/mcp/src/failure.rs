//! What a client is told when something was not done: which kind of failure, what happened, and what to do next.

use serde_json::{Value, json};
use twicetold_host::{Error, Kind};

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Of which kind, in one word that a program can act upon.
    pub kind: &'static str,
    /// What happened, to which thing.
    pub message: String,
    /// What to do next.
    pub help: String,
}

impl Failure {
    /// A failure of a kind, with what to do next.
    pub fn new(kind: &'static str, message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), help: help.into() }
    }

    /// Arguments that cannot be used.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::new("usage", message, help)
    }

    /// Something that is not there.
    pub fn missing(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::new("missing", message, help)
    }

    /// As a client gets it.
    pub fn value(&self) -> Value {
        json!({"error": {"kind": self.kind, "message": self.message, "help": self.help}})
    }
}

/// What the library says went wrong. Its help speaks of commands, which an agent's person can type.
impl<E> From<E> for Failure
where
    Error: From<E>,
{
    fn from(error: E) -> Failure {
        let Error { kind, message, help, .. } = error.into();
        let kind = match kind {
            Kind::Failed => "failed",
            Kind::Usage => "usage",
            Kind::Damaged => "damaged",
            Kind::Diverged => "diverged",
            Kind::Locked => "locked",
            Kind::Missing => "missing",
        };
        Failure { kind, message, help }
    }
}
