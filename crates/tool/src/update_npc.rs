//! `update_npc`: what became of one of the DM's characters.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::*;
use twicetold_world::State;

use crate::changes::{Changes, Texts, added, clamped, condition_not_there, conditions, is_found, removed};
use crate::menu::{Form, integer, list, npc_id, npc_ids, one_of, variants, words};
use crate::tool::{Caller, Decision, Definition, Follow, narrating, npc};

/// Conditions of one call: more is a list of symptoms.
const CONDITIONS_MAX: usize = 8;

pub(crate) struct UpdateNpc;

#[derive(Clone, Copy, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Active,
    Dead,
    Departed,
}

/// Arguments of `update_npc`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Or name.
    id: String,
    /// Negative for wounds.
    hp_delta: Option<i64>,
    conditions_add: Option<Texts>,
    conditions_remove: Option<Texts>,
    status: Option<Status>,
}

impl Definition for UpdateNpc {
    const NAME: &'static str = "update_npc";
    const DESCRIPTION: &'static str = "Record wounds, conditions, death or departure of your people.";
    const FOLLOW: Follow = Follow::Records;
    const ADDS_UP: bool = true;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let npc = npc(state, &arguments.id)?;
        let id = || npc.id.clone();
        let mut changes = Changes::new(state);
        if let Some(asked) = arguments.hp_delta {
            let most = state.npc_hit_points(npc);
            let (applied, now) = clamped(npc.hit_points.unwrap_or(most), asked, most);
            changes.push(NpcHitPointsChanged { npc: id(), asked, applied, now });
        }
        for condition in conditions(state, ("conditions_add", arguments.conditions_add), CONDITIONS_MAX)? {
            changes.push(NpcConditionAdded { npc: id(), condition });
        }
        for condition in
            conditions(state, ("conditions_remove", arguments.conditions_remove), CONDITIONS_MAX)?
        {
            if !npc.conditions.contains(&condition) {
                return Err(condition_not_there(&npc.name, &condition));
            }
            changes.push(NpcConditionRemoved { npc: id(), condition });
        }
        if let Some(status) = arguments.status {
            let status = match status {
                Status::Active => NpcStatus::Active,
                Status::Dead => NpcStatus::Dead,
                Status::Departed => NpcStatus::Departed,
            };
            changes.push(NpcStatusChanged { npc: id(), status });
        }
        changes.done()
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let somebody = || Form::new().must("id", one_of(npc_ids(state).map(|npc| &npc.id)));
        let mut forms = vec![
            somebody().must("hp_delta", integer()),
            somebody().must("conditions_add", list(1, words(state))),
            somebody().must("status", one_of(variants(Self::NAME, "status"))),
        ];
        forms.extend(npc_ids(state).map(|npc| {
            let conditions = npc.conditions.iter().filter(|condition| is_found(state, condition));
            let form = Form::new().must("id", one_of([&npc.id]));
            form.must("conditions_remove", list(1, one_of(conditions)))
        }));
        forms
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let id = npc_id(state, &arguments.id);
        let mut calls = Vec::new();
        calls.extend(arguments.hp_delta.map(|change| json!({"id": id, "hp_delta": change})));
        calls.extend(
            added(arguments.conditions_add).map(|begun| json!({"id": id, "conditions_add": [begun]})),
        );
        calls.extend(
            removed(arguments.conditions_remove).map(|ended| json!({"id": id, "conditions_remove": [ended]})),
        );
        calls.extend(arguments.status.map(|status| json!({"id": id, "status": status})));
        calls
    }
}
