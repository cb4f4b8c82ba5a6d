//! `update_npc`: what became of one of the DM's characters.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::*;
use twicetold_world::{State, fold};

use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, narrating, npc, text};

/// Conditions of one call: more is a list of symptoms.
const CONDITIONS_MAX: usize = 8;

pub(crate) struct UpdateNpc;

/// What became of somebody.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// Alive and about.
    Active,
    /// Dead.
    Dead,
    /// Gone for good.
    Departed,
}

/// Arguments of `update_npc`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The id or name of one of your people.
    id: String,
    /// Wounds (negative) or healing.
    hp_delta: Option<i64>,
    /// Conditions that began.
    conditions_add: Option<Vec<String>>,
    /// Conditions that ended.
    conditions_remove: Option<Vec<String>>,
    /// What became of the person.
    status: Option<Status>,
}

impl Definition for UpdateNpc {
    const NAME: &'static str = "update_npc";
    const DESCRIPTION: &'static str =
        "Record what happened to one of your own people: wounds, conditions, death or departure.";
    const FOLLOW: Follow = Follow::Continues;
    const ADDS_UP: bool = true;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let npc = npc(state, &arguments.id)?;
        let id = || npc.id.clone();
        let mut events: Vec<Event> = Vec::new();
        if let Some(asked) = arguments.hp_delta {
            let most = state.npc_hit_points(npc);
            let before = npc.hit_points.unwrap_or(most);
            let now = before.saturating_add(asked).clamp(0, most.max(before));
            events.push(NpcHitPointsChanged { npc: id(), asked, applied: now - before, now }.into());
        }
        for condition in conditions("conditions_add", arguments.conditions_add)? {
            let condition = fold(&text(state, "condition", &condition)?);
            events.push(NpcConditionAdded { npc: id(), condition }.into());
        }
        for condition in conditions("conditions_remove", arguments.conditions_remove)? {
            let condition = fold(&text(state, "condition", &condition)?);
            if !npc.conditions.contains(&condition) {
                let rejection = Rejection::new("condition_not_there").with("name", &npc.name);
                return Err(rejection.quoting("condition", &condition, 60));
            }
            events.push(NpcConditionRemoved { npc: id(), condition }.into());
        }
        if let Some(status) = arguments.status {
            let status = match status {
                Status::Active => NpcStatus::Active,
                Status::Dead => NpcStatus::Dead,
                Status::Departed => NpcStatus::Departed,
            };
            events.push(NpcStatusChanged { npc: id(), status }.into());
        }
        if events.is_empty() {
            return Err(Rejection::new("nothing_to_update"));
        }
        Ok(Accepted { checks: Vec::new(), events })
    }
}

fn conditions(field: &'static str, values: Option<Vec<String>>) -> Result<Vec<String>, Rejection> {
    let values = values.unwrap_or_default();
    if values.len() > CONDITIONS_MAX {
        let rejection = Rejection::new("list_too_long").with("field", field);
        return Err(rejection.with("entries", values.len()).with("most", CONDITIONS_MAX));
    }
    Ok(values)
}
