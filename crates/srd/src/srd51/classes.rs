//! Classes of SRD 5.1, and what their new members can cast.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use twicetold_world::setup::{Class, ItemKind};

use super::{Prose, Reference, records};
use crate::database::Database;
use crate::draft::Draft;
use crate::five::{self, AT_WILL};

const KIND: &str = "classes";

#[derive(Deserialize)]
struct Record {
    name: String,
    hit_die: u8,
    #[serde(default)]
    proficiencies: Vec<Reference>,
    #[serde(default)]
    proficiency_choices: Vec<Described>,
    #[serde(default)]
    saving_throws: Vec<Reference>,
    #[serde(default)]
    starting_equipment: Vec<Owned>,
    #[serde(default)]
    starting_equipment_options: Vec<Options>,
    #[serde(default)]
    multi_classing: MultiClassing,
    #[serde(default)]
    spellcasting: Option<Spellcasting>,
}

#[derive(Deserialize)]
struct Described {
    #[serde(default)]
    desc: String,
}

#[derive(Deserialize)]
struct Owned {
    equipment: Reference,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MultiClassing {
    prerequisites: Vec<Prerequisite>,
}

#[derive(Deserialize)]
struct Prerequisite {
    ability_score: Reference,
}

#[derive(Deserialize)]
struct Spellcasting {
    #[serde(default)]
    spellcasting_ability: Reference,
    #[serde(default)]
    info: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    desc: Prose,
}

/// A choice of equipment: what it says, and from what.
#[derive(Deserialize)]
struct Options {
    #[serde(default)]
    desc: String,
    #[serde(default)]
    from: From,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct From {
    options: Vec<Offer>,
    equipment_category: Option<Reference>,
}

/// One of what may be chosen: a thing, several, or a choice once more.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Offer {
    of: Option<Reference>,
    items: Vec<Offer>,
    choice: Option<Box<Options>>,
}

#[derive(Deserialize)]
struct Level {
    level: u8,
    #[serde(default)]
    prof_bonus: i32,
    class: Reference,
    #[serde(default)]
    subclass: Option<Reference>,
    #[serde(default)]
    features: Vec<Reference>,
    #[serde(default)]
    spellcasting: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
struct Category {
    equipment: Vec<Reference>,
}

#[derive(Deserialize)]
struct Proficiency {
    #[serde(default)]
    reference: Target,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Target {
    index: String,
    url: String,
}

/// What members of a class can cast from the first level on.
#[derive(Debug, Default)]
pub struct Beginners {
    /// Slots of the first level, by class.
    slots: BTreeMap<String, u32>,
    /// Classes that know cantrips.
    cantrips: BTreeSet<String>,
}

impl Beginners {
    /// Who knows a spell, and how often they can cast it: the beginners among the classes that `know` it; where there are none,
    /// all of them, and not once.
    pub fn of(&self, level: u8, known: &[String]) -> (Vec<String>, u32) {
        let can = |class: &&String| match level {
            0 => self.cantrips.contains(*class),
            1 => self.slots.contains_key(*class),
            _ => false,
        };
        let able: Vec<String> = known.iter().filter(can).cloned().collect();
        let slots = able.iter().filter_map(|class| self.slots.get(class)).max().copied();
        match (able.is_empty(), level) {
            (true, _) => (known.to_vec(), 0),
            (false, 0) => (able, AT_WILL),
            (false, _) => (able, slots.unwrap_or(1)),
        }
    }
}

/// What is known of equipment beyond the items: which belong together, and what training is for.
struct Armoury {
    categories: BTreeMap<String, Vec<String>>,
    proficiencies: BTreeMap<String, Target>,
}

/// Maps the table, and says who can cast what.
pub fn map(database: &Database, draft: &mut Draft) -> Beginners {
    let categories = records::<Category>(database, "equipment_categories", draft);
    let index = |reference: Reference| reference.index;
    let armoury = Armoury {
        categories: (categories.into_iter())
            .map(|(id, category)| (id, category.equipment.into_iter().map(index).collect()))
            .collect(),
        proficiencies: (records::<Proficiency>(database, "proficiencies", draft).into_iter())
            .map(|(id, proficiency)| (id, proficiency.reference))
            .collect(),
    };
    let mut levels: Vec<Level> =
        records::<Level>(database, "levels", draft).into_iter().map(|(_, level)| level).collect();
    levels.retain(|level| level.subclass.is_none());
    levels.sort_by_key(|level| level.level);
    for (id, record) in records::<Record>(database, KIND, draft) {
        if !(2..=100).contains(&record.hit_die) {
            draft.unmapped.note(KIND, "no hit die: left out", id);
            continue;
        }
        let own: Vec<&Level> = levels.iter().filter(|level| level.class.index == id).collect();
        let class = class(&id, &record, &own, &armoury, draft);
        draft.classes.insert(id, class);
    }
    draft.unmapped.general(
        KIND,
        "equipment by choice: the first that the engine has numbers for is what they start with",
    );
    let mut beginners = Beginners::default();
    for level in levels.iter().filter(|level| level.level == 1) {
        let (class, has) =
            (level.class.index.clone(), |what| level.spellcasting.get(what).copied().unwrap_or(0));
        if has("cantrips_known") > 0 {
            beginners.cantrips.insert(class.clone());
        }
        if has("spell_slots_level_1") > 0 {
            beginners.slots.insert(class, has("spell_slots_level_1"));
        }
    }
    beginners
}

fn class(id: &str, record: &Record, levels: &[&Level], armoury: &Armoury, draft: &mut Draft) -> Class {
    let first = record.multi_classing.prerequisites.first().map(|prerequisite| &prerequisite.ability_score);
    let casts = record.spellcasting.as_ref().map(|spellcasting| &spellcasting.spellcasting_ability);
    // Whoever may lean on Strength or on Dexterity leans on Strength: most weapons do.
    let prime = first.or(casts).and_then(|ability| five::ability(&ability.index)).unwrap_or("STR");
    let equipment = allowed(id, record, armoury, draft);
    let may =
        |item: &String| draft.items.contains_key(item) && (equipment.is_empty() || equipment.contains(item));
    let mut starting: Vec<String> = Vec::new();
    let given = record.starting_equipment.iter().map(|owned| owned.equipment.index.clone());
    let chosen = record.starting_equipment_options.iter().flat_map(|options| choose(options, armoury, &may));
    for item in given.chain(chosen).filter(may) {
        if !starting.contains(&item) {
            starting.push(item);
        }
    }
    let trained: Vec<&str> = record.proficiencies.iter().map(|trained| trained.name.as_str()).collect();
    let saves: Vec<&str> = record.saving_throws.iter().map(|ability| ability.name.as_str()).collect();
    let restrictions = match equipment.is_empty() {
        true => Vec::new(),
        false => vec!["Weapons, armour and shields only as far as this class is trained in them.".to_owned()],
    };
    Class {
        id: id.to_owned(),
        name: record.name.clone(),
        hit_die: record.hit_die,
        prime_ability: prime.to_owned(),
        equipment,
        starting,
        restrictions,
        summary: format!("{}: hit die d{}, leans on {prime}.", record.name, record.hit_die),
        stats: format!(
            "Hit die d{}; saving throws {}; trained in {}.",
            record.hit_die,
            saves.join(", "),
            trained.join(", ")
        ),
        full: full(record, levels),
    }
}

fn full(record: &Record, levels: &[&Level]) -> String {
    let mut parts = vec![format!("Hit die: d{}.", record.hit_die)];
    parts.extend(record.proficiency_choices.iter().map(|choice| format!("Training: {}.", choice.desc)));
    parts.extend(
        record.starting_equipment_options.iter().map(|choice| format!("Equipment: {}.", choice.desc)),
    );
    for info in record.spellcasting.iter().flat_map(|spellcasting| &spellcasting.info) {
        parts.push(format!("{}. {}", info.name, info.desc.text()));
    }
    for level in levels {
        let features: Vec<String> = level
            .features
            .iter()
            .map(|feature| format!("{} (features/{})", feature.name, feature.index))
            .collect();
        let features = if features.is_empty() { "nothing new".to_owned() } else { features.join(", ") };
        parts.push(format!("Level {}: proficiency bonus {:+}; {features}.", level.level, level.prof_bonus));
    }
    parts.join("\n\n")
}

/// Ids of all items that a class may list; none when it may list them all.
fn allowed(id: &str, record: &Record, armoury: &Armoury, draft: &mut Draft) -> Vec<String> {
    let mut allowed: BTreeSet<String> = BTreeSet::new();
    for trained in &record.proficiencies {
        let Some(target) = armoury.proficiencies.get(&trained.index) else { continue };
        let items = match target.url.contains("/equipment-categories/") {
            true => armoury.categories.get(&target.index).cloned().unwrap_or_default(),
            false => vec![target.index.clone()],
        };
        allowed.extend(items.into_iter().filter(|item| draft.items.contains_key(item)));
    }
    if allowed.is_empty() {
        draft.unmapped.note(KIND, "no training in the record: the class may list every item", id);
        return Vec::new();
    }
    // What nobody is trained in stands open to all who can buy it.
    let open = draft
        .items
        .values()
        .filter(|item| item.kind == ItemKind::Gear && !draft.treasures.contains(&item.id));
    allowed.extend(open.map(|item| item.id.clone()));
    if allowed.len() == draft.items.len() { Vec::new() } else { allowed.into_iter().collect() }
}

/// The first offer of which the class may list something.
fn choose(options: &Options, armoury: &Armoury, may: &dyn Fn(&String) -> bool) -> Vec<String> {
    let things = options.from.options.iter().map(|offer| offered(offer, armoury, may, 0));
    let of_category = options.from.equipment_category.iter().map(|category| {
        let members = armoury.categories.get(&category.index).into_iter().flatten();
        members.filter(|item| may(item)).take(1).cloned().collect()
    });
    things.chain(of_category).find(|items: &Vec<String>| items.iter().any(may)).unwrap_or_default()
}

fn offered(offer: &Offer, armoury: &Armoury, may: &dyn Fn(&String) -> bool, depth: u8) -> Vec<String> {
    let mut items: Vec<String> = offer.of.iter().map(|thing| thing.index.clone()).collect();
    // Records of books choose at most twice; JSON could go on for ever.
    if depth < 4 {
        items.extend(offer.items.iter().flat_map(|inner| offered(inner, armoury, may, depth + 1)));
        items.extend(offer.choice.iter().flat_map(|inner| choose(inner, armoury, may)));
    }
    items
}
