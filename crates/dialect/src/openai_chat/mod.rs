//! Chat completions, the protocol that most model servers speak.

mod decode;
mod encode;
mod words;

pub(crate) use decode::decode;
pub(crate) use encode::encode;
