//! `attack`: a blow, or a spell, by the rules pack.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::*;
use twicetold_world::setup::ItemKind;
use twicetold_world::{Character, FoeState, State};

use crate::combat::{Blow, advantage, open_combat, strike};
use crate::spells::cast;
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, own_character, telling};

pub(crate) struct Attack;

/// Arguments of `attack`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The id of the foe who attacks; left out by players.
    attacker: Option<String>,
    /// Whom: a foe's id, or a character's name.
    target: String,
    /// A weapon that is carried, a spell, or one of a foe's attacks; the first that there is when left out.
    with: Option<String>,
}

impl Definition for Attack {
    const NAME: &'static str = "attack";
    const DESCRIPTION: &'static str = "Attack, once in your turn of the combat. The engine rolls, and what it says is what happens: tell it so.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        telling(state, seat) && state.combat().is_some() && state.dialogue().is_none()
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let with = arguments.with.as_deref().map(str::trim).filter(|with| !with.is_empty());
        match caller.seat {
            Seat::Player(_) => by_character(state, caller.seat, &arguments, with),
            _ => by_foe(state, &arguments, with),
        }
    }
}

/// It is the attacker's turn, and it has not attacked in it.
pub(crate) fn on_initiative(state: &State, combatant: &str, attacks: bool) -> Result<Check, Rejection> {
    let combat = open_combat(state)?;
    let check = Check::new("initiative").with("acting", combat.acting.join(", "));
    if !combat.acting.iter().any(|name| name == combatant) {
        return Err(Rejection::new("not_on_initiative").like(&check));
    }
    if attacks && combat.attacked.iter().any(|name| name == combatant) {
        return Err(Rejection::new("attacks_per_turn_max").with("combatant", combatant));
    }
    Ok(check)
}

fn by_character(state: &State, seat: Seat, arguments: &Arguments, with: Option<&str>) -> Decision {
    let character = own_character(state, seat)?;
    let name = character.sheet.name.as_str();
    if let Some(other) =
        arguments.attacker.as_deref().filter(|other| !other.trim().eq_ignore_ascii_case(name))
    {
        return Err(Rejection::new("not_your_character").quoting("attacker", other, 60).with("own", name));
    }
    let turn = on_initiative(state, name, true)?;
    let rules = &state.setup().rules;
    if let Some(spell) = with.and_then(|with| rules.spell(with)) {
        return cast(state, character, spell, &arguments.target).map(|accepted| accepted.checked(turn));
    }
    let foe = standing_foe(state, &arguments.target)?;
    let weapon = weapon(state, character, with)?;
    let item = weapon.and_then(|weapon| rules.item(weapon));
    let ability = item.and_then(|item| item.ability.as_deref()).unwrap_or(&rules.pack.combat.ability);
    let damage = item.and_then(|item| item.damage.as_deref()).unwrap_or(&rules.pack.combat.unarmed_damage);
    let blow = Blow {
        attacker: name,
        target: &foe.foe.id,
        with: weapon.unwrap_or("bare hands"),
        bonus: advantage(state, character, ability),
        armor_class: foe.foe.armor_class,
        damage,
    };
    let events = strike(state, &blow)?;
    Ok(Accepted { checks: Vec::new(), events }.checked(turn))
}

/// The weapon that is meant: one that is carried; without a wish the first, and bare hands when there is none.
fn weapon<'a>(
    state: &State,
    character: &'a Character,
    with: Option<&str>,
) -> Result<Option<&'a str>, Rejection> {
    let rules = &state.setup().rules;
    let is_weapon = |name: &str| rules.item(name).is_some_and(|item| item.kind == ItemKind::Weapon);
    let mut carried =
        character.inventory.values().map(|(name, ..)| name.as_str()).filter(|name| is_weapon(name));
    let Some(with) = with else { return Ok(carried.next()) };
    let bare = ["bare hands", "hands", "fists", "fist", "unarmed"];
    if bare.iter().any(|word| with.eq_ignore_ascii_case(word)) {
        return Ok(None);
    }
    let known: Vec<&str> = carried.collect();
    let meant = rules.item(with).map(|item| item.name.as_str());
    let found = known.iter().copied().find(|name| {
        name.eq_ignore_ascii_case(with)
            || rules.item(name).map(|item| item.name.as_str()) == meant && meant.is_some()
    });
    found.map(Some).ok_or_else(|| {
        Rejection::new("unknown_weapon").quoting("weapon", with, 60).with("known", known.join(", "))
    })
}

/// A foe who can still be hit.
pub(crate) fn standing_foe<'a>(state: &'a State, target: &str) -> Result<&'a FoeState, Rejection> {
    let combat = open_combat(state)?;
    let standing: Vec<&str> = combat.standing().map(|foe| foe.foe.id.as_str()).collect();
    let standing = standing.join(", ");
    let Some(foe) = combat.foe(target) else {
        let rejection = Rejection::new("unknown_target").quoting("target", target, 60);
        return Err(rejection.with("foes", standing));
    };
    match foe.stands() {
        true => Ok(foe),
        false => {
            let rejection = Rejection::new("target_not_standing").with("name", &foe.foe.name);
            Err(rejection.flag("fled", foe.fled).with("foes", standing))
        }
    }
}

fn by_foe(state: &State, arguments: &Arguments, with: Option<&str>) -> Decision {
    let combat = open_combat(state)?;
    let acting = combat.acting.join(", ");
    let Some(attacker) = arguments.attacker.as_deref().and_then(|attacker| combat.foe(attacker)) else {
        let named = arguments.attacker.as_deref().unwrap_or_default();
        return Err(Rejection::new("unknown_attacker").quoting("attacker", named, 60).with("acting", acting));
    };
    let id = attacker.foe.id.as_str();
    let turn = on_initiative(state, id, true)?;
    let able: Vec<Seat> = state.able().collect();
    let found = state.character_named(&arguments.target).filter(|(seat, _)| able.contains(seat));
    let Some((_, target)) = found else {
        let names: Vec<String> = able.iter().map(|seat| state.seat_name(*seat)).collect();
        let rejection = Rejection::new("unknown_target").quoting("target", &arguments.target, 60);
        return Err(rejection.with("characters", names.join(", ")));
    };
    let rules = &state.setup().rules;
    let attacks = rules.monsters.iter().find(|monster| monster.id == attacker.foe.monster);
    let attacks = attacks.map_or(&[][..], |monster| &monster.attacks);
    let chosen = match with {
        Some(with) => attacks.iter().find(|attack| attack.name.eq_ignore_ascii_case(with)),
        None => None,
    };
    let chosen = chosen.or(attacks.first());
    let combat = &rules.pack.combat;
    let blow = Blow {
        attacker: id,
        target: &target.sheet.name,
        with: chosen.map_or("what is at hand", |attack| attack.name.as_str()),
        bonus: chosen.map_or(combat.npc_attack_bonus, |attack| attack.bonus),
        armor_class: i32::from(target.sheet.armor_class),
        damage: chosen.map_or(combat.npc_damage.as_str(), |attack| attack.damage.as_str()),
    };
    let events = strike(state, &blow)?;
    Ok(Accepted { checks: Vec::new(), events }.checked(turn))
}
