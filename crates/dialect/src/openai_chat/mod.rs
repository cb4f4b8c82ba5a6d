//! Chat completions, the protocol that most model servers speak.

mod decode;
mod encode;
mod reply_body;
mod words;

pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub use reply_body::reply_body;
