//! Prints a story as it unfolds: who speaks, what tools did, what the dice showed.

use twicetold_event::family::{Combat, Family, Tools};
use twicetold_event::{Entry, Event};
use twicetold_projection::people::{Line, LineKind, lines, unspoiled};
use twicetold_referee::Campaign;
use twicetold_world::State;

use crate::terminal::{BOLD, DIM, EFFECT, GOLD, TROUBLE, by_line, paragraphs, safe, speaker, with_outcome};

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

/// So many checks back a record may only say again what the dice have shown.
const CHECKS_KEPT: usize = 4;

/// The order in which a story is printed. Tools are called before the words that tell of it: whoever reads wants the attempt first, and
/// then what came of it.
#[derive(Default)]
pub struct Order {
    /// What waits for the words of the turn, as it is printed.
    held: String,
    /// The last checks, as records tell them.
    checks: Vec<String>,
}

impl Order {
    /// What is to be printed now that this entry was told, of which these lines are shown.
    pub fn told(&mut self, state: &State, entry: &Entry, lines: &[Line]) -> String {
        let mut out = String::new();
        for (number, event) in entry.numbered() {
            if let Event::AbilityChecked(word) = event {
                let how = if word.success { "managed" } else { "failed" };
                self.checks.push(format!("{} {how} to {}.", word.character, word.check));
                let worn = self.checks.len().saturating_sub(CHECKS_KEPT);
                self.checks.drain(..worn);
            }
            if matches!(event.family(), Family::Table(_)) {
                out += &self.rest();
            }
            for line in lines.iter().filter(|line| line.number == number.0) {
                let text = rendered(state, line);
                match line.kind {
                    _ if self.is_said_again(event) => {}
                    LineKind::Speech => {
                        out += &text;
                        out += &self.rest();
                    }
                    LineKind::Effect if waits(event) => self.held += &text,
                    LineKind::Heading | LineKind::Goal => {
                        out += &self.rest();
                        out += &text;
                    }
                    LineKind::Effect | LineKind::Trouble | LineKind::Note => out += &text,
                }
            }
        }
        out
    }

    /// What still waits, when no more words come.
    pub fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// Is this a record of no more than how a check ended, which stands there already?
    fn is_said_again(&self, event: &Event) -> bool {
        let text = match event {
            Event::NotableEventRecorded(word) => &word.text,
            Event::ImportantEventRecorded(word) => &word.text,
            _ => return false,
        };
        // The record may give a name its capital.
        self.checks.iter().any(|check| check.to_lowercase() == text.to_lowercase())
    }
}

/// Does a tool do this, whose caller has yet to speak?
fn waits(event: &Event) -> bool {
    match event.family() {
        Family::Tools(word) => {
            matches!(word, Tools::AbilityChecked(_) | Tools::DiceRolled(_) | Tools::ItemUsed(_))
        }
        Family::Facts(_) | Family::Characters(_) | Family::People(_) => true,
        Family::Combat(word) => !matches!(word, Combat::CombatBegan(_) | Combat::CombatTurnBegan(_)),
        Family::Table(_)
        | Family::Calls(_)
        | Family::Speech(_)
        | Family::Dialogue(_)
        | Family::SessionZero(_)
        | Family::Encounter(_)
        | Family::Party(_)
        | Family::Foreign(_)
        | Family::Unknown(_) => false,
    }
}

/// One line of the story as it is printed, with a line break before what begins something new.
pub fn rendered(state: &State, line: &Line) -> String {
    let text = |style: anstyle::Style, indent: &str| by_line(&paragraphs(&line.text, indent), style) + "\n";
    match line.kind {
        LineKind::Heading => format!("\n{GOLD}── {} ──{GOLD:#}\n", safe(&line.text)),
        LineKind::Speech => {
            let style = speaker(seat_index(state, &line.speaker));
            format!("\n{style}{}{style:#}\n{}\n", safe(&line.speaker), paragraphs(&line.text, "  "))
        }
        LineKind::Effect => format!("{}\n", with_outcome(&paragraphs(&line.text, "    "), EFFECT)),
        LineKind::Goal => {
            let is_lost = ["Unresolved", "Failed"].iter().any(|word| line.text.starts_with(word));
            let style = if is_lost { GOLD } else { BOLD };
            format!("\n{}\n", by_line(&paragraphs(&format!("★ {}", line.text), ""), style))
        }
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
