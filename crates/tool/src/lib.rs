//! One file per tool: its name, its arguments, a pure decision.
//!
//! To add a tool, write `src/<name>.rs` and add one line to [`TOOLS`].
//!
//! Who may use which tool, and when (a test compares):
//!
//! | tool | offered to |
//! |---|---|
//! | `lookup_rules` | session zero: DM, session zero: Player 1, narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 |
//! | `search_rules` | session zero: DM, session zero: Player 1, narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 |
//! | `roll_dice` | narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 |
//! | `ability_check` | narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 |
//! | `update_game_state` | narrative: DM, combat: DM |
//! | `update_party_document` | narrative: DM, combat: DM |
//! | `goal_register` | narrative: DM, combat: DM |
//! | `encounter_resolve` | narrative: DM |
//! | `query_session_memory` | narrative: DM, narrative: Player 1, dialogue: DM, dialogue: Player 1, combat: DM, combat: Player 1 |
//! | `query_campaign` | narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 |
//! | `create_supporting_npc` | narrative: DM, combat: DM |
//! | `create_character` | narrative: DM |
//! | `update_npc` | narrative: DM, combat: DM |
//! | `start_dialogue` | narrative: DM |
//! | `end_dialogue` | dialogue: DM |
//! | `exchange_item` | dialogue: DM |
//! | `update_relationship` | dialogue: DM |
//! | `start_combat` | narrative: DM |
//! | `attack` | combat: DM, combat: Player 1 |
//! | `saving_throw` | combat: DM, combat: Player 1 |
//! | `end_combat` | combat: DM |
//! | `use_item` | narrative: Player 1, dialogue: Player 1, combat: Player 1 |
//! | `whisper` | narrative: Player 1, dialogue: Player 1, combat: Player 1 |

mod ability_check;
mod attack;
mod charter;
pub mod combat;
mod create_character;
mod create_supporting_npc;
pub mod dice;
mod effects;
mod encounter_resolve;
mod end_combat;
mod end_dialogue;
mod exchange_item;
mod goal_register;
mod lookup_rules;
mod query_campaign;
mod query_session_memory;
mod roll_dice;
mod saving_throw;
mod search_rules;
mod spells;
mod start_combat;
mod start_dialogue;
pub mod stream;
mod tool;
mod update_game_state;
mod update_npc;
mod update_party_document;
mod update_relationship;
mod use_item;
mod whisper;

pub use charter::charter_files;
pub use tool::{Accepted, Caller, Decision, Follow, Rejection, Tool, fingerprint};

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
    Tool::of::<query_session_memory::QuerySessionMemory>(),
    Tool::of::<query_campaign::QueryCampaign>(),
    Tool::of::<create_supporting_npc::CreateSupportingNpc>(),
    Tool::of::<create_character::CreateCharacter>(),
    Tool::of::<update_npc::UpdateNpc>(),
    Tool::of::<start_dialogue::StartDialogue>(),
    Tool::of::<end_dialogue::EndDialogue>(),
    Tool::of::<exchange_item::ExchangeItem>(),
    Tool::of::<update_relationship::UpdateRelationship>(),
    Tool::of::<start_combat::StartCombat>(),
    Tool::of::<attack::Attack>(),
    Tool::of::<saving_throw::SavingThrow>(),
    Tool::of::<end_combat::EndCombat>(),
    Tool::of::<use_item::UseItem>(),
    Tool::of::<whisper::Whisper>(),
];

/// The tool of this name.
pub fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
