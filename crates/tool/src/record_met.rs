//! `record_met`: the party met somebody.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{NpcMet, Seat};
use twicetold_world::setup::NpcSpec;
use twicetold_world::{State, fold};

use crate::changes::{Changes, Texts};
use crate::menu::{Form, list, one_of};
use crate::tool::{Caller, Decision, Definition, Follow, Rejection, narrating, npc, text};

/// People of one call: more is a crowd.
const PEOPLE_MAX: usize = 20;

pub(crate) struct RecordMet;

/// Arguments of `record_met`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Ids or names.
    people: Texts,
}

impl Definition for RecordMet {
    const NAME: &'static str = "record_met";
    const DESCRIPTION: &'static str = "Record whom the party met.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let mut met: Vec<NpcMet> = Vec::new();
        for named in arguments.people.at_most(PEOPLE_MAX, "people")? {
            let (npc, name) = known(state, &named)?;
            if !met.iter().any(|before| before.npc == npc) {
                met.push(NpcMet { npc, name });
            }
        }
        let mut changes = Changes::new(state);
        met.into_iter().for_each(|met| changes.push(met));
        changes.done()
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let listed = state.encounter_spec().into_iter().flat_map(|spec| &spec.npcs).map(|npc| &npc.id);
        let people = listed.chain(state.npcs().all().map(|npc| &npc.id));
        let people = people.filter(|id| known(state, id).is_ok_and(|(found, _)| found == **id));
        vec![Form::new().must("people", list(1, one_of(people)))]
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let met = |named: String| known(state, &named).map_or(named, |(id, _)| id);
        let met = arguments.people.all().into_iter().map(met);
        met.map(|id| json!({"people": [id]})).collect()
    }
}

/// Somebody by id or name: one of the encounter's people, or one who came up before.
fn known(state: &State, named: &str) -> Result<(String, String), Rejection> {
    let written = text(state, "people", named)?;
    let is_meant = |npc: &&NpcSpec| npc.id == written || fold(npc.name()) == fold(&written);
    let listed = state.encounter_spec().and_then(|spec| spec.npcs.iter().find(is_meant));
    if let Some(listed) = listed {
        return Ok((listed.id.clone(), listed.name().to_owned()));
    }
    npc(state, &written).map(|known| (known.id.clone(), known.name.clone()))
}
