//! What a model answered.

use serde::{Deserialize, Serialize};

use crate::ToolCall;

/// Why the model stopped writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finish {
    /// It was done.
    Stop,
    /// It wants the results of its tool calls.
    ToolCalls,
    /// It was cut off at its token limit.
    Length,
    /// The server's filter cut it.
    Filtered,
    /// Anything else a server says.
    Other,
}

/// Tokens as the server counted them; zero where it did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Read, cached ones included.
    pub input_tokens: u64,
    /// Of those, read from the server's cache.
    pub cached_tokens: u64,
    /// Written.
    pub output_tokens: u64,
}

/// A decoded reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The words, exactly as written, without what the model thought.
    pub text: String,
    /// What the model thought, as far as the server showed it: for `why`, and for nobody at the table.
    pub thinking: String,
    /// The tool calls in order. Arguments are raw text: a malformed call beside a good one loses neither.
    pub tool_calls: Vec<ToolCall>,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens.
    pub usage: Usage,
}
