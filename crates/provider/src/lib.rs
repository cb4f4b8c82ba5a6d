//! Performs a model call: HTTP, improvised, scripted, recorded.
//!
//! A [`Provider`] takes the body of an HTTP request and gives the body of the response, both exactly as they are on the
//! wire, so that whoever records them can replay it. It decides nothing: whether a fault is worth
//! another attempt is asked elsewhere. Keys are removed from everything that a provider returns.

mod collector;
mod http;
mod improvised;
mod recorded;
mod redact;
mod scripted;
mod settings;
mod shared;
mod webhook;

use std::pin::Pin;

use twicetold_model::Fault;

pub use collector::{Collector, Exported};
pub use http::{BODY_BYTES_MAX, HttpModel};
pub use improvised::Improvised;
pub use recorded::Recorded;
pub use scripted::{Answer, Scripted};
pub use settings::{Settings, SettingsError};
pub use shared::Servers;
pub use webhook::{Posted, Webhook, WebhookError};

/// A model call under way. To drop it is to give the call up.
pub type Completion<'a> = Pin<Box<dyn Future<Output = Result<String, Fault>> + Send + 'a>>;

/// A question for the window of a model under way.
pub type AskedWindow<'a> = Pin<Box<dyn Future<Output = Option<u32>> + Send + 'a>>;

/// Is told what came of an answer so far, all of it from its beginning, whenever more came. The answer may still be refused, and may hold
/// what nobody but its seat may know.
pub type Heard<'a> = &'a (dyn Fn(&[u8]) + Sync);

/// Whatever answers model calls.
pub trait Provider: Send + Sync {
    /// What people know it by: the endpoint's name in configuration.
    fn name(&self) -> &str;

    /// Makes one call: the body of the HTTP request in, the body of the response out. Nothing happens before the first
    /// poll.
    ///
    /// # Errors
    /// Faults of the transport and of a status other than 2xx. An error inside a success is a body like any other.
    fn complete<'a>(&'a self, body: &'a str) -> Completion<'a>;

    /// The same, and tells what comes while it comes. A provider that has its answers at once tells nothing.
    ///
    /// # Errors
    /// As [`Provider::complete`].
    fn complete_heard<'a>(&'a self, body: &'a str, _heard: Heard<'a>) -> Completion<'a> {
        self.complete(body)
    }

    /// A text that was read from what came so far, with the keys removed that it may hold.
    fn without_keys(&self, text: String) -> String {
        text
    }

    /// Asks a server for its own list of its models: the body of the answer.
    /// Nothing in a campaign asks for it, and not every server has one. Nothing where there is no server to ask.
    ///
    /// # Errors
    /// Those of a call.
    fn models(&self) -> Option<Completion<'_>> {
        None
    }

    /// Asks a server how many tokens its model takes, prompt and reply together: nothing where it does not say so within a few seconds.
    /// Nothing where there is no server to ask.
    fn window(&self) -> Option<AskedWindow<'_>> {
        None
    }
}
