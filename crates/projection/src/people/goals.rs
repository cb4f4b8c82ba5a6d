//! The goals of every encounter so far, hidden ones included: for people who look back, not for the table.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_world::{Goal, State};

use super::words::why_over;

/// The goals of one encounter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Goals {
    /// The encounter.
    pub encounter: String,
    /// Its title.
    pub title: String,
    /// The goals.
    pub goals: Vec<GoalLine>,
    /// How it ended, if it has.
    pub ended: Option<String>,
    /// Messages so far.
    pub messages: u32,
}

/// A goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GoalLine {
    /// Id.
    pub id: String,
    /// When it is reached.
    pub label: String,
    /// Primary or secondary.
    pub primary: bool,
    /// Is it what must not happen?
    pub failure: bool,
    /// The number that registered it, for one registered during play.
    pub registered: Option<u64>,
    /// Is it the outcome?
    pub reached: bool,
}

impl GoalLine {
    /// What kind of goal it is, in a word.
    pub fn kind(&self) -> &'static str {
        match (self.failure, self.primary) {
            (true, _) => "failure",
            (false, true) => "primary",
            (false, false) => "secondary",
        }
    }

    /// Is it a failure that did not happen? Where it is told how an encounter ended, nobody needs to hear of it.
    pub fn is_averted(&self) -> bool {
        self.failure && !self.reached
    }
}

/// The goals of a state.
pub fn goals(state: &State) -> Vec<Goals> {
    let specs = &state.setup().encounters;
    let line = |goal: &Goal, outcome: Option<&str>| GoalLine {
        id: goal.id.clone(),
        label: goal.label.clone(),
        primary: goal.primary,
        failure: goal.failure,
        registered: goal.registered.map(|origin| origin.0.0),
        reached: outcome == Some(goal.id.as_str()),
    };
    let mut pages: Vec<Goals> = Vec::new();
    for end in state.encounters_over() {
        let outcome = end.outcome.as_ref().map(|(id, _)| id.as_str());
        pages.push(Goals {
            encounter: end.id.clone(),
            title: specs
                .iter()
                .find(|spec| spec.id == end.id)
                .map_or_else(String::new, |spec| spec.title.clone()),
            goals: end.goals.iter().map(|goal| line(goal, outcome)).collect(),
            ended: Some(match outcome {
                Some(outcome) if end.summary.is_empty() => format!("failed by {outcome}"),
                Some(outcome) if end.failed => format!("failed by {outcome}: {}", end.summary),
                Some(outcome) => format!("resolved by {outcome}: {}", end.summary),
                None => format!("unresolved: {}", end.limit.as_ref().map(why_over).unwrap_or_default()),
            }),
            messages: end.messages,
        });
    }
    if let Some((encounter, spec)) = state.encounter().zip(state.encounter_spec()) {
        pages.push(Goals {
            encounter: encounter.id.clone(),
            title: spec.title.clone(),
            goals: state.goals().iter().map(|goal| line(goal, None)).collect(),
            ended: None,
            messages: encounter.messages,
        });
    }
    pages
}
