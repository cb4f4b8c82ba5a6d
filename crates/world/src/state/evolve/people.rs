//! Dialogues, and everything that happens to the DM's characters.

use twicetold_event::*;

use super::super::*;
use super::{remember, remember_in_main};

pub(super) fn dialogue(state: &mut State, origin: Origin, event: &Event) {
    match event {
        Event::DialogueBegan(word) => {
            remember_in_main(state, origin, event);
            state.conversations.begun = word.dialogue;
            state.conversations.in_encounter = state.conversations.in_encounter.saturating_add(1);
            state.conversations.dialogue = Some(Dialogue {
                number: word.dialogue,
                npc: word.npc.clone(),
                partner: word.seat,
                joined: [(word.seat, origin)].into(),
                present: word.present.iter().copied().collect(),
                exchanges: 0,
                began: origin,
            });
        }
        Event::DialogueJoined(word) => {
            if let Some(dialogue) = state.conversations.dialogue.as_mut() {
                dialogue.joined.insert(word.seat, origin);
                dialogue.present.remove(&word.seat);
            }
            remember(state, origin, event);
        }
        Event::DialogueEnded(_) => {
            // Both histories tell of the end: the dialogue's own, and the one that goes on.
            remember(state, origin, event);
            ended(state, origin);
            remember_in_main(state, origin, event);
        }
        Event::DialogueSummarised(word) => {
            state.conversations.pending.pop_front();
            if let Some(past) = state
                .npcs
                .get_mut(&word.npc)
                .and_then(|npc| npc.dialogues.iter_mut().rev().find(|past| past.number == word.dialogue))
            {
                past.text = Some(word.text.clone());
                past.origin = origin;
            }
            remember_in_main(state, origin, event);
        }
        Event::FactLearned(word) => {
            if let Some(npc) = state.npcs.get_mut(&word.npc) {
                npc.learned.push((origin, word.text.clone()));
            }
        }
        _ => {}
    }
}

fn ended(state: &mut State, origin: Origin) {
    let Some(dialogue) = state.conversations.dialogue.take() else { return };
    state.conversations.ended_turn = state.turn.number;
    let seats: Vec<Seat> = dialogue.joined.into_keys().collect();
    if let Some(npc) = state.npcs.get_mut(&dialogue.npc) {
        let (number, seats) = (dialogue.number, seats.clone());
        npc.dialogues.push(PastDialogue { number, seats, text: None, origin });
    }
    if dialogue.exchanges > 0 {
        let (dialogue, npc) = (dialogue.number, dialogue.npc);
        state.conversations.pending.push_back(Pending::DialogueSummary { dialogue, npc, seats });
    }
}

pub(super) fn npc(state: &mut State, origin: Origin, event: &Event) {
    match event {
        Event::CharacterCreated(word) => {
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
        Event::SupportingNpcCreated(word) => {
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
        Event::SupportingNpcUpdated(word) => {
            if let Some(npc) = state.npcs.get_mut(&word.npc) {
                npc.role = Some(word.role);
                npc.description = word.role.name().replace('_', " ");
                npc.persona.clone_from(&word.context);
                npc.monster.clone_from(&word.combat_slug);
                npc.changed = origin;
            }
        }
        Event::NpcProfiled(word) => {
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
        Event::NpcProfileKept(_) => drop(state.conversations.pending.pop_front()),
        _ => return changed(state, origin, event),
    }
    remember(state, origin, event);
}

/// What happens to a character who is known already.
fn changed(state: &mut State, origin: Origin, event: &Event) {
    let turn = state.turn.number;
    let id = match event {
        Event::NpcStatusChanged(word) => &word.npc,
        Event::NpcHitPointsChanged(word) => &word.npc,
        Event::NpcConditionAdded(word) => &word.npc,
        Event::NpcConditionRemoved(word) => &word.npc,
        Event::TrustChanged(word) => &word.npc,
        Event::FeelingChanged(word) => &word.npc,
        Event::FeelingExpired(word) => &word.npc,
        Event::NpcRemembered(word) => &word.npc,
        _ => return,
    };
    if let Some(npc) = state.npcs.get_mut(id) {
        npc.changed = origin;
        match event {
            Event::NpcStatusChanged(word) => npc.status = word.status,
            Event::NpcHitPointsChanged(word) => npc.hit_points = Some(word.now),
            Event::NpcConditionAdded(word) => drop(npc.conditions.insert(word.condition.clone())),
            Event::NpcConditionRemoved(word) => drop(npc.conditions.remove(&word.condition)),
            Event::TrustChanged(word) => npc.trust = word.now,
            Event::FeelingChanged(word) if word.now == 0 => drop(npc.feelings.remove(&word.feeling)),
            Event::FeelingChanged(word) => {
                let until = word.turns.map(|turns| turn.saturating_add(turns));
                npc.feelings.insert(word.feeling.clone(), Feeling { strength: word.now, until, origin });
            }
            Event::FeelingExpired(word) => drop(npc.feelings.remove(&word.feeling)),
            Event::NpcRemembered(word) => {
                npc.memories.push((origin, word.encounter.clone(), word.text.clone()));
            }
            _ => {}
        }
    }
    remember(state, origin, event);
}

pub(super) fn exchanged(state: &mut State, origin: Origin, event: &Event, word: &ItemExchanged) {
    if let Some(inventory) = holder(state, &word.giver) {
        inventory.take(&word.item, word.quantity, origin);
    }
    if let Some(inventory) = holder(state, &word.receiver) {
        inventory.give(&word.item, word.quantity, origin);
    }
    for holder in [&word.giver, &word.receiver] {
        match holder {
            Holder::Character(name) => {
                let found = state.characters.values_mut().find(|character| character.sheet.name == *name);
                found.into_iter().for_each(|character| character.changed = origin);
            }
            Holder::Npc(id) => state.npcs.get_mut(id).into_iter().for_each(|npc| npc.changed = origin),
        }
    }
    remember(state, origin, event);
}

fn holder<'a>(state: &'a mut State, holder: &Holder) -> Option<&'a mut Inventory> {
    match holder {
        Holder::Character(name) => {
            let mut characters = state.characters.values_mut();
            characters.find(|character| character.sheet.name == *name).map(|found| &mut found.inventory)
        }
        Holder::Npc(id) => state.npcs.get_mut(id).map(|npc| &mut npc.inventory),
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

/// Those of an encounter's characters who are about see what happens.
pub(super) fn witness(state: &mut State) {
    let Some(encounter) = state.encounter.as_ref() else { return };
    let place = state.facts.important.all().len().saturating_sub(1) as u32;
    let id = encounter.id.clone();
    let about = |npc: &&mut Npc| npc.encounter == id && npc.status == NpcStatus::Active;
    state.npcs.values_mut().filter(about).for_each(|npc| npc.witnessed.push(place));
}

/// A character of the DM's comes along from another campaign.
pub(super) fn carried(state: &mut State, origin: Origin, word: &NpcCarried) {
    let npc = state.npcs.enter(&word.npc, &word.memory_key, origin);
    npc.name.clone_from(&word.name);
    npc.memory_key.clone_from(&word.memory_key);
    npc.archetype = Some(word.archetype);
    npc.role = word.role;
    npc.kind = if word.role.is_some() { NpcKind::Supporting } else { NpcKind::Campaign };
    npc.description.clone_from(&word.description);
    npc.persona.clone_from(&word.persona);
    (npc.status, npc.trust) = (word.status, word.trust);
    word.items.iter().for_each(|(item, quantity)| npc.inventory.give(item, *quantity, origin));
    let memories = word.memories.iter().map(|text| (origin, String::new(), text.clone()));
    npc.memories.extend(memories);
}
