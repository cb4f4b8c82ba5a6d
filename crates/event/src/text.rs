//! Where a text lies, on which channel it was said, and who may know it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CallId, Seat};

/// A text of an event. What a model said is stored once, in the reply: events point into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Text {
    /// Bytes `start..end` of the words of a reply.
    Reply {
        /// The reply.
        call: CallId,
        /// First byte.
        start: u32,
        /// The byte after the last.
        end: u32,
    },
    /// Written by the referee.
    Written(String),
}

impl Text {
    /// The reply that it points into.
    pub fn reply(&self) -> Option<CallId> {
        match self {
            Text::Reply { call, .. } => Some(*call),
            Text::Written(_) => None,
        }
    }
}

/// Where something was said.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Channel {
    /// Before play.
    SessionZero,
    /// The main history.
    Main,
    /// A dialogue with one character of the DM's, by its id.
    Dialogue(String),
    /// From one seat to another.
    Whisper(Seat, Seat),
}

/// Who may know a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Audience {
    /// Everybody at the table.
    All,
    /// The DM alone.
    Dm,
    /// These seats.
    Seats(Arc<[Seat]>),
}

impl Audience {
    /// May `seat` know it? The memory agent is told what everybody knows and no more.
    pub fn includes(&self, seat: Seat) -> bool {
        match self {
            Audience::All => true,
            Audience::Dm => seat == Seat::Dm,
            Audience::Seats(seats) => seats.contains(&seat),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_reaches_the_dm_and_its_owner_and_nobody_else() {
        let secret = Audience::Seats([Seat::Dm, Seat::Player(2)].into());
        let reached: Vec<Seat> = [Seat::Dm, Seat::Player(1), Seat::Player(2), Seat::Memory]
            .into_iter()
            .filter(|seat| secret.includes(*seat))
            .collect();
        assert_eq!(reached, [Seat::Dm, Seat::Player(2)]);
        assert!(!Audience::Dm.includes(Seat::Memory));
    }
}
