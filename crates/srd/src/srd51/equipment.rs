//! Equipment of SRD 5.1: what the engine has numbers for becomes items, everything else pages.

use serde::Deserialize;
use serde_json::Number;
use twicetold_world::setup::{Consumable, Item, ItemKind, Topic};

use super::{Prose, Reference, records, sentence};
use crate::database::Database;
use crate::draft::Draft;
use crate::roll::Roll;

const KIND: &str = "equipment";
const MAGIC: &str = "magic_items";

#[derive(Deserialize)]
struct Record {
    name: String,
    #[serde(default)]
    desc: Prose,
    #[serde(default)]
    equipment_category: Reference,
    #[serde(default)]
    gear_category: Option<Reference>,
    #[serde(default)]
    cost: Option<Cost>,
    #[serde(default)]
    weight: Option<Number>,
    #[serde(default)]
    damage: Option<Damage>,
    #[serde(default)]
    two_handed_damage: Option<Damage>,
    #[serde(default)]
    category_range: String,
    #[serde(default)]
    weapon_range: String,
    #[serde(default)]
    properties: Vec<Reference>,
    #[serde(default)]
    armor_category: String,
    #[serde(default)]
    armor_class: Option<Armor>,
    #[serde(default)]
    contents: Vec<Content>,
}

#[derive(Deserialize)]
struct Cost {
    quantity: i64,
    unit: String,
}

#[derive(Deserialize)]
struct Damage {
    damage_dice: String,
    #[serde(default)]
    damage_type: Reference,
}

#[derive(Deserialize)]
struct Armor {
    base: u8,
    #[serde(default)]
    dex_bonus: bool,
}

#[derive(Deserialize)]
struct Content {
    item: Reference,
    quantity: Number,
}

#[derive(Deserialize)]
struct Magic {
    name: String,
    #[serde(default)]
    desc: Prose,
    #[serde(default)]
    rarity: Rarity,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Rarity {
    name: String,
}

/// Maps both tables.
pub fn map(database: &Database, draft: &mut Draft) {
    for (id, record) in records::<Record>(database, KIND, draft) {
        match item(&id, &record, draft) {
            Some(item) => drop(draft.items.insert(id, item)),
            None => {
                draft.unmapped.note(
                    KIND,
                    "no numbers for the engine: a page to read, carried by its name",
                    id.as_str(),
                );
                let words = record.desc.text();
                let (summary, stats) = (record.summary(), record.stats());
                let full = format!("{words}\n\n{stats}").trim().to_owned();
                let page = Topic { title: record.name, summary, stats, full, ..Topic::default() };
                draft.topic(format!("equipment/{id}"), page);
            }
        }
    }
    for (id, record) in records::<Magic>(database, MAGIC, draft) {
        let words = record.desc.text();
        let summary = words.split("\n\n").take(2).map(sentence).collect::<Vec<_>>().join(". ");
        if let Some(heal) = healing(&words) {
            let item = Item {
                id: id.clone(),
                name: record.name.clone(),
                consumable: Some(Consumable { heal: Some(heal), ..Consumable::default() }),
                summary: summary.clone(),
                ..Item::default()
            };
            if !draft.items.contains_key(&id) {
                draft.items.insert(id.clone(), item);
                if record.rarity.name != "Common" {
                    draft.treasures.insert(id.clone());
                }
            }
        } else {
            draft.unmapped.note(
                MAGIC,
                "magic is words on a page: the engine has no numbers for it",
                id.as_str(),
            );
        }
        let page = Topic { title: record.name, summary, full: words, ..Topic::default() };
        draft.topic(format!("magic-items/{id}"), page);
    }
}

/// A record as an item, when the engine has numbers for such a thing.
fn item(id: &str, record: &Record, draft: &mut Draft) -> Option<Item> {
    let item = Item {
        id: id.to_owned(),
        name: record.name.clone(),
        cost: record.cost.as_ref().map_or(0, Cost::gold),
        summary: record.summary(),
        ..Item::default()
    };
    let of = |category: &str| record.equipment_category.index == category;
    if let Some(armor) = record.armor_class.as_ref().filter(|_| of("armor")) {
        if armor.dex_bonus {
            draft.unmapped.note("armor", "the wearer's Dexterity is not added to it", id);
        }
        return Some(match record.armor_category.as_str() {
            "Shield" => Item { kind: ItemKind::Shield, armor_bonus: Some(armor.base), ..item },
            _ => Item { kind: ItemKind::Armor, armor_class: Some(armor.base), ..item },
        });
    }
    if of("weapon") {
        let roll = Roll::read(&record.damage.as_ref()?.damage_dice)?;
        let has = |property: &str| record.properties.iter().any(|known| known.index == property);
        if has("finesse") && record.weapon_range == "Melee" {
            draft.unmapped.note(
                "weapons",
                "Strength or Dexterity, whichever is better: always Dexterity",
                id,
            );
        }
        if record.two_handed_damage.is_some() {
            draft.unmapped.note("weapons", "more damage with both hands: always that of one hand", id);
        }
        let ability = (has("finesse") || record.weapon_range == "Ranged").then(|| "DEX".to_owned());
        return Some(Item { kind: ItemKind::Weapon, damage: Some(roll.text), ability, ..item });
    }
    let effect = Consumable { damage: Some(thrown(&record.desc.text())?), ..Consumable::default() };
    Some(Item { consumable: Some(effect), ..item })
}

/// The dice of something that is thrown and hurts when it hits.
fn thrown(words: &str) -> Option<String> {
    let (_, after) = words.split_once("On a hit, the target takes ")?;
    let (dice, rest) = after.split_once(' ')?;
    let hurts = rest.split_whitespace().nth(1).is_some_and(|word| word.starts_with("damage"));
    Roll::read(dice).filter(|_| hurts).map(|roll| roll.text)
}

/// The dice of something that gives hit points back when it is drunk.
fn healing(words: &str) -> Option<String> {
    let (_, after) = words.split_once("You regain ")?;
    let (dice, rest) = after.split_once(" hit points")?;
    Roll::read(dice).filter(|_| rest.trim_start().starts_with("when you drink")).map(|roll| roll.text)
}

impl Cost {
    /// Whole pieces of gold.
    fn gold(&self) -> i64 {
        match self.unit.as_str() {
            "cp" => self.quantity / 100,
            "sp" => self.quantity / 10,
            "ep" => self.quantity / 2,
            "pp" => self.quantity.saturating_mul(10),
            _ => self.quantity,
        }
    }
}

impl Record {
    fn summary(&self) -> String {
        let kind = match (self.category_range.as_str(), self.armor_category.as_str(), &self.gear_category) {
            ("", "", Some(gear)) => gear.name.clone(),
            ("", "", None) => self.equipment_category.name.clone(),
            ("", "Shield", _) => "Shield".to_owned(),
            ("", armor, _) => format!("{armor} armour"),
            (weapon, ..) => format!("{weapon} weapon"),
        };
        let words = sentence(&self.desc.text());
        let properties: Vec<String> =
            self.properties.iter().map(|property| property.name.to_lowercase()).collect();
        let properties =
            if properties.is_empty() { String::new() } else { format!(" ({})", properties.join(", ")) };
        let damage = self.damage.as_ref().map(|damage| damage.damage_type.name.to_lowercase());
        let damage =
            damage.filter(|kind| !kind.is_empty()).map_or_else(String::new, |kind| format!(", {kind}"));
        format!("{kind}{damage}{properties}. {words}").trim().to_owned()
    }

    fn stats(&self) -> String {
        let mut stats = Vec::new();
        if let Some(cost) = &self.cost {
            stats.push(format!("costs {} {}", cost.quantity, cost.unit));
        }
        if let Some(weight) = &self.weight {
            stats.push(format!("weighs {} lb.", weight.to_string().trim_end_matches(".0")));
        }
        if !self.contents.is_empty() {
            let inside =
                self.contents.iter().map(|content| format!("{} {}", content.quantity, content.item.name));
            stats.push(format!("holds {}", inside.collect::<Vec<_>>().join(", ")));
        }
        stats.join("; ")
    }
}
