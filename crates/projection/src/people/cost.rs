//! What a campaign has cost, by seat and purpose.

use serde::Serialize;
use twicetold_world::State;

/// The cost of one seat for one purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Who was asked.
    pub seat: String,
    /// What for.
    pub purpose: String,
    /// Replies.
    pub calls: u32,
    /// Attempts that failed.
    pub failed: u32,
    /// Tokens read, as servers counted them.
    pub input_tokens: u64,
    /// Of those, read from a server's cache.
    pub cached_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

/// The costs of a state.
pub fn cost(state: &State) -> Vec<Cost> {
    let line = |((seat, purpose), spent): (&(twicetold_event::Seat, String), &twicetold_world::Spent)| Cost {
        seat: seat.to_string(),
        purpose: purpose.clone(),
        calls: spent.calls,
        failed: spent.failed,
        input_tokens: spent.input_tokens,
        cached_tokens: spent.cached_tokens,
        output_tokens: spent.output_tokens,
    };
    state.calls().spent.iter().map(line).collect()
}
