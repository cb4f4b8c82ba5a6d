//! Monsters of SRD 5.2: their records have dice and abilities; bonuses are computed from these, as the rules do.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Number, Value};
use twicetold_world::setup::{Monster, MonsterAttack, Topic};

use super::{Activity, Attack, macros};
use crate::database::{Database, records};
use crate::draft::{Draft, Unmapped};
use crate::five::{self, MORALE};
use crate::limits::ATTACKS_MAX;
use crate::roll::Roll;

const KIND: &str = "monsters";

/// Weapons that their bearers may wield by Strength or Dexterity.
const FINESSE: [&str; 6] = ["dagger", "dart", "rapier", "scimitar", "shortsword", "whip"];

/// Words in the names of weapons that shoot.
const SHOOTS: [&str; 4] = ["bow", "sling", "blowgun", "pistol"];

#[derive(Deserialize)]
struct Record {
    name: String,
    ability_scores: BTreeMap<String, u8>,
    ac: u8,
    hp: u16,
    #[serde(default)]
    hp_dice: Option<String>,
    proficiency_bonus: i32,
    #[serde(default)]
    alignment: Option<String>,
    #[serde(default)]
    creature_size: String,
    #[serde(default)]
    creature_type: String,
    #[serde(default)]
    cr: Option<Number>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    saving_throws: BTreeMap<String, Option<i32>>,
    #[serde(default)]
    skills: BTreeMap<String, Value>,
    #[serde(default)]
    senses: BTreeMap<String, Value>,
    #[serde(default)]
    movement: BTreeMap<String, Value>,
    #[serde(default)]
    languages: Vec<String>,
    #[serde(default)]
    damage_resistances: Vec<String>,
    #[serde(default)]
    damage_immunities: Vec<String>,
    #[serde(default)]
    damage_vulnerabilities: Vec<String>,
    #[serde(default)]
    condition_immunities: Vec<String>,
    #[serde(default)]
    actions: Vec<Action>,
    #[serde(default)]
    spellcasting_ability: Option<String>,
    #[serde(default)]
    special_abilities: Vec<Action>,
    #[serde(default)]
    legendary_actions: Vec<Action>,
}

#[derive(Deserialize)]
struct Action {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    activities: Vec<Activity>,
}

/// Maps the records.
pub fn map(database: &Database, draft: &mut Draft) {
    draft.unmapped.general(
        KIND,
        "attack bonuses and damage are computed from abilities: the source does not print them",
    );
    for (id, record) in records::<Record>(database, KIND, draft) {
        let mut attacks = Vec::new();
        for action in &record.actions {
            if let Some(attack) = record.attack(&id, action, &mut draft.unmapped) {
                match attacks.len() < ATTACKS_MAX {
                    true => attacks.push(attack),
                    false => {
                        draft.unmapped.note(KIND, format!("more than {ATTACKS_MAX} attacks"), id.as_str())
                    }
                }
            }
        }
        let (summary, stats, full) = (record.summary(), record.stats(), record.full(&id));
        if attacks.is_empty() || record.hp == 0 {
            draft.unmapped.note(
                KIND,
                "no attack that the engine can roll: a page to read, and no foe",
                id.as_str(),
            );
            let page = Topic { title: record.name, summary, stats, full, ..Topic::default() };
            draft.topic(format!("monsters/{id}"), page);
            continue;
        }
        let monster = Monster {
            id: id.clone(),
            armor_class: record.ac,
            hit_points: record.hp,
            initiative: record.modifier("DEX"),
            morale: MORALE,
            summary,
            stats,
            full,
            saves: record.saves(),
            attacks,
            name: record.name,
        };
        draft.monsters.insert(id, monster);
    }
}

impl Record {
    fn modifier(&self, ability: &str) -> i32 {
        self.ability_scores.get(&ability.to_lowercase()).map_or(0, |score| five::modifier(*score))
    }

    fn saves(&self) -> BTreeMap<String, i32> {
        let save = |(short, _): (&str, _)| {
            let trained = self.saving_throws.get(&short.to_lowercase()).copied().flatten();
            (short.to_owned(), trained.unwrap_or_else(|| self.modifier(short)))
        };
        five::ABILITIES.into_iter().map(save).filter(|(_, bonus)| *bonus != 0).collect()
    }

    /// The first attack among the things that an action does.
    fn attack(&self, id: &str, action: &Action, unmapped: &mut Unmapped) -> Option<MonsterAttack> {
        let activity = action.activities.iter().find(|activity| activity.kind == "attack")?;
        let default = Attack::default();
        let attack = activity.attack.as_ref().unwrap_or(&default);
        let whom = || format!("{id}: {}", action.name);
        let (modifier, trained) = match self.wielded_by(&action.name, attack) {
            Some(ability) => (self.modifier(ability), self.proficiency_bonus),
            None => (0, 0),
        };
        let parts = activity.damage.as_ref().map_or(&[][..], |damage| &damage.parts);
        let mut dice: Vec<String> = parts.iter().filter_map(super::Part::dice).collect();
        // A weapon adds its bearer's ability to its dice; fixed damage and spells do not.
        let added = parts.first().is_some_and(super::Part::is_rolled);
        let asked = dice.iter().any(|dice| dice.contains("MOD"));
        if !dice.is_empty() && (asked || added && attack.kind.classification != "spell") {
            dice.insert(1, modifier.to_string());
        }
        let text = dice.join("+").replace("+-", "-").replace("MOD", "0");
        let Some(roll) = Roll::read(&text) else {
            unmapped.note(KIND, "an attack without dice", format!("{}: {text}", whom()));
            return None;
        };
        if !roll.exact {
            unmapped.note(
                KIND,
                "several kinds of dice in one blow: the further ones by their average",
                whom(),
            );
        }
        let own: i32 = attack.bonus.trim().parse().unwrap_or(0);
        let bonus = modifier.saturating_add(trained).saturating_add(own);
        Some(MonsterAttack { name: action.name.clone(), bonus, damage: roll.text })
    }

    /// The ability behind an attack; none: it has a bonus of its own.
    fn wielded_by(&self, name: &str, attack: &Attack) -> Option<&'static str> {
        if let Some(ability) = five::ability(&attack.ability) {
            return Some(ability);
        }
        if attack.ability == "none" {
            return None;
        }
        let name = name.to_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let finesse = is(&FINESSE) && self.modifier("DEX") > self.modifier("STR");
        let shoots = is(&SHOOTS)
            || attack.kind.value == "ranged" && !is(&["javelin", "spear", "axe", "rock", "hammer"]);
        Some(if finesse || shoots { "DEX" } else { "STR" })
    }

    fn summary(&self) -> String {
        let challenge = match self.cr.as_ref().map(Number::to_string).as_deref() {
            Some("0.125") => "1/8".to_owned(),
            Some("0.25") => "1/4".to_owned(),
            Some("0.5") => "1/2".to_owned(),
            other => other.unwrap_or("unknown").trim_end_matches(".0").to_owned(),
        };
        let alignment = self.alignment.as_deref().unwrap_or("unaligned").to_lowercase();
        format!(
            "{} {}, {alignment}; challenge {challenge}.",
            capital(&self.creature_size),
            self.creature_type
        )
    }

    fn stats(&self) -> String {
        let score = |(short, _): (&str, &str)| {
            let score = self.ability_scores.get(&short.to_lowercase()).copied().unwrap_or(10);
            format!("{short} {score} ({:+})", five::modifier(score))
        };
        let mut lines = vec![format!("Abilities: {}", five::ABILITIES.map(score).join(", "))];
        let dice: Vec<String> = self.hp_dice.iter().cloned().collect();
        for (title, words) in [
            ("Hit dice", dice),
            ("Speed", facts(&self.movement)),
            ("Skills", facts(&self.skills)),
            ("Vulnerable to", self.damage_vulnerabilities.clone()),
            ("Resists", self.damage_resistances.clone()),
            ("Immune to", self.damage_immunities.clone()),
            ("Never", self.condition_immunities.clone()),
            ("Senses", facts(&self.senses)),
            ("Languages", self.languages.clone()),
        ] {
            if !words.is_empty() {
                lines.push(format!("{title}: {}", words.join(", ")));
            }
        }
        lines.iter().map(|line| format!("{line}.")).collect::<Vec<_>>().join(" ")
    }

    fn full(&self, id: &str) -> String {
        let mut parts = vec![self.summary(), macros::filled(&self.description, &|_| None)];
        for (title, actions) in [
            ("", &self.special_abilities),
            ("Actions", &self.actions),
            ("Legendary actions", &self.legendary_actions),
        ] {
            if !title.is_empty() && !actions.is_empty() {
                parts.push(format!("{title}:"));
            }
            for action in actions {
                let numbers = self.attack(id, action, &mut Unmapped::default());
                let known = |words: &str| self.said(words, action, numbers.as_ref());
                parts.push(format!("{}. {}", action.name, macros::filled(&action.description, &known)));
            }
        }
        parts.retain(|part| !part.trim().is_empty());
        parts.join("\n\n")
    }
}

impl Record {
    /// What stands for a macro in the text of an action with these numbers.
    fn said(&self, words: &str, action: &Action, numbers: Option<&MonsterAttack>) -> Option<String> {
        let meant = words.split_once("activity=").map(|(_, id)| id.split_whitespace().next().unwrap_or(id));
        let of = |activity: &&Activity| meant.is_none_or(|id| activity.id == id);
        if words.starts_with("/attack") {
            return numbers.map(|attack| format!("{:+} to hit", attack.bonus));
        }
        if words.starts_with("/damage average") && !words.contains(|c: char| c.is_ascii_digit()) {
            if words.ends_with("extended") {
                return numbers.map(|attack| format!("Hit: {} damage", attack.damage));
            }
            let harm = action.activities.iter().filter(of).find_map(|activity| activity.damage.as_ref())?;
            let parts = harm
                .parts
                .iter()
                .filter_map(|part| Some(format!("{} {}", part.dice()?, part.types.join(" or "))));
            return Some(parts.collect::<Vec<_>>().join(" plus ")).filter(|text| !text.is_empty());
        }
        let path = words.strip_prefix("lookup @")?.split_whitespace().next()?;
        let difficulty = |ability: &str| self.proficiency_bonus.saturating_add(8 + self.modifier(ability));
        match path {
            "name" => Some(self.name.to_lowercase()),
            "attributes.spell.dc" => {
                Some(difficulty(five::ability(self.spellcasting_ability.as_deref()?)?).to_string())
            }
            "save.dc.value" => {
                let save = action.activities.iter().filter(of).find_map(|activity| activity.save.as_ref())?;
                let own = five::ability(&save.dc.calculation);
                let cast = || five::ability(self.spellcasting_ability.as_deref()?);
                Some(difficulty(own.or_else(cast)?).to_string())
            }
            path => action.activities.iter().filter(of).find_map(|activity| activity.at(path)),
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What is there, and more than nothing.
fn facts(facts: &BTreeMap<String, Value>) -> Vec<String> {
    let fact = |(name, value): (&String, &Value)| {
        let name = name.replace('_', " ");
        match value {
            Value::Number(number) => Some(format!("{name} {number}")),
            Value::String(text) if !text.is_empty() => Some(format!("{name} {text}")),
            Value::Bool(true) => Some(name),
            _ => None,
        }
    };
    facts.iter().filter_map(fact).collect()
}
