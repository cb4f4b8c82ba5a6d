//! Prints a story as it unfolds: who speaks, what tools did, what the dice showed.

use twicetold_event::Entry;
use twicetold_projection::people::{Line, LineKind, lines, unspoiled};
use twicetold_referee::Campaign;
use twicetold_world::State;

use crate::terminal::{BOLD, DIM, EFFECT, GOLD, TROUBLE, paragraphs, safe, speaker};

/// What a reader may know beforehand.
#[derive(clap::Args)]
pub struct Spoilers {
    /// Show also what is hidden from the players: the DM's scenario, secrets, hidden goals, and sheets as they were sent
    #[arg(long)]
    pub spoilers: bool,
}

impl Spoilers {
    /// What an entry adds to the story.
    pub fn lines(&self, campaign: &Campaign, entry: &Entry) -> Vec<Line> {
        let lines = if self.spoilers { lines } else { unspoiled };
        lines(campaign.state(), campaign.replies(), entry)
    }
}

/// One line of the story as it is printed, with a line break before what begins something new.
pub fn rendered(state: &State, line: &Line) -> String {
    let text =
        |style: anstyle::Style, indent: &str| format!("{style}{}{style:#}\n", paragraphs(&line.text, indent));
    match line.kind {
        LineKind::Heading => format!("\n{GOLD}── {} ──{GOLD:#}\n", safe(&line.text)),
        LineKind::Speech => {
            let style = speaker(seat_index(state, &line.speaker));
            format!("\n{style}{}{style:#}\n{}\n", safe(&line.speaker), paragraphs(&line.text, "  "))
        }
        LineKind::Effect => text(EFFECT, "    "),
        LineKind::Goal => format!("\n{BOLD}{}{BOLD:#}\n", paragraphs(&format!("★ {}", line.text), "")),
        LineKind::Trouble => text(TROUBLE, "    "),
        LineKind::Note => text(DIM, "    "),
    }
}

/// The place of a player's seat, for its colour; none for the DM.
fn seat_index(state: &State, name: &str) -> Option<u8> {
    state
        .setup()
        .players()
        .zip(0..)
        .find(|(seat, _)| state.seat_name(*seat) == name || seat.to_string() == name)
        .map(|(_, index)| index)
}
