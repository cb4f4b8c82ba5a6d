//! The characters and what the party has written down about itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use twicetold_event::{Section, Sheet, Text};

use super::Origin;

/// A character as it stands now.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Character {
    /// As it was at the start.
    pub sheet: Sheet,
    /// Hit points now.
    pub hit_points: i64,
    /// Gold now.
    pub gold: i64,
    /// What it carries: folded name to name as written, quantity and origin.
    pub inventory: BTreeMap<String, (String, u32, Origin)>,
    /// Conditions.
    pub conditions: BTreeSet<String>,
    /// Where the sheet was accepted.
    pub accepted: Origin,
    /// Where a number or condition last changed.
    pub changed: Origin,
}

impl Character {
    /// The first word of the name.
    pub fn first_name(&self) -> &str {
        self.sheet.name.split_whitespace().next().unwrap_or(&self.sheet.name)
    }
}

/// The party document.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PartyDocument {
    /// Its sections as they stand now. Earlier versions are in the journal.
    pub sections: BTreeMap<Section, SectionText>,
    /// The turn of the last change.
    pub turn: u32,
}

/// A section of the party document.
#[derive(Clone, Debug, Serialize)]
pub struct SectionText {
    /// Counted from 1.
    pub version: u32,
    /// Its text.
    pub text: Text,
    /// Where it was written.
    pub origin: Origin,
}

/// A name for comparing: lower case, white space folded.
pub fn fold(name: &str) -> String {
    name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
