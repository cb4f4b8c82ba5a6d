//! The DM's characters: who they are to the party, and what became of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::samples::events::{archetypes, each, holders, npc_roles, npc_statuses};
use crate::{CallId, Check, Event, Values};

family! {
    ($) people
    /// The DM's characters.
    People {
        191 v 1 CharacterCreated: dm, story, [];
        192 v 1 SupportingNpcCreated: dm, story, [];
        193 v 1 SupportingNpcUpdated: dm, story, [];
        194 v 1 NpcProfiled: dm, story, [];
        195 v 1 NpcProfileKept: dm, story, [];
        196 v 1 NpcStatusChanged: all, story, [];
        197 v 1 NpcHitPointsChanged: all, story, [];
        198 v 1 NpcConditionAdded: all, story, [];
        199 v 1 NpcConditionRemoved: all, story, [];
        200 v 1 TrustChanged: dm, story, [];
        201 v 1 FeelingChanged: dm, story, [];
        202 v 1 FeelingExpired: dm, story, [];
        203 v 1 NpcRemembered: dm, story, [];
    }
}

/// What a character of the DM's is to the party at the start. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// What a supporting character is to the story. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NpcRole {
    /// On the party's side.
    Ally,
    /// After the same thing.
    Rival,
    /// Neither.
    Neutral,
    /// Knows something.
    Informant,
    /// Sells something.
    Merchant,
    /// Asks for something.
    QuestGiver,
}

impl NpcRole {
    /// Every role.
    pub const ALL: [NpcRole; 6] = [
        NpcRole::Ally,
        NpcRole::Rival,
        NpcRole::Neutral,
        NpcRole::Informant,
        NpcRole::Merchant,
        NpcRole::QuestGiver,
    ];

    /// Its name as tools write it.
    pub fn name(self) -> &'static str {
        match self {
            NpcRole::Ally => "ally",
            NpcRole::Rival => "rival",
            NpcRole::Neutral => "neutral",
            NpcRole::Informant => "informant",
            NpcRole::Merchant => "merchant",
            NpcRole::QuestGiver => "quest_giver",
        }
    }
}

/// What became of a character of the DM's. Append, never insert.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NpcStatus {
    /// Alive and about.
    #[default]
    Active,
    /// Dead.
    Dead,
    /// Gone for good.
    Departed,
}

impl NpcStatus {
    /// Every status.
    pub const ALL: [NpcStatus; 3] = [NpcStatus::Active, NpcStatus::Dead, NpcStatus::Departed];

    /// Its name as tools write it.
    pub fn name(self) -> &'static str {
        match self {
            NpcStatus::Active => "active",
            NpcStatus::Dead => "dead",
            NpcStatus::Departed => "departed",
        }
    }
}

/// A character of the DM's entered the story during play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterCreated {
    /// Kebab-case id, unique in the campaign.
    pub npc: String,
    /// The name as written.
    pub name: String,
    /// What it is to the party.
    pub archetype: Archetype,
    /// Where it is met.
    pub location: String,
    /// Trust at the start.
    pub trust: i64,
}

/// A supporting character entered the story, with a profile made of what the DM said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SupportingNpcCreated {
    /// Kebab-case id, unique in the campaign.
    pub npc: String,
    /// The name as written.
    pub name: String,
    /// What it is to the story.
    pub role: NpcRole,
    /// Who it is and why it matters, in the DM's words.
    pub context: String,
    /// Where it was met.
    pub location: String,
    /// The monster of the rules pack that it fights as; empty for none.
    pub combat_slug: String,
}

/// The DM said something new of a supporting character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SupportingNpcUpdated {
    /// Which.
    pub npc: String,
    /// What it is to the story now.
    pub role: NpcRole,
    /// Who it is now.
    pub context: String,
    /// The monster that it fights as; empty for none.
    pub combat_slug: String,
}

/// The memory agent wrote a profile of an NPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NpcProfiled {
    /// Whose.
    pub npc: String,
    /// The reply that it was read from.
    pub call: CallId,
    /// How it looks.
    pub appearance: String,
    /// What it is like.
    pub personality: String,
    /// What it wants: one to three things.
    pub motivations: Vec<String>,
    /// Where it is usually found.
    pub location: String,
    /// Anything else.
    pub notes: String,
}

/// No usable profile came; the one made of the DM's words stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NpcProfileKept {
    /// Whose.
    pub npc: String,
    /// What was wrong with the reply.
    pub reason: Check,
}

/// Something became of a character of the DM's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NpcStatusChanged {
    /// Whose.
    pub npc: String,
    /// What it is now.
    pub status: NpcStatus,
}

/// Hit points of a character of the DM's changed, within their limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NpcHitPointsChanged {
    /// Whose.
    pub npc: String,
    /// The change that was asked for.
    pub asked: i64,
    /// The change that was made.
    pub applied: i64,
    /// Hit points now.
    pub now: i64,
}

/// A character of the DM's is in a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NpcConditionAdded {
    /// Who.
    pub npc: String,
    /// Which.
    pub condition: String,
}

/// A character of the DM's is free of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NpcConditionRemoved {
    /// Who.
    pub npc: String,
    /// Which.
    pub condition: String,
}

/// A character's trust in the party changed, within −100 and 100.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrustChanged {
    /// Whose trust.
    pub npc: String,
    /// The change that was asked for.
    pub asked: i64,
    /// The change that was made.
    pub applied: i64,
    /// Trust now.
    pub now: i64,
}

/// A feeling towards the party, such as anger, changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeelingChanged {
    /// Whose.
    pub npc: String,
    /// Which, in lower case.
    pub feeling: String,
    /// The change that was asked for.
    pub asked: i64,
    /// Its strength now, 0 to 100; at 0 it is over.
    pub now: i64,
    /// How many turns it lasts; `None` until it is changed.
    pub turns: Option<u32>,
}

/// A feeling's time is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeelingExpired {
    /// Whose.
    pub npc: String,
    /// Which.
    pub feeling: String,
}

/// What a character keeps in mind of an encounter that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NpcRemembered {
    /// Who.
    pub npc: String,
    /// Under which key; empty when it is kept by its id alone.
    pub memory_key: String,
    /// Which encounter.
    pub encounter: String,
    /// What: the encounter's `title`, its `outcome` if it had one, who `talked` with the character, and its `trust`.
    pub values: Values,
}

/// Who holds a thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Holder {
    /// A player's character, by name.
    Character(String),
    /// A character of the DM's, by id.
    Npc(String),
}

/// A thing went from one to another: both or neither.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemExchanged {
    /// What, as its giver had it written.
    pub item: String,
    /// How many.
    pub quantity: u32,
    /// From whom.
    pub giver: Holder,
    /// To whom.
    pub receiver: Holder,
}

/// A character used something; what it did follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemUsed {
    /// Who.
    pub character: String,
    /// What.
    pub item: String,
    /// Was one of it used up?
    pub spent: bool,
    /// What the rules say of it; empty when they say nothing.
    pub effect: String,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    [people(), relations()].concat()
}

fn people() -> Vec<Event> {
    let npc = || String::from("old-mara");
    let mut events = each(archetypes(), |archetype| CharacterCreated {
        npc: npc(),
        name: "Old Mara".into(),
        archetype,
        location: "The mill".into(),
        trust: -50,
    });
    events.extend(each(npc_roles(), |role| SupportingNpcCreated {
        npc: npc(),
        name: "Old Mara".into(),
        role,
        context: "She saw the boat.".into(),
        location: "The mill".into(),
        combat_slug: "ferry-hand".into(),
    }));
    events.push(
        SupportingNpcUpdated {
            npc: npc(),
            role: NpcRole::Rival,
            context: "She sold the boat.".into(),
            combat_slug: "ferry-hand".into(),
        }
        .into(),
    );
    events.push(
        NpcProfiled {
            npc: npc(),
            call: CallId(300),
            appearance: "Small, in oilskins".into(),
            personality: "Dry".into(),
            motivations: vec!["a new boat".into(), "quiet".into()],
            location: "the landing".into(),
            notes: "Owes the miller.".into(),
        }
        .into(),
    );
    events.push(NpcProfileKept { npc: npc(), reason: Check::new("no_json_object") }.into());
    events.extend(each(npc_statuses(), |status| NpcStatusChanged { npc: npc(), status }));
    events.push(NpcHitPointsChanged { npc: npc(), asked: -30, applied: -7, now: 200 }.into());
    events.push(NpcConditionAdded { npc: npc(), condition: "soaked".into() }.into());
    events.push(NpcConditionRemoved { npc: npc(), condition: "soaked".into() }.into());
    events
}

fn relations() -> Vec<Event> {
    let npc = || String::from("old-mara");
    let mut events = vec![
        TrustChanged { npc: npc(), asked: 300, applied: 70, now: 100 }.into(),
        FeelingChanged { npc: npc(), feeling: "anger".into(), asked: 200, now: 100, turns: Some(300) }.into(),
        FeelingExpired { npc: npc(), feeling: "anger".into() }.into(),
        NpcRemembered {
            npc: npc(),
            memory_key: "mara".into(),
            encounter: "gone-before-dusk".into(),
            values: Values::default().with("title", "Gone Before Dusk").with("trust", 7),
        }
        .into(),
        ItemUsed {
            character: "Brannoc".into(),
            item: "Salve".into(),
            spent: true,
            effect: "heals 1d4".into(),
        }
        .into(),
    ];
    events.extend(each(holders(), |giver| ItemExchanged {
        item: "Rope".into(),
        quantity: 300,
        giver,
        receiver: Holder::Npc(npc()),
    }));
    events
}
