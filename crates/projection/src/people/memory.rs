//! Everything that is remembered: facts whole, nothing capped, each with the number that wrote it.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_world::{Log, State};

use crate::{Replies, words};

/// A fact and the number that wrote it.
pub type Fact = (u64, String);

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Memory {
    /// Where the party is.
    pub location: Option<Fact>,
    /// Time of day.
    pub time_of_day: Option<Fact>,
    /// The scene.
    pub scene: Option<Fact>,
    /// What the party wants.
    pub objective: Option<Fact>,
    /// Experience of the party.
    pub experience: i64,
    /// The running summary, with the messages that it covers.
    pub summary: Option<(u32, String)>,
    /// Turning points.
    pub milestones: Vec<Fact>,
    /// Never to be forgotten.
    pub important_events: Vec<Fact>,
    /// Worth remembering for a while.
    pub notable_events: Vec<Fact>,
    /// Quests, and whether they are done.
    pub quests: Vec<(u64, String, bool)>,
    /// The DM's notes.
    pub notes: Vec<(u64, String, String)>,
}

/// The memory of a state.
pub fn memory(state: &State, replies: &dyn Replies) -> Memory {
    let facts = state.facts();
    let fact = |fact: &Option<(twicetold_world::Origin, String)>| {
        fact.as_ref().map(|(origin, text)| (origin.0.0, text.clone()))
    };
    let log = |log: &Log| log.all().iter().map(|(origin, text)| (origin.0.0, text.clone())).collect();
    let summary = state.history().summary.as_ref();
    Memory {
        location: fact(&facts.location),
        time_of_day: fact(&facts.time_of_day),
        scene: fact(&facts.scene),
        objective: fact(&facts.objective),
        experience: facts.experience,
        summary: summary.map(|summary| (summary.to, words(replies, &summary.text).to_owned())),
        milestones: log(&facts.milestones),
        important_events: log(&facts.important),
        notable_events: log(&facts.notable),
        quests: facts.quests.iter().map(|(origin, text, done)| (origin.0.0, text.clone(), *done)).collect(),
        notes: facts
            .flags
            .iter()
            .map(|(flag, (origin, value))| (origin.0.0, flag.clone(), value.clone()))
            .collect(),
    }
}
