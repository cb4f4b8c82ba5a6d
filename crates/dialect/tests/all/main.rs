//! The promises of the dialects.

mod assemble;
mod decode;
mod encode;
mod prompted;
mod recordings;
