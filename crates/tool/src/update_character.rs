//! `update_character`: what a character of the party gains, loses and suffers.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::*;
use twicetold_world::{Character, State, fold};

use crate::changes::{
    Changes, Texts, added, clamped, condition_not_there, conditions, is_found, quantities, quantity, removed,
};
use crate::menu::{Form, call, character_name, character_names, integer, list, one_of, things, words};
use crate::tool::{Caller, Decision, Definition, Follow, Rejection, character, clean, narrating, text};

/// Conditions of one call: more is a novel, not an update.
const CONDITIONS_MAX: usize = 20;
/// Gold of a character, and experience of the party.
const WEALTH_MAX: i64 = 10_000_000;

pub(crate) struct UpdateCharacter;

/// Arguments of `update_character`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    character: String,
    /// Negative for wounds.
    hp_delta: Option<i64>,
    gold_delta: Option<i64>,
    item_gained: Option<String>,
    item_lost: Option<String>,
    quantity: Option<i64>,
    /// For the whole party.
    xp_gained: Option<i64>,
    /// For example frightened.
    conditions_add: Option<Texts>,
    conditions_remove: Option<Texts>,
}

impl Definition for UpdateCharacter {
    const NAME: &'static str = "update_character";
    const DESCRIPTION: &'static str = "Record what a character gained, lost or suffered.";
    const FOLLOW: Follow = Follow::Records;
    const ADDS_UP: bool = true;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let (_, found) = character(state, &arguments.character)?;
        let character = || found.sheet.name.clone();
        let mut changes = Changes::new(state);
        handed(state, found, &arguments, &mut changes)?;
        if let Some(asked) = arguments.hp_delta {
            let (applied, now) = clamped(found.hit_points, asked, found.sheet.hit_points.into());
            if found.lost == Some(Fate::Dies) {
                return Err(Rejection::new("character_dead").with("character", &found.sheet.name));
            }
            changes.push(HitPointsChanged { character: character(), asked, applied, now });
        }
        if let Some(asked) = arguments.gold_delta {
            let (applied, now) = clamped(found.gold, asked, WEALTH_MAX);
            changes.push(GoldChanged { character: character(), asked, applied, now });
        }
        if let Some(asked) = arguments.xp_gained {
            let before = state.facts().experience;
            let now = before.saturating_add(asked.max(0)).min(WEALTH_MAX);
            changes.push(ExperienceGained { asked, applied: now - before, now });
        }
        for condition in conditions(state, ("conditions_add", arguments.conditions_add), CONDITIONS_MAX)? {
            changes.push(ConditionAdded { character: character(), condition });
        }
        for condition in
            conditions(state, ("conditions_remove", arguments.conditions_remove), CONDITIONS_MAX)?
        {
            if !found.conditions.contains_key(&condition) {
                return Err(condition_not_there(&found.sheet.name, &condition));
            }
            changes.push(ConditionRemoved { character: character(), condition });
        }
        changes.done()
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let somebody = || {
            let names = character_names(state).map(|(_, character)| &character.sheet.name);
            Form::new().must("character", one_of(names))
        };
        let mut forms = gains(state);
        forms.extend(character_names(state).map(|(_, character)| {
            let held = things(state, &character.inventory).map(|(item, _)| item);
            one(character).must("item_lost", one_of(held)).may("quantity", quantities(u32::MAX))
        }));
        forms.extend(["gold_delta", "xp_gained"].map(|field| somebody().must(field, integer())));
        let alive = character_names(state).filter(|(_, character)| character.lost != Some(Fate::Dies));
        let alive = one_of(alive.map(|(_, character)| &character.sheet.name));
        forms.push(Form::new().must("character", alive).must("hp_delta", integer()));
        forms.push(somebody().must("conditions_add", list(1, words(state))));
        forms.extend(character_names(state).map(|(_, character)| {
            let conditions = character.conditions.keys().filter(|condition| is_found(state, condition));
            one(character).must("conditions_remove", list(1, one_of(conditions)))
        }));
        forms
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let held = state.character_named(&arguments.character).map(|(_, found)| &found.inventory);
        let listed = |item: &str| {
            let kept = held.and_then(|held| held.get(item));
            kept.map_or_else(|| item.to_owned(), |(name, ..)| name.clone())
        };
        let gained = arguments.item_gained.map(|item| listed(&clean(&item)));
        let lost = arguments.item_lost.map(|item| listed(&clean(&item)));
        // What was gained by the same call has the name that it was given there.
        let is_gained = |lost: &String| gained.as_ref().filter(|gained| fold(gained) == fold(lost)).cloned();
        let lost = lost.map(|lost| is_gained(&lost).unwrap_or(lost));
        let quantity = arguments.quantity;
        let mut parts: Vec<Value> = Vec::new();
        parts.extend(gained.map(|item| json!({"item_gained": item, "quantity": quantity})));
        parts.extend(lost.map(|item| json!({"item_lost": item, "quantity": quantity})));
        let numbers = [
            ("hp_delta", arguments.hp_delta),
            ("gold_delta", arguments.gold_delta),
            ("xp_gained", arguments.xp_gained),
        ];
        parts.extend(numbers.into_iter().filter_map(|(field, number)| Some(json!({field: number?}))));
        parts.extend(added(arguments.conditions_add).map(|begun| json!({"conditions_add": [begun]})));
        parts.extend(removed(arguments.conditions_remove).map(|ended| json!({"conditions_remove": [ended]})));
        let character = character_name(state, &arguments.character);
        for part in &mut parts {
            part["character"] = character.as_str().into();
        }
        parts.into_iter().map(call).collect()
    }
}

/// What is gained is there to be lost by the same call.
fn handed(
    state: &State,
    found: &Character,
    arguments: &Arguments,
    changes: &mut Changes<'_>,
) -> Result<(), Rejection> {
    let name = &found.sheet.name;
    let held = |item: &str| found.inventory.get(item).map_or(0, |kept| kept.1);
    let mut gained = None;
    if let Some(item) = &arguments.item_gained {
        let (item, quantity) = (text(state, "item_gained", item)?, quantity(arguments.quantity)?);
        let (kinds, most) = (found.inventory.len(), state.setup().limits.inventory_kinds_max as usize);
        if held(&item) == 0 && kinds >= most {
            let rejection = Rejection::new("inventory_kinds_max").with("carrier", name);
            return Err(rejection.with("kinds", kinds).with("most", most));
        }
        gained = Some((fold(&item), quantity));
        changes.push(ItemAdded { character: name.clone(), item, quantity });
    }
    if let Some(item) = &arguments.item_lost {
        let (item, asked) = (text(state, "item_lost", item)?, quantity(arguments.quantity)?);
        let new = gained.filter(|(gained, _)| *gained == fold(&item)).map_or(0, |(_, quantity)| quantity);
        let applied = asked.min(held(&item).saturating_add(new));
        if applied == 0 {
            return Err(Rejection::new("item_not_there").with("character", name).quoting("item", &item, 60));
        }
        changes.push(ItemRemoved { character: name.clone(), item, asked, applied });
    }
    Ok(())
}

fn one(character: &Character) -> Form {
    Form::new().must("character", one_of([&character.sheet.name]))
}

/// What characters can gain: anything, or more of what they have where they carry as many kinds as they may.
fn gains(state: &State) -> Vec<Form> {
    let most = state.setup().limits.inventory_kinds_max as usize;
    let all = character_names(state).map(|(_, character)| character);
    let (free, full): (Vec<&Character>, Vec<&Character>) =
        all.partition(|character| character.inventory.len() < most);
    let anybody = Form::new().must("character", one_of(free.iter().map(|character| &character.sheet.name)));
    let anything = anybody.must("item_gained", words(state));
    let more = full.into_iter().map(|character| {
        let held = things(state, &character.inventory).map(|(item, _)| item);
        one(character).must("item_gained", one_of(held))
    });
    std::iter::once(anything).chain(more).map(|form| form.may("quantity", quantities(u32::MAX))).collect()
}
