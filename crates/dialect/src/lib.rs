//! A request as the bytes of an HTTP body, and a body as a reply, per wire protocol.
//!
//! Everything here is pure: the same request and [`Wire`] give the same bytes, in every run and on every
//! machine, and the same body and wire give the same reply or the same fault. That is what lets a campaign be replayed
//! without a network. Nothing that a server sends makes these functions panic.

mod acceptable;
mod anthropic;
mod calls;
mod chat_completions;
mod classify;
mod compat;
mod ended;
mod gemini;
mod http_date;
mod json;
mod ollama;
mod pieces;
mod prompted;
mod raw;
mod responses;
mod retry;
mod server_error;
mod thinking;
mod turns;
mod visible;
mod window;
mod wire;

use twicetold_model::Digest;

pub use compat::{Compat, SystemRole, ThinkingField, TokensField, ToolCalls};
pub use prompted::{CHOICE, structured_schema, unread_call};
pub use retry::RetryHeaders;
pub use twicetold_model::push_json_string;
pub use visible::visible;
pub use window::{Question, model_names, window};
pub use wire::{Protocol, Wire};

/// The digest by which a journal and a recording know the body of an HTTP request.
pub fn sent_digest(body: &str) -> Digest {
    Digest::of("twicetold sent 1", body.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_a_body_that_is_sent_never_changes() {
        assert_eq!(format!("{:.16}", sent_digest("{}")), "80a7384cade07df5");
    }
}
