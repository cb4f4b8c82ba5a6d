//! A rules pack: all that the engine knows of abilities, dice, classes, equipment, and the pages that seats may read.

mod bestiary;
mod characters;
mod check;
mod equipment;
mod pack;
mod pages;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

pub(super) use check::dice;
pub(super) use pack::HIT_POINTS_ABILITY;

pub use bestiary::{Monster, MonsterAttack, Spell};
pub use characters::{Class, Pregenerated};
pub use equipment::{Consumable, Item, ItemKind};
pub use pack::{
    Abilities, ArmorClass, AttackRule, CheckRule, Combat, Down, HitPoints, Modifier, Pack, PackSource,
    Success,
};
pub use pages::{Numbered, Page, Shown, Topic};

use super::{SetupError, Tree, parse};

/// A rules pack, read and indexed.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Folder below `rules/`.
    pub folder: String,
    /// `pack.toml`.
    pub pack: Pack,
    /// Classes.
    pub classes: Vec<Class>,
    /// Equipment.
    pub items: Vec<Item>,
    /// Ready characters.
    pub pregenerated: Vec<Pregenerated>,
    /// Foes; none in a pack that has no `monsters.toml`.
    pub monsters: Vec<Monster>,
    /// Spells; none in a pack that has no `spells.toml`.
    pub spells: Vec<Spell>,
    /// Everything that can be looked up, by path.
    pub pages: BTreeMap<String, Page>,
    /// Paths that two pages claim.
    twice: Vec<String>,
}

/// `classes.toml`: who may be played.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassesFile {
    /// The classes.
    class: Vec<Class>,
}

/// `equipment.toml`: what can be owned.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EquipmentFile {
    /// The pieces of equipment.
    item: Vec<Item>,
}

/// `topics.toml`: pages about the rules, which `lookup_rules` finds.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TopicsFile {
    /// The pages.
    topic: Vec<Topic>,
}

/// `pregenerated.toml`: characters for seats that create none of their own; at least six.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PregeneratedFile {
    /// The characters.
    character: Vec<Pregenerated>,
}

/// `monsters.toml`: what stands against a party.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MonstersFile {
    /// The monsters.
    #[serde(default)]
    monster: Vec<Monster>,
}

/// `spells.toml`: what is learned and is no blow.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SpellsFile {
    /// The spells.
    #[serde(default)]
    spell: Vec<Spell>,
}

impl Rules {
    pub(crate) fn read(tree: &Tree<'_>, folder: &str) -> Result<Rules, SetupError> {
        let wanted_by = format!("campaign.toml plays by the rules {folder:?}");
        let path = |file: &str| format!("rules/{folder}/{file}");
        let mut pack: Pack = tree.toml(&path("pack.toml"), &wanted_by)?;
        pack.complete();
        let classes = tree.toml::<ClassesFile>(&path("classes.toml"), &wanted_by)?.class;
        let items = tree.toml::<EquipmentFile>(&path("equipment.toml"), &wanted_by)?.item;
        let topics = tree.toml::<TopicsFile>(&path("topics.toml"), &wanted_by)?.topic;
        let monsters = tree.optional_toml::<MonstersFile>(&path("monsters.toml"))?.monster;
        let spells = tree.optional_toml::<SpellsFile>(&path("spells.toml"))?.spell;
        let guides: Vec<_> = tree.below(&path("guides"), ".md").collect();
        let (pages, twice) = pages::pages((&classes, &items), (&monsters, &spells), &topics, &guides);
        let pregenerated = tree.toml::<PregeneratedFile>(&path("pregenerated.toml"), &wanted_by)?.character;
        let folder = folder.into();
        Ok(Rules { folder, pack, classes, items, pregenerated, monsters, spells, pages, twice })
    }

    /// The place of an ability, by its short or full name in any case.
    pub fn ability_index(&self, name: &str) -> Option<usize> {
        let abilities = &self.pack.abilities;
        let matches = |short: &String| {
            short.eq_ignore_ascii_case(name.trim())
                || abilities.full.get(short).is_some_and(|full| full.eq_ignore_ascii_case(name.trim()))
        };
        abilities.names.iter().position(matches)
    }

    /// The modifier of a score.
    pub fn modifier(&self, score: u8) -> i32 {
        let row = self.pack.modifiers.iter().find(|row| score <= row.up_to).or(self.pack.modifiers.last());
        row.map_or(0, |row| row.bonus)
    }

    /// The lowest and the highest modifier that a legal score has.
    pub fn modifiers(&self) -> (i32, i32) {
        let abilities = &self.pack.abilities;
        let modifiers = || (abilities.min..=abilities.max).map(|score| self.modifier(score));
        (modifiers().min().unwrap_or_default(), modifiers().max().unwrap_or_default())
    }

    /// The lowest and the highest result of the dice of a check, without a modifier; nothing where they are no dice.
    pub fn check_dice(&self) -> Option<(i64, i64)> {
        check::range(&self.pack.check.dice)
    }

    /// A class by id or name in any case.
    pub fn class(&self, name: &str) -> Option<&Class> {
        let name = name.trim();
        self.classes
            .iter()
            .find(|class| class.id.eq_ignore_ascii_case(name) || class.name.eq_ignore_ascii_case(name))
    }

    /// An item by id or name, case and plural forms folded.
    pub fn item(&self, name: &str) -> Option<&Item> {
        let wanted = Wanted::new(name);
        self.items.iter().find(|item| wanted.is(&item.id) || wanted.is(&item.name))
    }

    /// A foe by id or name, case and plural forms folded.
    pub fn monster(&self, name: &str) -> Option<&Monster> {
        let wanted = Wanted::new(name);
        self.monsters.iter().find(|monster| wanted.is(&monster.id) || wanted.is(&monster.name))
    }

    /// A spell by id or name, case folded.
    pub fn spell(&self, name: &str) -> Option<&Spell> {
        let wanted = Wanted::new(name);
        self.spells.iter().find(|spell| wanted.is(&spell.id) || wanted.is(&spell.name))
    }

    /// By how much a score helps: the modifier, turned round where a low total is good and what helps is below 0.
    pub fn advantage(&self, score: u8) -> i32 {
        match self.pack.check.success {
            Success::TotalAtLeastDifficulty => self.modifier(score),
            Success::TotalAtMostDifficulty => self.modifier(score).saturating_neg(),
        }
    }

    /// What the dice of a check must show by themselves for an attack to hit. `bonus` is all that helps the attacker, above 0
    /// for the better: the [advantage](Rules::advantage) of a character, or what a monster's attack has.
    pub fn attack_needs(&self, bonus: i32, armor_class: i32) -> (i32, Success) {
        let combat = &self.pack.combat;
        match combat.attack {
            Some(AttackRule::TotalAtMostSkill) => {
                let target = combat.skill.saturating_add(bonus).saturating_sub(armor_class);
                (target, Success::TotalAtMostDifficulty)
            }
            Some(AttackRule::TotalAtLeastArmorClass) | None => {
                (armor_class.saturating_sub(bonus), Success::TotalAtLeastDifficulty)
            }
        }
    }
}

/// A name as somebody wrote it, to be found among ids and names.
struct Wanted {
    folded: String,
}

impl Wanted {
    fn new(name: &str) -> Wanted {
        Wanted { folded: fold(name) }
    }

    fn is(&self, known: &str) -> bool {
        let known = fold(known);
        let wanted = &self.folded;
        let singular = wanted.strip_suffix('s').unwrap_or(wanted);
        known == *wanted || known == singular || known.strip_suffix('s') == Some(wanted)
    }
}

/// Lower case, words joined by single hyphens.
fn fold(name: &str) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

/// Reads a file of a pack by itself.
pub(crate) fn parse_file(path: &str, text: &str) -> Result<(), SetupError> {
    match path.rsplit('/').next().unwrap_or_default() {
        "pack.toml" => parse::<Pack>(path, text).map(drop),
        "classes.toml" => parse::<ClassesFile>(path, text).map(drop),
        "equipment.toml" => parse::<EquipmentFile>(path, text).map(drop),
        "topics.toml" => parse::<TopicsFile>(path, text).map(drop),
        "pregenerated.toml" => parse::<PregeneratedFile>(path, text).map(drop),
        "monsters.toml" => parse::<MonstersFile>(path, text).map(drop),
        "spells.toml" => parse::<SpellsFile>(path, text).map(drop),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pack in which checks succeed high or low; `combat` is what stands in its `[combat]`.
    fn rules(success: &str, combat: &str) -> Rules {
        let mut pack: Pack = toml::from_str(&format!(
            "id = \"a\"\ntitle = \"A\"\nversion = \"1\"\nlicense = \"CC0-1.0\"\n\
             abilities = {{ names = [\"STR\"], min = 1, max = 9 }}\n\
             check = {{ dice = \"2d6\", success = \"{success}\" }}\n\
             armor_class = {{ base = 0 }}\nhit_points = {{ minimum = 1 }}\n{combat}\n\
             [[modifier]]\nup_to = 5\nbonus = 0\n[[modifier]]\nup_to = 9\nbonus = -2\n"
        ))
        .unwrap();
        pack.complete();
        let folder = "a".into();
        let (classes, items, pregenerated) = (Vec::new(), Vec::new(), Vec::new());
        let (monsters, spells, pages, twice) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
        Rules { folder, pack, classes, items, pregenerated, monsters, spells, pages, twice }
    }

    #[test]
    fn where_checks_succeed_high_the_dice_need_the_armour_class_less_the_bonus() {
        let rules = rules("total_at_least_difficulty", "");
        assert_eq!(rules.attack_needs(2, 12), (10, Success::TotalAtLeastDifficulty));
        assert_eq!(rules.attack_needs(-1, 12), (13, Success::TotalAtLeastDifficulty));
        let (needed, success) = rules.attack_needs(2, 12);
        assert!(success.reached(10, needed) && !success.reached(9, needed));
        assert_eq!(rules.advantage(9), -2);
    }

    #[test]
    fn where_checks_succeed_low_armour_is_a_penalty_to_the_skill() {
        let rules = rules("total_at_most_difficulty", "");
        assert_eq!(rules.attack_needs(0, 0), (7, Success::TotalAtMostDifficulty));
        assert_eq!(rules.attack_needs(2, 3), (6, Success::TotalAtMostDifficulty));
        let (needed, success) = rules.attack_needs(2, 3);
        assert!(success.reached(6, needed) && !success.reached(7, needed));
        assert_eq!(rules.advantage(9), 2, "what lowers the total helps");
    }

    #[test]
    fn a_pack_may_choose_the_other_rule_and_another_skill() {
        let low = rules("total_at_least_difficulty", "[combat]\nattack = \"total_at_most_skill\"\nskill = 9");
        assert_eq!(low.attack_needs(1, 2), (8, Success::TotalAtMostDifficulty));
        let high = rules("total_at_most_difficulty", "[combat]\nattack = \"total_at_least_armor_class\"");
        assert_eq!(high.attack_needs(1, 9), (8, Success::TotalAtLeastDifficulty));
        assert_eq!(high.attack_needs(i32::MAX, i32::MIN).0, i32::MIN, "numbers of a file never overflow");
    }

    #[test]
    fn a_pack_without_combat_is_played_by_the_defaults() {
        let combat = rules("total_at_least_difficulty", "").pack.combat;
        assert_eq!((combat.initiative_dice.as_str(), combat.initiative_ability.as_str()), ("2d6", "DEX"));
        assert_eq!((combat.ability.as_str(), combat.unarmed_damage.as_str()), ("STR", "1d2"));
        assert_eq!((combat.morale_dice.as_str(), combat.rounds_max), ("2d6", 12));
        assert_eq!((combat.npc_armor_class, combat.npc_hit_points, combat.npc_attack_bonus), (10, 4, 0));
        assert_eq!((combat.npc_damage.as_str(), combat.npc_morale), ("1d4", 7));
    }
}
