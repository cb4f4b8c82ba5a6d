//! What a party brings along from an earlier campaign.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Archetype, CallId, CallWithdrawn, CampaignForked, CampaignId, Event, HistoryShortened, NpcRole,
    NpcStatus, Number, Seat,
};

family! {
    ($) party
    /// What a party brings along from another campaign.
    Party {
        220 v 1 PartyCarried: all, story, [];
        221 v 1 NpcCarried: dm, story, [];
    }
}

/// The party comes from another campaign. Each event after this one in its entry, up to the play's begin, has its source there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    vec![
        CampaignForked {
            parent: CampaignId([0x51; 16]),
            at: Number(70_000),
            seed: Some(0x0102_0304_0506_0708),
        }
        .into(),
        CallWithdrawn { call: CallId(300) }.into(),
        HistoryShortened { call: CallId(300), seat: Seat::Dm, bytes: 6_000 }.into(),
        PartyCarried {
            campaign: CampaignId([0x51; 16]),
            title: "One Lantern Short".into(),
            next: Number(70_000),
            sources: vec![Number(300), Number(301)],
        }
        .into(),
        NpcCarried {
            npc: "old-mara".into(),
            name: "Old Mara".into(),
            memory_key: "mara".into(),
            archetype: Archetype::LoveInterest,
            role: Some(NpcRole::Merchant),
            description: "ferrywoman".into(),
            persona: "Dry and exact.".into(),
            status: NpcStatus::Departed,
            trust: 70,
            items: vec![("Rope".into(), 300)],
            memories: vec!["They paid.".into()],
        }
        .into(),
    ]
}
