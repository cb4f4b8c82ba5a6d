//! What happens to the party's characters.

use twicetold_event::family::Characters;
use twicetold_event::{Holder, ItemExchanged};

use super::Keep;
use crate::state::{Character, Inventory, Origin, State};

pub(super) fn evolve(state: &mut State, origin: Origin, event: Characters<'_>) -> Keep {
    let turn = state.turn.number;
    let mut change = |name: &str, change: &dyn Fn(&mut Character)| {
        let found = state.characters.values_mut().find(|character| character.sheet.name == name);
        if let Some(character) = found {
            character.changed = origin;
            change(character);
        }
    };
    match event {
        Characters::ItemAdded(word) => change(&word.character, &|character| {
            character.inventory.give(&word.item, word.quantity, origin);
        }),
        Characters::ItemRemoved(word) => change(&word.character, &|character| {
            character.inventory.take(&word.item, word.applied, origin);
        }),
        Characters::HitPointsChanged(word) => {
            change(&word.character, &|character| {
                (character.hit_points, character.hit_points_changed) = (word.now, origin);
                character.down = (word.now <= 0).then(|| character.down.unwrap_or(turn));
            });
        }
        Characters::GoldChanged(word) => change(&word.character, &|character| {
            (character.gold, character.gold_changed) = (word.now, origin);
        }),
        Characters::ConditionAdded(word) => change(&word.character, &|character| {
            character.conditions.entry(word.condition.clone()).or_insert(origin);
        }),
        Characters::ConditionRemoved(word) => change(&word.character, &|character| {
            character.conditions.remove(&word.condition);
        }),
        Characters::ItemExchanged(word) => exchanged(state, origin, word),
        Characters::CharacterRecovered(word) => {
            change(&word.character, &|character| {
                (character.hit_points, character.hit_points_changed) = (word.now, origin);
                (character.down, character.lost) = (None, None);
            });
            // Who helps in a fight has done that in this turn.
            if let Some(combat) = state.combat.as_mut().filter(|_| !word.helper.is_empty()) {
                combat.attacked.push(word.helper.clone());
            }
        }
        Characters::CharacterLost(word) => change(&word.character, &|character| {
            character.lost = Some(word.fate);
        }),
    }
    Keep::Here
}

fn exchanged(state: &mut State, origin: Origin, word: &ItemExchanged) {
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
