//! Encounters and their goals.

use std::collections::BTreeMap;

use twicetold_event::family::Encounter as Scene;

use super::{Keep, people};
use crate::state::{Encounter, EncounterEnd, Goal, Origin, State, Struck};

pub(super) fn evolve(state: &mut State, origin: Origin, event: Scene<'_>) -> Keep {
    match event {
        Scene::EncounterBegan(word) => {
            let index = state.setup.encounters.iter().position(|spec| spec.id == word.encounter).unwrap_or(0);
            *state.encounter = Some(Encounter {
                index,
                id: word.encounter.clone(),
                draws: word.draws.iter().map(|draw| (draw.key.clone(), draw.value.clone())).collect(),
                registered: Vec::new(),
                messages: 0,
                narrations: 0,
                revealed: Vec::new(),
                passed: 0,
                failed: 0,
                achieved: BTreeMap::new(),
                tried: BTreeMap::new(),
                unplanned: 0,
                recent_checks: Vec::new(),
                evidence: Vec::new(),
                struck: None,
                began: origin,
            });
            state.fill_encounter();
            if let Some(spec) = &state.spec {
                state.facts.location = Some((origin, spec.setting.location.clone()));
                state.facts.time_of_day = Some((origin, spec.setting.time_of_day.clone()));
                state.facts.objective = Some((origin, spec.objective.clone()));
                state.facts.scene = None;
            }
            state.combats_over.clear();
            state.spells_used.clear();
            people::cast(state, origin, index);
        }
        Scene::DetailRevealed(word) => {
            if let Some(encounter) = state.encounter.as_mut() {
                encounter.revealed.push((origin, word.clone()));
            }
        }
        Scene::GoalRegistered(word) => {
            if let Some(encounter) = state.encounter.as_mut() {
                encounter.registered.push(Goal {
                    id: word.id.clone(),
                    label: word.label.clone(),
                    primary: word.primary,
                    failure: false,
                    registered: Some(origin),
                });
            }
        }
        Scene::EncounterResolved(word) => {
            let goals = state.goals();
            let goal = goals.iter().find(|goal| goal.id == word.outcome);
            let label = goal.map(|goal| goal.label.clone()).unwrap_or_default();
            let failed = goal.is_some_and(|goal| goal.failure);
            end_encounter(state, origin, word.messages, |end| {
                end.failed = failed;
                end.outcome = Some((word.outcome.clone(), label));
                end.summary.clone_from(&word.summary);
            });
        }
        Scene::EncounterUnresolved(word) => {
            end_encounter(state, origin, word.messages, |end| end.limit = Some(word.reason.clone()));
        }
        Scene::FailureStruck(word) => {
            let turn = state.turn.number;
            if let Some(encounter) = state.encounter.as_mut() {
                encounter.struck = Some(Struck {
                    goal: word.goal.clone(),
                    label: word.label.clone(),
                    reason: word.reason.clone(),
                    turn,
                    origin,
                });
            }
            // The DM is told of it in its own words.
            return Keep::Nowhere;
        }
        Scene::EncounterFailed(word) => {
            let goals = state.goals();
            let label = goals.iter().find(|goal| goal.id == word.outcome).map(|goal| goal.label.clone());
            end_encounter(state, origin, word.messages, |end| {
                end.failed = true;
                end.outcome = Some((word.outcome.clone(), label.unwrap_or_default()));
            });
        }
    }
    Keep::Here
}

fn end_encounter(state: &mut State, origin: Origin, messages: u32, how: impl FnOnce(&mut EncounterEnd)) {
    let goals = state.goals();
    let Some(encounter) = state.encounter.take() else { return };
    let spec = state.spec.take();
    let mut end = EncounterEnd {
        id: encounter.id,
        outcome: None,
        summary: String::new(),
        later: String::new(),
        limit: None,
        messages,
        failed: false,
        passed: encounter.tried.into_iter().filter(|(_, passed)| *passed).map(|(name, _)| name).collect(),
        goals,
        ended: origin,
    };
    how(&mut end);
    let is_outcome = |id: &String| end.outcome.as_ref().is_some_and(|(outcome, _)| outcome == id);
    let goal = spec.iter().flat_map(|spec| &spec.goals).find(|goal| is_outcome(&goal.id));
    end.later = goal.map(|goal| goal.later.clone()).unwrap_or_default();
    state.encounters_over.push(end);
}
