//! What the model of the workload says: the same bytes for the same turn, in every run and on every machine.

use twicetold_dialect::Protocol;
use twicetold_event::Seat;

/// Bytes of what is said in a turn.
pub const TEXT_BYTES: usize = 600;
/// What the memory agent says.
const SUMMARY_TURN: u32 = u32::MAX;
/// Turns of a Session Zero in which each phase has one round: the DM speaks once in each.
pub const SESSION_ZERO_TURNS: u32 = 3;

const WORDS: &str = "the dragon waits under a broken tower while rain falls and every lantern dies you hear steel scrape on \
                     stone then silence roll for courage or run toward open gate now perhaps";

/// The words of turn `turn`: words from a list of 32, picked by the five highest bits of a linear congruential generator.
pub fn text(turn: u32) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut random = turn.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut said = String::with_capacity(TEXT_BYTES + 16);
    while said.len() < TEXT_BYTES + 2 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        said.push_str(words[(random >> 27) as usize]);
        said.push(' ');
    }
    said.truncate(TEXT_BYTES);
    said
}

/// Does somebody roll dice in this turn?
pub fn rolls(turn: u32) -> bool {
    turn % 3 == 2
}

/// All bodies, made before any clock runs, and the place that the telling has come to.
pub struct Script {
    bodies: Vec<String>,
    after_roll: String,
    summary: String,
    session_zero: u32,
    turn: u32,
    rolled: bool,
}

impl Script {
    /// A script for a Session Zero and `turns` turns of play.
    pub fn new(turns: u32) -> Script {
        let roll = [("roll_dice", r#"{"dice":"1d20+5","reason":"courage"}"#)];
        let body =
            |turn| Protocol::ChatCompletions.reply_body(&text(turn), if rolls(turn) { &roll } else { &[] });
        Script {
            bodies: (0..turns).map(body).collect(),
            after_roll: Protocol::ChatCompletions.reply_body("So be it.", &[]),
            summary: Protocol::ChatCompletions.reply_body(&text(SUMMARY_TURN), &[]),
            session_zero: 0,
            turn: 0,
            rolled: false,
        }
    }

    /// The turns of play that were begun so far.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The next body for a seat. A roll is answered with its result, so the same turn is asked once more.
    pub fn answer(&mut self, seat: Seat) -> String {
        if seat == Seat::Memory {
            return self.summary.clone();
        }
        if self.session_zero < SESSION_ZERO_TURNS {
            self.session_zero += 1;
            return self.after_roll.clone();
        }
        if std::mem::take(&mut self.rolled) {
            return self.after_roll.clone();
        }
        self.rolled = rolls(self.turn);
        self.turn += 1;
        self.bodies.get(self.turn as usize - 1).unwrap_or(&self.after_roll).clone()
    }
}
