//! The party document and the characters as they stand.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use twicetold_event::{Seat, Section};
use twicetold_world::{SectionEntry, State};

use crate::{Replies, words};

/// The party document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PartyPage {
    /// What everybody knows of the adventure.
    pub scenario: String,
    /// What the DM alone knows.
    pub scenario_for_the_dm: String,
    /// Its sections, the DM's last.
    pub sections: Vec<SectionPage>,
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SectionPage {
    /// Lower-case name.
    #[schemars(schema_with = "section")]
    pub section: &'static str,
    /// Counted from 1; earlier ones are shown by `--at`.
    pub version: u32,
    /// The number that changed it last.
    pub written: u64,
    /// Its entries, oldest first.
    pub entries: Vec<EntryLine>,
}

fn section(_: &mut SchemaGenerator) -> Schema {
    let names = Section::ALL.map(Section::name);
    json_schema!({ "type": "string", "enum": names })
}

/// An entry of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EntryLine {
    /// The number that wrote or revised it.
    pub written: u64,
    /// The turn in which that was.
    pub turn: u32,
    /// Its text.
    pub text: String,
}

/// A character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CharacterPage {
    /// Whose.
    pub seat: Seat,
    /// Name.
    pub name: String,
    /// Class.
    pub class: String,
    /// Scores, as `STR 15`.
    pub abilities: Vec<String>,
    /// Hit points now and at the start.
    pub hit_points: (i64, u16),
    /// Armour class.
    pub armor_class: u8,
    /// Gold.
    pub gold: i64,
    /// What it carries, with quantities.
    pub inventory: Vec<(String, u32)>,
    /// Conditions.
    pub conditions: Vec<String>,
    /// Who it was.
    pub background: String,
    /// What its owner and the DM alone know.
    pub secret: String,
}

/// The party document of a state.
pub fn party(state: &State, replies: &dyn Replies) -> PartyPage {
    let scenario = state.session_zero().scenario.as_ref();
    let part = |dm: bool| {
        scenario.map_or_else(String::new, |(_, set)| {
            words(replies, if dm { &set.dm } else { &set.public }).to_owned()
        })
    };
    let entry = |kept: &SectionEntry| EntryLine {
        written: kept.origin.0.0,
        turn: kept.turn,
        text: words(replies, &kept.text).trim().to_owned(),
    };
    let sections = state.document().sections.iter().map(|(section, kept)| SectionPage {
        section: section.name(),
        version: kept.version,
        written: kept.changed().0.0,
        entries: kept.entries.iter().map(entry).collect(),
    });
    PartyPage { scenario: part(false), scenario_for_the_dm: part(true), sections: sections.collect() }
}

/// The characters of a state.
pub fn characters(state: &State) -> Vec<CharacterPage> {
    let rules = &state.setup().rules;
    let page = |(seat, character): (&Seat, &twicetold_world::Character)| {
        let sheet = &character.sheet;
        let scores = rules.pack.abilities.names.iter().zip(&sheet.abilities);
        CharacterPage {
            seat: *seat,
            name: sheet.name.clone(),
            class: rules.class(&sheet.class).map_or_else(|| sheet.class.clone(), |class| class.name.clone()),
            abilities: scores.map(|(name, score)| format!("{name} {score}")).collect(),
            hit_points: (character.hit_points, sheet.hit_points),
            armor_class: sheet.armor_class,
            gold: character.gold,
            inventory: character.inventory.values().map(|(name, count, _)| (name.clone(), *count)).collect(),
            conditions: character.conditions.keys().cloned().collect(),
            background: sheet.background.clone(),
            secret: sheet.secret.clone(),
        }
    };
    state.characters().iter().map(page).collect()
}
