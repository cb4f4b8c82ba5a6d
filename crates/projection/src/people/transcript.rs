//! The transcript: an entry as the lines that a person would want to read.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::family::{
    Calls, Dialogue, Encounter, Family, People, SessionZero, Speech, Table, Tools,
};
use twicetold_event::{CallId, Channel, ClosedBy, Entry, Event, Input, MarkerFault, Phase, Seat};
use twicetold_model::FaultKind;
use twicetold_world::reading::Reading;
use twicetold_world::setup::Setup;
use twicetold_world::{State, letters};

use super::words::{after_giving_up, observed, why_over, why_paused};
use crate::{Replies, describe, speaker, words};

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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

/// Characters of what was wrong with a reply that are shown in a line: it may quote half of the reply.
const REJECTED_CHARS_MAX: usize = 120;

/// Characters of a server's message in a line: its first sentence, mostly.
const SERVER_WORDS_CHARS_MAX: usize = 160;

/// What the server said, at the first attempt that failed: it knows better than the kind of the fault what went wrong. A connection has
/// no more to say, and a pause says it itself.
fn server_words(event: &Event, input: &Input) -> String {
    use FaultKind::{ErrorInBody, RateLimited, Server, Unreadable};
    match (event, input) {
        (Event::RetryScheduled(retry), Input::ModelFailed(word))
            if retry.attempt == 2
                && matches!(retry.fault, ErrorInBody | RateLimited | Server | Unreadable) =>
        {
            format!(" ({})", first_chars(&word.fault.message, SERVER_WORDS_CHARS_MAX))
        }
        _ => String::new(),
    }
}

fn first_chars(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// The lines of an entry, given the state after it.
pub fn lines(state: &State, replies: &dyn Replies, entry: &Entry) -> Vec<Line> {
    let mut lines = Vec::new();
    for (number, event) in entry.numbered() {
        if let Some((kind, speaker, mut text)) = line(state, replies, event) {
            text += &server_words(event, &entry.input);
            lines.push(Line { number: number.0, kind, speaker, text });
        }
    }
    lines
}

/// The same for a reader who does not want to know what is hidden from the players, and wants the story to begin soon: a sheet or a
/// scenario that was sent as a block is told by what it became, and of a hidden goal nothing is said.
pub fn unspoiled(state: &State, replies: &dyn Replies, entry: &Entry) -> Vec<Line> {
    without_spoilers(state, entry, lines(state, replies, entry))
}

/// Of these lines of an entry, those for such a reader.
pub fn without_spoilers(state: &State, entry: &Entry, lines: Vec<Line>) -> Vec<Line> {
    let in_encounter = state.encounter().is_some();
    let told = lines.into_iter().filter_map(|line| {
        let (_, event) = entry.numbered().find(|(number, _)| number.0 == line.number)?;
        for_readers(state.setup(), in_encounter, event, line)
    });
    told.collect()
}

/// The line of one event for such a reader; `in_encounter` says whether an encounter is being played.
pub fn for_readers(setup: &Setup, in_encounter: bool, event: &Event, line: Line) -> Option<Line> {
    match event {
        Event::MessageSpoken(word) if word.channel == Channel::SessionZero => {
            let text = without_blocks(setup.reading_of(word.seat), &line.text);
            (!text.is_empty()).then_some(Line { text, ..line })
        }
        Event::CharacterAccepted(word) => {
            let sheet = &word.sheet;
            let class = setup.rules.class(&sheet.class).map_or(&sheet.class, |class| &class.name);
            let text = format!(
                "[table] {} plays {}, {}. {}",
                word.seat,
                sheet.name,
                class.to_lowercase(),
                sheet.background
            );
            Some(Line { text: text.trim_end().to_owned(), ..line })
        }
        Event::PartyDocumentUpdated(word) if word.version <= 1 => None,
        Event::RulesLookedUp(_) | Event::RulesSearched(_) if !in_encounter => None,
        // What the DM is reminded of speaks of tools and of what is hidden.
        Event::GoalRegistered(_) | Event::NudgeGiven(_) => None,
        _ => Some(line),
    }
}

/// A message without its blocks and without the words that close a phase.
pub(super) fn without_blocks(reading: &Reading, text: &str) -> String {
    let spoken = match reading.blocks(text) {
        Some(blocks) => {
            // Nothing follows the colon any more.
            let before = text[..blocks.start].trim_end();
            let before =
                before.strip_suffix(':').map_or_else(|| before.to_owned(), |before| format!("{before}."));
            format!("{before}\n{}", text[blocks.end..].trim_start())
        }
        None => text.to_owned(),
    };
    let is_marker = |line: &str| {
        [Phase::Pitch, Phase::Converge, Phase::Lock]
            .iter()
            .any(|phase| reading.marker(*phase).is_some_and(|marker| letters(marker) == letters(line)))
    };
    let kept: Vec<&str> = spoken.lines().filter(|line| !is_marker(line)).collect();
    kept.join("\n").trim().to_owned()
}

/// Whose reply was rejected: with the last one that a turn allows, the next turn has begun in the same entry.
fn whose(state: &State, call: CallId) -> Option<Seat> {
    let history = state.history();
    let talks = state.npcs().all().flat_map(|npc| &npc.history.kept);
    let mut kept = history.main.iter().rev().chain(history.session_zero.iter().rev()).chain(talks);
    let is_it = |event: &Event| matches!(event, Event::ReplyRejected(word) if word.call == call);
    kept.find(|kept| is_it(&kept.event)).map_or(state.turn().seat, |kept| kept.seat)
}

/// What an event is, who speaks, and the text.
pub(super) fn line(
    state: &State,
    replies: &dyn Replies,
    event: &Event,
) -> Option<(LineKind, String, String)> {
    if let Event::MessageSpoken(word) = event {
        // A character that is accepted in the same entry is introduced by its own line; until then its seat speaks.
        let name = match &word.channel {
            Channel::SessionZero => word.seat.to_string(),
            Channel::Whisper(_, to) => {
                format!("{} (whispers to {})", state.seat_name(word.seat), state.seat_name(*to))
            }
            _ => speaker(state, word),
        };
        return Some((LineKind::Speech, name, words(replies, &word.text).trim().to_owned()));
    }
    let told = |kind: LineKind| Some((kind, describe(state, replies, event)?));
    let (kind, text) = match event.family() {
        Family::Table(word) => table(state, word)?,
        Family::Calls(word) => match word {
            Calls::RetryScheduled(word) => {
                let text = format!("{}; attempt {} follows", word.fault.describe(), word.attempt);
                (LineKind::Trouble, text)
            }
            Calls::CallAbandoned(word) => {
                let (fault, then) = (word.fault.describe(), after_giving_up(word.fault));
                (LineKind::Trouble, format!("{fault}: {then}"))
            }
            Calls::HistoryShortened(word) => {
                let text = format!(
                    "the prompt is longer than the model's context; {} sees at most {} bytes of the story from now on",
                    state.seat_name(word.seat),
                    word.bytes
                );
                (LineKind::Trouble, text)
            }
            // What the model is told of it is long; whoever wants to know asks `why`.
            Calls::ReplyRejected(word) => {
                let seat = whose(state, word.call)
                    .map_or_else(String::new, |seat| format!(" of {}", state.seat_name(seat)));
                let observed = observed(&word.rule, &word.values);
                let what: String = observed.chars().take(REJECTED_CHARS_MAX).collect();
                let cut = if what.len() < observed.len() { "…" } else { "" };
                (LineKind::Trouble, format!("A reply{seat} was rejected ({}): {what}{cut}", word.rule))
            }
            Calls::CallWithdrawn(_) | Calls::ModelCallRequested(_) | Calls::ReplyIgnored(_) => return None,
        },
        Family::Speech(word) => match word {
            Speech::SpeechCut(_) => told(LineKind::Trouble)?,
            // Whoever reads the story has all of it.
            Speech::SummaryWritten(_) => return None,
            Speech::MessageSpoken(_) | Speech::NudgeGiven(_) => told(LineKind::Effect)?,
        },
        Family::SessionZero(word) => match word {
            SessionZero::PhaseBegan(word) => (LineKind::Heading, phase(word.phase).to_owned()),
            SessionZero::PhaseClosed(word) if word.by == ClosedBy::RoundLimit => {
                let (phase, rounds) = (word.phase.name(), word.rounds);
                (LineKind::Note, format!("The {phase} phase is closed after {rounds} rounds."))
            }
            SessionZero::MarkerIgnored(word) => {
                let text = format!(
                    "the marker {:?} by {} was ignored: {}",
                    word.phrase,
                    word.seat,
                    marker_fault(word.why)
                );
                (LineKind::Trouble, text)
            }
            SessionZero::MarkerRejected(_) | SessionZero::CharacterRejected(_) => told(LineKind::Trouble)?,
            SessionZero::PartyDocumentUpdated(word) => {
                let (section, version) = (word.section.name(), word.version);
                (LineKind::Effect, format!("[party document] {section}, version {version}"))
            }
            SessionZero::CharacterAccepted(_) => told(LineKind::Effect)?,
            SessionZero::PhaseClosed(_) | SessionZero::ScenarioSet(_) => return None,
        },
        Family::Tools(word) => match word {
            Tools::ToolRejected(word) => {
                let observed = observed(&word.rule, &word.values);
                (LineKind::Trouble, format!("{} rejected ({}): {observed}", word.tool, word.rule))
            }
            Tools::RulesLookedUp(word) => (LineKind::Note, format!("reads {}", word.path)),
            Tools::RulesSearched(word) => {
                (LineKind::Note, format!("searches the rules for {:?}", word.query))
            }
            Tools::MemoryQueried(word) => (LineKind::Note, recalled(&word.text)),
            Tools::CampaignQueried(word) => (LineKind::Note, recalled(&word.id)),
            Tools::DiceRolled(_) | Tools::AbilityChecked(_) | Tools::ItemUsed(_) => told(LineKind::Effect)?,
            Tools::ToolAccepted(_) | Tools::MoveChosen(_) | Tools::EvidenceCited(_) => return None,
        },
        Family::Encounter(word) => match word {
            Encounter::EncounterBegan(word) => {
                let spec = state.setup().encounters.iter().find(|spec| spec.id == word.encounter)?;
                (LineKind::Heading, spec.title.clone())
            }
            Encounter::GoalRegistered(word) => {
                let kind = if word.primary { "primary" } else { "secondary" };
                let label = word.label.trim_end_matches('.');
                (LineKind::Goal, format!("New hidden goal ({kind}): {label}. {}", word.reason))
            }
            Encounter::EncounterResolved(word) => {
                let over = state.encounters_over().iter().rev().find(|end| end.id == word.encounter);
                let label = over.and_then(|end| end.outcome.as_ref());
                let label = label.map_or(word.outcome.as_str(), |(_, label)| label);
                let failed = over_failed(state, &word.encounter);
                (LineKind::Goal, format!("{}: {label}", if failed { "Failed" } else { "Resolved" }))
            }
            Encounter::EncounterUnresolved(word) => {
                (LineKind::Goal, format!("Unresolved: {}", why_over(&word.reason)))
            }
            Encounter::FailureStruck(_) => return None,
            Encounter::EncounterFailed(word) => {
                let over = state.encounters_over().iter().rev().find(|end| end.id == word.encounter);
                let label = over.and_then(|end| end.outcome.as_ref());
                let label = label.map_or(word.outcome.as_str(), |(_, label)| label);
                (LineKind::Goal, format!("Failed: {label} ({})", why_over(&word.reason)))
            }
            Encounter::DetailRevealed(_) => told(LineKind::Effect)?,
        },
        // `show npcs` tells what everybody remembers.
        Family::People(People::NpcRemembered(_)) => return None,
        // What a rule makes of a talk repeats what was just said.
        Family::Dialogue(Dialogue::DialogueSummarised(word)) if word.fallback => return None,
        Family::People(_)
        | Family::Dialogue(_)
        | Family::Facts(_)
        | Family::Characters(_)
        | Family::Combat(_)
        | Family::Party(_)
        | Family::Foreign(_)
        | Family::Unknown(_) => told(LineKind::Effect)?,
    };
    Some((kind, String::new(), text))
}

/// Was the encounter lost?
fn over_failed(state: &State, encounter: &str) -> bool {
    state.encounters_over().iter().rev().find(|end| end.id == encounter).is_some_and(|end| end.failed)
}

fn table(state: &State, word: Table<'_>) -> Option<(LineKind, String)> {
    Some(match word {
        Table::CampaignOpened(_) => (LineKind::Heading, state.setup().campaign.title.clone()),
        Table::CampaignPaused(word) => {
            (LineKind::Note, format!("Paused: {}", why_paused(word.fault, &word.reason)))
        }
        Table::CampaignResumed(_) => (LineKind::Note, "Resumed.".to_owned()),
        Table::SeatTaken(word) => {
            (LineKind::Note, format!("{} plays {}.", word.person, state.seat_name(word.seat)))
        }
        Table::SeatReleased(word) => {
            (LineKind::Note, format!("{} is played by its model again.", state.seat_name(word.seat)))
        }
        Table::CampaignEnded(_)
        | Table::CharterAmended(_)
        | Table::CampaignForked(_)
        | Table::TurnBegan(_)
        | Table::TurnEnded(_)
        | Table::SpeakerChosen(_)
        | Table::StateDigested(_) => return None,
    })
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
