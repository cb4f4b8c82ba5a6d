//! Spells in a combat: who knows them, how often, what they do.

use twicetold_event::{Check, DiceRolled, Event, SpellCast};
use twicetold_world::setup::Spell;
use twicetold_world::{Character, State};

use crate::attack::standing_foe;
use crate::combat::{Blow, advantage, saving_throw, strike, sum, wound};
use crate::dice::thrown;
use crate::effects::pack_dice;
use crate::stream::{self, Throw};
use crate::tool::{Accepted, Decision, Rejection};

/// A spell cast by a character in its turn.
pub(crate) fn cast(state: &State, character: &Character, spell: &Spell, target: &str) -> Decision {
    let check = is_ready(state, character, spell)?;
    let events = match (&spell.heal, &spell.damage) {
        (Some(dice), _) => heal(state, character, spell, dice, target)?,
        (None, Some(dice)) => harm(state, character, spell, dice, target)?,
        (None, None) => {
            return Err(Rejection::new("spell_without_effect").with("spell", &spell.name));
        }
    };
    Ok(Accepted { checks: Vec::new(), events }.checked(check))
}

/// Rejects a spell that a character does not know, or has cast as often as it may.
pub(crate) fn is_ready(state: &State, character: &Character, spell: &Spell) -> Result<Check, Rejection> {
    let name = character.sheet.name.as_str();
    if !spell.is_known_to(&character.sheet.class) {
        return Err(Rejection::new("spell_not_known").with("character", name).with("spell", &spell.name));
    }
    let (used, most) = (state.spells_used(name, &spell.id), spell.uses_per_encounter);
    let check = Check::new("uses_per_encounter").with("used", used).with("most", most);
    if used >= most {
        return Err(Rejection::new("uses_per_encounter").like(&check));
    }
    Ok(check)
}

fn heal(
    state: &State,
    character: &Character,
    spell: &Spell,
    written: &str,
    target: &str,
) -> Result<Vec<Event>, Rejection> {
    let (_, healed) = crate::tool::character(state, target)?;
    let name = character.sheet.name.as_str();
    let cast =
        SpellCast { character: name.to_owned(), spell: spell.id.clone(), target: healed.sheet.name.clone() };
    let rolled = rolled(state, name, spell, written)?;
    let given = wound(state, &healed.sheet.name, i64::from(rolled.total.max(0)));
    Ok([cast.into(), rolled.into()].into_iter().chain(given).collect())
}

fn harm(
    state: &State,
    character: &Character,
    spell: &Spell,
    written: &str,
    target: &str,
) -> Result<Vec<Event>, Rejection> {
    let foe = standing_foe(state, target)?;
    let rules = &state.setup().rules;
    let name = character.sheet.name.as_str();
    let cast = SpellCast { character: name.to_owned(), spell: spell.id.clone(), target: foe.foe.id.clone() };
    let Some(ability) = &spell.save else {
        let class = rules.class(&character.sheet.class);
        let ability = class.map_or(rules.pack.combat.ability.as_str(), |class| class.prime_ability.as_str());
        let blow = Blow {
            attacker: name,
            target: &foe.foe.id,
            with: &spell.name,
            bonus: advantage(state, character, ability),
            armor_class: foe.foe.armor_class,
            damage: written,
        };
        return Ok(std::iter::once(cast.into()).chain(strike(state, &blow)?).collect());
    };
    let difficulty =
        spell.difficulty.or_else(|| rules.pack.check.difficulties.get("moderate").copied()).unwrap_or(12);
    let bonus = rules.monsters.iter().find(|monster| monster.id == foe.foe.monster);
    let bonus = bonus.and_then(|monster| monster.saves.get(ability)).copied().unwrap_or(0);
    let save = saving_throw(state, &foe.foe.id, ability.clone(), bonus, difficulty, spell.name.clone())?;
    let mut events: Vec<Event> = vec![cast.into()];
    let saved = save.success;
    events.push(save.into());
    if !saved {
        let rolled = rolled(state, name, spell, written)?;
        let wounds = -i64::from(rolled.total.max(1));
        events.push(rolled.into());
        events.extend(wound(state, &foe.foe.id, wounds));
    }
    Ok(events)
}

/// A spell's dice, thrown by the one who casts it.
fn rolled(state: &State, name: &str, spell: &Spell, written: &str) -> Result<DiceRolled, Rejection> {
    let dice = pack_dice(state, written)?;
    let stream = Throw::Spell(&spell.id).of(&stream::character(state, name));
    let counter = state.dice_counter(&stream);
    let faces = thrown(state.setup(), &stream, counter, dice);
    let total = sum(&faces) + dice.modifier;
    let (character, reason) = (name.to_owned(), spell.name.clone());
    Ok(DiceRolled { character, dice: written.to_owned(), stream, counter, faces, total, reason })
}
