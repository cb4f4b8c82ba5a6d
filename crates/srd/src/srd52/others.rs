//! Classes, equipment, spells and pages of SRD 5.2.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Number, Value};
use twicetold_world::setup::{Class, Consumable, Item, ItemKind, Spell, Topic};

use super::{Activity, Part, macros};
use crate::database::{Database, records, sentence};
use crate::draft::Draft;
use crate::five::{self, AT_WILL};
use crate::roll::Roll;

/// Slots of the first level that a new caster has.
const SLOTS: u32 = 2;

/// Gold that a new character may have spent on one thing.
const FIRST_PURSE: i64 = 75;

/// Classes that cast from the first level on.
#[derive(Default)]
pub struct Casters {
    /// With slots.
    slots: Vec<String>,
    /// With cantrips.
    cantrips: Vec<String>,
}

#[derive(Deserialize)]
struct ItemRecord {
    name: String,
    item_kind: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    cost_gp: Option<Number>,
    #[serde(default)]
    rarity: Option<String>,
    #[serde(default)]
    magical: bool,
    #[serde(default)]
    properties: Vec<String>,
    #[serde(default)]
    weapon_category: Option<String>,
    #[serde(default)]
    damage_parts: Vec<Dealt>,
    #[serde(default)]
    armor_category: Option<String>,
    #[serde(default)]
    base_ac: Option<u8>,
    #[serde(default)]
    activities: Vec<Activity>,
}

#[derive(Deserialize)]
struct Dealt {
    dice: String,
    #[serde(default)]
    damage_type: Option<String>,
}

/// Maps equipment.
pub fn items(database: &Database, draft: &mut Draft) {
    for (id, record) in records::<ItemRecord>(database, "items", draft) {
        let words = macros::filled(&record.description, &|_| None);
        if let Some(item) = record.item(&id, &words) {
            if item.consumable.is_some() && record.rarity.as_deref() != Some("common") {
                draft.treasures.insert(id.clone());
            }
            draft.items.insert(id, item);
            continue;
        }
        let is_magic = record.magical || record.item_kind == "magic_item";
        let (folder, reason) = match is_magic {
            true => ("magic-items", "magic is words on a page: the engine has no numbers for it"),
            false => ("equipment", "no numbers for the engine: a page to read, carried by its name"),
        };
        draft.unmapped.note("items", reason, id.as_str());
        let rarity = record.rarity.filter(|_| is_magic).unwrap_or_default().replace('_', " ");
        let cost = record.cost_gp.map(|cost| format!("costs {cost} gp"));
        let stats: Vec<String> =
            [Some(rarity), cost].into_iter().flatten().filter(|text| !text.is_empty()).collect();
        let summary = sentence(&words);
        let page =
            Topic { title: record.name, summary, stats: stats.join("; "), full: words, ..Topic::default() };
        draft.topic(format!("{folder}/{id}"), page);
    }
}

impl ItemRecord {
    fn item(&self, id: &str, words: &str) -> Option<Item> {
        // Whole pieces of gold: the engine has no smaller ones.
        let cost = self.cost_gp.as_ref().map_or(0, |cost| {
            let text = cost.to_string();
            text.split('.').next().and_then(|whole| whole.parse().ok()).unwrap_or(0)
        });
        let has = |property: &str| self.properties.iter().any(|known| known == property);
        let item = Item { id: id.to_owned(), name: self.name.clone(), cost, ..Item::default() };
        match self.item_kind.as_str() {
            _ if self.magical => None,
            // Everybody has fists; they are no thing to carry.
            "weapon" if id == "unarmed-strike" => None,
            "weapon" => {
                let dealt = self.damage_parts.first()?;
                let category = self.weapon_category.clone()?.replace('_', " ");
                let ability = (has("finesse") || category.ends_with("ranged")).then(|| "DEX".to_owned());
                let kind = dealt.damage_type.clone().unwrap_or_default();
                let properties = self.properties.join(", ").replace('_', "-");
                let summary = format!("A {category} weapon, {kind} ({properties}). {}", sentence(words));
                let (damage, summary) =
                    (Some(Roll::read(&dealt.dice)?.text), summary.replace(" ()", "").trim().to_owned());
                Some(Item { kind: ItemKind::Weapon, damage, ability, summary, ..item })
            }
            "armor" => {
                let (base, category) = (self.base_ac?, self.armor_category.as_deref()?);
                let summary = format!("Armour: {category}. {}", sentence(words)).trim().to_owned();
                Some(match category {
                    "shield" => Item { kind: ItemKind::Shield, armor_bonus: Some(base), summary, ..item },
                    _ => Item { kind: ItemKind::Armor, armor_class: Some(base), summary, ..item },
                })
            }
            _ => {
                let heals = self
                    .activities
                    .iter()
                    .find(|activity| activity.kind == "heal" && words.contains("drink"))?;
                let healing =
                    heals.healing.as_ref().filter(|part| part.types.iter().any(|kind| kind == "healing"))?;
                let roll = Roll::read(&healing.dice()?)?;
                let effect = Consumable { heal: Some(roll.text), ..Consumable::default() };
                Some(Item { consumable: Some(effect), summary: sentence(words), ..item })
            }
        }
    }
}

#[derive(Deserialize)]
struct ClassRecord {
    name: String,
    hit_die: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    primary_ability: Primary,
    #[serde(default)]
    saving_throws: Vec<String>,
    #[serde(default)]
    spellcasting: Casting,
    #[serde(default)]
    granted_features: Vec<Granted>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Primary {
    value: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Casting {
    progression: String,
}

#[derive(Deserialize)]
struct Granted {
    #[serde(default)]
    level: u8,
    slug: String,
}

/// Maps classes, and says which of them cast.
pub fn classes(database: &Database, draft: &mut Draft) -> Casters {
    let mut casters = Casters::default();
    let what = "equipment to start with: the best that a class is trained in and can pay for";
    draft.unmapped.general("classes", what);
    let training = training(database, draft);
    for (id, record) in records::<ClassRecord>(database, "classes", draft) {
        let Some(hit_die) =
            record.hit_die.trim_start_matches('d').parse().ok().filter(|die| (2..=100).contains(die))
        else {
            draft.unmapped.note("classes", "no hit die: left out", id);
            continue;
        };
        let progression = record.spellcasting.progression.as_str();
        if ["full", "half", "pact"].contains(&progression) {
            casters.slots.push(id.clone());
        }
        if ["full", "pact"].contains(&progression) {
            casters.cantrips.push(id.clone());
        }
        let words = macros::filled(&record.description, &|_| None);
        let (weapons, armor) =
            (paragraph(&words, "Weapon Proficiencies"), paragraph(&words, "Armor Training"));
        let equipment = match (weapons, armor) {
            (Some(weapons), Some(armor)) => allowed(draft, &training, &weapons, &armor),
            _ => {
                draft.unmapped.note(
                    "classes",
                    "no training in the record: the class may list every item",
                    id.as_str(),
                );
                Vec::new()
            }
        };
        // Of several the first as sheets list them, which is what its weapons ask for.
        let leans = |(short, _): &(&str, &str)| {
            record.primary_ability.value.iter().any(|ability| short.eq_ignore_ascii_case(ability))
        };
        let prime = five::ABILITIES.into_iter().find(leans).map_or("STR", |(short, _)| short);
        let saves: Vec<String> = record.saving_throws.iter().map(|save| save.to_uppercase()).collect();
        let features = record
            .granted_features
            .iter()
            .map(|granted| format!("level {}: features/{}", granted.level, granted.slug));
        let features: Vec<String> = features.collect();
        let class = Class {
            id: id.clone(),
            name: record.name.clone(),
            hit_die,
            prime_ability: prime.to_owned(),
            starting: starting(draft, &equipment, prime),
            restrictions: vec![
                "Weapons, armour and shields only as far as this class is trained in them.".to_owned(),
            ],
            equipment,
            summary: format!("{}: hit die d{hit_die}, leans on {prime}.", record.name),
            stats: format!(
                "Hit die d{hit_die}; saving throws {}; {}.",
                saves.join(", "),
                features.join(", ")
            ),
            full: words,
        };
        draft.classes.insert(id, class);
    }
    casters
}

/// For each weapon, armour and shield the words by which classes are trained in it.
fn training(database: &Database, draft: &Draft) -> BTreeMap<String, Vec<String>> {
    let mut training = BTreeMap::new();
    for record in database.tables.get("items").into_iter().flatten() {
        let word = |field: &str| record.get(field).and_then(Value::as_str).map(str::to_owned);
        let Some(id) = word("slug").filter(|id| draft.items.contains_key(id)) else { continue };
        let properties = record.get("properties").and_then(Value::as_array).into_iter().flatten();
        let words = [word("weapon_category"), word("armor_category")].into_iter().flatten();
        training.insert(id, words.chain(properties.filter_map(Value::as_str).map(str::to_owned)).collect());
    }
    training
}

/// The paragraph behind this heading.
fn paragraph(text: &str, heading: &str) -> Option<String> {
    let mut paragraphs = text.split("\n\n").map(str::trim).skip_while(|paragraph| *paragraph != heading);
    paragraphs.nth(1).map(|paragraph| paragraph.replace('\u{a0}', " ").to_lowercase())
}

fn allowed(
    draft: &Draft,
    training: &BTreeMap<String, Vec<String>>,
    weapons: &str,
    armor: &str,
) -> Vec<String> {
    let all_martial = weapons.contains("martial") && !weapons.contains("that have");
    let by_property = weapons.split_once("that have").map_or("", |(_, properties)| properties);
    let may = |item: &Item| {
        let words = training.get(&item.id).map_or(&[][..], Vec::as_slice);
        let is = |front: &str| words.iter().any(|word| word.starts_with(front));
        match item.kind {
            ItemKind::Weapon if is("simple") => weapons.contains("simple"),
            ItemKind::Weapon => {
                all_martial || words.iter().skip(1).any(|property| by_property.contains(property.as_str()))
            }
            ItemKind::Armor => {
                ["light", "medium", "heavy"].iter().any(|kind| is(kind) && armor.contains(kind))
            }
            ItemKind::Shield => armor.contains("shield"),
            ItemKind::Gear => !draft.treasures.contains(&item.id),
        }
    };
    draft.items.values().filter(|item| may(item)).map(|item| item.id.clone()).collect()
}

/// The best armour, a shield and the most expensive weapon beside it within a first purse; a weapon of Dexterity for who leans on
/// that.
fn starting(draft: &Draft, equipment: &[String], prime: &str) -> Vec<String> {
    let within = |kind: ItemKind| {
        let items = draft.items.values().filter(move |item| item.kind == kind && item.cost <= FIRST_PURSE);
        items.filter(|item| equipment.is_empty() || equipment.contains(&item.id))
    };
    let armor = within(ItemKind::Armor).max_by_key(|item| item.armor_class);
    let weapon = within(ItemKind::Weapon)
        .filter(|item| item.cost <= FIRST_PURSE / 3 && !item.summary.contains("two-handed"))
        .max_by_key(|item| ((prime == "DEX") == (item.ability.as_deref() == Some("DEX")), item.cost));
    [weapon, armor, within(ItemKind::Shield).next()]
        .into_iter()
        .flatten()
        .map(|item| item.id.clone())
        .collect()
}

#[derive(Deserialize)]
struct SpellRecord {
    name: String,
    level: u8,
    #[serde(default)]
    description: String,
    #[serde(default)]
    school: Option<String>,
    #[serde(default)]
    ritual: bool,
    #[serde(default)]
    concentration: bool,
    #[serde(default)]
    components: Vec<String>,
    #[serde(default)]
    activities: Vec<Activity>,
}

/// Maps spells.
pub fn spells(database: &Database, casters: &Casters, draft: &mut Draft) {
    draft.unmapped.general(
        "spells",
        "the source does not say whose they are: each is known to every class that casts so early",
    );
    for (id, record) in records::<SpellRecord>(database, "spells", draft) {
        let all = |parts: &[Part]| parts.iter().filter_map(Part::dice).collect::<Vec<_>>().join("+");
        let hurts = record.activities.iter().filter(|activity| activity.kind != "heal");
        let hurts = hurts
            .filter_map(|activity| activity.damage.as_ref())
            .map(|damage| all(&damage.parts))
            .find(|dice| !dice.is_empty());
        let heals =
            record.activities.iter().find_map(|activity| activity.healing.as_ref().and_then(Part::dice));
        let mut dice = |text: Option<String>, what: &str| {
            let roll = Roll::read(&text?)?;
            if roll.modifier_left_out {
                draft.unmapped.note(
                    "spells",
                    format!("{what}: the caster's modifier is left out"),
                    id.as_str(),
                );
            }
            if !roll.exact {
                draft.unmapped.note(
                    "spells",
                    format!("{what}: several kinds of dice, by their average"),
                    id.as_str(),
                );
            }
            Some(roll.text)
        };
        let (damage, heal) = (dice(hurts, "damage"), dice(heals, "healing"));
        if damage.is_none() && heal.is_none() {
            draft.unmapped.note(
                "spells",
                "no dice in the record: words on a page, told and not rolled",
                id.as_str(),
            );
        }
        let (classes, uses) = match record.level {
            0 => (&casters.cantrips, AT_WILL),
            1 => (&casters.slots, SLOTS),
            _ => (&casters.slots, 0),
        };
        if classes.is_empty() {
            // No class at all would mean everybody.
            draft.unmapped.note("spells", "no class of the pack knows it: left out", id.as_str());
            continue;
        }
        if uses == 0 {
            draft.unmapped.note(
                "spells",
                "too high a level for new characters: imported as a rules page, not as a spell",
                id.as_str(),
            );
        }
        let resisted = record.activities.iter().find_map(|activity| activity.save.as_ref()?.ability.first());
        let save = resisted.and_then(|ability| five::ability(ability)).filter(|_| damage.is_some());
        let known = |words: &str| match words {
            _ if words.contains("labels.description.template") => {
                record.activities.iter().find_map(Activity::area)
            }
            _ if words.contains("affects capitalize") => Some("Each creature".to_owned()),
            _ if words.contains("affects") => Some("each creature".to_owned()),
            _ => None,
        };
        let full = macros::filled(&record.description, &known);
        let school = record.school.as_deref().map_or("magic", school);
        let level = if record.level == 0 { "Cantrip".to_owned() } else { format!("Level {}", record.level) };
        let marks = [("ritual", record.ritual), ("concentration", record.concentration)];
        let marks: Vec<&str> = marks.iter().filter(|(_, is)| *is).map(|(mark, _)| *mark).collect();
        let stats =
            format!("{level}, {school}; components {} {}", record.components.join(", "), marks.join(", "));
        let spell = Spell {
            id: id.clone(),
            name: record.name,
            classes: classes.clone(),
            damage,
            heal,
            save: save.map(str::to_owned),
            difficulty: save.map(|_| five::difficulty(record.level)),
            uses_per_encounter: uses,
            summary: format!("{level}, {school}. {}", sentence(&full)),
            stats: format!("{}.", stats.trim()),
            full,
        };
        draft.spells.insert(id, spell);
    }
}

/// A school of magic by the three letters of the source.
fn school(short: &str) -> &str {
    let schools = [
        ("abj", "abjuration"),
        ("con", "conjuration"),
        ("div", "divination"),
        ("enc", "enchantment"),
        ("evo", "evocation"),
        ("ill", "illusion"),
        ("nec", "necromancy"),
        ("trs", "transmutation"),
    ];
    schools.iter().find(|(known, _)| *known == short).map_or(short, |(_, full)| full)
}

#[derive(Deserialize)]
struct Record {
    name: String,
    #[serde(default)]
    description: Option<String>,
}

/// Maps what is words alone.
pub fn pages(database: &Database, draft: &mut Draft) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for kind in ["conditions", "features", "subclasses", "species", "traits", "feats", "backgrounds"] {
        for (id, record) in records::<Record>(database, kind, draft) {
            let full = macros::filled(record.description.as_deref().unwrap_or_default(), &|_| None);
            if full.is_empty() || !seen.insert(format!("{kind}/{id}")) {
                draft.unmapped.note(kind, "no words, or twice: left out", id);
                continue;
            }
            let page = Topic { title: record.name, summary: sentence(&full), full, ..Topic::default() };
            draft.topic(format!("{kind}/{id}"), page);
        }
    }
}
