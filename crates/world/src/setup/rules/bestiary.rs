//! `monsters.toml` and `spells.toml`: what stands against a party, and what a party may do that is no blow.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A foe.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Monster {
    /// Kebab-case id.
    pub id: String,
    /// Name.
    pub name: String,
    /// What has to be reached to hit it.
    pub armor_class: u8,
    /// Hit points at the start.
    pub hit_points: u16,
    /// Added to the dice of initiative.
    #[serde(default)]
    pub initiative: i32,
    /// It stays in the fight while the dice of morale show at most this.
    #[serde(default = "seven")]
    pub morale: i32,
    /// What is added to its saving throws, by ability; 0 for the others.
    #[serde(default)]
    pub saves: BTreeMap<String, i32>,
    /// How it strikes; at least one.
    #[serde(rename = "attack")]
    pub attacks: Vec<MonsterAttack>,
    /// One or two sentences.
    #[serde(default)]
    pub summary: String,
    /// What its numbers do not say.
    #[serde(default)]
    pub stats: String,
    /// Everything.
    #[serde(default)]
    pub full: String,
}

/// One way in which a monster strikes.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MonsterAttack {
    /// In a word or two.
    pub name: String,
    /// Added to the attack.
    #[serde(default)]
    pub bonus: i32,
    /// Dice.
    pub damage: String,
}

/// A spell, charm, prayer or trick that is learned.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spell {
    /// Kebab-case id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Ids of the classes that know it; empty: everybody does.
    #[serde(default)]
    pub classes: Vec<String>,
    /// Dice of hit points taken.
    #[serde(default)]
    pub damage: Option<String>,
    /// Dice of hit points given back.
    #[serde(default)]
    pub heal: Option<String>,
    /// The ability by which it is resisted.
    #[serde(default)]
    pub save: Option<String>,
    /// The difficulty of that saving throw.
    #[serde(default)]
    pub difficulty: Option<i32>,
    /// How often each who knows it may use it in an encounter.
    #[serde(default = "one")]
    pub uses_per_encounter: u32,
    /// One or two sentences.
    #[serde(default)]
    pub summary: String,
    /// What its numbers do not say.
    #[serde(default)]
    pub stats: String,
    /// Everything.
    #[serde(default)]
    pub full: String,
}

impl Spell {
    /// Does a class know it?
    pub fn is_known_to(&self, class: &str) -> bool {
        self.classes.is_empty() || self.classes.iter().any(|known| known == class)
    }
}

fn seven() -> i32 {
    7
}

fn one() -> u32 {
    1
}
