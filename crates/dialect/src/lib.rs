//! A request as the bytes of an HTTP body, and a body as a reply, per wire protocol.
//!
//! Everything here is pure: the same request and [`Compat`] give the same bytes, in every run and on every
//! machine, and the same body and compat give the same reply or the same fault. That is what lets a campaign be told
//! again without a network. Nothing that a server sends makes these functions panic.

mod classify;
mod compat;
mod http_date;
mod json;
mod openai_chat;
mod prompted;
mod server_error;
mod visible;

use serde::{Deserialize, Serialize};
use twicetold_model::{Digest, Fault, Reply, Request};

pub use classify::RetryHeaders;
pub use compat::{Compat, SystemRole, TokensField, ToolCalls};
pub use json::push_json_string;
pub use openai_chat::reply_body;
pub use visible::visible;

/// The digest by which a journal and a recording know the body of an HTTP request.
pub fn sent_digest(body: &str) -> Digest {
    Digest::of("twicetold sent 1", body.as_bytes())
}

/// A wire protocol. The order is part of the journal's format: append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Protocol {
    /// Chat completions as OpenAI, Ollama, llama.cpp, vLLM, LM Studio and OpenRouter serve them: `"openai"` in
    /// configuration.
    #[default]
    #[serde(rename = "openai")]
    OpenAiChat,
}

impl Protocol {
    /// Where a request goes, as the end of a URL that begins with an endpoint's base URL.
    pub fn path(self) -> &'static str {
        match self {
            Protocol::OpenAiChat => "/chat/completions",
        }
    }

    /// The body of the HTTP request, always the same bytes for the same input.
    pub fn encode(self, request: &Request, compat: &Compat) -> String {
        match self {
            Protocol::OpenAiChat => openai_chat::encode(request, compat),
        }
    }

    /// Reads the body of an answer with status 200, always the same for the same body and the same [`Compat`] (of which
    /// it needs to know in what form the model was told to call tools).
    ///
    /// # Errors
    /// `Unreadable` when it is not JSON of the protocol, `NoChoices` when it holds no reply, and what the server says
    /// when it reports an error in spite of the 200: `RateLimited`, `Unauthorized`, `ContextTooLong` or `ErrorInBody`.
    pub fn decode(self, body: &str, compat: &Compat) -> Result<Reply, Fault> {
        let reply = match self {
            Protocol::OpenAiChat => openai_chat::decode(body),
        };
        reply.map(|reply| prompted::read(reply, compat))
    }

    /// What an answer with a status other than 2xx means.
    pub fn classify(self, status: u16, headers: &RetryHeaders<'_>, body: &str) -> Fault {
        match self {
            Protocol::OpenAiChat => classify::classify(status, headers, body),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_a_body_that_is_sent_never_changes() {
        assert_eq!(format!("{:.16}", sent_digest("{}")), "80a7384cade07df5");
    }
}
