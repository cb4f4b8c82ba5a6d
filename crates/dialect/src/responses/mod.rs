//! OpenAI's Responses, in which thinking survives from one request to the next. Nothing is kept at the server.

mod assemble;
mod decode;
mod encode;
mod reply_body;

pub(crate) use crate::chat_completions::{MODELS_PATH, headers};
pub(crate) use crate::classify::classify;
pub(crate) use assemble::{assemble, end};
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use reply_body::reply_body;

pub(crate) const VERSION: u32 = 1;
pub(crate) const PATH: &str = "/responses";

/// The name by which its blocks are known.
pub(crate) const NAME: &str = "responses";

/// The fields that `encode` may write itself. Not among them are `text`, which configuration may add to, and `include`, which an
/// extra field replaces: models that do not think refuse it.
pub(crate) const OWN_FIELDS: [&str; 9] = [
    "model",
    "input",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "temperature",
    "max_output_tokens",
    "store",
    "stream",
];
