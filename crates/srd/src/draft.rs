//! A rules pack on its way from a source to files, and the list of what found no place in it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use twicetold_world::setup::{Class, Item, Monster, Pack, PackSource, Pregenerated, Spell, Topic};

use crate::limits::ID_CHARACTERS_MAX;

/// A pack, by the ids of what is in it: everything has its own.
#[derive(Debug)]
pub struct Draft {
    /// `pack.toml`.
    pub pack: Pack,
    /// Where all of it comes from; the pack says so too.
    pub source: PackSource,
    /// Classes.
    pub classes: BTreeMap<String, Class>,
    /// What the engine has numbers for.
    pub items: BTreeMap<String, Item>,
    /// Items that are found and not bought: no new character may list them.
    pub treasures: BTreeSet<String>,
    /// Foes.
    pub monsters: BTreeMap<String, Monster>,
    /// Spells.
    pub spells: BTreeMap<String, Spell>,
    /// Other pages, by path.
    pub topics: BTreeMap<String, Topic>,
    /// Ready characters.
    pub characters: Vec<Pregenerated>,
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
