//! `roll_dice`: the engine rolls.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{DiceRolled, Event, Seat};
use twicetold_world::{Remembered, State, fold};

use crate::dice::{Dice, thrown};
use crate::menu::{Field, Form, bare, call, character_name, character_names, one_of, texts, words};
use crate::stream::{self, Throw};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, character, clean, own_character, standing,
    telling, text,
};

pub(crate) struct RollDice;

/// Arguments of `roll_dice`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// For example 3d8-1.
    dice: String,
    reason: String,
    /// Left out for the world.
    character: Option<String>,
}

impl Definition for RollDice {
    const NAME: &'static str = "roll_dice";
    const DESCRIPTION: &'static str = "Roll dice for what is left to chance.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        telling(state, seat)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let limits = &state.setup().limits;
        let dice = Dice::parse(&arguments.dice, limits.dice_max, limits.dice_sides_max)
            .map_err(|fault| fault.rejecting(Rejection::new("dice_not_understood"), &arguments.dice))?;
        let reason = text(state, "reason", &arguments.reason)?;
        let name = roller(state, caller, arguments.character.as_deref())?;
        let stream = Throw::Roll.of(&stream::character(state, &name));
        let counter = state.dice_counter(&stream);
        let faces = thrown(state.setup(), &stream, counter, dice);
        let total = faces.iter().map(|face| i32::from(*face)).sum::<i32>() + dice.modifier;
        let dice = arguments.dice.trim().to_owned();
        Ok(Accepted::one(DiceRolled { character: name, dice, stream, counter, faces, total, reason }))
    }

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        let can_act = |own: &twicetold_world::Character| own.stands();
        if matches!(seat, Seat::Player(_)) && !own_character(state, seat).is_ok_and(can_act) {
            return Vec::new();
        }
        let form = Form::new().must("dice", texts(Dice::WRITTEN_MAX)).must("reason", words(state));
        vec![form.may("character", rollers(state, seat))]
    }

    fn canonical(state: &State, seat: Seat, arguments: Arguments) -> Vec<Value> {
        let limits = &state.setup().limits;
        let dice = Dice::parse(&arguments.dice, limits.dice_max, limits.dice_sides_max);
        let dice = dice.map_or(arguments.dice, |dice| dice.to_string());
        let character = bare(arguments.character.as_deref()).map(|name| rolled_for(state, seat, name));
        vec![call(json!({"dice": dice, "reason": clean(&arguments.reason), "character": character}))]
    }
}

/// Is this a name, and not one by which a player calls its own character?
fn is_somebody(state: &State, own: Seat, name: &str) -> bool {
    let name = bare_name(name);
    let other = state.character_named(name).is_some_and(|(seat, _)| seat != own);
    let is_seat = fold(name) == fold(&own.to_string());
    let of_own = state.characters().get(&own).is_some_and(|own| {
        own.sheet.name.split(' ').any(|part| fold(part) == fold(name)) || fold(&own.sheet.name) == fold(name)
    });
    let is_me = name.is_empty() || ["i", "me", "myself", "self", "player"].contains(&fold(name).as_str());
    other || !(is_seat || of_own || is_me)
}

/// A name without what stands in brackets behind it: "Mira Holt (Player 1)".
fn bare_name(name: &str) -> &str {
    name.split_once('(').map_or(name, |(name, _)| name).trim()
}

/// Who rolls: a player only for its own character; the DM only for a character who has acted, or for the world.
pub(crate) fn roller(state: &State, caller: Caller, name: Option<&str>) -> Result<String, Rejection> {
    match caller.seat {
        Seat::Player(_) => {
            let own = own_character(state, caller.seat)?;
            // A player has one character: whatever else is written there means that one, unless it is somebody.
            if let Some(name) = name.filter(|name| is_somebody(state, caller.seat, name)) {
                let (seat, _) = character(state, bare_name(name))?;
                if seat != caller.seat {
                    let rejection = Rejection::new("not_your_character").quoting("character", name, 60);
                    return Err(rejection.with("own", &own.sheet.name));
                }
            }
            standing(own)?;
            Ok(own.sheet.name.clone())
        }
        _ => {
            let Some(name) = name.filter(|name| !name.trim().is_empty()) else { return Ok(String::new()) };
            let (seat, character) = character(state, name)?;
            let (spoke, since) = spoke(state, seat);
            if !has_acted(state, seat) {
                let rejection = Rejection::new("character_has_not_acted");
                let rejection = rejection.with("character", &character.sheet.name).with("acted", spoke);
                return Err(rejection.with("spoke", since));
            }
            standing(character)?;
            Ok(character.sheet.name.clone())
        }
    }
}

/// When a seat spoke last, and the DM before this turn: what the DM says beside a call is no answer yet.
fn spoke(state: &State, seat: Seat) -> (u32, u32) {
    let last = |seat| state.table().last_spoke.get(&seat).copied().unwrap_or(0);
    let now = state.turn().number;
    let earlier = |kept: &&Remembered| {
        kept.turn < now && matches!(&kept.event, Event::MessageSpoken(word) if word.seat == Seat::Dm)
    };
    let since = match last(Seat::Dm) {
        turn if turn == now => {
            let history = state.history();
            // The DM speaks for the people of dialogues, too.
            let talks = state.npcs().all().flat_map(|npc| &npc.history.kept);
            let told = history.main.iter().chain(&history.session_zero).chain(talks).filter(earlier);
            told.map(|kept| kept.turn).max().unwrap_or_default()
        }
        turn => turn,
    };
    (last(seat), since)
}

/// Has a player acted since the DM spoke?
fn has_acted(state: &State, seat: Seat) -> bool {
    let (spoke, since) = spoke(state, seat);
    spoke >= since && spoke > 0
}

/// For whom a call rolls, as it is listed: a player for their own character, whatever name stands there.
pub(crate) fn rolled_for(state: &State, caller: Seat, named: &str) -> String {
    let own = state.characters().get(&caller).map(|character| character.sheet.name.clone());
    own.unwrap_or_else(|| character_name(state, named))
}

/// The characters for whom a seat may roll.
pub(crate) fn rollers(state: &State, caller: Seat) -> Field {
    one_of(roller_names(state, caller))
}

/// Their names.
pub(crate) fn roller_names(state: &State, caller: Seat) -> impl Iterator<Item = &String> {
    let may = move |seat: Seat| if caller == Seat::Dm { has_acted(state, seat) } else { seat == caller };
    let found = character_names(state).filter(move |(seat, character)| may(*seat) && character.stands());
    found.map(|(_, character)| &character.sheet.name)
}
