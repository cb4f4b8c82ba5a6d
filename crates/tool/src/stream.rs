//! The keys of draw streams: who draws, what for, and by which check. The one place that makes and reads them.
//!
//! ```text
//! stream  = owner " " purpose
//! owner   = "dm"                       the world's dice
//!         | "player-" number           the character of that seat
//!         | "npc:" id                  somebody whom an encounter's file lists
//!         | "npc#" place               somebody who came up in play, by the place in the order of coming up, from 1
//!         | "foe:" monster "-" number  a foe of the bestiary in a combat
//!         | "encounter:" id            what an encounter leaves to chance
//! purpose = "roll" | "attack" | "initiative" | "morale"
//!         | "check " ability or name of the encounter's check
//!         | "save " ability
//!         | "harm " name of the encounter's check
//!         | "spell " id | "item " id
//!         | "sheet" | "name"           a character for a seat without one; a name for somebody new
//!         | "detail " key              of an encounter
//! ```
//!
//! A key holds ids of the charter and places alone, never a name or an id that a model chose: another name changes nobody's luck.
//! An attack that hits takes two draws of its stream, the second for the damage.

use std::borrow::Cow;

use twicetold_event::{Foe, Seat};
use twicetold_world::State;
use twicetold_world::setup::{CheckSpec, Setup};

use crate::dice::Dice;

/// What a seat or somebody in a combat draws for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Throw<'a> {
    Roll,
    /// An ability, or the name of the encounter's check.
    Check(&'a str),
    /// The name of the encounter's check that has failed.
    Harm(&'a str),
    /// An ability.
    Save(&'a str),
    Attack,
    Initiative,
    Morale,
    /// An id of the rules pack.
    Spell(&'a str),
    /// An id of the rules pack.
    Item(&'a str),
}

impl Throw<'_> {
    /// The stream of this owner's throws.
    pub(crate) fn of(self, owner: &str) -> String {
        match self {
            Throw::Roll => format!("{owner} roll"),
            Throw::Check(check) => format!("{owner} check {check}"),
            Throw::Harm(check) => format!("{owner} harm {check}"),
            Throw::Save(ability) => format!("{owner} save {ability}"),
            Throw::Attack => format!("{owner} attack"),
            Throw::Initiative => format!("{owner} initiative"),
            Throw::Morale => format!("{owner} morale"),
            Throw::Spell(id) => format!("{owner} spell {id}"),
            Throw::Item(id) => format!("{owner} item {id}"),
        }
    }
}

/// The owner that a seat is.
pub(crate) fn seat(seat: Seat) -> String {
    seat.slug()
}

/// The owner that a character is, by its name; the world for one that nobody plays.
pub(crate) fn character(state: &State, name: &str) -> String {
    seat(state.character_named(name).map_or(Seat::Dm, |(seat, _)| seat))
}

/// The owner that a foe is.
pub(crate) fn foe(state: &State, foe: &Foe) -> String {
    if foe.npc.is_empty() {
        return format!("foe:{}", foe.id);
    }
    match is_listed(state.setup(), &foe.npc) {
        true => format!("npc:{}", foe.npc),
        false => format!("npc#{}", state.npcs().place(&foe.npc).map_or(0, |place| place + 1)),
    }
}

/// The owner that somebody in the combat being fought is: a foe by its id, else a character by its name.
pub(crate) fn combatant(state: &State, named: &str) -> String {
    match state.combat().and_then(|combat| combat.foe(named)) {
        Some(known) => foe(state, &known.foe),
        None => character(state, named),
    }
}

/// The stream of a sheet for a seat whose player wrote none.
pub fn sheet(owner: Seat) -> String {
    format!("{} sheet", seat(owner))
}

/// The stream of names for those who come up in play.
pub(crate) fn name() -> String {
    format!("{} name", seat(Seat::Dm))
}

/// The stream of a detail that an encounter leaves to chance.
pub fn detail(encounter: &str, key: &str) -> String {
    format!("encounter:{encounter} detail {key}")
}

fn checks(setup: &Setup) -> impl Iterator<Item = &CheckSpec> {
    setup.encounters.iter().flat_map(|spec| &spec.checks)
}

fn is_listed(setup: &Setup, npc: &str) -> bool {
    setup.encounters.iter().flat_map(|spec| &spec.npcs).any(|listed| listed.id == npc)
}

/// Is this the key of a stream that a campaign with this setup may draw from?
pub fn is_known(setup: &Setup, key: &str) -> bool {
    let Some((owner, purpose)) = key.split_once(' ') else { return false };
    let (purpose, what) = purpose.split_once(' ').map_or((purpose, None), |(verb, what)| (verb, Some(what)));
    let rules = &setup.rules;
    let ability = |what: &str| rules.pack.abilities.names.iter().any(|name| name == what);
    let check = |what: &str| checks(setup).any(|one| one.name == what);
    let harmful = |what: &str| checks(setup).any(|one| one.name == what && one.harm.is_some());
    let purpose_fits = match (purpose, what) {
        ("roll" | "attack" | "initiative" | "morale" | "sheet" | "name", None) => true,
        ("check", Some(what)) => ability(what) || check(what),
        ("harm", Some(what)) => harmful(what),
        ("save", Some(what)) => ability(what),
        ("spell", Some(what)) => rules.spells.iter().any(|spell| spell.id == what),
        ("item", Some(what)) => rules.items.iter().any(|item| item.id == what),
        ("detail", Some(_)) => owner.starts_with("encounter:"),
        _ => false,
    };
    purpose_fits && is_owner(setup, owner, what)
}

fn is_owner(setup: &Setup, owner: &str, what: Option<&str>) -> bool {
    if let Some(id) = owner.strip_prefix("encounter:") {
        let spec = setup.encounters.iter().find(|spec| spec.id == id);
        return spec.is_some_and(|spec| spec.randoms.iter().any(|random| Some(random.key.as_str()) == what));
    }
    if let Some(id) = owner.strip_prefix("npc:") {
        return is_listed(setup, id);
    }
    let is_place = |text: &str| text.parse::<u32>().is_ok_and(|place| place > 0);
    if let Some(place) = owner.strip_prefix("npc#") {
        return is_place(place);
    }
    if let Some((monster, number)) = owner.strip_prefix("foe:").and_then(|foe| foe.rsplit_once('-')) {
        return is_place(number) && setup.rules.monsters.iter().any(|known| known.id == monster);
    }
    owner == seat(Seat::Dm) || setup.players().any(|player| owner == seat(player))
}

/// The dice that every draw of a stream throws, where the setup tells it: a roll takes the dice that are asked for, an attack its weapon's.
pub fn dice<'a>(setup: &'a Setup, key: &str) -> Option<(&'a str, Dice)> {
    let (_, purpose) = key.split_once(' ')?;
    let (rules, limits) = (&setup.rules, &setup.limits);
    let either = |one: &'a Option<String>, other: &'a Option<String>| match (one, other) {
        (Some(dice), None) | (None, Some(dice)) => Some(dice.as_str()),
        _ => None,
    };
    let written = match purpose.split_once(' ').unwrap_or((purpose, "")) {
        ("check" | "save", _) => Some(rules.pack.check.dice.as_str()),
        ("harm", name) => {
            let mut harms =
                checks(setup).filter(|one| one.name == name).filter_map(|one| one.harm.as_deref());
            let first = harms.next()?;
            // Two encounters may have checks of one name.
            harms.all(|other| other == first).then_some(first)
        }
        ("initiative", _) => Some(rules.pack.combat.initiative_dice.as_str()),
        ("morale", _) => Some(rules.pack.combat.morale_dice.as_str()),
        ("spell", id) => {
            let spell = rules.spells.iter().find(|spell| spell.id == id)?;
            either(&spell.heal, &spell.damage)
        }
        ("item", id) => {
            let used = rules.items.iter().find(|item| item.id == id)?.consumable.as_ref()?;
            either(&used.heal, &used.damage)
        }
        _ => None,
    }?;
    Some((written, Dice::parse(written, limits.dice_max, limits.dice_sides_max).ok()?))
}

/// A few keys, for whoever asked for one that is none: those drawn from so far, before those of any campaign.
pub fn examples(state: &State) -> String {
    const SHOWN: usize = 6;
    let drawn = state.streams().map(Cow::Borrowed);
    let ability = state.setup().rules.pack.abilities.names.first();
    let first = seat(Seat::Player(1));
    let check = ability.map(|ability| Cow::Owned(Throw::Check(ability).of(&first)));
    let always = [Some(Throw::Roll.of(&seat(Seat::Dm)).into()), check].into_iter().flatten();
    let shown: Vec<Cow<'_, str>> = drawn.chain(always).take(SHOWN).collect();
    shown.join(", ")
}
