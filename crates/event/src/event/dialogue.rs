//! Dialogues: a player and a character of the DM's alone with each other, apart from the main story.

use serde::{Deserialize, Serialize};

use crate::{Seat, Text};

/// A dialogue began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialogueBegan {
    /// Its number in the campaign, counted from 1.
    pub dialogue: u32,
    /// The character of the DM's.
    pub npc: String,
    /// The player who speaks with it.
    pub seat: Seat,
    /// The other players who are near enough to join in.
    pub present: Vec<Seat>,
}

/// Another player joined a dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialogueJoined {
    /// Which dialogue.
    pub dialogue: u32,
    /// Who.
    pub seat: Seat,
}

/// Why a dialogue ended. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DialogueEnd {
    /// The character ended it.
    Tool,
    /// It had as many exchanges as a dialogue may have.
    ExchangeLimit,
    /// The encounter ended, or the campaign.
    EncounterOver,
}

/// A dialogue ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialogueEnded {
    /// Which dialogue.
    pub dialogue: u32,
    /// The character of the DM's.
    pub npc: String,
    /// Why.
    pub why: DialogueEnd,
    /// Answers of the character.
    pub exchanges: u32,
}

/// A dialogue as a few sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialogueSummarised {
    /// Which dialogue.
    pub dialogue: u32,
    /// The character of the DM's.
    pub npc: String,
    /// The players who were part of it.
    pub seats: Vec<Seat>,
    /// The words.
    pub text: Text,
    /// Written by the referee because no model did.
    pub fallback: bool,
}

/// A character learned something of the party that it will not forget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactLearned {
    /// In which dialogue.
    pub dialogue: u32,
    /// Who.
    pub npc: String,
    /// What.
    pub text: Text,
}
