//! `whisper`: a player says something that one other alone hears.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::{Audience, Channel, MessageSpoken, Seat, Text};
use twicetold_world::State;

use crate::tool::{Accepted, Caller, Decision, Definition, Follow, Rejection, player_in_play, text};

pub(crate) struct Whisper;

/// Arguments of `whisper`.
#[derive(Deserialize, JsonSchema)]
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
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        player_in_play(state, seat)
    }

    fn decide(state: &State, caller: Caller, arguments: Arguments) -> Decision {
        let words = text(state, "text", &arguments.text)?;
        let to = listener(state, caller.seat, &arguments.to)?;
        if to == caller.seat {
            return Err(Rejection::new("same_holder"));
        }
        let audience = Audience::Seats(vec![caller.seat, to]);
        let channel = Channel::Whisper(caller.seat, to);
        Ok(Accepted::one(MessageSpoken { seat: caller.seat, channel, audience, text: Text::Written(words) }))
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
