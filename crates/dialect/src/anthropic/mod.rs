//! The Messages protocol of Anthropic, which several other servers speak too.

mod assemble;
mod classify;
mod decode;
mod encode;
mod held;
mod reply_body;

use serde::Deserialize;

use crate::Compat;
use crate::raw::object;

pub(crate) use assemble::{assemble, end};
pub(crate) use classify::classify;
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use reply_body::reply_body;

pub(crate) const NAME: &str = "anthropic-messages";
pub(crate) const VERSION: u32 = 1;
pub(crate) const PATH: &str = "/messages";
pub(crate) const MODELS_PATH: &str = "/models";

/// The vendor's version that this build speaks. Later ones refuse fields that this one takes, so it belongs to [`VERSION`].
const VENDOR_VERSION: &str = "2023-06-01";

/// The fields that `encode` may write itself; `cache_control`, which it writes within them, would be one mark too many beside them.
/// `output_config` is not among them: configuration may add members to it.
pub(crate) const OWN_FIELDS: [&str; 10] = [
    "model",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "temperature",
    "max_tokens",
    "stop_sequences",
    "stream",
    "cache_control",
];

/// Is the model told to think before every turn? Then the vendor refuses a turn with calls that begins with no thinking
/// ("Expected `thinking` or `redacted_thinking`, but found `tool_use`").
pub(crate) fn thinks(compat: &Compat) -> bool {
    #[derive(Deserialize)]
    struct Thinking {
        r#type: String,
    }
    let thinking = compat.extra_fields.get("thinking").and_then(|json| object(json).ok());
    thinking.is_some_and(|thinking: Thinking| thinking.r#type == "enabled")
}

pub(crate) fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    let key = key.map(|key| ("x-api-key", key.to_owned()));
    key.into_iter().chain([("anthropic-version", VENDOR_VERSION.to_owned())]).collect()
}
