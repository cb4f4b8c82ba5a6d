//! Ollama's own protocol. Unlike its imitation of chat completions it lets a client set the window and forbid that a prompt is
//! cut.

mod assemble;
mod decode;
mod encode;
mod reply_body;

pub(crate) use crate::chat_completions::headers;
pub(crate) use crate::classify::classify;
pub(crate) use assemble::{assemble, end};
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use reply_body::reply_body;

pub(crate) const NAME: &str = "ollama";
pub(crate) const VERSION: u32 = 1;
pub(crate) const PATH: &str = "/api/chat";
pub(crate) const MODELS_PATH: &str = "/api/tags";

/// The fields that `encode` may write itself. Not among them is `options`, which configuration may add to.
pub(crate) const OWN_FIELDS: [&str; 7] =
    ["model", "messages", "tools", "format", "stream", "truncate", "shift"];
