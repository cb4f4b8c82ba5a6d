//! What a goal stands on: the checks that it needs, and what made a failure happen. Both come from the encounter's file and the events,
//! whatever a model said about them.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{Event, Number};
use twicetold_projection::people::why_over;

use super::Explainer;
use crate::LoadError;

/// Failed checks that are told of a failure: more than any encounter waits for.
const COUNTED_MAX: usize = 24;

/// A check that the encounter's file names for a goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NeedWhy {
    /// The check's name.
    pub check: String,
    /// The number at which it was passed first; absent where it never was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed: Option<u64>,
    /// That check, as the table saw it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What came of it when it was passed, by the encounter's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub came_of: Option<String>,
    /// The last attempt at it, with its number, where all of them failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<(u64, String)>,
    /// The check that made it needless, with the number at which that one was passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overtaken: Option<(u64, String)>,
}

/// A failure that the rules declared, whatever anybody said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StruckWhy {
    /// The number at which they did.
    pub number: u64,
    /// Why.
    pub reason: String,
    /// The failed checks that were counted, with their numbers; empty where something else was counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<(u64, String)>,
    /// How far each other goal of the encounter's file was that names checks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherWhy>,
}

/// A goal that was not reached when the rules declared a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OtherWhy {
    /// Its id.
    pub goal: String,
    /// Those of its checks that somebody had passed by then.
    pub passed: Vec<String>,
    /// The rest of them.
    pub missed: Vec<String>,
}

/// What a goal stands on.
#[derive(Default)]
pub(super) struct Ground {
    pub needs: Vec<NeedWhy>,
    pub struck: Option<StruckWhy>,
}

impl Explainer<'_> {
    /// What a goal of the encounter that began at a number stands on, up to another number.
    pub(super) fn ground(&self, goal: &str, began: Number, to: Number) -> Result<Ground, LoadError> {
        let mut ground = Ground::default();
        let (mut failed, mut passed) = (Vec::new(), BTreeSet::new());
        let mut played = None;
        let mut next = Some(began);
        while let Some(entry) = next.map(|at| self.cursor.entry(at)).transpose()?.flatten() {
            for (number, event) in entry.numbered().filter(|(number, _)| *number >= began && *number <= to) {
                match event {
                    Event::EncounterBegan(word) if number == began => {
                        let setup = self.cursor.setup_at(number);
                        let draws = word.draws.iter().map(|draw| (draw.key.clone(), draw.value.clone()));
                        let spec = setup.encounters.iter().find(|spec| spec.id == word.encounter);
                        played = spec.map(|spec| spec.filled(&draws.collect()));
                        let goals = played.iter().flat_map(|spec| &spec.goals);
                        let needs = goals.filter(|spec| spec.id == goal).flat_map(|spec| spec.needs.clone());
                        ground.needs.extend(needs.map(|check| NeedWhy {
                            check,
                            passed: None,
                            text: None,
                            came_of: None,
                            failed: None,
                            overtaken: None,
                        }));
                    }
                    Event::AbilityChecked(word) if word.success => {
                        passed.insert(word.check.clone());
                        let needed = |need: &&mut NeedWhy| need.passed.is_none() && need.check == word.check;
                        if let Some(need) = ground.needs.iter_mut().find(needed) {
                            (need.passed, need.text) = (Some(number.0), Some(self.text(event)?));
                            let check = played
                                .iter()
                                .flat_map(|spec| &spec.checks)
                                .find(|spec| spec.name == word.check);
                            need.came_of = check.and_then(|spec| spec.came_of(true)).map(str::to_owned);
                            need.failed = None;
                        }
                        let checks = || played.iter().flat_map(|spec| &spec.checks);
                        let is_until = |need: &&mut NeedWhy| {
                            let mut known = checks().filter(|check| check.name == need.check);
                            need.passed.is_none() && known.any(|check| check.until.contains(&word.check))
                        };
                        // What a goal needs last is not done by anything else.
                        let before_last = ground.needs.len().saturating_sub(1);
                        for need in ground.needs[..before_last].iter_mut().filter(is_until) {
                            need.overtaken.get_or_insert((number.0, word.check.clone()));
                        }
                    }
                    Event::AbilityChecked(word) => {
                        let attempt = (number.0, self.text(event)?);
                        let missed = |need: &&mut NeedWhy| need.passed.is_none() && need.check == word.check;
                        if let Some(need) = ground.needs.iter_mut().find(missed) {
                            need.failed = Some(attempt.clone());
                        }
                        failed.push(attempt);
                    }
                    Event::FailureStruck(word) if word.goal == goal => {
                        let by_checks = word.reason.rule == "failed_checks";
                        let from = failed.len().saturating_sub(COUNTED_MAX);
                        let counted = if by_checks { failed.split_off(from) } else { Vec::new() };
                        let reason = why_over(&word.reason);
                        let others = played.iter().flat_map(|spec| &spec.goals);
                        let others = others.filter(|spec| spec.id != goal && !spec.needs.is_empty());
                        let others = others.map(|spec| {
                            let checks = spec.needs.iter().cloned();
                            let (passed, missed) = checks.partition(|check| passed.contains(check));
                            OtherWhy { goal: spec.id.clone(), passed, missed }
                        });
                        let others = others.collect();
                        ground.struck = Some(StruckWhy { number: number.0, reason, counted, others });
                    }
                    _ => {}
                }
            }
            next = Some(entry.header.next()).filter(|next| *next <= to);
        }
        Ok(ground)
    }
}
