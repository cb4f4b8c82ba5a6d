//! The DM's characters: how they come into the story, and everything that happens to them.

use twicetold_event::Archetype;
use twicetold_event::family::People;

use super::Keep;
use crate::state::{Feeling, Memory, Npc, NpcKind, Origin, Pending, Profile, State};

pub(super) fn evolve(state: &mut State, origin: Origin, event: People<'_>) -> Keep {
    match event {
        People::CharacterCreated(word) => {
            let encounter =
                state.encounter.as_ref().map(|encounter| encounter.id.clone()).unwrap_or_default();
            let npc = state.npcs.enter(&word.npc, "", origin);
            npc.name.clone_from(&word.name);
            npc.kind = NpcKind::Created;
            npc.archetype = Some(word.archetype);
            npc.description = word.archetype.name().replace('_', " ");
            npc.location.clone_from(&word.location);
            npc.trust = word.trust;
            npc.encounter = encounter;
            state.conversations.pending.push_back(Pending::Profile { npc: word.npc.clone() });
        }
        People::SupportingNpcCreated(word) => {
            let encounter =
                state.encounter.as_ref().map(|encounter| encounter.id.clone()).unwrap_or_default();
            let npc = state.npcs.enter(&word.npc, "", origin);
            npc.name.clone_from(&word.name);
            npc.kind = NpcKind::Supporting;
            npc.role = Some(word.role);
            npc.description = word.role.name().replace('_', " ");
            npc.persona.clone_from(&word.context);
            npc.location.clone_from(&word.location);
            npc.monster.clone_from(&word.combat_slug);
            npc.encounter = encounter;
            state.conversations.pending.push_back(Pending::Profile { npc: word.npc.clone() });
        }
        People::SupportingNpcUpdated(word) => {
            if let Some(npc) = state.npcs.get_mut(&word.npc) {
                npc.role = Some(word.role);
                npc.description = word.role.name().replace('_', " ");
                npc.persona.clone_from(&word.context);
                npc.monster.clone_from(&word.combat_slug);
                npc.changed = origin;
            }
        }
        People::NpcProfiled(word) => {
            state.conversations.pending.pop_front();
            if let Some(npc) = state.npcs.get_mut(&word.npc) {
                npc.location.clone_from(&word.location);
                npc.profile = Some(Profile {
                    appearance: word.appearance.clone(),
                    personality: word.personality.clone(),
                    motivations: word.motivations.clone(),
                    notes: word.notes.clone(),
                    origin,
                });
            }
        }
        People::NpcProfileKept(_) => drop(state.conversations.pending.pop_front()),
        People::NpcStatusChanged(word) => changed(state, origin, &word.npc, |npc| npc.status = word.status),
        People::NpcHitPointsChanged(word) => {
            changed(state, origin, &word.npc, |npc| npc.hit_points = Some(word.now));
        }
        People::NpcConditionAdded(word) => changed(state, origin, &word.npc, |npc| {
            npc.conditions.insert(word.condition.clone());
        }),
        People::NpcConditionRemoved(word) => changed(state, origin, &word.npc, |npc| {
            npc.conditions.remove(&word.condition);
        }),
        People::TrustChanged(word) => changed(state, origin, &word.npc, |npc| npc.trust = word.now),
        People::FeelingChanged(word) => {
            let until = word.turns.map(|turns| state.turn.number.saturating_add(turns));
            let felt = Feeling { strength: word.now, until, origin };
            changed(state, origin, &word.npc, |npc| match word.now {
                0 => drop(npc.feelings.remove(&word.feeling)),
                _ => drop(npc.feelings.insert(word.feeling.clone(), felt)),
            });
        }
        People::FeelingExpired(word) => changed(state, origin, &word.npc, |npc| {
            npc.feelings.remove(&word.feeling);
        }),
        People::NpcRemembered(word) => changed(state, origin, &word.npc, |npc| {
            let (encounter, values) = (word.encounter.clone(), word.values.clone());
            npc.memories.push(Memory { origin, encounter, values, carried: String::new() });
        }),
    }
    Keep::Here
}

/// What happens to a character who is known already.
fn changed(state: &mut State, origin: Origin, id: &str, change: impl FnOnce(&mut Npc)) {
    if let Some(npc) = state.npcs.get_mut(id) {
        npc.changed = origin;
        change(npc);
    }
}

/// The characters of an encounter enter, or appear again.
pub(super) fn cast(state: &mut State, origin: Origin, index: usize) {
    let (Some(played), setup) = (state.spec.clone(), state.setup.clone()) else { return };
    let Some(spec) = setup.encounters.get(index) else { return };
    let stage = &played.setting;
    for (known, played) in spec.npcs.iter().zip(&played.npcs) {
        let named = |(id, written): (&String, &String)| {
            let pack = setup.rules.items.iter().find(|known| known.id == *id);
            pack.map_or_else(|| written.clone(), |known| known.name.clone())
        };
        let items: Vec<String> = known.items.iter().zip(&played.items).map(named).collect();
        let is_new = state.npcs.get(&known.id).is_none();
        let npc = state.npcs.enter(&known.id, &known.memory_key, origin);
        let again = !is_new || !npc.name.is_empty();
        npc.name = played.name().to_owned();
        npc.persona.clone_from(&played.persona);
        npc.description.clone_from(&known.role);
        npc.memory_key.clone_from(&known.memory_key);
        npc.monster = known.monster.clone().unwrap_or_default();
        npc.location.clone_from(&stage.location);
        npc.encounter.clone_from(&spec.id);
        if !again {
            let archetype = known.archetype.unwrap_or(Archetype::Townsperson);
            npc.archetype = Some(archetype);
            npc.trust = archetype.first_trust();
            items.iter().for_each(|item| npc.inventory.give(item, 1, origin));
        }
    }
    state.conversations.in_encounter = 0;
}

/// Who was part of the last important event remembers it.
pub(super) fn witness(state: &mut State, witnesses: &[String]) {
    let place = state.facts.important.all().len().saturating_sub(1) as u32;
    for id in witnesses {
        if let Some(npc) = state.npcs.get_mut(id) {
            npc.witnessed.push(place);
        }
    }
}
