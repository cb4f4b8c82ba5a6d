//! The line of progress: how far a campaign is, how fast its models answer, and what was paid.

use twicetold_event::{Entry, Input};
use twicetold_host::mapping::Mapping;
use twicetold_host::prices::prices;
use twicetold_projection::people::{Ledger, Prices, cost, paid};
use twicetold_referee::Campaign;

use crate::card;
use crate::terminal::{counted, safe};

/// An answer that took less says nothing of a model's speed.
const SHORT_MS: u64 = 200;

/// What the line says beside what the state of the campaign says.
pub struct Progress {
    ledger: Ledger,
    prices: Prices,
    /// Tokens a second of the last answer, from the request on.
    speed: Option<u64>,
}

impl Progress {
    /// Before the first entry that is played now. `mapping` are the models that play.
    pub fn new(mapping: &Mapping) -> Progress {
        Progress { ledger: Ledger::default(), prices: prices(mapping), speed: None }
    }

    /// The line after this entry.
    pub fn after(&mut self, campaign: &Campaign, entry: &Entry) -> String {
        if let Input::ModelReplied(word) = &entry.input
            && let Some(asked) = self.ledger.asked(word.call)
        {
            self.speed = speed(word.usage.output_tokens, entry.header.at.0.saturating_sub(asked.since.0));
        }
        let state = campaign.state();
        self.ledger.entry(state, entry);
        let total = state.calls().total();
        let turn = state.turn();
        let who = turn.seat.map(|seat| safe(&state.seat_name(seat))).unwrap_or_default();
        let mut line = format!(
            "{} · turn {} of at most {} · {} · {} tokens",
            state.phase().name(),
            turn.number,
            state.setup().limits.turns_max,
            counted(u64::from(total.calls), "call"),
            card::thousands(total.input_tokens + total.output_tokens)
        );
        if let Some(speed) = self.speed {
            line += &format!(" · {speed} tokens/s");
        }
        for paid in paid(&cost(state, &self.ledger, &self.prices)) {
            line += &format!(" · {} {}", paid.paid.rounded(), safe(&paid.currency));
        }
        // Last, because a narrow terminal cuts the end off.
        line += &format!(" · {who}");
        line
    }
}

fn speed(tokens: u64, ms: u64) -> Option<u64> {
    (ms >= SHORT_MS).then(|| tokens.saturating_mul(1_000) / ms)
}

#[cfg(test)]
mod tests {
    use super::speed;

    #[test]
    fn a_speed_is_told_of_answers_that_took_a_while() {
        assert_eq!((speed(120, 4_000), speed(90, 50), speed(0, 1_000)), (Some(30), None, Some(0)));
    }
}
