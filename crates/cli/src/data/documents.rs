//! Documents of a campaign, as `show` prints them.

use serde::Serialize;
use twicetold_projection::people;
use twicetold_session::GoalStep;

use crate::names::Name;

forms! {
    Documents: "documents", "the documents that a campaign has: show";
    Party: "party", "the scenario and the party document: show party";
    Goals: "goals", "the goals of every encounter: show goals";
    GoalHistory: "goal-history", "what happened to every goal: show goals --history";
    Npcs: "npcs", "the NPCs: show npcs";
    Characters: "characters", "the player characters: show characters";
    Memory: "memory", "the stored memory: show memory";
    Transcript: "transcript", "messages, dice rolls and effects: show transcript";
    Costs: "cost", "calls, tokens and money by seat and purpose: show cost";
}

/// The documents that a campaign has.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Documents {
    pub documents: Vec<Name>,
}

/// The party document.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Party(pub people::PartyPage);

/// Goals by encounters, in the order in which these began.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Goals {
    pub encounters: Vec<people::Goals>,
}

/// What happened to every goal, in order.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GoalHistory {
    pub steps: Vec<GoalStep>,
}

/// The NPCs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Npcs {
    pub npcs: Vec<people::NpcLine>,
}

/// The player characters.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Characters {
    pub characters: Vec<people::CharacterPage>,
}

/// The stored memory.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Memory(pub people::Memory);

/// What people are shown of a campaign, in order.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Transcript {
    pub lines: Vec<people::Line>,
}

/// What was spent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Costs {
    pub costs: Vec<people::Cost>,
}
