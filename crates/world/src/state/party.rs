//! The characters and what the party has written down about itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twicetold_event::{Fate, Section, Sheet, Text};

use super::Origin;

/// A character as it stands now.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Character {
    /// As it was at the start.
    pub sheet: Sheet,
    /// Hit points now.
    pub hit_points: i64,
    /// Gold now.
    pub gold: i64,
    /// What it carries.
    pub inventory: Inventory,
    /// As if a later build had added it.
    #[cfg(feature = "new-field")]
    pub new_field: Option<u32>,
    /// The turn since which it is at 0 hit points.
    pub down: Option<u32>,
    /// What became of it, once it is out of the story.
    pub lost: Option<Fate>,
    /// Where the hit points last changed.
    pub hit_points_changed: Origin,
    /// Where the gold last changed.
    pub gold_changed: Origin,
    /// Conditions with where each began.
    pub conditions: BTreeMap<String, Origin>,
    /// Where the sheet was accepted.
    pub accepted: Origin,
    /// Where a number or condition last changed.
    pub changed: Origin,
}

/// Things that somebody carries: folded name to name as written, quantity and origin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Inventory(pub(super) BTreeMap<String, (String, u32, Origin)>);

impl Inventory {
    /// More of something.
    pub(crate) fn give(&mut self, item: &str, quantity: u32, origin: Origin) {
        let kept = self.0.entry(fold(item)).or_insert_with(|| (item.to_owned(), 0, origin));
        kept.1 = kept.1.saturating_add(quantity);
        kept.2 = origin;
    }

    /// Less of something; what is used up is gone.
    pub(crate) fn take(&mut self, item: &str, quantity: u32, origin: Origin) {
        let Some(kept) = self.0.get_mut(&fold(item)) else { return };
        kept.1 = kept.1.saturating_sub(quantity);
        kept.2 = origin;
        if kept.1 == 0 {
            self.0.remove(&fold(item));
        }
    }

    /// Something by its name, case and white space folded: the name as written, how many, since when.
    pub fn get(&self, item: &str) -> Option<&(String, u32, Origin)> {
        self.0.get(&fold(item))
    }

    /// Everything, in order of folded names.
    pub fn values(&self) -> impl Iterator<Item = &(String, u32, Origin)> {
        self.0.values()
    }

    /// How many kinds of things.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there nothing?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Character {
    /// Can it act?
    pub fn stands(&self) -> bool {
        self.hit_points > 0 && self.lost.is_none()
    }

    /// The first word of the name that is no title: nobody answers to "The".
    pub fn first_name(&self) -> &str {
        let is_title = |word: &&str| TITLES.contains(&word.trim_end_matches('.').to_lowercase().as_str());
        self.sheet.name.split_whitespace().find(|word| !is_title(word)).unwrap_or(&self.sheet.name)
    }
}

/// What stands before names and is none.
const TITLES: [&str; 24] = [
    "the", "a", "an", "old", "young", "little", "big", "mr", "mrs", "ms", "miss", "dr", "sir", "lord",
    "lady", "captain", "sergeant", "doctor", "master", "father", "mother", "brother", "sister", "saint",
];

/// The party document.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct PartyDocument {
    /// Its sections as they stand now. Earlier versions are in the journal.
    pub sections: BTreeMap<Section, SectionText>,
    /// The turn of the last change.
    pub turn: u32,
}

/// A section of the party document.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct SectionText {
    /// Counted from 1.
    pub version: u32,
    /// Its entries, oldest first. None is ever deleted.
    pub entries: Vec<SectionEntry>,
}

/// An entry of a section.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SectionEntry {
    /// Its text.
    pub text: Text,
    /// The turn in which it was written or revised.
    pub turn: u32,
    /// Where it was written or revised.
    pub origin: Origin,
}

impl SectionText {
    /// Where it changed last.
    pub fn changed(&self) -> Origin {
        self.entries.iter().map(|entry| entry.origin).max().unwrap_or_default()
    }
}

/// A name for comparing: lower case, white space folded.
pub fn fold(name: &str) -> String {
    name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// A name or an id without its marks, in small letters: models write `boat_back` and `Boat-Back` for `boat-back`.
pub fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
