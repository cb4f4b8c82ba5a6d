//! `party.toml`: what a party brings along from an earlier campaign, each thing with the number that it comes from.

use serde::{Deserialize, Serialize};
use twicetold_event::{Archetype, NpcRole, NpcStatus, Section, Sheet};

/// A party as it stood at the end of another campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedParty {
    /// That campaign's id: 32 hexadecimal digits.
    pub campaign: String,
    /// Its title.
    pub title: String,
    /// The number after its last one.
    pub next: u64,
    /// The rules pack that it was played by.
    pub rules: String,
    /// The characters, in the order of their seats.
    pub characters: Vec<CarriedCharacter>,
    /// The sections of the party document.
    pub sections: Vec<CarriedSection>,
    /// The DM's characters.
    pub npcs: Vec<CarriedNpc>,
    /// What must not be forgotten, oldest first.
    pub important_events: Vec<(u64, String)>,
    /// Experience.
    pub experience: i64,
}

/// A character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedCharacter {
    /// Where it last changed.
    pub number: u64,
    /// Its sheet, without equipment.
    pub sheet: Sheet,
    /// Hit points.
    pub hit_points: i64,
    /// Gold.
    pub gold: i64,
    /// What it carries.
    pub items: Vec<(String, u32)>,
    /// Conditions.
    pub conditions: Vec<String>,
}

/// A section of the party document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedSection {
    /// Where it was written.
    pub number: u64,
    /// Which.
    pub section: Section,
    /// Its text.
    pub text: String,
}

/// A character of the DM's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarriedNpc {
    /// Where it last changed.
    pub number: u64,
    /// Id.
    pub npc: String,
    /// Name as written.
    pub name: String,
    /// Key of its memories.
    pub memory_key: String,
    /// What it is to the party.
    pub archetype: Archetype,
    /// What it is to the story, if that was said.
    pub role: Option<NpcRole>,
    /// In a word or two.
    pub description: String,
    /// Who it is.
    pub persona: String,
    /// What became of it.
    pub status: NpcStatus,
    /// Its trust.
    pub trust: i64,
    /// What it carries.
    pub items: Vec<(String, u32)>,
    /// What it remembers and learned.
    pub memories: Vec<String>,
}
