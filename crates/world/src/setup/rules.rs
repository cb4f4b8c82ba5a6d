//! A rules pack: all that the engine knows of abilities, dice, classes, equipment, and the pages that seats may read.

use std::collections::BTreeMap;

use serde::Deserialize;
use twicetold_event::{Detail, Sheet};

use super::{SetupError, Tree};

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
    /// Everything that can be looked up, by path.
    pub pages: BTreeMap<String, Page>,
}

/// `pack.toml`.
#[derive(Clone, Debug, Deserialize)]
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
    /// Gold at the start.
    #[serde(default)]
    pub starting_gold: i64,
}

/// The abilities of a pack.
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    /// Scores up to this one.
    pub up_to: u8,
    /// Get this.
    pub bonus: i32,
}

/// How a check is rolled.
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Success {
    /// The total reaches the difficulty.
    TotalAtLeastDifficulty,
    /// The total does not exceed the difficulty.
    TotalAtMostDifficulty,
}

/// How armour class follows from equipment.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmorClass {
    /// Without armour.
    pub base: u8,
}

/// Hit points at the start: from `minimum` to the hit die and the modifier of an ability, when that is above zero.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HitPoints {
    /// Lowest legal number.
    pub minimum: u16,
    /// The ability whose modifier is added.
    #[serde(default = "constitution")]
    pub ability: String,
}

fn constitution() -> String {
    "CON".into()
}

/// A class.
#[derive(Clone, Debug, Deserialize)]
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
    /// In words, for models.
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

/// What kind of thing an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// For attacks.
    Weapon,
    /// Worn; the best one counts.
    Armor,
    /// Carried; added.
    Shield,
    /// Anything else.
    Gear,
}

/// A piece of equipment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Kebab-case id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: ItemKind,
    /// In gold.
    #[serde(default)]
    pub cost: i64,
    /// Armour class when worn.
    #[serde(default)]
    pub armor_class: Option<u8>,
    /// Added to armour class.
    #[serde(default)]
    pub armor_bonus: Option<u8>,
    /// Dice.
    #[serde(default)]
    pub damage: Option<String>,
    /// One sentence.
    #[serde(default)]
    pub summary: String,
}

/// A character that is ready to play.
#[derive(Clone, Debug, Deserialize)]
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
    /// What its owner and the DM alone know.
    #[serde(default)]
    pub secret: String,
}

/// A page of `topics.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// For example `conditions/frightened`.
    pub path: String,
    /// Title.
    pub title: String,
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

/// Something that can be looked up.
#[derive(Clone, Debug)]
pub struct Page {
    /// Title.
    pub title: String,
    summary: String,
    stats: String,
    full: String,
}

impl Page {
    /// The page at this detail; never empty.
    pub fn text(&self, detail: Detail) -> String {
        let wanted = match detail {
            Detail::Summary => &self.summary,
            Detail::Stats => &self.stats,
            Detail::Full => &self.full,
        };
        let body =
            [wanted, &self.full, &self.summary, &self.stats].into_iter().find(|text| !text.trim().is_empty());
        format!("{}: {}", self.title, body.map_or("", |text| text.trim()))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassesFile {
    class: Vec<Class>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EquipmentFile {
    item: Vec<Item>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicsFile {
    topic: Vec<Topic>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PregeneratedFile {
    character: Vec<Pregenerated>,
}

impl Rules {
    pub(crate) fn read(tree: &Tree<'_>, folder: &str) -> Result<Rules, SetupError> {
        let wanted_by = format!("campaign.toml plays by the rules {folder:?}");
        let path = |file: &str| format!("rules/{folder}/{file}");
        let classes = tree.toml::<ClassesFile>(&path("classes.toml"), &wanted_by)?.class;
        let items = tree.toml::<EquipmentFile>(&path("equipment.toml"), &wanted_by)?.item;
        let topics = tree.toml::<TopicsFile>(&path("topics.toml"), &wanted_by)?.topic;
        let guides: Vec<_> = tree.below(&path("guides"), ".md").collect();
        let pages = pages(&classes, &items, topics, &guides);
        Ok(Rules {
            folder: folder.into(),
            pack: tree.toml(&path("pack.toml"), &wanted_by)?,
            pregenerated: tree.toml::<PregeneratedFile>(&path("pregenerated.toml"), &wanted_by)?.character,
            classes,
            items,
            pages,
        })
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

    /// A class by id or name in any case.
    pub fn class(&self, name: &str) -> Option<&Class> {
        let name = name.trim();
        self.classes
            .iter()
            .find(|class| class.id.eq_ignore_ascii_case(name) || class.name.eq_ignore_ascii_case(name))
    }

    /// An item by id or name, case and plural forms folded.
    pub fn item(&self, name: &str) -> Option<&Item> {
        let wanted = fold(name);
        let singular = wanted.strip_suffix('s').unwrap_or(&wanted);
        let matches = |known: &str| {
            let known = fold(known);
            known == wanted || known == singular || known.strip_suffix('s') == Some(&wanted)
        };
        self.items.iter().find(|item| matches(&item.id) || matches(&item.name))
    }

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

    /// What is not legal about a sheet, in words for the one who wrote it; empty when it is legal.
    pub fn faults(&self, sheet: &Sheet) -> Vec<String> {
        let mut faults = Vec::new();
        if sheet.name.trim().is_empty() {
            faults.push("Name: is missing".to_owned());
        }
        let abilities = &self.pack.abilities;
        for (name, score) in abilities.names.iter().zip(&sheet.abilities) {
            if !(abilities.min..=abilities.max).contains(score) {
                faults.push(format!(
                    "Stats: {name} {score} is not within {} to {}",
                    abilities.min, abilities.max
                ));
            }
        }
        if sheet.background.trim().is_empty() {
            faults.push("Background: is missing".to_owned());
        }
        let Some(class) = self.class(&sheet.class) else {
            let known: Vec<&str> = self.classes.iter().map(|class| class.name.as_str()).collect();
            faults.push(format!(
                "Class: {:?} does not exist; choose one of {}",
                sheet.class,
                known.join(", ")
            ));
            return faults;
        };
        let (least, most) = self.hit_points(class, &sheet.abilities);
        if !(least..=most).contains(&sheet.hit_points) {
            faults.push(format!(
                "HP: {} is not within {least} to {most} for a {}",
                sheet.hit_points, class.name
            ));
        }
        for id in &sheet.equipment {
            // What the pack does not know is gear that no rule speaks of.
            let known = self.items.iter().any(|item| item.id == *id);
            if known && !class.equipment.is_empty() && !class.equipment.contains(id) {
                faults.push(format!("Equipment: a {} may not use {id}", class.name));
            }
        }
        let armor_class = self.armor_class(&sheet.equipment);
        if sheet.armor_class != armor_class {
            faults.push(format!(
                "AC: {} does not follow from the equipment, which gives {armor_class}",
                sheet.armor_class
            ));
        }
        faults
    }

    pub(crate) fn check(&self) -> Result<(), SetupError> {
        let path = |file: &str| format!("rules/{}/{file}", self.folder);
        if self.pack.abilities.names.is_empty() || self.pack.modifiers.is_empty() || self.classes.is_empty() {
            return Err(SetupError::invalid(
                &path("pack.toml"),
                "a pack needs abilities, modifiers and classes",
            ));
        }
        if self.pregenerated.len() < usize::from(twicetold_event::limits::PLAYERS_MAX) {
            let message = format!(
                "{} characters; {} are needed, one for every seat that may stay mute",
                self.pregenerated.len(),
                twicetold_event::limits::PLAYERS_MAX
            );
            return Err(SetupError::invalid(&path("pregenerated.toml"), message));
        }
        for ready in &self.pregenerated {
            let faults = self.faults(&self.sheet(ready));
            if let Some(fault) = faults.first() {
                return Err(SetupError::invalid(
                    &path("pregenerated.toml"),
                    format!("{}: {fault}", ready.name),
                ));
            }
        }
        Ok(())
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

fn pages(
    classes: &[Class],
    items: &[Item],
    topics: Vec<Topic>,
    guides: &[(&str, &str, &str)],
) -> BTreeMap<String, Page> {
    let mut pages = BTreeMap::new();
    for class in classes {
        let page = Page {
            title: class.name.clone(),
            summary: class.summary.clone(),
            stats: class.stats.clone(),
            full: class.full.clone(),
        };
        pages.insert(format!("classes/{}", class.id), page);
    }
    for item in items {
        let mut stats = format!("costs {} gold", item.cost);
        if let Some(class) = item.armor_class {
            stats += &format!(", armour class {class}");
        }
        if let Some(bonus) = item.armor_bonus {
            stats += &format!(", armour class +{bonus}");
        }
        if let Some(damage) = &item.damage {
            stats += &format!(", damage {damage}");
        }
        let full = format!("{} ({stats})", item.summary.trim_end_matches('.'));
        pages.insert(
            format!("equipment/{}", item.id),
            Page { title: item.name.clone(), summary: item.summary.clone(), stats, full },
        );
    }
    for topic in topics {
        let page = Page { title: topic.title, summary: topic.summary, stats: topic.stats, full: topic.full };
        pages.insert(topic.path, page);
    }
    for (name, _, text) in guides {
        let title = text.lines().next().unwrap_or(name).trim_start_matches('#').trim().to_owned();
        let body = text.split_once('\n').map_or(*text, |(_, body)| body).trim();
        let summary = body.split("\n\n").next().unwrap_or("").to_owned();
        let page = Page { title, summary, stats: String::new(), full: body.to_owned() };
        pages.insert(format!("guides/{name}"), page);
    }
    pages
}
