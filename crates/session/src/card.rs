//! The card at the end: what a campaign came to, however it is shown.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::Seat;
use twicetold_model::Digest;
use twicetold_projection::people;
use twicetold_world::State;

/// What a campaign came to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Card {
    /// The campaign's title.
    #[serde(skip)]
    pub title: String,
    /// Turns that were played.
    pub turns: u32,
    /// Calls of models.
    pub calls: u32,
    /// Tokens that models read.
    pub input_tokens: u64,
    /// Tokens that models wrote.
    pub output_tokens: u64,
    /// The story digest.
    pub story: Digest,
    /// Where dice and draws come from.
    pub seed: u64,
    /// The goals of all encounters; none for a player, from whom hidden goals stay hidden.
    pub goals: Vec<people::Goals>,
}

impl Card {
    /// The card as `seat` may know it where a person plays.
    pub fn of(state: &State, story: Digest, seat: Option<Seat>) -> Card {
        let total = state.calls().total();
        Card {
            title: state.setup().campaign.title.clone(),
            turns: state.turn().number,
            calls: total.calls,
            input_tokens: total.input_tokens,
            output_tokens: total.output_tokens,
            story,
            seed: state.setup().seed,
            goals: if matches!(seat, Some(Seat::Player(_))) { Vec::new() } else { people::goals(state) },
        }
    }

    /// Tokens that models read and wrote.
    pub fn tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
    }
}
