//! The promises of the dialects.

mod anthropic;
mod assemble;
mod decode;
mod encode;
mod prompted;
mod recordings;
