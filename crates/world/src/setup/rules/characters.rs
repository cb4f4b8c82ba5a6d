//! `classes.toml` and `pregenerated.toml`: who may be played, and what makes a sheet legal.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_event::{Check, Sheet};

use super::Rules;

/// A class.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Kebab-case id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Sides of its hit die.
    pub hit_die: u8,
    /// Its most important ability.
    #[serde(default)]
    pub prime_ability: String,
    /// Ids of the equipment that it may use.
    #[serde(default)]
    pub equipment: Vec<String>,
    /// What it usually starts with.
    #[serde(default)]
    pub starting: Vec<String>,
    /// As text, for models.
    #[serde(default)]
    pub restrictions: Vec<String>,
    /// One or two sentences.
    #[serde(default)]
    pub summary: String,
    /// The numbers.
    #[serde(default)]
    pub stats: String,
    /// Everything.
    #[serde(default)]
    pub full: String,
}

/// A character that is ready to play.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pregenerated {
    /// Name.
    pub name: String,
    /// Id of its class.
    pub class: String,
    /// Scores.
    pub abilities: BTreeMap<String, u8>,
    /// Hit points.
    pub hp: u16,
    /// Armour class.
    pub ac: u8,
    /// Ids.
    pub equipment: Vec<String>,
    /// Who it was.
    pub background: String,
    /// In its own words.
    #[serde(default)]
    pub pitch: String,
    /// How it knows the others and why it comes along, as it says it itself: words that fit whoever they are.
    #[serde(default)]
    pub ties: String,
    /// What its owner and the DM alone know.
    #[serde(default)]
    pub secret: String,
}

impl Rules {
    /// The armour class that follows from these items.
    pub fn armor_class(&self, equipment: &[String]) -> u8 {
        let items = || equipment.iter().filter_map(|id| self.items.iter().find(|item| item.id == *id));
        let worn = items().filter_map(|item| item.armor_class).max().unwrap_or(self.pack.armor_class.base);
        let carried = items().filter_map(|item| item.armor_bonus).max().unwrap_or(0);
        worn.max(self.pack.armor_class.base).saturating_add(carried)
    }

    /// The hit points that a character of this class may start with.
    pub fn hit_points(&self, class: &Class, abilities: &[u8]) -> (u16, u16) {
        let score = self.ability_index(&self.pack.hit_points.ability).and_then(|place| abilities.get(place));
        let bonus = score.map_or(0, |score| self.modifier(*score)).max(0);
        (self.pack.hit_points.minimum, u16::from(class.hit_die) + bonus as u16)
    }

    /// A pregenerated character as a sheet.
    pub fn sheet(&self, ready: &Pregenerated) -> Sheet {
        let score = |name: &String| ready.abilities.get(name).copied().unwrap_or(self.pack.abilities.min);
        Sheet {
            name: ready.name.clone(),
            class: ready.class.clone(),
            abilities: self.pack.abilities.names.iter().map(score).collect(),
            hit_points: ready.hp,
            armor_class: ready.ac,
            equipment: ready.equipment.clone(),
            background: ready.background.clone(),
            secret: ready.secret.clone(),
        }
    }

    /// The faults of a sheet whose numbers do not follow from the rest of it.
    pub const COUNTED: [&str; 2] = ["hit_points_range", "armor_class"];

    /// The same sheet with the numbers that follow from the rest of it: small models seldom get them right.
    pub fn counted(&self, mut sheet: Sheet) -> Sheet {
        if let Some(class) = self.class(&sheet.class) {
            let (least, most) = self.hit_points(class, &sheet.abilities);
            sheet.hit_points = sheet.hit_points.clamp(least.min(most), most);
        }
        sheet.armor_class = self.armor_class(&sheet.equipment);
        sheet
    }

    /// The faults of a sheet; empty if the sheet is legal.
    pub fn faults(&self, sheet: &Sheet) -> Vec<Check> {
        let mut faults = Vec::new();
        if sheet.name.trim().is_empty() {
            faults.push(Check::new("name_missing"));
        }
        let abilities = &self.pack.abilities;
        for (name, score) in abilities.names.iter().zip(&sheet.abilities) {
            if !(abilities.min..=abilities.max).contains(score) {
                let fault = Check::new("ability_range").with("ability", name).with("score", score);
                faults.push(fault.with("least", abilities.min).with("most", abilities.max));
            }
        }
        if sheet.background.trim().is_empty() {
            faults.push(Check::new("background_missing"));
        }
        let Some(class) = self.class(&sheet.class) else {
            let known: Vec<&str> = self.classes.iter().map(|class| class.name.as_str()).collect();
            let fault = Check::new("unknown_class").quoting("class", &sheet.class);
            faults.push(fault.with("known", known.join(", ")));
            return faults;
        };
        let (least, most) = self.hit_points(class, &sheet.abilities);
        if !(least..=most).contains(&sheet.hit_points) {
            let fault = Check::new("hit_points_range").with("hit_points", sheet.hit_points);
            faults.push(fault.with("least", least).with("most", most).with("class", &class.name));
        }
        for id in &sheet.equipment {
            // What the pack does not know is gear that no rule speaks of.
            let known = self.items.iter().any(|item| item.id == *id);
            if known && !class.equipment.is_empty() && !class.equipment.contains(id) {
                faults.push(Check::new("equipment").with("class", &class.name).with("item", id));
            }
        }
        let armor_class = self.armor_class(&sheet.equipment);
        if sheet.armor_class != armor_class {
            let fault = Check::new("armor_class").with("armor_class", sheet.armor_class);
            faults.push(fault.with("follows", armor_class));
        }
        faults
    }
}
