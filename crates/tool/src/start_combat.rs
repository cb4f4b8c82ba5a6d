//! `start_combat`: it comes to blows.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Check, CombatBegan, Foe, Initiative, NpcStatus, Seat};
use twicetold_world::setup::Monster;
use twicetold_world::{Npc, State};

use crate::combat::{advantage, initiative};
use crate::menu::{Form, list, npc_ids, number, one_of};
use crate::stream;
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, is_struck, narrating, nearest};

pub(crate) struct StartCombat;

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Side {
    /// One of your people, or a monster of the rules.
    id: String,
    count: Option<i64>,
}

/// Arguments of `start_combat`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    foes: Vec<Side>,
}

impl Definition for StartCombat {
    const NAME: &'static str = "start_combat";
    const DESCRIPTION: &'static str = "When it comes to blows: the engine rolls who acts first. Then attack with each of your foes in its turn.";
    const FOLLOW: Follow = Follow::Ends;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn possible(state: &State) -> bool {
        state.encounter().is_some() && state.combat().is_none() && !is_struck(state)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let limits = &state.setup().limits;
        let check = has_room(state)?;
        if state.able().next().is_none() {
            return Err(Rejection::new("nobody_able"));
        }
        let mut foes: Vec<Foe> = Vec::new();
        for side in &arguments.foes {
            add(state, side, &mut foes)?;
            if foes.len() > limits.foes_max as usize {
                return Err(Rejection::new("foes_max").with("most", limits.foes_max));
            }
        }
        if foes.is_empty() {
            return Err(Rejection::new("no_foes"));
        }
        let order = order(state, &foes)?;
        Ok(Accepted::one(CombatBegan { foes, order }).checked(check))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        if has_room(state).is_err() || state.able().next().is_none() {
            return Vec::new();
        }
        let most = state.setup().limits.foes_max;
        let people = npc_ids(state).filter(|npc| person(state, npc).is_ok());
        let people: Vec<&str> = people.map(|npc| npc.id.as_str()).collect();
        let monsters: Vec<&str> = monsters(state).collect();
        let everybody = one_of(people.into_iter().chain(monsters.iter().copied()));
        let everybody = Form::new().must("id", everybody);
        let pack = Form::new().must("id", one_of(monsters)).must("count", number(1, i64::from(most)));
        vec![
            Form::new().must("foes", list(most as usize, everybody)),
            Form::new().must("foes", list(1, pack)),
        ]
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let most = i64::from(state.setup().limits.foes_max);
        let is_alone = arguments.foes.len() == 1;
        let foes = arguments.foes.into_iter().flat_map(|side| {
            let id = foe_id(state, &side.id);
            let is_person = state.npcs().named(&side.id).is_some();
            let count = side.count.unwrap_or(1);
            match count {
                // So many of a monster are a monster so many times; a person is only one.
                _ if is_person || count == 1 => vec![json!({"id": id})],
                2.. if !is_alone && count <= most => vec![json!({"id": id}); count as usize],
                _ => vec![json!({"id": id, "count": count})],
            }
        });
        vec![json!({"foes": foes.collect::<Vec<Value>>()})]
    }
}

fn add(state: &State, side: &Side, foes: &mut Vec<Foe>) -> Result<(), Rejection> {
    let rules = &state.setup().rules;
    let count = side.count.unwrap_or(1);
    let most = i64::from(state.setup().limits.foes_max);
    if !(1..=most).contains(&count) {
        return Err(Rejection::new("quantity_out_of_range").with("quantity", count).with("most", most));
    }
    if let Some(npc) = state.npcs().named(&side.id) {
        if foes.iter().any(|foe| foe.npc == npc.id) {
            return Err(Rejection::new("foe_twice").with("name", &npc.name));
        }
        foes.push(person(state, npc)?);
        return Ok(());
    }
    let Some(monster) = rules.monster(&side.id) else {
        let monsters = rules.monsters.iter().map(|monster| monster.id.as_str());
        let people = state.npcs().all().map(|npc| npc.id.as_str());
        let near = nearest(&side.id, monsters.chain(people), 4).join(", ");
        return Err(Rejection::new("unknown_foe").quoting("id", &side.id, 60).with("near", near));
    };
    let before = foes.iter().filter(|foe| foe.npc.is_empty() && foe.monster == monster.id).count() as i64;
    for number in before + 1..=before + count {
        foes.push(Foe {
            id: format!("{}-{number}", monster.id),
            name: if before + count == 1 {
                monster.name.clone()
            } else {
                format!("{} {number}", monster.name)
            },
            npc: String::new(),
            ..stats(monster)
        });
    }
    Ok(())
}

fn stats(monster: &Monster) -> Foe {
    Foe {
        id: String::new(),
        name: monster.name.clone(),
        monster: monster.id.clone(),
        npc: String::new(),
        armor_class: i32::from(monster.armor_class),
        hit_points: i64::from(monster.hit_points),
        morale: monster.morale,
    }
}

fn person(state: &State, npc: &Npc) -> Result<Foe, Rejection> {
    let combat = &state.setup().rules.pack.combat;
    let here = state.encounter().map(|encounter| encounter.id.as_str()).unwrap_or_default();
    let hit_points = npc.hit_points.unwrap_or_else(|| state.npc_hit_points(npc));
    if npc.status != NpcStatus::Active || npc.encounter != here || hit_points <= 0 {
        let rejection = Rejection::new("npc_not_here").with("name", &npc.name);
        return Err(rejection.with("status", npc.status.name()).with("hit_points", hit_points));
    }
    let monster = state.setup().rules.monsters.iter().find(|monster| monster.id == npc.monster);
    let plain = Foe {
        id: String::new(),
        name: String::new(),
        monster: String::new(),
        npc: String::new(),
        armor_class: i32::from(combat.npc_armor_class),
        hit_points,
        morale: combat.npc_morale,
    };
    let stats = monster.map_or(plain, stats);
    Ok(Foe { id: npc.id.clone(), name: npc.name.clone(), npc: npc.id.clone(), hit_points, ..stats })
}

/// Everybody who fights, highest first; characters before foes when they are even.
fn order(state: &State, foes: &[Foe]) -> Result<Vec<Initiative>, Rejection> {
    let rules = &state.setup().rules;
    let ability = &rules.pack.combat.initiative_ability;
    let mut order = Vec::new();
    for seat in state.able() {
        let Some(character) = state.characters().get(&seat) else { continue };
        let bonus = advantage(state, character, ability);
        order.push((0, initiative(state, &character.sheet.name, &stream::seat(seat), bonus)?));
    }
    for foe in foes {
        let bonus = rules.monsters.iter().find(|monster| monster.id == foe.monster);
        let bonus = bonus.map_or(0, |monster| monster.initiative);
        order.push((1, initiative(state, &foe.id, &stream::foe(state, foe), bonus)?));
    }
    order.sort_by_key(|(side, place)| (std::cmp::Reverse(place.total), *side));
    Ok(order.into_iter().map(|(_, place)| place).collect())
}

/// Rejects when the encounter has had as many combats as it may have.
fn has_room(state: &State) -> Result<Check, Rejection> {
    let (fought, most) = (state.combats_over().len() as u32, state.setup().limits.combats_per_encounter_max);
    let check = Check::new("combats_per_encounter_max").with("fought", fought).with("most", most);
    if fought >= most {
        return Err(Rejection::new("combats_per_encounter_max").like(&check));
    }
    Ok(check)
}

/// A foe as it is listed: one of the DM's characters, or a monster.
fn foe_id(state: &State, named: &str) -> String {
    let person = state.npcs().named(named).map(|npc| npc.id.as_str());
    let monster = || state.setup().rules.monster(named).map(|monster| monster.id.as_str());
    person.or_else(monster).unwrap_or(named).to_owned()
}

/// The monsters of the rules that no name of a person hides.
fn monsters(state: &State) -> impl Iterator<Item = &str> {
    let ids = state.setup().rules.monsters.iter().map(|monster| monster.id.as_str());
    ids.filter(|id| state.npcs().named(id).is_none() && foe_id(state, id) == *id)
}
