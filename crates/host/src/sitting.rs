//! A person who takes a seat.

use twicetold_event::{Input, Seat, SeatAsked};
use twicetold_world::State;

use crate::words::{did_you_mean, short};
use crate::{Error, Kind};

/// A person who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitting {
    /// Where.
    pub seat: Seat,
    /// Who.
    pub name: String,
}

/// Characters of a person's name.
const NAME_CHARS_MAX: usize = 60;

impl Sitting {
    /// A person's wish to sit somewhere: `NAME` or `NAME=WHO`, where `me` is whoever plays.
    pub fn read(state: &State, wish: &str, me: &str) -> Result<Sitting, Error> {
        let (seat, who) = wish.split_once('=').unwrap_or((wish, "me"));
        let who = if who.trim().eq_ignore_ascii_case("me") { me } else { who };
        let name: String = short(who, NAME_CHARS_MAX);
        let name = if name.is_empty() { "a person".to_owned() } else { name };
        Ok(Sitting { seat: seat_named(state, seat)?, name })
    }

    /// What the table is told.
    pub fn input(&self) -> Input {
        Input::SeatAsked(SeatAsked { seat: self.seat, person: Some(self.name.clone()) })
    }
}

/// The seats that a person can take, each with its character.
pub fn seats_at(state: &State) -> Vec<String> {
    let named = |seat: Seat| match state.characters().get(&seat) {
        Some(character) => format!("{} ({})", seat.slug(), character.sheet.name),
        None => seat.slug(),
    };
    [Seat::Dm].into_iter().chain(state.setup().players()).map(named).collect()
}

/// The seat that is meant: by its own name, or by that of the character who is played there.
fn seat_named(state: &State, name: &str) -> Result<Seat, Error> {
    let folded = |text: &str| text.trim().to_lowercase().replace([' ', '_'], "-");
    let wanted = folded(name);
    let seats = || [Seat::Dm].into_iter().chain(state.setup().players());
    let by_seat = seats().find(|seat| seat.slug() == wanted || folded(&seat.to_string()) == wanted);
    let found = by_seat.or_else(|| state.character_named(name).map(|(seat, _)| seat));
    found.ok_or_else(|| {
        let people = state.characters().values().map(|character| character.sheet.name.clone());
        let known: Vec<String> = seats().map(|seat| seat.slug()).chain(people).collect();
        let near = did_you_mean(known.iter().map(String::as_str), name);
        let message = format!("there is no seat {name:?} at this table");
        Error::new(Kind::Usage, message, format!("{near}the seats are {}", seats_at(state).join(", ")))
    })
}
