//! The life of a goal: where it comes from, who proposed it and was rejected, which requests showed it, how it ended.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{Entry, Event, Number};
use twicetold_journal::Source;
use twicetold_projection::people::{observed, why_over};
use twicetold_world::{EncounterEnd, Goal, State, is_citable};

use super::ground::{Ground, NeedWhy, StruckWhy};
use super::{Cause, Chain, Explainer, ranked};
use crate::rebuild::rebuild_in;
use crate::{LoadError, entries, load};

/// Words that something has in common with a goal before it is shown beside it: a single one may be a name, or chance.
const TELLING_WORDS_MIN: usize = 2;

/// Why a goal exists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GoalWhy {
    /// Its id.
    pub goal: String,
    /// When it is reached.
    pub label: String,
    /// Primary or secondary.
    pub primary: bool,
    /// Is it one that must not happen? Absent where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failure: bool,
    /// The number at which its encounter began.
    pub encounter_began: u64,
    /// How it was registered; none for a goal of the encounter's specification, which is in the charter since the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered: Option<Chain>,
    /// The number at which the encounter was resolved by it.
    pub resolved: Option<u64>,
    /// How the encounter ended otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<EndedWhy>,
    /// How that came, of a goal of the specification, which nobody registered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Chain>,
    /// The checks that the encounter's file names for it, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<NeedWhy>,
    /// What made the rules declare it, of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub struck: Option<StruckWhy>,
}

/// The end of an encounter that another goal or a limit brought about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EndedWhy {
    /// The number at which it ended.
    pub number: u64,
    /// The goal that it ended with, if it ended with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The limit that ended it otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

/// What happened to a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GoalStep {
    /// Where.
    pub number: u64,
    /// The goal's id; for one that was rejected, the id that was proposed.
    pub goal: String,
    /// What.
    pub step: Appearance,
}

/// A step in the life of a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Appearance {
    /// It is one of the encounter's own.
    Specified,
    /// It was registered under its id, proposed under another one.
    Registered {
        /// As the model named it.
        proposed: String,
        /// The reason that the model gave.
        reason: String,
    },
    /// It was proposed and rejected.
    Rejected {
        /// The rule.
        rule: String,
        /// What it observed.
        observed: String,
    },
    /// Requests to the DM showed it.
    Shown {
        /// How many.
        requests: u64,
        /// The number of the last.
        last: u64,
        /// The numbers of all, in order.
        numbers: Vec<u64>,
    },
    /// The encounter was resolved by it.
    Resolved {
        /// The number of the reply that did it.
        reply: u64,
    },
    /// The encounter ended otherwise.
    Abandoned {
        /// By which goal, or by which limit.
        ended: String,
    },
}

impl Explainer<'_> {
    /// The chain behind a goal, by its id with or without the prefix of those that were registered; none when there is no such
    /// goal. Of several encounters' goals with one name, the newest.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn goal(&self, name: &str, depth: u32) -> Result<Option<GoalWhy>, LoadError> {
        let state = self.campaign.state();
        let Some((goal, end)) = found(state, name) else { return Ok(None) };
        let last = match (end, state.encounter()) {
            (Some(end), _) => end.ended.0,
            (None, Some(encounter)) => encounter.began.0,
            (None, None) => Number(0),
        };
        let began = self.find_number(last, |event| matches!(event, Event::EncounterBegan(_)))?;
        let mut registered = match goal.registered {
            Some(origin) => self.why(origin.0, depth)?,
            None => None,
        };
        let is_outcome = end.and_then(|end| end.outcome.as_ref()).is_some_and(|(id, _)| *id == goal.id);
        let resolved = match end.filter(|_| is_outcome) {
            Some(end) => self.find_number(end.ended.0, |event| {
                matches!(event, Event::EncounterResolved(_) | Event::EncounterFailed(_))
            })?,
            None => None,
        };
        let mut resolution = match (resolved, &registered) {
            (Some(number), None) => self.why(number, depth)?,
            _ => None,
        };
        let Ground { needs, struck } = self.ground(&goal.id, began.unwrap_or_default(), last)?;
        let party = state.characters().values().map(|character| character.sheet.name.as_str());
        let party = party.collect::<Vec<_>>().join(" ");
        let about = needs.iter().map(|need| need.check.as_str()).chain([goal.label.as_str()]);
        let about = about.collect::<Vec<_>>().join(" ");
        for why in registered.iter_mut().chain(resolution.iter_mut()) {
            let Cause::Tool { evidence: Some(evidence), call, .. } = &mut why.cause else { continue };
            let about = format!("{about} {}", super::rejected::argument(&call.arguments, "reason"));
            let common = |text: &str| ranked::in_common(text, &about, &party);
            for one in &mut evidence.cited {
                one.shares_words = Some(common(&one.text) > 0);
            }
            // A check may have a short name.
            let names = |text: &str| needs.iter().any(|need| text.contains(&need.check));
            evidence.recorded.retain(|(_, text)| common(text) >= TELLING_WORDS_MIN || names(text));
            let all_apart = evidence.cited.iter().all(|one| one.shares_words == Some(false));
            if all_apart && !evidence.cited.is_empty() {
                let shown = why.request.iter().flat_map(|request| request.nearest());
                for number in shown.map(|span| Number(span.number)) {
                    let happened = self.happened(number)?.filter(|text| common(text) >= TELLING_WORDS_MIN);
                    evidence.closest = happened.map(|text| (number.0, text));
                    if evidence.closest.is_some() {
                        break;
                    }
                }
            }
        }
        let ended = end.filter(|_| !is_outcome).map(|end| EndedWhy {
            number: end.ended.0.0,
            goal: end.outcome.as_ref().map(|(id, _)| id.clone()),
            limit: end.limit.as_ref().map(why_over),
        });
        Ok(Some(GoalWhy {
            goal: goal.id,
            label: goal.label,
            primary: goal.primary,
            failure: goal.failure,
            encounter_began: began.unwrap_or_default().0,
            registered,
            resolved: resolved.map(|number| number.0),
            ended,
            resolution,
            needs,
            struck,
        }))
    }

    /// The text of an event that a model may point to; none for any other.
    fn happened(&self, number: Number) -> Result<Option<String>, LoadError> {
        let Some(entry) = self.cursor.entry(number)? else { return Ok(None) };
        let event = entry.numbered().find(|(at, _)| *at == number).map(|(_, event)| event);
        event.filter(|event| is_citable(event, true)).map(|event| self.text(event)).transpose()
    }

    fn find_number(
        &self,
        from: Number,
        is_meant: impl Fn(&Event) -> bool,
    ) -> Result<Option<Number>, LoadError> {
        Ok(self.cursor.last(from, is_meant)?.map(|(number, _)| number))
    }

    /// Everything that happened to goals, in order. Every request to the DM is rebuilt, to say which of them showed a goal.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn goal_history(&self) -> Result<Vec<GoalStep>, LoadError> {
        let mut steps: Vec<GoalStep> = Vec::new();
        let mut open: Vec<(String, Vec<u64>)> = Vec::new();
        for entry in entries(self.cursor.source())? {
            let entry = entry?;
            let mut proposed = None;
            for (number, event) in entry.numbered() {
                let mut push = |goal: &str, step| {
                    steps.push(GoalStep { number: number.0, goal: goal.to_owned(), step });
                };
                match event {
                    Event::EncounterBegan(word) => {
                        let setup = self.cursor.setup_at(number);
                        let spec = setup.encounters.iter().find(|spec| spec.id == word.encounter);
                        for goal in spec.into_iter().flat_map(|spec| &spec.goals) {
                            push(&goal.id, Appearance::Specified);
                            open.push((goal.id.clone(), Vec::new()));
                        }
                    }
                    Event::ToolAccepted(word) if word.tool == REGISTER => {
                        proposed = Some(self.proposed(&entry, number)?);
                    }
                    Event::ToolRejected(word) if word.tool == REGISTER => {
                        let (rule, observed) = (word.rule.clone(), observed(&word.rule, &word.values));
                        push(&self.proposed(&entry, number)?, Appearance::Rejected { rule, observed });
                    }
                    Event::GoalRegistered(word) => {
                        let proposed = proposed.take().unwrap_or_else(|| word.id.clone());
                        push(&word.id, Appearance::Registered { proposed, reason: word.reason.clone() });
                        open.push((word.id.clone(), Vec::new()));
                    }
                    Event::ModelCallRequested(word) if !open.is_empty() => {
                        let rebuilt = rebuild_in(&self.cursor, word.call)?;
                        let shows = |id: &str| {
                            rebuilt
                                .iter()
                                .flat_map(|rebuilt| &rebuilt.parts)
                                .any(|part| part.text.contains(id))
                        };
                        for (_, numbers) in open.iter_mut().filter(|(id, _)| shows(id)) {
                            numbers.push(number.0);
                        }
                    }
                    Event::EncounterResolved(word) => {
                        let reply = entry.header.first.0;
                        close(&mut steps, &mut open, number, &word.outcome, Some(reply));
                    }
                    Event::EncounterFailed(word) => {
                        close(&mut steps, &mut open, number, &word.outcome, None);
                    }
                    Event::EncounterUnresolved(word) => {
                        close(&mut steps, &mut open, number, &why_over(&word.reason), None);
                    }
                    _ => {}
                }
            }
        }
        let end = Number(self.campaign.next().0.saturating_sub(1));
        shown(&mut steps, &mut open, end);
        Ok(steps)
    }

    /// The id that a tool call proposed, as the model wrote it.
    fn proposed(&self, entry: &Entry, number: Number) -> Result<String, LoadError> {
        let Some(outcome) = entry.tool_calls().find(|outcome| outcome.holds(number)) else {
            return Ok(String::new());
        };
        Ok(super::rejected::argument(&self.tool_call(entry, &outcome)?.arguments, "id"))
    }
}

/// The tool by which goals are registered.
pub(super) const REGISTER: &str = "goal_register";

/// The goals of an encounter are no longer open: which were shown, and how they ended.
fn close(
    steps: &mut Vec<GoalStep>,
    open: &mut Vec<(String, Vec<u64>)>,
    number: Number,
    ended: &str,
    reply: Option<u64>,
) {
    let ids: Vec<String> = open.iter().map(|(id, _)| id.clone()).collect();
    shown(steps, open, number);
    for goal in ids {
        let step = match reply.filter(|_| goal == ended) {
            Some(reply) => Appearance::Resolved { reply },
            None => Appearance::Abandoned { ended: ended.to_owned() },
        };
        steps.push(GoalStep { number: number.0, goal, step });
    }
}

fn shown(steps: &mut Vec<GoalStep>, open: &mut Vec<(String, Vec<u64>)>, number: Number) {
    for (goal, numbers) in open.drain(..) {
        let (requests, last) = (numbers.len() as u64, numbers.last().copied().unwrap_or_default());
        let step = Appearance::Shown { requests, last, numbers };
        steps.push(GoalStep { number: number.0, goal, step });
    }
}

/// A goal by its name, and the end of its encounter where it has ended.
fn found<'s>(state: &'s State, name: &str) -> Option<(Goal, Option<&'s EncounterEnd>)> {
    let is_meant = |goal: &Goal| goal.id == name || goal.id.strip_prefix("dynamic_") == Some(name);
    if let Some(goal) = state.goals().into_iter().find(is_meant) {
        return Some((goal, None));
    }
    let of = |end: &'s EncounterEnd| Some((end.goals.iter().find(|goal| is_meant(goal))?.clone(), Some(end)));
    state.encounters_over().iter().rev().find_map(of)
}

/// The chain behind a goal; none when there is no such goal.
///
/// # Errors
/// The journal is damaged.
pub fn why_goal(source: &dyn Source, name: &str) -> Result<Option<GoalWhy>, LoadError> {
    Explainer::new(source, &load(source)?)?.goal(name, 1)
}

/// Everything that happened to goals.
///
/// # Errors
/// The journal is damaged.
pub fn goal_history(source: &dyn Source) -> Result<Vec<GoalStep>, LoadError> {
    Explainer::new(source, &load(source)?)?.goal_history()
}

/// The ids of all goals that a campaign has known, for the one who mistyped.
pub fn goal_ids(state: &State) -> Vec<String> {
    let over = state.encounters_over().iter().flat_map(|end| end.goals.clone());
    over.chain(state.goals()).map(|goal| goal.id).collect()
}
