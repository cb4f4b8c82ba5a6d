//! What a party brings along from an earlier campaign.

use serde::{Deserialize, Serialize};

use crate::{Archetype, CampaignId, NpcRole, NpcStatus, Number};

/// The party comes from another campaign. Each event after this one in its entry, up to the play's begin, has its source there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartyCarried {
    /// That campaign.
    pub campaign: CampaignId,
    /// Its title.
    pub title: String,
    /// The number after its last one.
    pub next: Number,
    /// For each carried event in order: the number in that campaign that it comes from.
    pub sources: Vec<Number>,
}

/// A character of the DM's as it stood at the end of another campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NpcCarried {
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
    /// Who it is: persona, or the words of its profile.
    pub persona: String,
    /// What became of it.
    pub status: NpcStatus,
    /// Its trust.
    pub trust: i64,
    /// What it carries.
    pub items: Vec<(String, u32)>,
    /// What it learned of the party and remembers of what happened.
    pub memories: Vec<String>,
}
