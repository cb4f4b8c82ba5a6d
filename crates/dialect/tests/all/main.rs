//! The promises of the dialects.

mod decode;
mod encode;
mod prompted;
mod recordings;
