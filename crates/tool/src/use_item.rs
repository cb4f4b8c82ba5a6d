//! `use_item`: a player's character uses something that it carries.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::*;
use twicetold_world::State;

use crate::dice::shorten;
use crate::menu::{Form, one_of, things};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean, own_character, player_in_play,
    standing, text,
};

pub(crate) struct UseItem;

/// Arguments of `use_item`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Something that your character carries.
    item: String,
}

impl Definition for UseItem {
    const NAME: &'static str = "use_item";
    const DESCRIPTION: &'static str =
        "Use something that your character carries. What is used up is gone, and what it does happens.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        player_in_play(state, seat)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let character = own_character(state, caller.seat)?;
        standing(character)?;
        let wanted = text(state, "item", &arguments.item)?;
        let name = character.sheet.name.clone();
        let Some((item, has, _)) = character.inventory.get(&wanted) else {
            let has: Vec<&str> = character.inventory.values().map(|(name, ..)| name.as_str()).collect();
            let rejection = Rejection::new("unknown_item").quoting("item", &wanted, 80);
            return Err(rejection.with("carrier", name).with("carried", shorten(&has.join(", "), 300)));
        };
        let effect = crate::effects::of_item(state, character, item)?;
        let used = ItemUsed {
            character: name.clone(),
            item: item.clone(),
            spent: effect.spent,
            effect: effect.words,
        };
        let mut accepted =
            Accepted::one(used).checked(Check::new("carried").with("has", has).with("item", item));
        if effect.spent {
            accepted
                .events
                .push(ItemRemoved { character: name, item: item.clone(), asked: 1, applied: 1 }.into());
        }
        accepted.events.extend(effect.events);
        Ok(accepted)
    }

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        let Some(character) = own_character(state, seat).ok().filter(|own| own.stands()) else {
            return Vec::new();
        };
        let items = things(state, &character.inventory).map(|(item, _)| item);
        vec![Form::new().must("item", one_of(items))]
    }

    fn canonical(state: &State, seat: Seat, arguments: Arguments) -> Vec<Value> {
        let wanted = clean(&arguments.item);
        let carried = own_character(state, seat).ok().and_then(|own| own.inventory.get(&wanted));
        vec![json!({"item": carried.map_or(&wanted, |(item, ..)| item)})]
    }
}
