//! Dialogues and whispers: what goes on beside the main story.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};
use twicetold_event::Seat;

use super::Origin;

/// Everything that goes on beside the main story.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Conversations {
    /// The dialogue being held.
    pub dialogue: Option<Dialogue>,
    /// Dialogues so far.
    pub begun: u32,
    /// As if a later build had added it.
    #[cfg(feature = "new-field")]
    pub new_field: Option<u32>,
    /// Dialogues of the encounter being played.
    pub in_encounter: u32,
    /// The turn in which the last one ended.
    pub ended_turn: u32,
    /// Pending work of the memory agent, oldest first.
    pub pending: VecDeque<Pending>,
    /// Whispers, oldest first.
    pub whispers: Vec<Whisper>,
}

/// A dialogue being held.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Dialogue {
    /// Its number in the campaign.
    pub number: u32,
    /// The character of the DM's.
    pub npc: String,
    /// The player who began it.
    pub partner: Seat,
    /// The players who are part of it, each with where it joined.
    pub joined: BTreeMap<Seat, Origin>,
    /// Other players who are near enough to join in.
    pub present: BTreeSet<Seat>,
    /// Answers of the character so far.
    pub exchanges: u32,
    /// Where it began.
    pub began: Origin,
}

/// A request for the memory agent, made at a turn's end.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Pending {
    /// What is kept of a dialogue.
    DialogueSummary {
        /// Its number.
        dialogue: u32,
        /// The character of the DM's.
        npc: String,
        /// The players who were part of it.
        seats: Vec<Seat>,
    },
    /// A profile of a character.
    Profile {
        /// Its id.
        npc: String,
    },
}

/// Something said from one seat to another.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Whisper {
    /// Who.
    pub from: Seat,
    /// To whom.
    pub to: Seat,
    /// What.
    pub text: String,
    /// Where.
    pub origin: Origin,
}
