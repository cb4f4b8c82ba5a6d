//! `attack`: a blow, or a spell, by the rules pack.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::*;
use twicetold_world::setup::{ItemKind, MonsterAttack, Spell};
use twicetold_world::{Character, FoeState, State};

use crate::combat::{Blow, advantage, open_combat, strike};
use crate::menu::{Form, bare, call, character_name, character_names, one_of};
use crate::spells::{cast, is_ready};
use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, own_character, telling};

pub(crate) struct Attack;

/// Arguments of `attack`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The foe who attacks; left out by players.
    attacker: Option<String>,
    /// A foe's id, or a character's name.
    target: String,
    /// A weapon, a spell, or one of a foe's attacks; the first one when left out.
    with: Option<String>,
}

impl Definition for Attack {
    const NAME: &'static str = "attack";
    const DESCRIPTION: &'static str = "Attack, once in your turn of the combat. The engine rolls, and what it says is what happens: tell it so.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        telling(state, seat) && state.combat().is_some()
    }

    fn possible(state: &State) -> bool {
        state.dialogue().is_none()
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let with = bare(arguments.with.as_deref());
        match caller.seat {
            Seat::Player(_) => by_character(state, caller.seat, &arguments, with),
            _ => by_foe(state, &arguments, with),
        }
    }

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        match seat {
            Seat::Player(_) => characters_forms(state, seat),
            _ => foes_forms(state),
        }
    }

    fn canonical(state: &State, seat: Seat, arguments: Arguments) -> Vec<Value> {
        let with = bare(arguments.with.as_deref());
        let foe = |named: &str| state.combat().and_then(|combat| combat.foe(named));
        let foe_id = |named: &str| foe(named).map_or_else(|| named.to_owned(), |foe| foe.foe.id.clone());
        let Ok(character) = own_character(state, seat) else {
            let attacker = arguments.attacker.as_deref();
            // What a foe does not have is as good as left out.
            let with = attacker.and_then(foe).and_then(|foe| attack_named(attacks(state, foe), with?));
            let target = character_name(state, &arguments.target);
            let with = with.map(|attack| &attack.name);
            return vec![call(json!({"attacker": attacker.map(foe_id), "target": target, "with": with}))];
        };
        let is_own = |named: &&str| named.trim().eq_ignore_ascii_case(&character.sheet.name);
        let attacker = arguments.attacker.as_deref().filter(|named| !is_own(named));
        let spell = with.and_then(|with| state.setup().rules.spell(with));
        let target = match spell {
            Some(spell) if spell.heal.is_some() => character_name(state, &arguments.target),
            _ => foe_id(&arguments.target),
        };
        let with = with.map(|with| match (spell, weapon(state, character, Some(with))) {
            (Some(spell), _) => spell.id.as_str(),
            (None, Ok(Some(weapon))) => weapon,
            (None, Ok(None)) => BARE[0],
            (None, Err(_)) => with,
        });
        vec![call(json!({"attacker": attacker, "target": target, "with": with}))]
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

/// Can a character still act in this round? Outside a fight everybody can.
pub(crate) fn may_act(state: &State, character: &str) -> bool {
    state.combat().is_none() || on_initiative(state, character, true).is_ok()
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
        with: weapon.unwrap_or(BARE[0]),
        bonus: advantage(state, character, ability),
        armor_class: foe.foe.armor_class,
        damage,
    };
    let events = strike(state, &blow)?;
    Ok(Accepted { checks: Vec::new(), events }.checked(turn))
}

/// What an attack without a weapon is called; the first is the name that is kept.
const BARE: [&str; 5] = ["bare hands", "hands", "fists", "fist", "unarmed"];

/// The weapons that are carried.
fn weapons<'a>(state: &State, character: &'a Character) -> impl Iterator<Item = &'a str> {
    let rules = &state.setup().rules;
    let is_weapon = |name: &&str| rules.item(name).is_some_and(|item| item.kind == ItemKind::Weapon);
    character.inventory.values().map(|(name, ..)| name.as_str()).filter(is_weapon)
}

/// The weapon that is meant: one that is carried; without a wish the first, and bare hands when there is none.
fn weapon<'a>(
    state: &State,
    character: &'a Character,
    with: Option<&str>,
) -> Result<Option<&'a str>, Rejection> {
    let rules = &state.setup().rules;
    let mut carried = weapons(state, character);
    let Some(with) = with else { return Ok(carried.next()) };
    if BARE.iter().any(|word| with.eq_ignore_ascii_case(word)) {
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
    let attacks = attacks(state, attacker);
    let chosen = with.and_then(|with| attack_named(attacks, with)).or(attacks.first());
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

fn attacks<'a>(state: &'a State, foe: &FoeState) -> &'a [MonsterAttack] {
    let monsters = &state.setup().rules.monsters;
    let monster = monsters.iter().find(|monster| monster.id == foe.foe.monster);
    monster.map_or(&[][..], |monster| &monster.attacks)
}

fn attack_named<'a>(attacks: &'a [MonsterAttack], with: &str) -> Option<&'a MonsterAttack> {
    attacks.iter().find(|attack| attack.name.eq_ignore_ascii_case(with))
}

/// Foes under the ids by which they are found.
fn foe_ids(state: &State) -> impl Iterator<Item = &FoeState> {
    let all = state.combat().into_iter().flat_map(|combat| combat.standing().map(move |foe| (combat, foe)));
    let found =
        all.filter(|(combat, foe)| combat.foe(&foe.foe.id).is_some_and(|one| one.foe.id == foe.foe.id));
    found.map(|(_, foe)| foe)
}

/// A character strikes at a foe, or casts a spell at a foe or for a character.
fn characters_forms(state: &State, seat: Seat) -> Vec<Form> {
    let Ok(character) = own_character(state, seat) else { return Vec::new() };
    if on_initiative(state, &character.sheet.name, true).is_err() {
        return Vec::new();
    }
    let rules = &state.setup().rules;
    let foes = || one_of(foe_ids(state).map(|foe| &foe.foe.id));
    let is_found = |name: &str| weapon(state, character, Some(name)) == Ok(Some(name));
    let weapons = weapons(state, character).filter(|name| is_found(name)).chain([BARE[0]]);
    let weapons = weapons.filter(|name| rules.spell(name).is_none());
    let is_found = |id: &str| rules.spell(id).is_some_and(|found| found.id == id);
    let ready = rules.spells.iter().filter(|spell| is_ready(state, character, spell).is_ok());
    let ready = ready.filter(|spell| is_found(&spell.id));
    let (healing, others): (Vec<&Spell>, Vec<&Spell>) = ready.partition(|spell| spell.heal.is_some());
    let harming = others.into_iter().filter(|spell| spell.damage.is_some()).map(|spell| &spell.id);
    let healing = healing.into_iter().map(|spell| &spell.id);
    let party = one_of(character_names(state).map(|(_, character)| &character.sheet.name));
    vec![
        Form::new().must("target", foes()).may("with", one_of(weapons)),
        Form::new().must("target", foes()).must("with", one_of(harming)),
        Form::new().must("target", party).must("with", one_of(healing)),
    ]
}

/// The foes that act strike at characters: a form for each that acts, with its own attacks.
fn foes_forms(state: &State) -> Vec<Form> {
    let able: Vec<Seat> = state.able().collect();
    let acting = foe_ids(state).filter(|foe| on_initiative(state, &foe.foe.id, true).is_ok());
    let form = |foe: &FoeState| {
        let party = character_names(state).filter(|(seat, _)| able.contains(seat));
        let party = one_of(party.map(|(_, character)| &character.sheet.name));
        let form = Form::new().must("attacker", one_of([&foe.foe.id])).must("target", party);
        form.may("with", one_of(attacks(state, foe).iter().map(|attack| &attack.name)))
    };
    acting.map(form).collect()
}
