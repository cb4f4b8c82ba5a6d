//! Facts about the world and the party: what `update_scene`, `update_character` and the `record_` tools write, one event for every change.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Check, Event};

family! {
    ($) facts
    /// What is known of the world.
    Facts {
        170 v 1 LocationChanged: all, story, [];
        171 v 1 TimeOfDayChanged: all, story, [];
        172 v 1 SceneChanged: all, story, [];
        173 v 1 ObjectiveSet: all, story, [];
        178 v 1 ExperienceGained: all, story, [];
        181 v 1 FlagSet: dm, story, [];
        182 v 1 FlagDeleted: dm, story, [];
        183 v 1 NotableEventRecorded: all, story, [];
        184 v 1 ImportantEventRecorded: all, story, [];
        185 v 1 MilestoneReached: all, story, [];
        186 v 1 QuestAdded: all, story, [];
        187 v 1 QuestCompleted: all, story, [];
        188 v 1 NpcMet: all, story, [];
    }
}

family! {
    ($) characters
    /// What happens to the party's characters.
    Characters {
        174 v 1 ItemAdded: all, story, [];
        175 v 1 ItemRemoved: all, story, [];
        176 v 1 HitPointsChanged: all, story, [];
        177 v 1 GoldChanged: all, story, [];
        179 v 1 ConditionAdded: all, story, [];
        180 v 1 ConditionRemoved: all, story, [];
        189 v 1 ItemExchanged: all, story, [];
        204 v 1 CharacterRecovered: all, story, [];
        205 v 1 CharacterLost: all, story, [];
    }
}

macro_rules! texts {
    ($($(#[$meta:meta])* $name:ident)*) => {
        $($(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// A turning point.
    MilestoneReached
    /// Somebody asked something of the party.
    QuestAdded
    /// The party did what was asked.
    QuestCompleted
}

/// Something worth remembering for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportantEventRecorded {
    /// As written.
    pub text: String,
    /// Ids of the DM's characters who were part of it: they remember it, and nobody else of them does.
    pub witnesses: Vec<String>,
}

/// A character has more of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemAdded {
    /// Who.
    pub character: String,
    /// What, as written.
    pub item: String,
    /// How many.
    pub quantity: u32,
}

/// A character has less of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExperienceGained {
    /// What was asked for.
    pub asked: i64,
    /// What was given.
    pub applied: i64,
    /// Experience now.
    pub now: i64,
}

/// A character is in a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConditionAdded {
    /// Who.
    pub character: String,
    /// Which.
    pub condition: String,
}

/// A character is free of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConditionRemoved {
    /// Who.
    pub character: String,
    /// Which.
    pub condition: String,
}

/// What follows where nobody helps a character who is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It comes to.
    Recovers,
    /// It dies.
    Dies,
    /// It is taken away, and comes back when the encounter is over.
    Captured,
}

impl Fate {
    /// As texts call it.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Recovers => "recovers",
            Fate::Dies => "dies",
            Fate::Captured => "captured",
        }
    }
}

/// A character who was down gets up again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterRecovered {
    /// Who.
    pub character: String,
    /// Hit points now.
    pub now: i64,
    /// The character who helped; empty where time did.
    pub helper: String,
    /// By which rule.
    pub reason: Check,
}

/// A character who was down for too long is out of it: dead, or captured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CharacterLost {
    /// Who.
    pub character: String,
    /// What became of it; never `Recovers`.
    pub fate: Fate,
    /// By which rule.
    pub reason: Check,
}

/// The DM noted something for itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlagSet {
    /// Its name.
    pub flag: String,
    /// Its value.
    pub value: String,
}

/// The DM struck a note out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlagDeleted {
    /// Its name.
    pub flag: String,
}

/// The party met somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NpcMet {
    /// Id in the encounter, or the name folded to lower case.
    pub npc: String,
    /// The name as written.
    pub name: String,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    [world(), party()].concat()
}

fn world() -> Vec<Event> {
    vec![
        LocationChanged { text: "The mill".into() }.into(),
        TimeOfDayChanged { text: "Dusk".into() }.into(),
        SceneChanged { text: "Rain on slate.".into() }.into(),
        ObjectiveSet { text: "Find the lantern.".into() }.into(),
        FlagSet { flag: "gate".into(), value: "open".into() }.into(),
        FlagDeleted { flag: "gate".into() }.into(),
        NotableEventRecorded { text: "The gate fell.".into() }.into(),
        ImportantEventRecorded { text: "The oath was sworn.".into(), witnesses: vec!["old-mara".into()] }
            .into(),
        MilestoneReached { text: "The first lantern.".into() }.into(),
        QuestAdded { text: "Bring the lantern home.".into() }.into(),
        QuestCompleted { text: "Find the ferryman.".into() }.into(),
        NpcMet { npc: "old-mara".into(), name: "Old Mara".into() }.into(),
    ]
}

fn party() -> Vec<Event> {
    let who = || String::from("Brannoc");
    vec![
        ItemAdded { character: who(), item: "Rope".into(), quantity: 300 }.into(),
        ItemRemoved { character: who(), item: "Rope".into(), asked: 300, applied: 2 }.into(),
        HitPointsChanged { character: who(), asked: -30, applied: -7, now: 200 }.into(),
        GoldChanged { character: who(), asked: -30, applied: -7, now: 200 }.into(),
        ExperienceGained { asked: 900, applied: 500, now: 1_500 }.into(),
        ConditionAdded { character: who(), condition: "soaked".into() }.into(),
        ConditionRemoved { character: who(), condition: "soaked".into() }.into(),
        CharacterRecovered {
            character: who(),
            now: 1,
            helper: "Ilse".into(),
            reason: Check::new("helped_up").with("helper", "Ilse"),
        }
        .into(),
        CharacterLost {
            character: who(),
            fate: Fate::Dies,
            reason: Check::new("down_too_long").with("turns", 6).with("most", 6),
        }
        .into(),
    ]
}
