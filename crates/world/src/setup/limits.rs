//! The limits of the game, from `limits.toml`: every loop, list and text that a model could make endless.

use schemars::JsonSchema;
use serde::Deserialize;

macro_rules! limits {
    ($($(#[$meta:meta])* $name:ident: $type:ty = $default:expr;)*) => {
        /// The limits that a campaign is played under. The reason for each number stands in `config/limits.toml`.
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct Limits {
            $($(#[$meta])* pub $name: $type,)*
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $default,)* }
            }
        }
    };
}

limits! {
    /// Rounds of one phase of Session Zero.
    session_zero_rounds_max: u32 = 12;
    /// Sheets that a player may send before one is derived.
    sheet_attempts_max: u32 = 3;
    /// Bytes of Session Zero's transcript in a prompt.
    session_zero_history_bytes_max: u32 = 24_000;
    /// Turns of a campaign.
    turns_max: u32 = 200;
    /// Model calls of a campaign.
    calls_max: u32 = 1_200;
    /// Tokens of a campaign, read and written, as servers count them.
    tokens_max: u64 = 50_000_000;
    /// Requests of one turn of a model that is guided.
    guided_calls_max: u32 = 6;
    /// Bytes of the story in a prompt of a model that is guided.
    guided_history_bytes_max: u32 = 1_600;
    /// Replies of one turn.
    tool_rounds_max: u32 = 8;
    /// Tool calls of one reply.
    tool_calls_per_reply_max: u32 = 8;
    /// Look-ups of one turn.
    lookups_per_turn_max: u32 = 3;
    /// Replies of one turn that could not be used.
    unusable_replies_max: u32 = 2;
    /// Registered goals of an encounter.
    dynamic_goals_max: u32 = 2;
    /// Messages of an encounter from which on no goal may be registered.
    goal_messages_max: u32 = 20;
    /// Messages after which an encounter ends by rule.
    encounter_messages_max: u32 = 60;
    /// Notes of the DM's in its prompt, those that changed last.
    notes_shown_max: u32 = 40;
    /// Answers of a character in one dialogue; then it ends by rule.
    dialogue_exchanges_max: u32 = 10;
    /// Answers of a character before others may join in.
    dialogue_join_after: u32 = 2;
    /// Dialogues of one encounter.
    dialogues_per_encounter_max: u32 = 6;
    /// Events of a character's own history that are kept.
    dialogue_history_events_max: u32 = 64;
    /// Bytes of a dialogue's summary.
    dialogue_summary_bytes_max: u32 = 900;
    /// Facts that a character may learn in one dialogue.
    facts_learned_max: u32 = 4;
    /// Past dialogues in a prompt.
    dialogues_shown_max: u32 = 6;
    /// Whispers in a prompt.
    whispers_shown_max: u32 = 12;
    /// Memories of a character in a prompt, learned facts among them.
    npc_memories_shown_max: u32 = 8;
    /// Characters that the DM may add to a campaign.
    npcs_created_max: u32 = 40;
    /// Feelings of one character.
    feelings_max: u32 = 6;
    /// Combats of one encounter.
    combats_per_encounter_max: u32 = 3;
    /// Foes of one combat.
    foes_max: u32 = 8;
    /// Bytes of one message.
    message_bytes_max: u32 = 6_000;
    /// Bytes of a text in a tool call.
    argument_bytes_max: u32 = 4_000;
    /// Attempts of one model call.
    attempts_max: u32 = 4;
    /// Milliseconds before the second attempt; doubled for each further one.
    retry_first_ms: u64 = 500;
    /// Most milliseconds between two attempts.
    retry_wait_ms_max: u64 = 60_000;
    /// Failed calls in a row, or turns in a row without a usable reply, before the campaign is paused.
    abandoned_calls_max: u32 = 8;
    /// Bytes of the main history in a prompt when a turn begins; beyond it the older half is summarised at the end of the turn.
    history_bytes_max: u32 = 12_000;
    /// Messages of the main history in a prompt when a turn begins, likewise.
    history_messages_max: u32 = 32;
    /// Bytes of the running summary.
    summary_bytes_max: u32 = 2_400;
    /// Bytes of a tool result that is shown again in later turns.
    old_result_bytes_max: u32 = 400;
    /// Notable events that a prompt shows.
    notable_events_shown_max: u32 = 10;
    /// Important events that a prompt shows.
    important_events_shown_max: u32 = 50;
    /// Milestones that a prompt shows.
    milestones_shown_max: u32 = 20;
    /// Met NPCs that a prompt shows.
    npcs_shown_max: u32 = 30;
    /// Kinds of things that a character carries.
    inventory_kinds_max: u32 = 60;
    /// Turns that a seat may wait before everybody else, in rounds of the table.
    waiting_rounds_max: u32 = 2;
    /// Turns between two nudges of one kind.
    nudge_cooldown_turns: u32 = 8;
    /// Turns after a major event before the party document counts as stale.
    party_document_stale_turns: u32 = 10;
    /// Entries of a section of the party document.
    document_entries_max: u32 = 8;
    /// Bytes of an entry that is written during play.
    document_entry_bytes_max: u32 = 900;
    /// Dice of one roll.
    dice_max: u32 = 20;
    /// Sides of a die.
    dice_sides_max: u32 = 1_000;
}
