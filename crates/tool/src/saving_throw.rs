//! `saving_throw`: a combatant tries to withstand something.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::Seat;
use twicetold_world::State;

use crate::ability_check::DIFFICULTY_MAX;
use crate::attack::on_initiative;
use crate::combat::{open_combat, saving_throw};
use crate::menu::{Form, abilities, ability_name, call, character_names, number, one_of, words};
use crate::roll_dice::rolled_for;
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean, own_character, telling, text,
};

pub(crate) struct SavingThrow;

/// Arguments of `saving_throw`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Or a foe's id.
    character: String,
    ability: String,
    /// Moderate when left out.
    difficulty: Option<i32>,
    /// Against what, in a few words.
    reason: String,
}

impl Definition for SavingThrow {
    const NAME: &'static str = "saving_throw";
    const DESCRIPTION: &'static str =
        "Let somebody in the combat withstand something: poison, fear, a push. The engine rolls; tell it so.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        telling(state, seat) && state.combat().is_some()
    }

    fn possible(state: &State) -> bool {
        state.dialogue().is_none()
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let combat = open_combat(state)?;
        let rules = &state.setup().rules;
        let reason = text(state, "reason", &arguments.reason)?;
        let Some(ability) = rules.ability_index(&arguments.ability) else {
            let rejection = Rejection::new("unknown_ability").quoting("ability", &arguments.ability, 40);
            return Err(rejection.with("known", rules.pack.abilities.names.join(", ")));
        };
        let moderate = || rules.pack.check.difficulties.get("moderate").copied().unwrap_or(12);
        let difficulty = arguments.difficulty.unwrap_or_else(moderate);
        if !(1..=DIFFICULTY_MAX).contains(&difficulty) {
            return Err(Rejection::new("difficulty_out_of_range")
                .with("difficulty", difficulty)
                .with("most", DIFFICULTY_MAX));
        }
        let name = rules.pack.abilities.names[ability].clone();
        let foe = combat.foe(&arguments.character).filter(|_| caller.seat == Seat::Dm);
        let (combatant, modifier) = match foe {
            Some(foe) => {
                let monster = rules.monsters.iter().find(|monster| monster.id == foe.foe.monster);
                let bonus = monster.and_then(|monster| monster.saves.get(&name)).copied().unwrap_or(0);
                (foe.foe.id.clone(), bonus)
            }
            None => {
                let (seat, character) = crate::tool::character(state, &arguments.character)?;
                if caller.seat != Seat::Dm {
                    let own = own_character(state, caller.seat)?;
                    if seat != caller.seat {
                        let rejection = Rejection::new("not_your_character");
                        let rejection = rejection.quoting("character", &arguments.character, 60);
                        return Err(rejection.with("own", &own.sheet.name));
                    }
                    on_initiative(state, &own.sheet.name, false)?;
                }
                let score = character.sheet.abilities.get(ability).copied().unwrap_or_default();
                (character.sheet.name.clone(), rules.modifier(score))
            }
        };
        Ok(Accepted::one(saving_throw(state, &combatant, name, modifier, difficulty, reason)?))
    }

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        let Some(combat) = state.combat() else { return Vec::new() };
        let mut who: Vec<&str> = Vec::new();
        if seat == Seat::Dm {
            let foes = combat.foes.iter().map(|foe| foe.foe.id.as_str());
            who.extend(foes.filter(|id| combat.foe(id).is_some_and(|found| found.foe.id == *id)));
        }
        let may = |of: Seat, name: &str| match seat {
            Seat::Dm => combat.foe(name).is_none(),
            _ => of == seat && on_initiative(state, name, false).is_ok(),
        };
        let characters = character_names(state).map(|(of, character)| (of, character.sheet.name.as_str()));
        who.extend(characters.filter(|(of, name)| may(*of, name)).map(|(_, name)| name));
        let form = Form::new().must("character", one_of(who)).must("ability", one_of(abilities(state)));
        vec![form.may("difficulty", number(1, i64::from(DIFFICULTY_MAX))).must("reason", words(state))]
    }

    fn canonical(state: &State, seat: Seat, arguments: Arguments) -> Vec<Value> {
        let foe = state.combat().filter(|_| seat == Seat::Dm);
        let foe = foe.and_then(|combat| combat.foe(&arguments.character));
        let character =
            foe.map_or_else(|| rolled_for(state, seat, &arguments.character), |foe| foe.foe.id.clone());
        let (ability, difficulty) = (ability_name(state, &arguments.ability), arguments.difficulty);
        let reason = clean(&arguments.reason);
        vec![call(json!({
            "character": character, "ability": ability, "difficulty": difficulty, "reason": reason,
        }))]
    }
}
