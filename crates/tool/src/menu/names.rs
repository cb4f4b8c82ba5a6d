//! What the state knows by name: the one name under which it is listed, and how a call's own name for it becomes that.
//!
//! Tools find somebody by more than one name, and one name may be hidden behind another: a list holds only those that find what they name.

use twicetold_event::Seat;
use twicetold_world::setup::CheckSpec;
use twicetold_world::{Character, Inventory, Npc, State};

use super::form::{Field, short_texts, texts};
use crate::tool::{clean, text};

/// A text of the caller's own.
pub(crate) fn words(state: &State) -> Field {
    texts(state.setup().limits.argument_bytes_max as usize)
}

/// A text of the caller's own that may be empty.
pub(crate) fn remark(state: &State) -> Field {
    short_texts(state.setup().limits.argument_bytes_max as usize)
}

/// Can a call hold these words as they are?
pub(crate) fn sayable(state: &State, words: &str) -> bool {
    text(state, "", words).is_ok_and(|said| said == words)
}

/// A text that may be empty, which is as good as left out.
pub(crate) fn given(words: Option<&str>) -> Option<String> {
    words.map(clean).filter(|words| !words.is_empty())
}

/// A text that is read without its outer white space; empty, it is left out.
pub(crate) fn bare(words: Option<&str>) -> Option<&str> {
    words.map(str::trim).filter(|words| !words.is_empty())
}

/// The party's characters.
pub(crate) fn character_names(state: &State) -> impl Iterator<Item = (Seat, &Character)> {
    let is_found = |seat: Seat, name: &str| state.character_named(name).is_some_and(|found| found.0 == seat);
    let all = state.characters().iter().map(|(seat, character)| (*seat, character));
    all.filter(move |(seat, character)| is_found(*seat, &character.sheet.name))
}

/// A character as it is listed.
pub(crate) fn character_name(state: &State, named: &str) -> String {
    let found = state.character_named(named);
    found.map_or_else(|| named.to_owned(), |(_, character)| character.sheet.name.clone())
}

/// The DM's characters.
pub(crate) fn npc_ids(state: &State) -> impl Iterator<Item = &Npc> {
    state.npcs().all().filter(|npc| state.npcs().named(&npc.id).is_some_and(|found| found.id == npc.id))
}

/// One of the DM's characters as it is listed.
pub(crate) fn npc_id(state: &State, named: &str) -> String {
    state.npcs().named(named).map_or_else(|| named.to_owned(), |npc| npc.id.clone())
}

/// What somebody carries, and how many.
pub(crate) fn things<'a>(state: &'a State, inventory: &'a Inventory) -> impl Iterator<Item = (&'a str, u32)> {
    let things = inventory.values().map(|(name, count, _)| (name.as_str(), *count));
    things.filter(|(name, count)| {
        *count > 0 && sayable(state, name) && inventory.get(name).is_some_and(|found| found.0 == *name)
    })
}

/// The abilities of the rules.
pub(crate) fn abilities(state: &State) -> impl Iterator<Item = &str> {
    let rules = &state.setup().rules;
    let names = rules.pack.abilities.names.iter().enumerate();
    names.filter(|(place, name)| rules.ability_index(name) == Some(*place)).map(|(_, name)| name.as_str())
}

/// An ability as it is listed.
pub(crate) fn ability_name(state: &State, named: &str) -> String {
    let rules = &state.setup().rules;
    let known = rules.ability_index(named).and_then(|place| rules.pack.abilities.names.get(place));
    known.cloned().unwrap_or_else(|| named.to_owned())
}

/// The encounter's own checks.
pub(crate) fn checks(state: &State) -> &[CheckSpec] {
    state.encounter_spec().map_or(&[][..], |spec| &spec.checks)
}
