//! The protocol `generateContent` of Google's Gemini.

mod assemble;
mod classify;
mod decode;
mod encode;
mod part;
mod reply_body;

pub(crate) use assemble::{assemble, end};
pub(crate) use classify::classify;
pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use reply_body::reply_body;

pub(crate) const NAME: &str = "gemini";
pub(crate) const VERSION: u32 = 1;
pub(crate) const MODELS_PATH: &str = "/models";

/// The fields that `encode` may write itself. `generationConfig` is not among them: configuration may add members to it, and
/// must, for how much the model thinks is one.
pub(crate) const OWN_FIELDS: [&str; 4] = ["contents", "systemInstruction", "tools", "toolConfig"];

/// The name that servers list a model by begins with this, and so may the one in configuration.
const MODELS: &str = "models/";

/// The address names the model and says whether the answer is to come in pieces; without `alt=sse` they would be a JSON list.
pub(crate) fn path(model: &str, stream: bool) -> String {
    let method = if stream { ":streamGenerateContent?alt=sse" } else { ":generateContent" };
    model_path(model) + method
}

/// Where the server describes a model.
pub(crate) fn model_path(model: &str) -> String {
    format!("/{MODELS}{}", escaped(model.strip_prefix(MODELS).unwrap_or(model)))
}

/// The name of a model as a part of an address: no name may lead to another one.
pub(crate) fn escaped(model: &str) -> String {
    let mut out = String::new();
    for byte in model.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The key goes into a header, never into the address: addresses are logged.
pub(crate) fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    key.map(|key| ("x-goog-api-key", key.to_owned())).into_iter().collect()
}
