//! `whisper`: a player says something that one other alone hears.

use serde::Deserialize;
use serde_json::{Value, json};
use twicetold_event::{Audience, Channel, MessageSpoken, Seat, Text};
use twicetold_world::State;

use crate::menu::{Form, one_of, words};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, clean_lines, lines_within, player_in_play,
};

pub(crate) struct Whisper;

/// Arguments of `whisper`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// DM, or the name of another player's character.
    to: String,
    /// What you whisper.
    text: String,
}

impl Definition for Whisper {
    const NAME: &'static str = "whisper";
    const DESCRIPTION: &'static str =
        "Say something that one other alone hears: the DM, or another player. Nobody else learns of it.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        player_in_play(state, seat)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let words = lines_within("text", &arguments.text, state.setup().limits.argument_bytes_max as usize)?;
        let to = listener(state, caller.seat, &arguments.to)?;
        if to == caller.seat {
            return Err(Rejection::new("same_holder"));
        }
        let audience = Audience::Seats([caller.seat, to].into());
        let channel = Channel::Whisper(caller.seat, to);
        Ok(Accepted::one(MessageSpoken { seat: caller.seat, channel, audience, text: Text::Written(words) }))
    }

    fn legal(state: &State, seat: Seat) -> Vec<Form> {
        let others = std::iter::once(Seat::Dm).chain(state.setup().players()).filter(|other| *other != seat);
        let listens = |other: Seat| {
            let name = name(state, seat, other);
            (listener(state, seat, &name) == Ok(other)).then_some(name)
        };
        vec![Form::new().must("to", one_of(others.filter_map(listens))).must("text", words(state))]
    }

    fn canonical(state: &State, seat: Seat, arguments: Arguments) -> Vec<Value> {
        let to = listener(state, seat, &arguments.to).map(|to| name(state, seat, to));
        vec![json!({"to": to.unwrap_or(arguments.to), "text": clean_lines(&arguments.text)})]
    }
}

fn listener(state: &State, caller: Seat, named: &str) -> Result<Seat, Rejection> {
    let wanted = named.trim();
    let reading = state.setup().reading_of(caller);
    let is_called = |seat: &Seat| reading.names(*seat).iter().any(|name| name.eq_ignore_ascii_case(wanted));
    let by_seat = std::iter::once(Seat::Dm).chain(state.setup().players()).find(is_called);
    let found = by_seat.or_else(|| state.character_named(wanted).map(|(seat, _)| seat));
    found.ok_or_else(|| {
        let names: Vec<String> = state.setup().players().map(|seat| state.seat_name(seat)).collect();
        Rejection::new("unknown_listener").quoting("name", wanted, 80).with("known", names.join(", "))
    })
}

/// What `other` is called by the caller: by its character, unless another one is meant by that name.
fn name(state: &State, caller: Seat, other: Seat) -> String {
    let character = state.characters().get(&other).map(|character| character.sheet.name.clone());
    let character = character.filter(|name| listener(state, caller, name) == Ok(other));
    let seat = || state.setup().reading_of(caller).names(other).into_iter().next();
    character.or_else(seat).unwrap_or_else(|| other.to_string())
}
