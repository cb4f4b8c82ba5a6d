//! Monsters of SRD 5.1: the numbers of their attacks are in the records; everything else becomes words on their pages.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Number, Value};
use twicetold_world::setup::{Monster, MonsterAttack, Topic};

use super::{Prose, Reference, records};
use crate::database::Database;
use crate::draft::{Draft, Unmapped};
use crate::five::{self, MORALE};
use crate::limits::ATTACKS_MAX;
use crate::roll::Roll;

const KIND: &str = "monsters";

#[derive(Deserialize)]
struct Record {
    name: String,
    size: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    subtype: String,
    #[serde(default)]
    alignment: String,
    #[serde(default)]
    desc: Prose,
    armor_class: Vec<Armor>,
    hit_points: u16,
    #[serde(default)]
    hit_points_roll: String,
    #[serde(default)]
    speed: BTreeMap<String, Value>,
    strength: u8,
    dexterity: u8,
    constitution: u8,
    intelligence: u8,
    wisdom: u8,
    charisma: u8,
    #[serde(default)]
    proficiencies: Vec<Proficiency>,
    #[serde(default)]
    damage_vulnerabilities: Vec<String>,
    #[serde(default)]
    damage_resistances: Vec<String>,
    #[serde(default)]
    damage_immunities: Vec<String>,
    #[serde(default)]
    condition_immunities: Vec<Reference>,
    #[serde(default)]
    senses: BTreeMap<String, Value>,
    #[serde(default)]
    languages: String,
    #[serde(default)]
    challenge_rating: Option<Number>,
    #[serde(default)]
    xp: Option<Number>,
    #[serde(default)]
    special_abilities: Vec<Action>,
    #[serde(default)]
    actions: Vec<Action>,
    #[serde(default)]
    legendary_actions: Vec<Action>,
    #[serde(default)]
    reactions: Vec<Action>,
}

#[derive(Deserialize)]
struct Armor {
    value: u8,
    #[serde(default, rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Proficiency {
    value: i32,
    proficiency: Reference,
}

#[derive(Deserialize)]
struct Action {
    name: String,
    #[serde(default)]
    desc: String,
    #[serde(default)]
    attack_bonus: Option<i32>,
    #[serde(default)]
    damage: Vec<Damage>,
}

/// Damage, or a choice between several: with one hand or two, by weapon or by claw.
#[derive(Deserialize)]
struct Damage {
    #[serde(default)]
    damage_dice: Option<String>,
    #[serde(default)]
    from: Option<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    options: Vec<Damage>,
}

/// Maps the table.
pub fn map(database: &Database, draft: &mut Draft) {
    for (id, record) in records::<Record>(database, KIND, draft) {
        let attacks = attacks(&id, &record, &mut draft.unmapped);
        if !record.special_abilities.is_empty() {
            draft.unmapped.note(KIND, "traits are words on their pages", id.as_str());
        }
        let problem = match (attacks.is_empty(), record.hit_points) {
            (true, _) => {
                Some("the engine supports none of its attacks: imported as a rules page, not as a monster")
            }
            (_, 0) => Some("no hit points: a page to read, and no foe"),
            _ => None,
        };
        if let Some(problem) = problem {
            draft.unmapped.note(KIND, problem, id.as_str());
            let page = Topic {
                title: record.name.clone(),
                summary: record.summary(),
                stats: record.stats(),
                full: record.full(),
                ..Topic::default()
            };
            draft.topic(format!("monsters/{id}"), page);
            continue;
        }
        let (summary, stats, full) = (record.summary(), record.stats(), record.full());
        let (armor_class, saves) =
            (record.armor_class.first().map_or(10, |armor| armor.value), record.saves());
        if record.armor_class.len() > 1 {
            draft.unmapped.note(
                KIND,
                "a second armour class, for another shape or spell, is plain text",
                id.as_str(),
            );
        }
        let monster = Monster {
            id: id.clone(),
            name: record.name,
            armor_class,
            hit_points: record.hit_points,
            initiative: five::modifier(record.dexterity),
            morale: MORALE,
            summary,
            stats,
            full,
            saves,
            attacks,
        };
        draft.monsters.insert(id, monster);
    }
    if let Some(commoner) = draft.monsters.get("commoner") {
        let combat = &mut draft.pack.combat;
        (combat.npc_armor_class, combat.npc_hit_points) = (commoner.armor_class, commoner.hit_points);
        if let Some(attack) = commoner.attacks.first() {
            (combat.npc_attack_bonus, combat.npc_damage) = (attack.bonus, attack.damage.clone());
        }
    }
}

/// The attacks that have a bonus and dice.
fn attacks(id: &str, record: &Record, unmapped: &mut Unmapped) -> Vec<MonsterAttack> {
    let mut attacks: Vec<MonsterAttack> = Vec::new();
    for action in &record.actions {
        let Some(bonus) = action.attack_bonus else {
            let is_blow = action.damage.iter().any(|damage| damage.damage_dice.is_some());
            if is_blow {
                unmapped.note(
                    KIND,
                    "an action that harms without an attack roll",
                    format!("{id}: {}", action.name),
                );
            }
            continue;
        };
        let whom = || format!("{id}: {}", action.name);
        let mut dice = Vec::new();
        for damage in &action.damage {
            let options = damage.from.as_ref().map_or(&[][..], |choice| &choice.options);
            if !options.is_empty() {
                unmapped.note(KIND, "damage by choice: the first one is taken", whom());
            }
            let first = options.iter().find_map(|option| option.damage_dice.as_deref());
            dice.extend(damage.damage_dice.as_deref().or(first));
        }
        match Roll::together(dice.iter().copied()) {
            None => unmapped.note(KIND, "an attack without dice", whom()),
            Some(_) if attacks.len() >= ATTACKS_MAX => {
                unmapped.note(KIND, format!("more than {ATTACKS_MAX} attacks"), whom());
            }
            Some(roll) => {
                if !roll.exact {
                    unmapped.note(
                        KIND,
                        "several kinds of dice in one blow: the further ones by their average",
                        whom(),
                    );
                }
                attacks.push(MonsterAttack { name: action.name.clone(), bonus, damage: roll.text });
            }
        }
    }
    attacks
}

impl Record {
    fn scores(&self) -> [(&'static str, u8); 6] {
        [
            ("STR", self.strength),
            ("DEX", self.dexterity),
            ("CON", self.constitution),
            ("INT", self.intelligence),
            ("WIS", self.wisdom),
            ("CHA", self.charisma),
        ]
    }

    /// What is added to saving throws: the modifier, or what the stat block has in its place.
    fn saves(&self) -> BTreeMap<String, i32> {
        let mut saves: BTreeMap<String, i32> = BTreeMap::new();
        for (ability, score) in self.scores() {
            saves.insert(ability.to_owned(), five::modifier(score));
        }
        for trained in &self.proficiencies {
            let short = trained.proficiency.index.strip_prefix("saving-throw-");
            if let Some(ability) = short.and_then(five::ability) {
                saves.insert(ability.to_owned(), trained.value);
            }
        }
        saves.retain(|_, bonus| *bonus != 0);
        saves
    }

    fn summary(&self) -> String {
        let subtype = if self.subtype.is_empty() { String::new() } else { format!(" ({})", self.subtype) };
        let challenge = self.challenge_rating.as_ref().map_or_else(|| "unknown".to_owned(), challenge);
        format!("{} {}{subtype}, {}; challenge {challenge}.", self.size, self.kind, self.alignment)
    }

    fn stats(&self) -> String {
        let scores =
            self.scores().map(|(name, score)| format!("{name} {score} ({:+})", five::modifier(score)));
        let mut lines = vec![format!("Abilities: {}", scores.join(", "))];
        if !self.hit_points_roll.is_empty() {
            lines.push(format!("Hit dice: {}", self.hit_points_roll));
        }
        let mut list = |title: &str, words: Vec<String>| {
            if !words.is_empty() {
                lines.push(format!("{title}: {}", words.join(", ")));
            }
        };
        let armor = self.armor_class.iter().map(|armor| format!("{} ({})", armor.value, armor.kind));
        list("Armour class", armor.collect());
        list("Speed", facts(&self.speed));
        let skills = self.proficiencies.iter().filter_map(|trained| {
            let name = trained.proficiency.name.strip_prefix("Skill: ")?;
            Some(format!("{name} {:+}", trained.value))
        });
        list("Skills", skills.collect());
        list("Vulnerable to", self.damage_vulnerabilities.clone());
        list("Resists", self.damage_resistances.clone());
        list("Immune to", self.damage_immunities.clone());
        list(
            "Never",
            self.condition_immunities.iter().map(|condition| condition.name.to_lowercase()).collect(),
        );
        list("Senses", facts(&self.senses));
        list(
            "Languages",
            vec![self.languages.clone()].into_iter().filter(|words| !words.is_empty()).collect(),
        );
        list("Experience", self.xp.iter().map(Number::to_string).collect());
        lines.iter().map(|line| format!("{}.", line.trim_end_matches('.'))).collect::<Vec<_>>().join(" ")
    }

    fn full(&self) -> String {
        let mut parts = vec![self.summary(), self.desc.text()];
        for (title, actions) in [
            ("", &self.special_abilities),
            ("Actions", &self.actions),
            ("Reactions", &self.reactions),
            ("Legendary actions", &self.legendary_actions),
        ] {
            if !title.is_empty() && !actions.is_empty() {
                parts.push(format!("{title}:"));
            }
            parts.extend(actions.iter().map(|action| format!("{}. {}", action.name, action.desc)));
        }
        parts.retain(|part| !part.trim().is_empty());
        parts.join("\n\n")
    }
}

/// A fraction, as stat blocks print it.
fn challenge(rating: &Number) -> String {
    match rating.to_string().as_str() {
        "0.125" => "1/8".to_owned(),
        "0.25" => "1/4".to_owned(),
        "0.5" => "1/2".to_owned(),
        other => other.trim_end_matches(".0").to_owned(),
    }
}

fn facts(facts: &BTreeMap<String, Value>) -> Vec<String> {
    let fact = |(name, value): (&String, &Value)| {
        let name = name.replace('_', " ");
        match value {
            Value::String(text) => format!("{name} {text}"),
            Value::Bool(true) => name,
            Value::Bool(false) | Value::Null => String::new(),
            other => format!("{name} {other}"),
        }
    };
    facts.iter().map(fact).filter(|fact| !fact.is_empty()).collect()
}
