//! What the tools of combat share: blows, wounds, and dice by the rules pack.

use twicetold_event::*;
use twicetold_world::setup::{Rules, Success};
use twicetold_world::{Character, State};

use crate::changes::clamped;
use crate::dice::{Dice, thrown};
use crate::effects::pack_dice;
use crate::stream::{self, Throw};
use crate::tool::Rejection;

/// Somebody who deals a blow.
pub(crate) struct Blow<'a> {
    /// A character's name or a foe's id.
    pub(crate) attacker: &'a str,
    /// A character's name or a foe's id.
    pub(crate) target: &'a str,
    /// The weapon, spell or natural attack.
    pub(crate) with: &'a str,
    /// All that helps the attacker.
    pub(crate) bonus: i32,
    /// The target's.
    pub(crate) armor_class: i32,
    /// Dice of the rules pack.
    pub(crate) damage: &'a str,
}

/// The blow by the dice, and the wound when it hits.
pub(crate) fn strike(state: &State, blow: &Blow<'_>) -> Result<Vec<Event>, Rejection> {
    let rules = &state.setup().rules;
    let dice = pack_dice(state, &rules.pack.check.dice)?;
    let damage_dice = pack_dice(state, blow.damage)?;
    let stream = Throw::Attack.of(&stream::combatant(state, blow.attacker));
    let counter = state.dice_counter(&stream);
    let faces = thrown(state.setup(), &stream, counter, dice);
    let (total, needed, hit) = outcome(rules, &faces, dice, blow.bonus, blow.armor_class);
    let mut made = AttackMade {
        attacker: blow.attacker.to_owned(),
        target: blow.target.to_owned(),
        with: blow.with.to_owned(),
        stream,
        counter,
        faces,
        bonus: blow.bonus,
        total,
        needed,
        hit,
        damage_dice: String::new(),
        damage_faces: Vec::new(),
        damage: 0,
    };
    if !hit {
        return Ok(vec![made.into()]);
    }
    made.damage_faces = thrown(state.setup(), &made.stream, counter + 1, damage_dice);
    made.damage = i64::from((sum(&made.damage_faces) + damage_dice.modifier).max(1));
    made.damage_dice = blow.damage.to_owned();
    let wound = wound(state, blow.target, -made.damage);
    Ok(std::iter::once(made.into()).chain(wound).collect())
}

/// Total, what was needed, and whether it hits: high is good, or low, as the pack has it.
fn outcome(rules: &Rules, faces: &[u16], dice: Dice, bonus: i32, armor_class: i32) -> (i32, i32, bool) {
    let bare = sum(faces) + dice.modifier;
    let (needed, success) = rules.attack_needs(bonus, armor_class);
    match success {
        Success::TotalAtLeastDifficulty => (bare + bonus, needed + bonus, bare >= needed),
        Success::TotalAtMostDifficulty => (bare, needed, bare <= needed),
    }
}

pub(crate) fn sum(faces: &[u16]) -> i32 {
    faces.iter().map(|face| i32::from(*face)).sum()
}

/// A change of hit points of a combatant, within its limits.
pub(crate) fn wound(state: &State, target: &str, asked: i64) -> Option<Event> {
    if let Some(foe) = state.combat().and_then(|combat| combat.foe(target)) {
        let (applied, now) = clamped(foe.hit_points, asked, foe.foe.hit_points);
        return Some(FoeHitPointsChanged { foe: foe.foe.id.clone(), asked, applied, now }.into());
    }
    let (_, character) = state.character_named(target)?;
    let (applied, now) = clamped(character.hit_points, asked, character.sheet.hit_points.into());
    let character = character.sheet.name.clone();
    Some(HitPointsChanged { character, asked, applied, now }.into())
}

/// A throw of the pack's check dice against a difficulty: `bonus` is added to the dice.
pub(crate) fn saving_throw(
    state: &State,
    combatant: &str,
    ability: String,
    modifier: i32,
    difficulty: i32,
    reason: String,
) -> Result<SavingThrowMade, Rejection> {
    let rule = &state.setup().rules.pack.check;
    let dice = pack_dice(state, &rule.dice)?;
    let stream = Throw::Save(&ability).of(&stream::combatant(state, combatant));
    let counter = state.dice_counter(&stream);
    let faces = thrown(state.setup(), &stream, counter, dice);
    let total = sum(&faces) + dice.modifier + modifier;
    let success = rule.success.reached(total, difficulty);
    let combatant = combatant.to_owned();
    Ok(SavingThrowMade {
        combatant,
        ability,
        stream,
        counter,
        faces,
        modifier,
        total,
        difficulty,
        success,
        reason,
    })
}

/// A foe's courage by the pack's dice; nothing when the pack's dice cannot be read.
pub fn morale(state: &State, foe: &str) -> Option<MoraleChecked> {
    let known = state.combat()?.foe(foe)?;
    let dice = pack_dice(state, &state.setup().rules.pack.combat.morale_dice).ok()?;
    let stream = Throw::Morale.of(&stream::foe(state, &known.foe));
    let counter = state.dice_counter(&stream);
    let faces = thrown(state.setup(), &stream, counter, dice);
    let total = sum(&faces) + dice.modifier;
    let morale = known.foe.morale;
    Some(MoraleChecked { foe: foe.to_owned(), stream, counter, faces, total, morale, stays: total <= morale })
}

/// A place in the order: the pack's initiative dice and what helps.
pub(crate) fn initiative(
    state: &State,
    combatant: &str,
    owner: &str,
    bonus: i32,
) -> Result<Initiative, Rejection> {
    let dice = pack_dice(state, &state.setup().rules.pack.combat.initiative_dice)?;
    let stream = Throw::Initiative.of(owner);
    let counter = state.dice_counter(&stream);
    let faces = thrown(state.setup(), &stream, counter, dice);
    let total = sum(&faces) + dice.modifier + bonus;
    Ok(Initiative { combatant: combatant.to_owned(), stream, counter, faces, total })
}

/// What a character's ability gives, above 0 for the better.
pub(crate) fn advantage(state: &State, character: &Character, ability: &str) -> i32 {
    let rules = &state.setup().rules;
    let score = rules.ability_index(ability).and_then(|place| character.sheet.abilities.get(place));
    score.map_or(0, |score| rules.advantage(*score))
}

/// The combat being fought.
pub(crate) fn open_combat(state: &State) -> Result<&twicetold_world::Combat, Rejection> {
    state.combat().ok_or_else(|| Rejection::new("no_combat"))
}
