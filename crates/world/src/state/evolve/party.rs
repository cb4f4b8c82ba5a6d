//! What a party brings along from another campaign.

use twicetold_event::NpcCarried;
use twicetold_event::family::Party;

use super::Keep;
use crate::state::{Memory, NpcKind, Origin, State};

pub(super) fn evolve(state: &mut State, origin: Origin, event: Party<'_>) -> Keep {
    match event {
        Party::PartyCarried(_) => {}
        Party::NpcCarried(word) => carried(state, origin, word),
    }
    Keep::Nowhere
}

/// A character of the DM's comes along from another campaign.
fn carried(state: &mut State, origin: Origin, word: &NpcCarried) {
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
    let memories = word.memories.iter();
    let memories = memories.map(|text| Memory { origin, carried: text.clone(), ..Memory::default() });
    npc.memories.extend(memories);
}
