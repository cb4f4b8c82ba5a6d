//! What a thing does by the rules pack when it is used.

use twicetold_event::{ConditionRemoved, Event, HitPointsChanged};
use twicetold_world::setup::Consumable;
use twicetold_world::{Character, State};

use crate::changes::clamped;
use crate::dice::{Dice, thrown};
use crate::stream::{self, Throw};
use crate::tool::Rejection;

/// What using a thing does.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// Is it used up?
    pub(crate) spent: bool,
    /// As text.
    pub(crate) words: String,
    /// What follows.
    pub(crate) events: Vec<Event>,
}

/// What an item does for the one who uses it; nothing when the pack knows of no effect.
pub(crate) fn of_item(state: &State, character: &Character, item: &str) -> Result<Effect, Rejection> {
    let Some(known) = state.setup().rules.item(item) else { return Ok(Effect::default()) };
    let Some(consumable) = &known.consumable else {
        return Ok(Effect { words: known.summary.clone(), ..Effect::default() });
    };
    let mut effect = Effect { spent: true, words: known.summary.clone(), events: Vec::new() };
    heal(state, character, (&known.id, consumable), &mut effect)?;
    for condition in consumable.cures.iter().filter(|condition| character.conditions.contains_key(*condition))
    {
        let (character, condition) = (character.sheet.name.clone(), condition.clone());
        effect.events.push(ConditionRemoved { character, condition }.into());
    }
    Ok(effect)
}

fn heal(
    state: &State,
    character: &Character,
    (item, consumable): (&str, &Consumable),
    effect: &mut Effect,
) -> Result<(), Rejection> {
    let (written, sign) = match (&consumable.heal, &consumable.damage) {
        (Some(dice), _) => (dice, 1),
        (None, Some(dice)) => (dice, -1),
        (None, None) => return Ok(()),
    };
    let reason = format!("what is used: {written}");
    effect.events.extend(thrown_for(state, character, Throw::Item(item), (written, sign), reason)?);
    Ok(())
}

/// Hit points that a throw gives or takes, above or below 0 by its sign: the throw and the change.
pub(crate) fn thrown_for(
    state: &State,
    character: &Character,
    throw: Throw<'_>,
    (written, sign): (&str, i64),
    reason: String,
) -> Result<[Event; 2], Rejection> {
    let name = &character.sheet.name;
    let dice = pack_dice(state, written)?;
    let stream = throw.of(&stream::character(state, name));
    let counter = state.dice_counter(&stream);
    let faces = thrown(state.setup(), &stream, counter, dice);
    let total = faces.iter().map(|face| i32::from(*face)).sum::<i32>() + dice.modifier;
    let asked = sign * i64::from(total.max(0));
    let (applied, now) = clamped(character.hit_points, asked, character.sheet.hit_points.into());
    let character = name.clone();
    let rolled = twicetold_event::DiceRolled {
        character: character.clone(),
        dice: written.to_owned(),
        stream,
        counter,
        faces,
        total,
        reason,
    };
    Ok([rolled.into(), HitPointsChanged { character, asked, applied, now }.into()])
}

/// Dice as a rules pack writes them.
pub(crate) fn pack_dice(state: &State, written: &str) -> Result<Dice, Rejection> {
    let limits = &state.setup().limits;
    Dice::parse(written, limits.dice_max, limits.dice_sides_max)
        .map_err(|fault| fault.rejecting(Rejection::new("rules_pack"), written))
}
