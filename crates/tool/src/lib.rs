//! One file per tool: its name, its arguments, a pure decision.
//!
//! To add a tool, write `src/<name>.rs` and add one line to [`TOOLS`].

mod ability_check;
pub mod dice;
mod encounter_resolve;
mod goal_register;
mod lookup_rules;
mod roll_dice;
mod search_rules;
mod tool;
mod update_game_state;
mod update_party_document;

pub use tool::{Accepted, Caller, Decision, Follow, Refusal, Tool, fingerprint};

/// Every tool, in the order in which models see them.
pub const TOOLS: &[Tool] = &[
    Tool::of::<lookup_rules::LookupRules>(),
    Tool::of::<search_rules::SearchRules>(),
    Tool::of::<roll_dice::RollDice>(),
    Tool::of::<ability_check::AbilityCheck>(),
    Tool::of::<update_game_state::UpdateGameState>(),
    Tool::of::<update_party_document::UpdatePartyDocument>(),
    Tool::of::<goal_register::GoalRegister>(),
    Tool::of::<encounter_resolve::EncounterResolve>(),
];

/// The tool of this name.
pub fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
