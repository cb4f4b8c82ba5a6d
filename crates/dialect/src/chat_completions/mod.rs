//! Chat completions, the protocol that most model servers speak.

mod assemble;
mod decode;
mod details;
mod encode;
mod reply_body;

pub(crate) use crate::classify::classify;
pub(crate) use assemble::{assemble, end};
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use reply_body::reply_body;

pub(crate) const NAME: &str = "chat-completions";
pub(crate) const VERSION: u32 = 1;
pub(crate) const PATH: &str = "/chat/completions";
pub(crate) const MODELS_PATH: &str = "/models";

/// The fields that `encode` may write itself.
pub(crate) const OWN_FIELDS: [&str; 12] = [
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "temperature",
    "seed",
    "max_tokens",
    "max_completion_tokens",
    "stop",
    "stream",
    "stream_options",
];

pub(crate) fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect()
}
