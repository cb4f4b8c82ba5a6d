//! `pack.toml`: abilities, dice, and how blows are exchanged.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_event::Fate;

/// `pack.toml`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    /// Kebab-case name.
    pub id: String,
    /// What people read.
    pub title: String,
    /// Version of the pack.
    pub version: String,
    /// SPDX licence.
    pub license: String,
    /// A paragraph about the pack.
    #[serde(default)]
    pub about: String,
    /// Gold at the start.
    #[serde(default)]
    pub starting_gold: i64,
    /// Where an imported pack comes from.
    #[serde(default)]
    pub source: Option<PackSource>,
    /// The abilities.
    pub abilities: Abilities,
    /// Ability score to modifier, ascending.
    #[serde(rename = "modifier")]
    pub modifiers: Vec<Modifier>,
    /// How a check is rolled.
    pub check: CheckRule,
    /// How armour class follows from equipment.
    pub armor_class: ArmorClass,
    /// Hit points at the start.
    pub hit_points: HitPoints,
    /// How blows are exchanged.
    #[serde(default)]
    pub combat: Combat,
    /// What becomes of a character at 0 hit points.
    #[serde(default)]
    pub down: Down,
}

/// What becomes of a character at 0 hit points, who can do nothing. Whoever helps it in time brings it back at once.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Down {
    /// What follows where nobody helps: recovers, dies or captured.
    pub fate: Fate,
    /// Turns of the table until it follows.
    pub turns: u32,
    /// Hit points with which a character gets up.
    pub hit_points: u16,
}

impl Default for Down {
    fn default() -> Down {
        Down { fate: Fate::Recovers, turns: 8, hit_points: 1 }
    }
}

impl Pack {
    /// Fills in what `[combat]` takes from the rules of a check.
    pub(super) fn complete(&mut self) {
        let combat = &mut self.combat;
        if combat.initiative_dice.trim().is_empty() {
            combat.initiative_dice.clone_from(&self.check.dice);
        }
        combat.attack.get_or_insert(match self.check.success {
            Success::TotalAtLeastDifficulty => AttackRule::TotalAtLeastArmorClass,
            Success::TotalAtMostDifficulty => AttackRule::TotalAtMostSkill,
        });
    }
}

/// Where an imported pack comes from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackSource {
    /// The file or folder that was read, by its name.
    pub name: String,
    /// The version of what it holds.
    pub version: String,
    /// BLAKE3 of what was read, in hexadecimal digits.
    pub digest: String,
    /// What its licence asks to be said of its authors.
    pub attribution: String,
}

/// The abilities of a pack.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Abilities {
    /// Short names in order.
    pub names: Vec<String>,
    /// Lowest score.
    pub min: u8,
    /// Highest score.
    pub max: u8,
    /// Short to full name.
    #[serde(default)]
    pub full: BTreeMap<String, String>,
}

/// A row of the table of modifiers.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    /// Scores up to this one.
    pub up_to: u8,
    /// Get this.
    pub bonus: i32,
}

/// How a check is rolled.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckRule {
    /// Dice without modifier.
    pub dice: String,
    /// When it succeeds.
    pub success: Success,
    /// Named difficulties.
    #[serde(default)]
    pub difficulties: BTreeMap<String, i32>,
}

/// When a check succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Success {
    /// The total reaches the difficulty.
    TotalAtLeastDifficulty,
    /// The total does not exceed the difficulty.
    TotalAtMostDifficulty,
}

impl Success {
    /// Does this total do, where so much is needed?
    pub fn reached(self, total: i32, needed: i32) -> bool {
        match self {
            Success::TotalAtLeastDifficulty => total >= needed,
            Success::TotalAtMostDifficulty => total <= needed,
        }
    }
}

/// How blows are exchanged. Packs without a `[combat]` are played by the defaults.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Combat {
    /// Dice that decide who goes first, the highest total; the dice of a check unless the pack says otherwise.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub initiative_dice: String,
    /// The ability that is added to them.
    pub initiative_ability: String,
    /// When an attack hits; by the pack's checks unless it says otherwise. Never absent once a pack is read.
    pub attack: Option<AttackRule>,
    /// What an average attacker needs against armour class 0 where attacks hit low; unused where they hit high.
    pub skill: i32,
    /// The ability of attacks whose weapon names none.
    pub ability: String,
    /// Dice of bare hands.
    pub unarmed_damage: String,
    /// Dice for foes who might give up: at most their morale, and they stay.
    pub morale_dice: String,
    /// Rounds after which a fight ends by rule.
    pub rounds_max: u32,
    /// Armour class of an NPC that is no monster of the pack.
    pub npc_armor_class: u8,
    /// Hit points of such an NPC.
    pub npc_hit_points: u16,
    /// Its attack bonus.
    pub npc_attack_bonus: i32,
    /// Its damage dice.
    pub npc_damage: String,
    /// Its morale.
    pub npc_morale: i32,
}

impl Default for Combat {
    fn default() -> Combat {
        Combat {
            initiative_dice: String::new(),
            initiative_ability: "DEX".into(),
            attack: None,
            skill: 7,
            ability: "STR".into(),
            unarmed_damage: "1d2".into(),
            morale_dice: "2d6".into(),
            rounds_max: 12,
            npc_armor_class: 10,
            npc_hit_points: 4,
            npc_attack_bonus: 0,
            npc_damage: "1d4".into(),
            npc_morale: 7,
        }
    }
}

/// When an attack hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttackRule {
    /// Dice and bonus reach the armour class: armour makes it higher.
    TotalAtLeastArmorClass,
    /// The dice alone do not exceed skill and bonus, less the armour class: armour is a penalty, and none is 0.
    TotalAtMostSkill,
}

/// How armour class follows from equipment.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmorClass {
    /// Without armour.
    pub base: u8,
}

/// Hit points at the start: from `minimum` to the hit die and the modifier of an ability, when that is above zero.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HitPoints {
    /// Lowest legal number.
    pub minimum: u16,
    /// The ability whose modifier is added.
    #[serde(default = "constitution")]
    pub ability: String,
}

/// The ability of hit points where a pack names none.
pub(in crate::setup) const HIT_POINTS_ABILITY: &str = "CON";

fn constitution() -> String {
    HIT_POINTS_ABILITY.into()
}
