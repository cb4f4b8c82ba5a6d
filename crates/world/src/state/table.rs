//! The table: the current turn, the pending call, the costs.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twicetold_event::{CallId, Check, Ending, Millis, Missing, Phase, Purpose, Seat, Text};
use twicetold_model::FaultKind;

use super::Origin;

/// Is the campaign running, paused or over?
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum Life {
    /// Nothing happened yet.
    #[default]
    Unopened,
    /// It is being played.
    Running,
    /// It stopped for now.
    Paused {
        /// How a model call failed; `None` where somebody asked to stop.
        fault: Option<FaultKind>,
        /// What the server, or who asked, said.
        reason: String,
        /// When the server wants to be asked again, where it said so.
        until: Option<Millis>,
    },
    /// It is over.
    Ended {
        /// How.
        ending: Ending,
        /// The limit that was reached, or what is over.
        reason: Check,
    },
}

/// The order of play.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Table {
    /// The phase.
    pub phase: Phase,
    /// DM messages in this phase.
    pub rounds: u32,
    /// Who has spoken in this phase.
    pub spoken: BTreeSet<Seat>,
    /// The turn in which a seat last spoke.
    pub last_spoke: BTreeMap<Seat, u32>,
    /// Turns that others spent in a private dialogue since a seat last spoke: it did not wait for these.
    pub apart: BTreeMap<Seat, u32>,
    /// People who sit in a model's place.
    pub people: BTreeMap<Seat, String>,
    /// The last nudge of each kind: its turn.
    pub nudged: BTreeMap<u8, u32>,
    /// The counter of tool calls of each seat: what a model knows its calls by.
    pub tool_ids: BTreeMap<Seat, u32>,
    /// As if a later build had added it.
    #[cfg(feature = "new-field")]
    pub new_field: Option<u32>,
}

/// The turn being played.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Turn {
    /// Counted from 1.
    pub number: u32,
    /// Whose.
    pub seat: Option<Seat>,
    /// Replies so far.
    pub rounds: u32,
    /// Look-ups so far.
    pub lookups: u32,
    /// Ability checks so far.
    pub checks: u32,
    /// Replies so far that could not be used.
    pub unusable: u32,
    /// Messages spoken in this turn.
    pub messages: u32,
    /// Tool calls of this turn: name and arguments, digested, with how they ended.
    pub tools: Vec<(u64, bool)>,
    /// What went wrong in this turn and matters for its rest: rules that ask once, that of repeated calls, and calls that nobody could read.
    pub warned: BTreeSet<String>,
    /// What a model that is guided chose to do in it.
    pub choice: Option<Choice>,
    /// What was chosen in the turn before: a player's wish, which the DM may grant.
    pub before: Option<Choice>,
    /// As if a later build had added it.
    #[cfg(feature = "new-field")]
    pub new_field: Option<u32>,
    /// Where in the recent history this turn begins.
    pub began: Origin,
}

impl Turn {
    /// Rules that ask once: the second time in a turn the call counts.
    pub const WARNINGS: &[&str] = &["check_passed", "evidence_missing", "needs_open", "nothing_told"];
    /// What stands in `warned` once a rule has asked about this goal or check.
    pub fn warning(rule: &str, about: &str) -> String {
        format!("{rule} {about}")
    }

    /// What stands in `warned` once a server could not read a call of this turn.
    pub const CALLS_UNREAD: &str = "calls_unread";

    /// Has something gone wrong after which its seat is asked for words alone for the rest of it? A model that repeats a call, or writes one
    /// that its server cannot read, does so again and again.
    pub(super) fn wants_words(&self) -> bool {
        ["repeated_call", Turn::CALLS_UNREAD].into_iter().any(|why| self.warned.contains(why))
    }
}

/// A move that a model chose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Choice {
    /// The move, as it was offered.
    pub key: String,
    /// What the model said it wants.
    pub intent: String,
    /// The tool that it uses; empty when it only speaks.
    pub tool: String,
    /// The arguments of the tool call as JSON, as far as they are known.
    pub arguments: String,
    /// Is nothing left to be filled in?
    pub complete: bool,
}

/// A pending model call.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PendingCall {
    /// Its number.
    pub call: CallId,
    /// Who is asked.
    pub seat: Seat,
    /// What for.
    pub purpose: Purpose,
    /// Digest of the request that was decided.
    pub digest: twicetold_model::Digest,
    /// Attempts that failed.
    pub failed: u32,
    /// Not before this time.
    pub due: Option<Millis>,
    /// Where it was requested.
    pub requested: Origin,
}

/// What calls have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Spent {
    /// Replies.
    pub calls: u32,
    /// Attempts that failed.
    pub failed: u32,
    /// Tokens read.
    pub input_tokens: u64,
    /// Of those, cached.
    pub cached_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

/// Model calls.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Calls {
    /// The number of the next one.
    pub next: CallId,
    /// The pending call: at most one, so that the order of replies is deterministic.
    pub pending: Option<PendingCall>,
    /// Calls given up one after the other.
    pub abandoned: u32,
    /// Turns one after the other that ended without a reply that could be used.
    pub unusable_turns: u32,
    /// How many bytes of the history are shown at most to a seat whose server found more too long.
    pub shown: BTreeMap<Seat, u32>,
    /// Seats whose models have looked up the same again in a turn.
    pub repeats_lookups: BTreeSet<Seat>,
    /// Players whose models have tried the same again in a turn, without a word between.
    pub repeats_checks: BTreeSet<Seat>,
    /// Costs by seat and purpose, as [`Calls::bill`] names it.
    pub spent: BTreeMap<(Seat, String), Spent>,
}

impl Calls {
    /// Under which name [`Calls::spent`] adds up the calls of a purpose.
    pub fn bill(purpose: Purpose) -> &'static str {
        super::evolve::bill(purpose)
    }

    /// Everything together.
    pub fn total(&self) -> Spent {
        self.spent.values().fold(Spent::default(), |sum, spent| Spent {
            calls: sum.calls + spent.calls,
            failed: sum.failed + spent.failed,
            input_tokens: sum.input_tokens.saturating_add(spent.input_tokens),
            cached_tokens: sum.cached_tokens.saturating_add(spent.cached_tokens),
            output_tokens: sum.output_tokens.saturating_add(spent.output_tokens),
        })
    }
}

/// What Session Zero has brought so far.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct SessionZero {
    /// The scenario.
    pub scenario: Option<(Origin, twicetold_event::ScenarioSet)>,
    /// Sheets refused, by seat.
    pub refused: BTreeMap<Seat, u32>,
    /// The last reasons, by seat, until the next sheet.
    pub reasons: BTreeMap<Seat, Vec<Check>>,
    /// What the last rejected marker was missing.
    pub missing: Vec<Missing>,
    /// Where each player's pitch lies: its first message.
    pub pitches: BTreeMap<Seat, twicetold_event::Text>,
}

impl SessionZero {
    /// The replies that it shows something of.
    pub(crate) fn replies(&self) -> impl Iterator<Item = CallId> {
        let SessionZero { scenario, pitches, refused: _, reasons: _, missing: _ } = self;
        let scenario = scenario.iter().flat_map(|(_, scenario)| [&scenario.public, &scenario.dm]);
        scenario.chain(pitches.values()).filter_map(Text::reply)
    }
}
