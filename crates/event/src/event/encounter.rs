//! Encounters and their goals.

use serde::{Deserialize, Serialize};

use crate::{CallId, Check};

/// A detail of an encounter that the seed drew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// The key that texts use.
    pub key: String,
    /// What was drawn.
    pub value: String,
}

/// An encounter began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncounterBegan {
    /// Its id.
    pub encounter: String,
    /// What the seed drew for it.
    pub draws: Vec<Draw>,
}

/// A character noticed something without trying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetailRevealed {
    /// Which of the encounter's passive reveals.
    pub reveal: u16,
    /// What is noticed, with the encounter's draws filled in.
    pub text: String,
    /// The character with the highest passive score.
    pub character: String,
    /// That score.
    pub score: i32,
    /// What it had to reach.
    pub threshold: i32,
}

/// A hidden goal was registered during play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalRegistered {
    /// Its final id: begins with `dynamic_`.
    pub id: String,
    /// When it is reached.
    pub label: String,
    /// Primary or secondary.
    pub primary: bool,
    /// Why it was registered.
    pub reason: String,
}

/// An encounter ended by one of its goals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncounterResolved {
    /// Which.
    pub encounter: String,
    /// The goal.
    pub outcome: String,
    /// How it came about, in the DM's words.
    pub summary: String,
    /// Messages that it took.
    pub messages: u32,
    /// The reply that resolved it.
    pub call: CallId,
}

/// An encounter ended without a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncounterUnresolved {
    /// Which.
    pub encounter: String,
    /// The limit that ended it.
    pub reason: Check,
    /// Messages that it took.
    pub messages: u32,
}
