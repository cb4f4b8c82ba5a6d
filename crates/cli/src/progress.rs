//! The line of progress: how far a campaign is, how fast its models answer, and what was paid.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use textwrap::core::display_width;
use twicetold_event::{Entry, Input};
use twicetold_host::mapping::Mapping;
use twicetold_host::prices::prices;
use twicetold_projection::people::{Ledger, Prices, cost, paid};
use twicetold_referee::Campaign;

use crate::card;
use crate::terminal::{counted, safe};

/// Columns before the words of the line: the spinner and the seconds.
const BEFORE: usize = 10;

/// Columns for the words.
pub fn columns() -> usize {
    textwrap::termwidth().saturating_sub(BEFORE)
}

/// The bar that is on the terminal.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// From now on lines of the log stand above this bar and do not run into it.
pub fn shown(bar: &ProgressBar) {
    *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
}

/// Standard error, for lines of the log.
pub struct LogLines;

impl Write for LogLines {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        let bar = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let write = || std::io::stderr().write_all(line);
        bar.map_or_else(write, |bar| bar.suspend(write)).map(|()| line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

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

    /// The line after this entry, in so many columns.
    pub fn after(&mut self, campaign: &Campaign, entry: &Entry, columns: usize) -> String {
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
        let most = state.setup().limits.turns_max;
        let tokens = card::thousands(total.input_tokens + total.output_tokens);
        let money = paid(&cost(state, &self.ledger, &self.prices)).into_iter();
        let parts = [
            Part(3, state.phase().name().to_owned()),
            Part(0, format!("turn {} of at most {most}", turn.number)),
            Part(6, counted(u64::from(total.calls), "call")),
            Part(4, format!("{tokens} tokens")),
            Part(5, self.speed.map_or_else(String::new, |speed| format!("{speed} tokens/s"))),
        ];
        let money = money.map(|paid| Part(2, format!("{} {}", paid.paid.rounded(), safe(&paid.currency))));
        shortened(parts.into_iter().chain(money).chain([Part(1, who)]).collect(), columns)
    }
}

/// A part of the line, and how soon it is left out where there is no room: those of the highest number first.
struct Part(u8, String);

/// The parts in a line of so many columns.
fn shortened(mut parts: Vec<Part>, columns: usize) -> String {
    parts.retain(|part| !part.1.is_empty());
    loop {
        let line = parts.iter().map(|part| part.1.as_str()).collect::<Vec<_>>().join(" · ");
        if display_width(&line) <= columns || parts.len() <= 1 {
            return line;
        }
        let first = parts.iter().enumerate().max_by_key(|(_, part)| part.0).map_or(0, |(place, _)| place);
        parts.remove(first);
    }
}

fn speed(tokens: u64, ms: u64) -> Option<u64> {
    (ms >= SHORT_MS).then(|| tokens.saturating_mul(1_000) / ms)
}

#[cfg(test)]
mod tests {
    use super::{Part, shortened, speed};

    #[test]
    fn a_narrow_line_leaves_out_what_matters_least() {
        let parts = || {
            [(3, "play"), (0, "turn 3 of at most 30"), (6, "3 calls"), (5, ""), (1, "Ada")]
                .map(|(rank, text)| Part(rank, text.into()))
        };
        let line = |columns| shortened(parts().into(), columns);
        assert_eq!(line(43), "play · turn 3 of at most 30 · 3 calls · Ada");
        assert_eq!(line(42), "play · turn 3 of at most 30 · Ada");
        assert_eq!(
            (line(27).as_str(), line(20).as_str(), line(5).as_str()),
            ("turn 3 of at most 30 · Ada", "turn 3 of at most 30", "turn 3 of at most 30")
        );
    }

    #[test]
    fn a_speed_is_told_of_answers_that_took_a_while() {
        assert_eq!((speed(120, 4_000), speed(90, 50), speed(0, 1_000)), (Some(30), None, Some(0)));
    }
}
