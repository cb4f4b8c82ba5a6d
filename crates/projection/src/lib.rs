//! What is derived from the journal for reading: prompts for seats, documents for people. Readers cannot decide.

mod answers;
mod describe;
pub mod people;
pub mod prompt;
mod questions;
mod recorded;
mod template;
mod text;

pub use describe::describe;
pub use questions::{citable, is_document_stale, missing, speaker};
pub use recorded::recorded;
pub use text::{Replies, words, written};
