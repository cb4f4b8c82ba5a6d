//! Spells of SRD 5.1: those of new characters can be cast; the others are pages to read.

use std::collections::BTreeMap;

use serde::Deserialize;
use twicetold_world::setup::Spell;

use super::classes::Beginners;
use super::{Prose, Reference, records, sentence};
use crate::database::Database;
use crate::draft::Draft;
use crate::five;
use crate::roll::Roll;

const KIND: &str = "spells";

#[derive(Deserialize)]
struct Record {
    name: String,
    level: u8,
    #[serde(default)]
    desc: Prose,
    #[serde(default)]
    higher_level: Prose,
    #[serde(default)]
    range: String,
    #[serde(default)]
    components: Vec<String>,
    #[serde(default)]
    material: String,
    #[serde(default)]
    ritual: bool,
    #[serde(default)]
    duration: String,
    #[serde(default)]
    concentration: bool,
    #[serde(default)]
    casting_time: String,
    #[serde(default)]
    school: Reference,
    #[serde(default)]
    classes: Vec<Reference>,
    #[serde(default)]
    damage: Damage,
    #[serde(default)]
    heal_at_slot_level: BTreeMap<String, String>,
    #[serde(default)]
    dc: Option<Resisted>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Damage {
    damage_type: Option<Reference>,
    damage_at_slot_level: BTreeMap<String, String>,
    damage_at_character_level: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Resisted {
    dc_type: Reference,
    #[serde(default)]
    dc_success: String,
}

/// Maps the table. `beginners`: who has what from the first level on.
pub fn map(database: &Database, beginners: &Beginners, draft: &mut Draft) {
    for (id, record) in records::<Record>(database, KIND, draft) {
        let mut dice = |text: Option<&String>, what: &str| {
            let text = text?;
            let roll = Roll::read(text);
            match &roll {
                None => draft.unmapped.note(KIND, format!("{what} that is no roll"), format!("{id}: {text}")),
                Some(roll) => {
                    if roll.modifier_left_out {
                        let reason = format!("{what}: the caster's modifier is left out");
                        draft.unmapped.note(KIND, reason, id.as_str());
                    }
                    if !roll.exact {
                        let reason =
                            format!("{what}: a fixed number, or several kinds of dice, by their average");
                        draft.unmapped.note(KIND, reason, format!("{id}: {text}"));
                    }
                }
            }
            roll.map(|roll| roll.text)
        };
        let hurts =
            first(&record.damage.damage_at_slot_level).or(first(&record.damage.damage_at_character_level));
        let damage = dice(hurts, "damage");
        let heal = dice(first(&record.heal_at_slot_level), "healing");
        if damage.is_none() && heal.is_none() {
            draft.unmapped.note(
                KIND,
                "no dice in the record: words on a page, told and not rolled",
                id.as_str(),
            );
        }
        let known: Vec<String> = record.classes.iter().map(|class| class.index.clone()).collect();
        let known: Vec<String> =
            known.into_iter().filter(|class| draft.classes.contains_key(class)).collect();
        if known.is_empty() {
            // No class at all would mean everybody.
            draft.unmapped.note(KIND, "no class of the pack knows it: left out", id.as_str());
            continue;
        }
        let (classes, uses_per_encounter) = beginners.of(record.level, &known);
        if uses_per_encounter == 0 {
            draft.unmapped.note(
                KIND,
                "too high a level for new characters: imported as a rules page, not as a spell",
                id.as_str(),
            );
        }
        let save = record.dc.as_ref().and_then(|dc| five::ability(&dc.dc_type.index));
        let (summary, stats, full) = (record.summary(), record.stats(&known), record.full());
        let spell = Spell {
            id: id.clone(),
            name: record.name,
            classes,
            damage,
            heal,
            save: save.map(str::to_owned),
            difficulty: save.map(|_| five::difficulty(record.level)),
            uses_per_encounter,
            summary,
            stats,
            full,
        };
        draft.spells.insert(id, spell);
    }
}

/// The entry of the lowest level.
fn first(by_level: &BTreeMap<String, String>) -> Option<&String> {
    by_level.iter().min_by_key(|(level, _)| level.parse::<u32>().unwrap_or(u32::MAX)).map(|(_, dice)| dice)
}

impl Record {
    fn kind(&self) -> String {
        match self.level {
            0 => format!("{} cantrip", self.school.name),
            level => format!("Level {level} {}", self.school.name.to_lowercase()),
        }
    }

    fn summary(&self) -> String {
        format!("{}. {}", self.kind(), sentence(&self.desc.text()))
    }

    fn stats(&self, known: &[String]) -> String {
        let material = if self.material.is_empty() { String::new() } else { format!(" ({})", self.material) };
        let concentration = if self.concentration { "concentration, " } else { "" };
        let mut stats = format!(
            "{}{}; casting time {}; range {}; components {}{material}; duration {concentration}{}; spell of {}.",
            self.kind(),
            if self.ritual { " (ritual)" } else { "" },
            self.casting_time,
            self.range,
            self.components.join(", "),
            self.duration.to_lowercase(),
            known.join(", "),
        );
        if let Some(kind) = &self.damage.damage_type {
            stats += &format!(" Kind of damage: {}.", kind.name.to_lowercase());
        }
        if let Some(dc) = self.dc.as_ref().filter(|dc| !dc.dc_success.is_empty()) {
            stats += &format!(" After a successful saving throw: {}.", dc.dc_success);
        }
        stats
    }

    fn full(&self) -> String {
        let higher = self.higher_level.text();
        match higher.is_empty() {
            true => self.desc.text(),
            false => format!("{}\n\nAt higher levels: {higher}", self.desc.text()),
        }
    }
}
