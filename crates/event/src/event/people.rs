//! The DM's characters: who they are to the party, and what became of them.

use serde::{Deserialize, Serialize};

/// What a character of the DM's is to the party at the start. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Archetype {
    /// Travels with the party.
    Companion,
    /// Lives where the party comes by.
    Townsperson,
    /// Stands against the party.
    Foe,
    /// Somebody's heart beats faster.
    LoveInterest,
}

impl Archetype {
    /// Every archetype.
    pub const ALL: [Archetype; 4] =
        [Archetype::Companion, Archetype::Townsperson, Archetype::Foe, Archetype::LoveInterest];

    /// Its name as tools and configurations write it.
    pub fn name(self) -> &'static str {
        match self {
            Archetype::Companion => "companion",
            Archetype::Townsperson => "townsperson",
            Archetype::Foe => "foe",
            Archetype::LoveInterest => "love_interest",
        }
    }

    /// Trust in the party at the start, within −100 and 100.
    pub fn first_trust(self) -> i64 {
        match self {
            Archetype::Companion => 20,
            Archetype::Townsperson => 0,
            Archetype::Foe => -50,
            Archetype::LoveInterest => 10,
        }
    }
}
