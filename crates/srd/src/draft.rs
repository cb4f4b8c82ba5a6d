//! A rules pack on its way from a source to files, and the list of what found no place in it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use twicetold_world::setup::PackSource;

use crate::limits::ID_CHARACTERS_MAX;

/// A pack, by the ids of what is in it: everything has its own.
#[derive(Debug)]
pub struct Draft {
    /// `pack.toml`.
    pub pack: Pack,
    /// Classes.
    pub classes: BTreeMap<String, Class>,
    /// What the engine has numbers for.
    pub items: BTreeMap<String, Item>,
    /// Foes.
    pub monsters: BTreeMap<String, Monster>,
    /// Spells.
    pub spells: BTreeMap<String, Spell>,
    /// Other pages, by path.
    pub topics: BTreeMap<String, Topic>,
    /// Ready characters.
    pub characters: Vec<Character>,
    /// What could not be mapped.
    pub unmapped: Unmapped,
}

impl Draft {
    /// Adds a page; a second one under its path is told of and left out.
    pub fn topic(&mut self, path: String, topic: Topic) {
        if self.topics.contains_key(&path) {
            self.unmapped.note("pages", "another page has its path", path);
            return;
        }
        self.topics.insert(path.clone(), Topic { path, ..topic });
    }

    /// The files of the pack, as TOML, by their names in its folder.
    ///
    /// # Errors
    /// Something in it cannot be said in TOML.
    pub fn files(&self) -> Result<BTreeMap<&'static str, String>, toml::ser::Error> {
        Ok(BTreeMap::from([
            ("pack.toml", toml::to_string_pretty(&self.pack)?),
            ("classes.toml", entries("class", self.classes.values())?),
            ("equipment.toml", entries("item", self.items.values())?),
            ("monsters.toml", entries("monster", self.monsters.values())?),
            ("spells.toml", entries("spell", self.spells.values())?),
            ("topics.toml", entries("topic", self.topics.values())?),
            (READY, entries("character", &self.characters)?),
        ]))
    }
}

/// The file of ready characters. They are no part of any document.
pub const READY: &str = "pregenerated.toml";

fn entries<T: Serialize>(
    kind: &str,
    entries: impl IntoIterator<Item = T>,
) -> Result<String, toml::ser::Error> {
    toml::to_string_pretty(&BTreeMap::from([(kind, entries.into_iter().collect::<Vec<T>>())]))
}

/// What found no place in a pack: for each kind and reason, whom it concerns.
#[derive(Debug, Default)]
pub struct Unmapped {
    /// In the order of kinds and reasons. Nobody: it concerns all of the kind.
    pub reasons: BTreeMap<(&'static str, String), BTreeSet<String>>,
}

impl Unmapped {
    /// Something about one of a kind.
    pub fn note(&mut self, kind: &'static str, reason: impl Into<String>, whom: impl Into<String>) {
        self.reasons.entry((kind, reason.into())).or_default().insert(whom.into());
    }

    /// Something about all of a kind.
    pub fn general(&mut self, kind: &'static str, reason: impl Into<String>) {
        self.reasons.entry((kind, reason.into())).or_default();
    }

    /// How many entries the list has.
    pub fn count(&self) -> usize {
        self.reasons.values().map(|whom| whom.len().max(1)).sum()
    }
}

/// An id as packs have it, out of what a source calls something; nothing when it cannot be one.
pub fn id(text: &str) -> Option<String> {
    let folded = text.trim().to_ascii_lowercase().replace(['_', ' '], "-");
    let fits = folded.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    (fits && !folded.is_empty() && folded.len() <= ID_CHARACTERS_MAX).then_some(folded)
}

/// `pack.toml`.
#[derive(Debug, Serialize)]
pub struct Pack {
    pub id: String,
    pub title: String,
    pub version: String,
    pub license: String,
    pub about: String,
    pub starting_gold: i64,
    pub source: PackSource,
    pub abilities: Abilities,
    pub modifier: Vec<Modifier>,
    pub check: Check,
    pub armor_class: ArmorClass,
    pub hit_points: HitPoints,
    pub combat: Combat,
}

#[derive(Debug, Serialize)]
pub struct Abilities {
    pub names: Vec<&'static str>,
    pub min: u8,
    pub max: u8,
    pub full: BTreeMap<&'static str, &'static str>,
}

#[derive(Debug, Serialize)]
pub struct Modifier {
    pub up_to: u8,
    pub bonus: i32,
}

#[derive(Debug, Serialize)]
pub struct Check {
    pub dice: &'static str,
    pub success: &'static str,
    pub difficulties: BTreeMap<&'static str, i32>,
}

#[derive(Debug, Serialize)]
pub struct ArmorClass {
    pub base: u8,
}

#[derive(Debug, Serialize)]
pub struct HitPoints {
    pub minimum: u16,
    pub ability: &'static str,
}

/// What the pack says of fights; the rest is the engine's own.
#[derive(Debug, Serialize)]
pub struct Combat {
    pub unarmed_damage: &'static str,
    pub npc_armor_class: u8,
    pub npc_hit_points: u16,
    pub npc_attack_bonus: i32,
    pub npc_damage: String,
    pub npc_morale: i32,
}

#[derive(Debug, Default, Serialize)]
pub struct Class {
    pub id: String,
    pub name: String,
    pub hit_die: u8,
    pub prime_ability: String,
    pub equipment: Vec<String>,
    pub starting: Vec<String>,
    pub restrictions: Vec<String>,
    pub summary: String,
    pub stats: String,
    pub full: String,
}

#[derive(Debug, Default, Serialize)]
pub struct Item {
    pub id: String,
    pub name: String,
    pub kind: &'static str,
    pub cost: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub armor_class: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub armor_bonus: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ability: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heal: Option<String>,
    pub summary: String,
    /// Something that is found and not bought: no new character may list it.
    #[serde(skip)]
    pub treasure: bool,
}

#[derive(Debug, Default, Serialize)]
pub struct Monster {
    pub id: String,
    pub name: String,
    pub armor_class: u8,
    pub hit_points: u16,
    pub initiative: i32,
    pub morale: i32,
    pub summary: String,
    pub stats: String,
    pub full: String,
    pub saves: BTreeMap<&'static str, i32>,
    pub attack: Vec<Attack>,
}

#[derive(Debug, Default, Serialize)]
pub struct Attack {
    pub name: String,
    pub bonus: i32,
    pub damage: String,
}

#[derive(Debug, Default, Serialize)]
pub struct Spell {
    pub id: String,
    pub name: String,
    pub classes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub save: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<i32>,
    pub uses_per_encounter: u32,
    pub summary: String,
    pub stats: String,
    pub full: String,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Topic {
    pub path: String,
    pub title: String,
    pub summary: String,
    pub stats: String,
    pub full: String,
}

#[derive(Debug, Serialize)]
pub struct Character {
    pub name: &'static str,
    pub class: String,
    pub hp: u16,
    pub ac: u8,
    pub equipment: Vec<String>,
    pub background: String,
    pub pitch: String,
    pub secret: String,
    pub abilities: BTreeMap<&'static str, u8>,
}
