//! The encounter being played: what the seed drew for it, its goals, how far it has come.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twicetold_event::{AbilityChecked, CallId, Check, DetailRevealed};

use super::Origin;
use crate::setup::CheckSpec;

/// An encounter being played.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Encounter {
    /// Which of the campaign's encounters, counted from 0.
    pub index: usize,
    /// Its id.
    pub id: String,
    /// What the seed drew.
    pub draws: BTreeMap<String, String>,
    /// Goals registered during play.
    pub registered: Vec<Goal>,
    /// Messages spoken since it began.
    pub messages: u32,
    /// DM messages since it began.
    pub narrations: u32,
    /// What was noticed.
    pub revealed: Vec<(Origin, DetailRevealed)>,
    /// Checks that succeeded.
    pub passed: u32,
    /// Checks that failed.
    pub failed: u32,
    /// The encounter's own checks that succeeded, by name, and where each did last; and those that such a success has overtaken.
    pub achieved: BTreeMap<String, Origin>,
    /// The encounter's own checks that were tried, by name, each with whether it has passed.
    pub tried: BTreeMap<String, bool>,
    /// Turns in which a model chose to register a goal and could not say which.
    pub unplanned: u32,
    /// Checks since the DM last spoke.
    pub recent_checks: Vec<(Origin, AbilityChecked)>,
    /// What players did and said in it, which can be cited, oldest first, each with the last reply before it. The label of one is its place,
    /// counted from 1. The state's digest has only how many there are: it is taken in every turn.
    pub evidence: Vec<(Origin, CallId)>,
    /// The failure that has happened and is still to be told.
    pub struck: Option<Struck>,
    /// Where it began.
    pub began: Origin,
}

/// A failure that has happened.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Struck {
    /// The goal that is one.
    pub goal: String,
    /// What has happened.
    pub label: String,
    /// What made it happen.
    pub reason: Check,
    /// The turn at whose end it happened.
    pub turn: u32,
    /// Where.
    pub origin: Origin,
}

impl Encounter {
    /// The label of what happened there, if it can be cited.
    pub fn label(&self, origin: Origin) -> Option<u32> {
        let place = self.evidence.binary_search_by_key(&origin, |(origin, _)| *origin).ok()?;
        u32::try_from(place + 1).ok()
    }

    /// Has another check that passed made this one needless?
    pub fn is_overtaken(&self, check: &CheckSpec) -> bool {
        check.until.iter().any(|other| self.achieved.contains_key(other))
    }

    /// Did all checks pass that lead to a goal?
    pub fn has_achieved(&self, needs: &[String]) -> bool {
        needs.iter().all(|check| self.achieved.contains_key(check))
    }
}

/// A hidden goal.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Goal {
    /// Id.
    pub id: String,
    /// When it is reached.
    pub label: String,
    /// Primary or secondary.
    pub primary: bool,
    /// Is it what must not happen?
    pub failure: bool,
    /// Where it was registered, unless it is of the encounter's specification.
    pub registered: Option<Origin>,
}

/// An encounter that is over.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct EncounterEnd {
    /// Its id.
    pub id: String,
    /// The goal's id and label, or none.
    pub outcome: Option<(String, String)>,
    /// How it came about, in the DM's words; empty where it ended without a goal.
    pub summary: String,
    /// What is felt of that when the next encounter begins; empty where its specification says nothing.
    pub later: String,
    /// The limit that ended it; `None` where a goal did.
    pub limit: Option<Check>,
    /// Messages that it took.
    pub messages: u32,
    /// Was it lost?
    pub failed: bool,
    /// Its own checks that have passed, by name.
    pub passed: Vec<String>,
    /// Its goals, those registered during play included.
    pub goals: Vec<Goal>,
    /// Where it ended.
    pub ended: Origin,
}

impl EncounterEnd {
    /// How it ended, in a word: by a `primary` or `secondary` goal, `failed`, or `unresolved`.
    pub fn how(&self) -> &'static str {
        let outcome = self.outcome.as_ref().map(|(id, _)| id);
        match outcome.and_then(|id| self.goals.iter().find(|goal| goal.id == *id)) {
            _ if self.failed => "failed",
            Some(goal) if goal.primary => "primary",
            Some(_) => "secondary",
            None => "unresolved",
        }
    }
}
