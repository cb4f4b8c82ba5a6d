//! What a model answered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ToolCall;

/// Why the model stopped writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Read, cached ones included.
    pub input_tokens: u64,
    /// Of those, read from the server's cache.
    pub cached_tokens: u64,
    /// Of those, written to the server's cache, which some servers charge for.
    pub cache_written_tokens: u64,
    /// Written, thinking included.
    pub output_tokens: u64,
    /// Of those, thought.
    pub thinking_tokens: u64,
}

/// A block of a reply that only the server can read, such as the signature of its thinking. The server wants it back where it stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opaque {
    /// Before what it stood: 0 is the text, 1 the first tool call, 2 the second.
    pub place: u16,
    /// The block as JSON text.
    pub json: String,
}

/// A decoded reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The words, exactly as written, without what the model thought.
    pub text: String,
    /// What the model thought, as far as the server showed it: for `why`, and for nobody at the table.
    pub thinking: String,
    /// Blocks to send back with the reply, to the same protocol and model only, in order.
    pub opaque: Vec<Opaque>,
    /// The tool calls in order. Arguments are raw text: a malformed call beside a good one loses neither.
    pub tool_calls: Vec<ToolCall>,
    /// Why it stopped.
    pub finish: Finish,
    /// Tokens.
    pub usage: Usage,
}
