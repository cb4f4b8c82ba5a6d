//! `exchange_item`: a thing changes hands in a dialogue: both sides or neither.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::{Check, Holder, ItemExchanged, Seat};
use twicetold_world::{Inventory, Npc, State, fold};

use crate::dice::shorten;
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, in_dialogue, open_dialogue, text,
};

/// Pieces that can change hands at once.
const QUANTITY_MAX: i64 = 10_000;

pub(crate) struct ExchangeItem;

/// Arguments of `exchange_item`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The thing, as its holder has it listed.
    item_name: String,
    /// How many; 1 when left out.
    quantity: Option<i64>,
    /// Who gives: your own id, or the name of a player's character who takes part.
    giver_id: String,
    /// Who receives, in the same way.
    receiver_id: String,
}

impl Definition for ExchangeItem {
    const NAME: &'static str = "exchange_item";
    const DESCRIPTION: &'static str =
        "Hand a thing over, or take one, once both have agreed to it in this conversation.";
    const FOLLOW: Follow = Follow::Ends;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        in_dialogue(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let (_, npc) = open_dialogue(state)?;
        let wanted = text(state, "item_name", &arguments.item_name)?;
        let asked = arguments.quantity.unwrap_or(1);
        if !(1..=QUANTITY_MAX).contains(&asked) {
            let rejection = Rejection::new("quantity_out_of_range").with("quantity", asked);
            return Err(rejection.with("most", QUANTITY_MAX));
        }
        let giver = holder(state, npc, &arguments.giver_id)?;
        let receiver = holder(state, npc, &arguments.receiver_id)?;
        if giver == receiver {
            return Err(Rejection::new("same_holder").quoting("holder", &arguments.giver_id, 60));
        }
        let held = inventory(state, &giver);
        let Some((item, has, _)) = held.and_then(|inventory| inventory.get(&wanted)) else {
            let has: Vec<&str> =
                held.into_iter().flat_map(Inventory::values).map(|(name, ..)| name.as_str()).collect();
            let rejection = Rejection::new("unknown_item").quoting("item", &wanted, 80);
            return Err(rejection.with("carried", shorten(&has.join(", "), 300)));
        };
        let check = Check::new("enough").with("has", has).with("item", item).with("asked", asked);
        if i64::from(*has) < asked {
            return Err(Rejection::new("not_enough").like(&check));
        }
        let most = state.setup().limits.inventory_kinds_max as usize;
        if let Some(inventory) = inventory(state, &receiver)
            && inventory.get(item).is_none()
            && inventory.len() >= most
        {
            let rejection = Rejection::new("inventory_kinds_max").with("kinds", inventory.len());
            return Err(rejection.with("most", most));
        }
        let (item, quantity) = (item.clone(), asked as u32);
        Ok(Accepted::one(ItemExchanged { item, quantity, giver, receiver }).checked(check))
    }
}

/// Who is meant: the character whom the DM speaks for, or a player's character in this conversation.
fn holder(state: &State, npc: &Npc, named: &str) -> Result<Holder, Rejection> {
    let wanted = fold(named);
    if wanted.replace(' ', "-") == npc.id || wanted == fold(&npc.name) {
        return Ok(Holder::Npc(npc.id.clone()));
    }
    let joined = |seat: &Seat| state.dialogue().is_some_and(|dialogue| dialogue.joined.contains_key(seat));
    let found = state.character_named(named).filter(|(seat, _)| joined(seat));
    found.map(|(_, character)| Holder::Character(character.sheet.name.clone())).ok_or_else(|| {
        let characters = state.characters().iter().filter(|(seat, _)| joined(seat));
        let names: Vec<&str> = characters.map(|(_, character)| character.sheet.name.as_str()).collect();
        let rejection = Rejection::new("unknown_holder").quoting("name", named, 80);
        rejection.with("npc", &npc.id).with("characters", names.join(", "))
    })
}

fn inventory<'a>(state: &'a State, holder: &Holder) -> Option<&'a Inventory> {
    match holder {
        Holder::Character(name) => state.character_named(name).map(|(_, character)| &character.inventory),
        Holder::Npc(id) => state.npcs().get(id).map(|npc| &npc.inventory),
    }
}
