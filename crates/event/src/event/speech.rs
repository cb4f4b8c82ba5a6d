//! What was said, and what was cut from it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::samples::events::{audiences, channels, cut_rules, each, nudges, texts, written};
use crate::samples::seats;
use crate::{Audience, CallId, Channel, Event, Seat, Text, Values};

family! {
    ($) speech
    /// What is said to the table, and about it.
    Speech {
        130 v 1 MessageSpoken: stated, story, [text];
        131 v 1 SpeechCut: all, story, [];
        132 v 1 SummaryWritten: all, story, [text];
        133 v 1 NudgeGiven: dm, story, [];
    }
}

/// A seat said something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageSpoken {
    /// Who.
    pub seat: Seat,
    /// Where.
    pub channel: Channel,
    /// To whom.
    pub audience: Audience,
    /// The words.
    pub text: Text,
}

/// Why a reply's words were cut. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum CutRule {
    /// It went on in another's name.
    SpokeForAnother,
    /// It was longer than a message may be.
    TooLong,
    /// The model was stopped at its limit of tokens, in the middle of a sentence.
    Unfinished,
    /// It said the same over and over.
    Repeats,
    /// It was copied from the prompt; words of the model's own stood before or behind it.
    Copied,
    /// It was the text of a tool call, beside tool calls that could be read.
    CallText,
    /// It was a mark of a chat template, with which a model ends its message, and what stood behind it.
    EndMark,
}

/// Some of a reply's words were not spoken: the rest, or what was copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpeechCut {
    /// Whose reply.
    pub seat: Seat,
    /// Which reply.
    pub call: CallId,
    /// Why.
    pub rule: CutRule,
    /// The first byte that was not spoken.
    pub at: u32,
    /// The `name` that it went on in; or its `bytes`, and how many there may be at `most`. Of words that were copied, how many `bytes`.
    pub values: Values,
}

/// Older messages of the main history as a few sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SummaryWritten {
    /// First message.
    pub from: u32,
    /// The message after the last.
    pub to: u32,
    /// The words.
    pub text: Text,
    /// Written by the referee because no model did.
    pub fallback: bool,
}

/// What a nudge reminds of. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Nudge {
    /// The party document is older than the last major event.
    PartyDocumentStale,
    /// An NPC of the encounter was named by the DM and never recorded as met.
    NpcNotRecorded,
    /// A dialogue has gone on for long.
    DialogueLeftOpen,
    /// A player has waited for longer than the limit.
    PlayerWaits,
    /// A failure has happened and is to be told.
    FailureStruck,
    /// All checks that lead to a goal have passed.
    GoalReached,
}

impl Nudge {
    /// As texts call it.
    pub fn name(self) -> &'static str {
        match self {
            Nudge::PartyDocumentStale => "party_document_stale",
            Nudge::NpcNotRecorded => "npc_not_recorded",
            Nudge::DialogueLeftOpen => "dialogue_left_open",
            Nudge::PlayerWaits => "player_waits",
            Nudge::FailureStruck => "failure_struck",
            Nudge::GoalReached => "goal_reached",
        }
    }
}

/// The DM is reminded of housekeeping in its next prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NudgeGiven {
    /// Of what.
    pub nudge: Nudge,
    /// What makes it due.
    pub values: Values,
}

/// Samples of every event here.
pub(crate) fn samples() -> Vec<Event> {
    let spoken = |seat, channel, audience, text| MessageSpoken { seat, channel, audience, text };
    let mut events = each(seats(), |seat| spoken(seat, Channel::Main, Audience::All, written()));
    events.extend(each(channels(), |channel| spoken(Seat::Player(2), channel, Audience::Dm, written())));
    events.extend(each(audiences(), |audience| spoken(Seat::Dm, Channel::Main, audience, written())));
    events.extend(each(texts(), |text| spoken(Seat::Dm, Channel::SessionZero, Audience::All, text)));
    events.extend(each(cut_rules(), |rule| SpeechCut {
        seat: Seat::Player(2),
        call: CallId(300),
        rule,
        at: 512,
        values: Values::default().with("name", "Mara"),
    }));
    events.extend(each(texts(), |text| SummaryWritten { from: 12, to: 200, text, fallback: true }));
    events
        .extend(each(nudges(), |nudge| NudgeGiven { nudge, values: Values::default().with("name", "Wren") }));
    events
}
