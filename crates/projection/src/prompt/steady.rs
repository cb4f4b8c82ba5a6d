//! The instructions at the beginning of a prompt: in play they stay the same for most of an encounter, and are half of the prompt, so that
//! whoever asks may keep them instead of having them rendered anew. What changes them is decided here, cautiously.

use twicetold_event::{Event, Seat};
use twicetold_world::setup::{Piece, Setup};

use super::fixed;

/// Names whose words no event changes that [`leaves_instructions`] lists.
const STEADY: [&str; 19] = [
    "title",
    "tone",
    "rules_title",
    "player_names",
    "scenario_public",
    "scenario_dm",
    "characters",
    "character_secrets",
    "encounter_title",
    "encounter_tone",
    "mood",
    "ambient",
    "house_rules",
    "dm_notes",
    "npcs",
    "hidden_goals",
    "checks",
    "checks_known",
    "guides",
];

/// Are a seat's instructions in play made of such names alone? An author's may ask for anything.
pub fn has_steady_instructions(setup: &Setup, seat: Seat) -> bool {
    let role = if seat == Seat::Dm { "dm" } else { "player" };
    setup.prompts.get(&fixed(role, "play")).is_some_and(|template| is_steady(&template.pieces))
}

fn is_steady(pieces: &[Piece]) -> bool {
    let is_known = |name: &str| STEADY.contains(&name) || name.starts_with("tools.");
    pieces.iter().all(|piece| match piece {
        Piece::Literal { .. } => true,
        Piece::Name(name) => is_known(name),
        Piece::Section(name, inner) | Piece::Unless(name, inner) => is_known(name) && is_steady(inner),
    })
}

/// Does this event leave steady instructions as they are? Those that are not listed here may change them.
pub fn leaves_instructions(event: &Event) -> bool {
    matches!(
        event,
        Event::TurnBegan(_)
            | Event::TurnEnded(_)
            | Event::SpeakerChosen(_)
            | Event::StateDigested(_)
            | Event::ModelCallRequested(_)
            | Event::RetryScheduled(_)
            | Event::CallAbandoned(_)
            | Event::ReplyIgnored(_)
            | Event::ReplyRejected(_)
            | Event::MessageSpoken(_)
            | Event::SpeechCut(_)
            | Event::NudgeGiven(_)
            | Event::ToolAccepted(_)
            | Event::ToolRejected(_)
            | Event::EvidenceCited(_)
            | Event::DiceRolled(_)
            | Event::AbilityChecked(_)
            | Event::RulesLookedUp(_)
            | Event::RulesSearched(_)
            | Event::MemoryQueried(_)
            | Event::CampaignQueried(_)
            | Event::LocationChanged(_)
            | Event::TimeOfDayChanged(_)
            | Event::SceneChanged(_)
            | Event::ObjectiveSet(_)
            | Event::FlagSet(_)
            | Event::NotableEventRecorded(_)
            | Event::ImportantEventRecorded(_)
            | Event::QuestAdded(_)
    )
}
