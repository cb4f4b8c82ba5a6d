//! `equipment.toml`: what can be owned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of thing an item is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ItemKind {
    /// For attacks.
    Weapon,
    /// Worn; the best one counts.
    Armor,
    /// Carried; added.
    Shield,
    /// Anything else; with a [`Consumable`], something that is used up.
    #[default]
    Gear,
}

/// A piece of equipment.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(try_from = "Row", into = "Row")]
pub struct Item {
    /// Kebab-case id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: ItemKind,
    /// In gold.
    pub cost: i64,
    /// Armour class when worn.
    pub armor_class: Option<u8>,
    /// Added to armour class.
    pub armor_bonus: Option<u8>,
    /// A weapon's dice.
    pub damage: Option<String>,
    /// The ability of a weapon's attacks, when it is not that of the pack.
    pub ability: Option<String>,
    /// What it does when it is used up: `kind = "consumable"`.
    pub consumable: Option<Consumable>,
    /// One sentence.
    pub summary: String,
}

/// What becomes of using something up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Consumable {
    /// Dice of hit points given back.
    pub heal: Option<String>,
    /// Dice of hit points taken from whom it is used on.
    pub damage: Option<String>,
    /// Conditions that it ends.
    pub cures: Vec<String>,
}

/// A piece of equipment.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Kebab-case id.
    id: String,
    /// Name.
    name: String,
    /// Kind.
    kind: Kind,
    /// In gold.
    #[serde(default)]
    cost: i64,
    /// Armour class when worn; of armour only.
    #[serde(default)]
    armor_class: Option<u8>,
    /// Added to armour class; of shields only.
    #[serde(default)]
    armor_bonus: Option<u8>,
    /// Dice; of weapons and consumables only.
    #[serde(default)]
    damage: Option<String>,
    /// The ability of a weapon's attacks, when it is not that of the pack; of weapons only.
    #[serde(default)]
    ability: Option<String>,
    /// Dice of hit points given back; of consumables only.
    #[serde(default)]
    heal: Option<String>,
    /// Conditions that it ends; of consumables only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cures: Vec<String>,
    /// One sentence.
    #[serde(default)]
    summary: String,
}

/// What kind of thing an item is.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// For attacks.
    Weapon,
    /// Worn; the best one counts.
    Armor,
    /// Carried; added.
    Shield,
    /// Anything else.
    Gear,
    /// Used up.
    Consumable,
}

/// That of the file.
impl schemars::JsonSchema for Item {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Item".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Row::json_schema(generator)
    }
}

impl TryFrom<Row> for Item {
    type Error = String;

    /// Refuses what a thing of this kind cannot have: it would be read and never used.
    fn try_from(row: Row) -> Result<Item, String> {
        let only = |field: &str, given: bool, fits: bool, kinds: &str| match given && !fits {
            true => Err(format!("the item {:?} has {field}, which only {kinds} can have", row.id)),
            false => Ok(()),
        };
        let is_weapon = matches!(row.kind, Kind::Weapon);
        let is_consumable = matches!(row.kind, Kind::Consumable);
        only("armor_class", row.armor_class.is_some(), matches!(row.kind, Kind::Armor), "armor")?;
        only("armor_bonus", row.armor_bonus.is_some(), matches!(row.kind, Kind::Shield), "a shield")?;
        only("damage", row.damage.is_some(), is_weapon || is_consumable, "a weapon or a consumable")?;
        only("ability", row.ability.is_some(), is_weapon, "a weapon")?;
        only("heal", row.heal.is_some(), is_consumable, "a consumable")?;
        only("cures", !row.cures.is_empty(), is_consumable, "a consumable")?;
        let (kind, damage, consumable) = match row.kind {
            Kind::Weapon => (ItemKind::Weapon, row.damage, None),
            Kind::Armor => (ItemKind::Armor, None, None),
            Kind::Shield => (ItemKind::Shield, None, None),
            Kind::Gear => (ItemKind::Gear, None, None),
            Kind::Consumable => {
                let effect = Consumable { heal: row.heal, damage: row.damage, cures: row.cures };
                (ItemKind::Gear, None, Some(effect))
            }
        };
        let Row { id, name, cost, armor_class, armor_bonus, ability, summary, .. } = row;
        Ok(Item { id, name, kind, cost, armor_class, armor_bonus, damage, ability, consumable, summary })
    }
}

impl From<Item> for Row {
    fn from(item: Item) -> Row {
        let kind = match item.kind {
            ItemKind::Weapon => Kind::Weapon,
            ItemKind::Armor => Kind::Armor,
            ItemKind::Shield => Kind::Shield,
            ItemKind::Gear if item.consumable.is_some() => Kind::Consumable,
            ItemKind::Gear => Kind::Gear,
        };
        let Item { id, name, cost, armor_class, armor_bonus, damage, ability, consumable, summary, .. } =
            item;
        let effect = consumable.unwrap_or_default();
        let (damage, heal, cures) = (damage.or(effect.damage), effect.heal, effect.cures);
        Row { id, name, kind, cost, armor_class, armor_bonus, damage, ability, heal, cures, summary }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(fields: &str) -> Result<Item, String> {
        let text = format!("id = \"a\"\nname = \"A\"\n{fields}");
        toml::from_str(&text).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn what_is_used_up_keeps_its_effect_apart_from_the_damage_of_weapons() {
        let draught = item("kind = \"consumable\"\nheal = \"1d4+1\"\ncures = [\"poisoned\"]").unwrap();
        let effect = draught.consumable.unwrap();
        assert_eq!((effect.heal.as_deref(), effect.cures), (Some("1d4+1"), vec!["poisoned".to_owned()]));
        let flask = item("kind = \"consumable\"\ndamage = \"1d6\"").unwrap();
        assert_eq!(flask.damage, None);
        assert_eq!(flask.consumable.unwrap().damage.as_deref(), Some("1d6"));
        assert_eq!(item("kind = \"gear\"").unwrap().consumable, None);
    }

    #[test]
    fn what_is_written_is_read_as_what_it_was() {
        for fields in [
            "kind = \"consumable\"\nheal = \"1d4+1\"\ncures = [\"poisoned\"]",
            "kind = \"consumable\"\ndamage = \"1d6\"",
            "kind = \"weapon\"\ndamage = \"1d8\"\nability = \"DEX\"",
            "kind = \"shield\"\narmor_bonus = 1",
        ] {
            let read = item(fields).unwrap();
            let again: Item = toml::from_str(&toml::to_string(&read).unwrap()).unwrap();
            assert_eq!(format!("{again:?}"), format!("{read:?}"));
        }
    }

    #[test]
    fn what_a_thing_of_its_kind_cannot_have_is_refused() {
        for (fields, wanted) in [
            ("kind = \"gear\"\ndamage = \"1d6\"", "a weapon or a consumable"),
            ("kind = \"weapon\"\nheal = \"1d6\"", "only a consumable"),
            ("kind = \"weapon\"\narmor_class = 12", "only armor"),
            ("kind = \"armor\"\narmor_bonus = 1", "only a shield"),
            ("kind = \"shield\"\nability = \"DEX\"", "only a weapon"),
        ] {
            let error = item(fields).unwrap_err();
            assert!(error.contains(wanted), "{fields}: {error}");
        }
    }
}
