//! Encounters and their goals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CallId, Check, Event};

family! {
    ($) encounter
    /// Encounters and their goals.
    Encounter {
        160 v 1 EncounterBegan: dm, story, [];
        161 v 1 DetailRevealed: all, story, [];
        162 v 1 GoalRegistered: dm, story, [];
        163 v 1 EncounterResolved: all, story, [];
        164 v 1 EncounterUnresolved: all, story, [];
        165 v 1 FailureStruck: dm, story, [];
        166 v 1 EncounterFailed: all, story, [];
    }
}

/// A detail of an encounter that the seed drew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draw {
    /// The key that texts use.
    pub key: String,
    /// What was drawn.
    pub value: String,
}

/// An encounter began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EncounterBegan {
    /// Its id.
    pub encounter: String,
    /// What the seed drew for it.
    pub draws: Vec<Draw>,
}

/// A character noticed something without trying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EncounterUnresolved {
    /// Which.
    pub encounter: String,
    /// The limit that ended it.
    pub reason: Check,
    /// Messages that it took.
    pub messages: u32,
}

/// What must not happen has happened. The DM tells it in its next turn, and then the encounter is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailureStruck {
    /// In which encounter.
    pub encounter: String,
    /// The goal that is a failure.
    pub goal: String,
    /// What has happened then.
    pub label: String,
    /// What made it happen.
    pub reason: Check,
}

/// An encounter ended by a failure that the DM was to tell and did not resolve itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EncounterFailed {
    /// Which.
    pub encounter: String,
    /// The goal that is a failure.
    pub outcome: String,
    /// What made it happen.
    pub reason: Check,
    /// Messages that it took.
    pub messages: u32,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    let encounter = || String::from("gone-before-dusk");
    vec![
        EncounterBegan {
            encounter: encounter(),
            draws: vec![Draw { key: "weather".into(), value: "sleet".into() }],
        }
        .into(),
        DetailRevealed {
            reveal: 1,
            text: "Mud on the sill.".into(),
            character: "Brannoc".into(),
            score: 14,
            threshold: -12,
        }
        .into(),
        GoalRegistered {
            id: "dynamic_spare-the-thief".into(),
            label: "Spare the thief".into(),
            primary: true,
            reason: "They asked.".into(),
        }
        .into(),
        EncounterResolved {
            encounter: encounter(),
            outcome: "dynamic_spare-the-thief".into(),
            summary: "She goes free.".into(),
            messages: 17,
            call: CallId(300),
        }
        .into(),
        EncounterUnresolved {
            encounter: encounter(),
            reason: Check::new("messages_max").with("messages", 60).with("most", 60),
            messages: 60,
        }
        .into(),
        FailureStruck {
            encounter: encounter(),
            goal: "the-lantern-is-lit".into(),
            label: "The lantern is lit.".into(),
            reason: Check::new("failed_checks").with("failed", 4).with("most", 4),
        }
        .into(),
        EncounterFailed {
            encounter: encounter(),
            outcome: "the-lantern-is-lit".into(),
            reason: Check::new("party_down"),
            messages: 21,
        }
        .into(),
    ]
}
