//! What happens in a combat.

use twicetold_event::Foe;
use twicetold_event::family::Combat as Fight;

use super::{Keep, draw};
use crate::state::{Combat, CombatEnd, FoeState, Origin, State};

pub(super) fn evolve(state: &mut State, origin: Origin, event: Fight<'_>) -> Keep {
    match event {
        Fight::CombatBegan(word) => {
            let foe = |foe: &Foe| {
                let hit_points = foe.hit_points;
                FoeState { foe: foe.clone(), hit_points, fled: false, changed: origin }
            };
            for place in &word.order {
                draw(state, &place.stream, place.counter);
            }
            *state.combat = Some(Combat {
                round: 1,
                place: 0,
                order: word.order.clone(),
                foes: word.foes.iter().map(foe).collect(),
                acting: Vec::new(),
                attacked: Vec::new(),
                tried: false,
                began: origin,
            });
        }
        Fight::CombatTurnBegan(word) => {
            if let Some(combat) = state.combat.as_mut() {
                combat.round = word.round;
                combat.attacked.clear();
                combat.acting.clone_from(&word.combatants);
                let last = word.combatants.last();
                let place = combat.order.iter().position(|place| Some(&place.combatant) == last);
                combat.place = place.unwrap_or(combat.place);
            }
        }
        Fight::AttackMade(word) => {
            let rolled = if word.damage_faces.is_empty() { word.counter } else { word.counter + 1 };
            draw(state, &word.stream, rolled);
            if let Some(combat) = state.combat.as_mut() {
                combat.attacked.push(word.attacker.clone());
            }
        }
        Fight::FoeHitPointsChanged(word) => {
            let foe = state
                .combat
                .as_mut()
                .and_then(|combat| combat.foes.iter_mut().find(|foe| foe.foe.id == word.foe));
            if let Some(foe) = foe {
                (foe.hit_points, foe.changed) = (word.now, origin);
            }
        }
        Fight::SavingThrowMade(word) => {
            draw(state, &word.stream, word.counter);
        }
        Fight::SpellCast(word) => {
            let used = state.spells_used.entry((word.character.clone(), word.spell.clone())).or_default();
            *used = used.saturating_add(1);
            if let Some(combat) = state.combat.as_mut() {
                combat.attacked.push(word.character.clone());
            }
        }
        Fight::MoraleChecked(word) => {
            draw(state, &word.stream, word.counter);
            if let Some(combat) = state.combat.as_mut() {
                combat.tried = true;
                if let Some(foe) = combat.foes.iter_mut().find(|foe| foe.foe.id == word.foe) {
                    (foe.fled, foe.changed) = (!word.stays, origin);
                }
            }
        }
        Fight::CombatEnded(word) => {
            if let Some(combat) = state.combat.take() {
                for foe in combat.foes.iter().filter(|foe| !foe.foe.npc.is_empty()) {
                    if let Some(npc) = state.npcs.get_mut(&foe.foe.npc) {
                        (npc.hit_points, npc.changed) = (Some(foe.hit_points), origin);
                    }
                }
            }
            let (outcome, rounds) = (word.outcome, word.rounds);
            state.combats_over.push(CombatEnd { outcome, rounds, ended: origin });
        }
    }
    Keep::Here
}
