//! `start_dialogue`: a player and a character of the DM's talk alone.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Check, DialogueBegan, NpcMet, NpcStatus, Seat};
use twicetold_world::{Npc, State};

use crate::menu::{Form, npc_id, npc_ids, one_of};
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, is_struck, narrating, npc};

pub(crate) struct StartDialogue;

/// Arguments of `start_dialogue`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Or name.
    character_id: String,
}

impl Definition for StartDialogue {
    const NAME: &'static str = "start_dialogue";
    const DESCRIPTION: &'static str = "When the player who just acted wants to talk at length with one of your people: you speak as that person until the talk is over.";
    const FOLLOW: Follow = Follow::Ends;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn possible(state: &State) -> bool {
        state.encounter().is_some() && state.combat().is_none() && !is_struck(state)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let npc = npc(state, &arguments.character_id)?;
        is_here(state, npc)?;
        let check = has_room(state)?;
        let spoke = |seat: &Seat| state.table().last_spoke.get(seat).copied().unwrap_or(0);
        let able: Vec<Seat> = state.able().collect();
        // Whoever spoke last began it, or was spoken to.
        let Some(seat) = able.iter().copied().max_by_key(|seat| (spoke(seat), std::cmp::Reverse(*seat)))
        else {
            return Err(Rejection::new("nobody_able"));
        };
        let present = able.into_iter().filter(|other| *other != seat).collect();
        let dialogue = state.conversations().begun + 1;
        let began = DialogueBegan { dialogue, npc: npc.id.clone(), seat, present };
        let mut accepted = Accepted::one(began);
        // Who was talked with was met.
        if !state.facts().npcs.contains_key(&npc.id) {
            accepted.events.insert(0, NpcMet { npc: npc.id.clone(), name: npc.name.clone() }.into());
        }
        Ok(accepted.checked(Check::new("npc_here").with("name", &npc.name)).checked(check))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        if has_room(state).is_err() || state.able().next().is_none() {
            return Vec::new();
        }
        let people = npc_ids(state).filter(|npc| is_here(state, npc).is_ok());
        vec![Form::new().must("character_id", one_of(people.map(|npc| &npc.id)))]
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        vec![json!({"character_id": npc_id(state, &arguments.character_id)})]
    }
}

/// Rejects somebody who is not in the encounter, or no longer alive and about.
fn is_here(state: &State, npc: &Npc) -> Result<(), Rejection> {
    let here = state.encounter().map(|encounter| encounter.id.as_str()).unwrap_or_default();
    if npc.status != NpcStatus::Active {
        let rejection = Rejection::new("npc_not_active").with("name", &npc.name);
        return Err(rejection.with("status", npc.status.name()));
    }
    if npc.encounter != here {
        return Err(Rejection::new("npc_not_here").with("name", &npc.name));
    }
    Ok(())
}

/// Rejects when the encounter has had as many dialogues as it may have.
fn has_room(state: &State) -> Result<Check, Rejection> {
    let (held, most) = (state.conversations().in_encounter, state.setup().limits.dialogues_per_encounter_max);
    let check = Check::new("dialogues_per_encounter_max").with("held", held).with("most", most);
    if held >= most {
        return Err(Rejection::new("dialogues_per_encounter_max").like(&check));
    }
    Ok(check)
}
