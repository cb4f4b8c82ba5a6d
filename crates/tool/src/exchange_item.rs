//! `exchange_item`: a thing changes hands in a dialogue: both sides or neither.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Check, Holder, ItemExchanged, Seat};
use twicetold_world::{Inventory, Npc, State, fold};

use crate::changes::{quantities, quantity};
use crate::dice::shorten;
use crate::menu::{Form, call, character_names, one_of, things};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean, in_dialogue, open_dialogue, text,
};

pub(crate) struct ExchangeItem;

/// Arguments of `exchange_item`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        in_dialogue(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let (_, npc) = open_dialogue(state)?;
        let wanted = text(state, "item_name", &arguments.item_name)?;
        let quantity = quantity(arguments.quantity)?;
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
        let check = Check::new("enough").with("has", has).with("item", item).with("asked", quantity);
        if *has < quantity {
            return Err(Rejection::new("not_enough").like(&check));
        }
        has_room(state, &receiver, item)?;
        Ok(Accepted::one(ItemExchanged { item: item.clone(), quantity, giver, receiver }).checked(check))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let Ok((_, npc)) = open_dialogue(state) else { return Vec::new() };
        let is_joined = |seat: Seat| state.dialogue().is_some_and(|open| open.joined.contains_key(&seat));
        let characters = character_names(state).filter(|(seat, _)| is_joined(*seat));
        let characters = characters.map(|(_, character)| Holder::Character(character.sheet.name.clone()));
        let holders: Vec<Holder> = std::iter::once(Holder::Npc(npc.id.clone())).chain(characters).collect();
        let is_found = |one: &&Holder| holder(state, npc, name(one)).as_ref() == Ok(*one);
        let holders: Vec<&Holder> = holders.iter().filter(is_found).collect();
        let pairs = holders.iter().flat_map(|giver| holders.iter().map(move |receiver| (*giver, *receiver)));
        pairs.filter(|(giver, receiver)| giver != receiver).flat_map(|pair| forms(state, pair)).collect()
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let npc = open_dialogue(state).ok().map(|(_, npc)| npc);
        let holder = |named: &str| npc.and_then(|npc| holder(state, npc, named).ok());
        let (giver, receiver) = (holder(&arguments.giver_id), holder(&arguments.receiver_id));
        let wanted = clean(&arguments.item_name);
        let item = giver.as_ref().and_then(|giver| inventory(state, giver)?.get(&wanted));
        let item = item.map_or(&wanted, |(item, ..)| item);
        vec![call(json!({
            "item_name": item,
            "quantity": arguments.quantity,
            "giver_id": giver.as_ref().map_or(arguments.giver_id.as_str(), name),
            "receiver_id": receiver.as_ref().map_or(arguments.receiver_id.as_str(), name),
        }))]
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

/// Rejects a thing of a new kind for somebody who carries as many kinds as anybody may.
pub(crate) fn has_room(state: &State, receiver: &Holder, item: &str) -> Result<(), Rejection> {
    let most = state.setup().limits.inventory_kinds_max as usize;
    match inventory(state, receiver) {
        Some(inventory) if inventory.get(item).is_none() && inventory.len() >= most => {
            let rejection = Rejection::new("inventory_kinds_max").with("kinds", inventory.len());
            Err(rejection.with("most", most))
        }
        _ => Ok(()),
    }
}

fn name(holder: &Holder) -> &str {
    match holder {
        Holder::Character(name) => name,
        Holder::Npc(id) => id,
    }
}

/// What one can hand to the other: a form for things of which there are equally many, because that is how many can change hands.
fn forms(state: &State, (giver, receiver): (&Holder, &Holder)) -> Vec<Form> {
    let Some(held) = inventory(state, giver) else { return Vec::new() };
    let mut by_count: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (item, has) in things(state, held).filter(|(item, _)| has_room(state, receiver, item).is_ok()) {
        by_count.entry(has).or_default().push(item);
    }
    let form = |(has, items): (u32, Vec<&str>)| {
        let form = Form::new().must("item_name", one_of(items));
        let form = form.may("quantity", quantities(has));
        form.must("giver_id", one_of([name(giver)])).must("receiver_id", one_of([name(receiver)]))
    };
    by_count.into_iter().map(form).collect()
}
