//! The promises of the dialects.

mod anthropic;
mod anthropic_streams;
mod assemble;
mod bad_input;
mod decode;
mod encode;
mod gemini;
mod gemini_streams;
mod helpers;
mod ollama;
mod prompted;
mod recordings;
mod responses;
mod responses_streams;
mod thinking_field;
