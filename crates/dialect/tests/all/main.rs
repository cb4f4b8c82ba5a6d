//! The promises of the dialects.

mod anthropic;
mod assemble;
mod decode;
mod encode;
mod gemini;
mod ollama;
mod prompted;
mod recordings;
mod responses;
