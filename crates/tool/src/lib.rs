//! One file per tool: its name, its arguments, a pure decision.
//!
//! To add a tool, write `src/<name>.rs` and add one line to [`TOOLS`].
//!
//! Who may use which tool, and when, with a call that is accepted (tests compare; `NAME` is the character of Player 1, `CARRIED` a thing
//! that it has):
//!
//! | tool | offered to | who, for example | arguments |
//! |---|---|---|---|
//! | `lookup_rules` | session zero: DM, session zero: Player 1, narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 | narrative, DM | `{"path": "checks/helping"}` |
//! | `search_rules` | session zero: DM, session zero: Player 1, narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 | narrative, Player 1 | `{"query": "armour"}` |
//! | `roll_dice` | narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 | narrative, DM | `{"dice": "2d6", "reason": "the wind"}` |
//! | `ability_check` | narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 | narrative, DM | `{"character": "NAME", "ability": "DEX", "difficulty": 12, "reason": "the rail"}` |
//! | `update_scene` | narrative: DM, combat: DM | narrative, DM | `{"scene": "Rain."}` |
//! | `update_character` | narrative: DM, combat: DM | narrative, DM | `{"character": "NAME", "item_gained": "a wet rope", "quantity": 2}` |
//! | `record_event` | narrative: DM, combat: DM | narrative, DM | `{"kind": "important", "text": "They swore an oath."}` |
//! | `record_quest` | narrative: DM, combat: DM | narrative, DM | `{"quest": "Bring the lamp back."}` |
//! | `record_met` | narrative: DM, combat: DM | narrative, DM | `{"people": ["wren-pellow"]}` |
//! | `update_party_document` | narrative: DM, combat: DM | narrative, DM | `{"section": "events", "text": "It rained.", "reason": "It did."}` |
//! | `goal_register` | narrative: DM, combat: DM | narrative, DM | `{"id": "laugh", "label": "The reeve laughs.", "isPrimary": false, "reason": "Nobody planned it.", "because": [1]}` |
//! | `encounter_resolve` | narrative: DM | narrative, DM | `{"encounterId": "gone-before-dusk", "outcomeId": "shelf-full-and-quiet", "summary": "Done.", "because": [1]}` |
//! | `query_session_memory` | narrative: DM, narrative: Player 1, dialogue: DM, dialogue: Player 1, combat: DM, combat: Player 1 | narrative, Player 1 | `{"query_type": "all"}` |
//! | `query_campaign` | narrative: DM, narrative: Player 1, dialogue: Player 1, combat: DM, combat: Player 1 | narrative, DM | `{"type": "npc", "id": "wren-pellow"}` |
//! | `create_supporting_npc` | narrative: DM, combat: DM | narrative, DM | `{"name": "Old Marta", "role": "informant", "context": "Sells fish and saw the boat."}` |
//! | `create_character` | narrative: DM | narrative, DM | `{"archetype": "companion", "name_hint": "Tib"}` |
//! | `update_npc` | narrative: DM, combat: DM | narrative, DM | `{"id": "wren-pellow", "conditions_add": ["soaked"]}` |
//! | `start_dialogue` | narrative: DM | narrative, DM | `{"character_id": "wren-pellow"}` |
//! | `end_dialogue` | dialogue: DM | dialogue, DM | `{}` |
//! | `exchange_item` | dialogue: DM | dialogue, DM | `{"item_name": "CARRIED", "giver_id": "NAME", "receiver_id": "wren-pellow"}` |
//! | `update_relationship` | dialogue: DM | dialogue, DM | `{"trait": "trust", "change": 5}` |
//! | `start_combat` | narrative: DM | narrative, DM | `{"foes": [{"id": "river-rough"}]}` |
//! | `attack` | combat: DM, combat: Player 1 | combat, the acting seat | `{"target": "river-rough-1"}` |
//! | `saving_throw` | combat: DM, combat: Player 1 | combat, DM | `{"character": "NAME", "ability": "CON", "reason": "the cold"}` |
//! | `end_combat` | combat: DM | combat, DM | `{"outcome": "truce"}` |
//! | `use_item` | narrative: Player 1, dialogue: Player 1, combat: Player 1 | narrative, Player 1 | `{"item": "CARRIED"}` |
//! | `help_up` |  | somebody down, Player 1 | `{"character": "DOWN"}` |
//! | `whisper` | narrative: Player 1, dialogue: Player 1, combat: Player 1 | narrative, Player 1 | `{"to": "DM", "text": "I saw her."}` |

mod ability_check;
mod attack;
mod changes;
mod charter;
pub mod combat;
mod create_character;
mod create_supporting_npc;
pub mod dice;
mod effects;
mod encounter_resolve;
mod end_combat;
mod end_dialogue;
mod evidence;
mod exchange_item;
mod goal_register;
mod help_up;
mod lenient;
mod lookup_rules;
mod menu;
mod moves;
mod query_campaign;
mod query_session_memory;
mod record_event;
mod record_met;
mod record_quest;
mod roll_dice;
mod saving_throw;
mod schema;
mod search_rules;
mod spells;
mod start_combat;
mod start_dialogue;
pub mod stream;
mod tool;
mod update_character;
mod update_npc;
mod update_party_document;
mod update_relationship;
mod update_scene;
mod use_item;
mod whisper;

pub use charter::charter_files;
pub use menu::{Legal, canonical, legal, menu};
pub use moves::{Ask, Move, SUMMARY, moves, next_scene, next_talk, scenes};
pub use tool::{Accepted, Caller, Decision, Follow, Rejection, Tool, fingerprint};

/// Every tool, in the order in which models see them.
pub const TOOLS: &[Tool] = &[
    Tool::of::<lookup_rules::LookupRules>(),
    Tool::of::<search_rules::SearchRules>(),
    Tool::of::<roll_dice::RollDice>(),
    Tool::of::<ability_check::AbilityCheck>(),
    Tool::of::<update_scene::UpdateScene>(),
    Tool::of::<update_character::UpdateCharacter>(),
    Tool::of::<record_event::RecordEvent>(),
    Tool::of::<record_quest::RecordQuest>(),
    Tool::of::<record_met::RecordMet>(),
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
    Tool::of::<help_up::HelpUp>(),
    Tool::of::<whisper::Whisper>(),
];

/// The tool of this name.
pub fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
