//! The transcript: an entry as the lines that a person would want to read.

use serde::Serialize;
use twicetold_event::{Channel, ClosedBy, Entry, Event, MarkerFault, Phase};
use twicetold_world::State;

use super::words::observed;
use crate::{Replies, describe, speaker, words};

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// A new part of the story.
    Heading,
    /// Somebody speaks.
    Speech,
    /// Something changed, or dice fell.
    Effect,
    /// A goal, or an ending.
    Goal,
    /// A rejection, a fault, or text that was cut.
    Trouble,
    /// What the table itself notes.
    Note,
}

/// One line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The number of the event.
    pub number: u64,
    /// What it is.
    pub kind: LineKind,
    /// Who speaks; empty for the rest.
    pub speaker: String,
    /// The text.
    pub text: String,
}

/// The lines of an entry, given the state after it.
pub fn lines(state: &State, replies: &dyn Replies, entry: &Entry) -> Vec<Line> {
    let mut lines = Vec::new();
    for (number, event) in entry.numbered() {
        if let Some((kind, speaker, text)) = line(state, replies, event) {
            lines.push(Line { number: number.0, kind, speaker, text });
        }
    }
    lines
}

/// What an event is, who speaks, and the text.
pub(super) fn line(
    state: &State,
    replies: &dyn Replies,
    event: &Event,
) -> Option<(LineKind, String, String)> {
    let plain = |kind: LineKind, text: String| Some((kind, String::new(), text));
    match event {
        Event::MessageSpoken(word) => {
            // A character that is accepted in the same entry is introduced by its own line; until then its seat speaks.
            let name = match &word.channel {
                Channel::SessionZero => word.seat.to_string(),
                Channel::Whisper(_, to) => {
                    format!("{} (whispers to {})", state.seat_name(word.seat), state.seat_name(*to))
                }
                _ => speaker(state, word),
            };
            Some((LineKind::Speech, name, words(replies, &word.text).trim().to_owned()))
        }
        Event::CampaignOpened(_) => plain(LineKind::Heading, state.setup().campaign.title.clone()),
        Event::PhaseBegan(word) => plain(LineKind::Heading, phase(word.phase).into()),
        Event::PhaseClosed(word) if word.by == ClosedBy::RoundLimit => plain(
            LineKind::Note,
            format!("The {} phase is closed after {} rounds.", word.phase.name(), word.rounds),
        ),
        Event::EncounterBegan(word) => {
            let spec = state.setup().encounters.iter().find(|spec| spec.id == word.encounter)?;
            plain(LineKind::Heading, spec.title.clone())
        }
        Event::ToolRejected(word) => {
            let observed = observed(&word.rule, &word.values);
            plain(LineKind::Trouble, format!("{} rejected ({}): {observed}", word.tool, word.rule))
        }
        Event::MarkerIgnored(word) => plain(
            LineKind::Trouble,
            format!("the marker {:?} by {} was ignored: {}", word.phrase, word.seat, marker_fault(word.why)),
        ),
        Event::GoalRegistered(word) => {
            let kind = if word.primary { "primary" } else { "secondary" };
            plain(
                LineKind::Goal,
                format!("New hidden goal ({kind}): {}. {}", word.label.trim_end_matches('.'), word.reason),
            )
        }
        Event::EncounterResolved(word) => {
            let over = state.encounters_over().iter().rev().find(|end| end.id == word.encounter);
            let label =
                over.and_then(|end| end.outcome.as_ref()).map_or(word.outcome.as_str(), |(_, label)| label);
            plain(LineKind::Goal, format!("Resolved: {label}"))
        }
        Event::EncounterUnresolved(word) => plain(LineKind::Goal, format!("Unresolved: {}", word.reason)),
        Event::RetryScheduled(word) => {
            plain(LineKind::Trouble, format!("{}; attempt {} follows", word.fault.describe(), word.attempt))
        }
        Event::CallAbandoned(word) => {
            plain(LineKind::Trouble, format!("{}: the turn is skipped", word.fault.describe()))
        }
        Event::CampaignParked(word) => plain(LineKind::Note, format!("Paused: {}", word.reason)),
        Event::SeatTaken(word) => {
            plain(LineKind::Note, format!("{} plays {}.", word.person, state.seat_name(word.seat)))
        }
        Event::SeatReleased(word) => {
            plain(LineKind::Note, format!("{} is played by its model again.", state.seat_name(word.seat)))
        }
        Event::CampaignResumed(_) => plain(LineKind::Note, "Resumed.".into()),
        Event::SummaryWritten(word) => {
            let how = if word.fallback { "by rule" } else { "by the memory agent" };
            plain(LineKind::Note, format!("Messages up to {} are summarised {how}.", word.to))
        }
        // `show npcs` tells what everybody remembers.
        Event::NpcRemembered(_) => None,
        Event::RulesLookedUp(word) => plain(LineKind::Note, format!("reads {}", word.path)),
        Event::RulesSearched(word) => {
            plain(LineKind::Note, format!("searches the rules for {:?}", word.query))
        }
        Event::MemoryQueried(word) => plain(LineKind::Note, recalled(&word.text)),
        Event::CampaignQueried(word) => plain(LineKind::Note, recalled(&word.id)),
        Event::ReplyRejected(_)
        | Event::SpeechCut(_)
        | Event::MarkerRefused(_)
        | Event::CharacterRefused(_) => plain(LineKind::Trouble, describe(state, replies, event)?),
        Event::PartyDocumentUpdated(word) => plain(
            LineKind::Effect,
            format!("[party document] {}, version {}", word.section.name(), word.version),
        ),
        _ => plain(LineKind::Effect, describe(state, replies, event)?),
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Pitch => "Session Zero: pitch",
        Phase::Converge => "Session Zero: converge",
        Phase::Lock => "Session Zero: lock",
        Phase::Play => "Play",
    }
}

fn recalled(what: &str) -> String {
    if what.is_empty() { "queries the memory".to_owned() } else { format!("recalls what is known of {what}") }
}

fn marker_fault(fault: MarkerFault) -> &'static str {
    match fault {
        MarkerFault::NotTheDm => "only the DM can close a phase",
        MarkerFault::WrongPhase => "it does not close this phase",
        MarkerFault::Quoted => "it is inside quotation marks or code",
        MarkerFault::SecondInMessage => "a message can close only one phase",
    }
}
