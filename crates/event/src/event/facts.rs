//! Facts about the world and the party: what `update_game_state` writes, one event for every field.

use serde::{Deserialize, Serialize};

macro_rules! texts {
    ($($(#[$meta:meta])* $name:ident)*) => {
        $($(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $name {
            /// As written.
            pub text: String,
        })*
    };
}

texts! {
    /// The party is somewhere else.
    LocationChanged
    /// It is another time of day.
    TimeOfDayChanged
    /// The scene has changed.
    SceneChanged
    /// The party wants something else.
    ObjectiveSet
    /// Something worth remembering for a while.
    NotableEventRecorded
    /// Something worth remembering for ever.
    ImportantEventRecorded
    /// A turning point.
    MilestoneReached
    /// Somebody asked something of the party.
    QuestAdded
    /// The party did what was asked.
    QuestCompleted
}

/// A character has more of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemAdded {
    /// Who.
    pub character: String,
    /// What, as written.
    pub item: String,
    /// How many.
    pub quantity: u32,
}

/// A character has less of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemRemoved {
    /// Who.
    pub character: String,
    /// What.
    pub item: String,
    /// How many were asked for.
    pub asked: u32,
    /// How many were there to take.
    pub applied: u32,
}

/// A number of a character changed, within its limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitPointsChanged {
    /// Who.
    pub character: String,
    /// The change that was asked for.
    pub asked: i64,
    /// The change that was made.
    pub applied: i64,
    /// Hit points now.
    pub now: i64,
}

/// A character has more or less gold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldChanged {
    /// Who.
    pub character: String,
    /// The change that was asked for.
    pub asked: i64,
    /// The change that was made.
    pub applied: i64,
    /// Gold now.
    pub now: i64,
}

/// The party gained experience.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExperienceGained {
    /// What was asked for.
    pub asked: i64,
    /// What was given.
    pub applied: i64,
    /// Experience now.
    pub now: i64,
}

/// A character is in a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionAdded {
    /// Who.
    pub character: String,
    /// Which.
    pub condition: String,
}

/// A character is free of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionRemoved {
    /// Who.
    pub character: String,
    /// Which.
    pub condition: String,
}

/// The DM noted something for itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagSet {
    /// Its name.
    pub flag: String,
    /// Its value.
    pub value: String,
}

/// The DM struck a note out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagDeleted {
    /// Its name.
    pub flag: String,
}

/// The party met somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NpcMet {
    /// Id in the encounter, or the name folded to lower case.
    pub npc: String,
    /// The name as written.
    pub name: String,
}
