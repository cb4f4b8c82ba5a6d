//! What a rules pack must not say.

use std::collections::BTreeMap;

use twicetold_event::limits::PLAYERS_MAX;

use super::super::Setup;
use super::super::Step::{At, Key};
use super::super::finding::{Finding, Notes};
use super::{Combat, Rules};

impl Rules {
    /// All that is wrong with the pack.
    pub(crate) fn contradictions(&self, setup: &Setup) -> Vec<Finding> {
        let notes = |file: &str| Notes::of(setup, &format!("rules/{}/{file}", self.folder));
        let mut found = self.of_the_pack(notes("pack.toml"));
        found.extend(self.of_classes(notes("classes.toml")));
        found.extend(self.of_items(notes("equipment.toml")));
        found.extend(self.of_monsters(notes("monsters.toml")));
        found.extend(self.of_spells(notes("spells.toml")));
        found.extend(self.of_the_ready(notes("pregenerated.toml")));
        let mut topics = notes("topics.toml");
        for path in &self.twice {
            let message = format!("two pages claim the path {path:?}");
            let help = "classes, items, monsters, spells and guides have pages of their own: rename or remove the topic";
            topics.error("duplicate_page", &[Key("topic")], message, help);
        }
        found.extend(topics.into_findings());
        found
    }

    fn of_the_pack(&self, mut notes: Notes<'_>) -> Vec<Finding> {
        if self.pack.abilities.names.is_empty() || self.pack.modifiers.is_empty() || self.classes.is_empty() {
            let message = "a pack needs abilities, modifiers and classes";
            notes.error("empty_pack", &[Key("abilities")], message, "write at least one of each");
        }
        let combat = &self.pack.combat;
        let usual = Combat::default();
        for (field, ability, usual) in [
            ("ability", &combat.ability, &usual.ability),
            ("initiative_ability", &combat.initiative_ability, &usual.initiative_ability),
        ] {
            // What nobody wrote is no mistake: without the ability nothing is added.
            if ability != usual {
                self.ability(&mut notes, &[Key("combat"), Key(field)], ability);
            }
        }
        for (way, text) in [
            ([Key("check"), Key("dice")], &self.pack.check.dice),
            ([Key("combat"), Key("initiative_dice")], &combat.initiative_dice),
            ([Key("combat"), Key("unarmed_damage")], &combat.unarmed_damage),
            ([Key("combat"), Key("morale_dice")], &combat.morale_dice),
            ([Key("combat"), Key("npc_damage")], &combat.npc_damage),
        ] {
            dice(&mut notes, &way, text);
        }
        if combat.rounds_max == 0 {
            let message = "rounds_max must be at least 1";
            notes.error("rounds", &[Key("combat"), Key("rounds_max")], message, "write at least 1");
        }
        notes.into_findings()
    }

    fn of_classes(&self, mut notes: Notes<'_>) -> Vec<Finding> {
        twice(&mut notes, "class", self.classes.iter().map(|class| class.id.as_str()));
        notes.into_findings()
    }

    fn of_items(&self, mut notes: Notes<'_>) -> Vec<Finding> {
        twice(&mut notes, "item", self.items.iter().map(|item| item.id.as_str()));
        for (place, item) in self.items.iter().enumerate() {
            let way = |field| [Key("item"), At(place), Key(field)];
            let effect = item.consumable.as_ref();
            for damage in item.damage.iter().chain(effect.and_then(|effect| effect.damage.as_ref())) {
                dice(&mut notes, &way("damage"), damage);
            }
            if let Some(heal) = effect.and_then(|effect| effect.heal.as_ref()) {
                dice(&mut notes, &way("heal"), heal);
            }
            if let Some(ability) = &item.ability {
                self.ability(&mut notes, &way("ability"), ability);
            }
        }
        notes.into_findings()
    }

    fn of_monsters(&self, mut notes: Notes<'_>) -> Vec<Finding> {
        twice(&mut notes, "monster", self.monsters.iter().map(|monster| monster.id.as_str()));
        for (place, monster) in self.monsters.iter().enumerate() {
            let way = [Key("monster"), At(place)];
            if monster.attacks.is_empty() {
                let message = format!("the monster {:?} has no attack", monster.id);
                notes.error("no_attack", &way, message, "write at least one [[monster.attack]]");
            }
            if monster.hit_points == 0 {
                let message = format!("the monster {:?} has no hit points", monster.id);
                notes.error(
                    "no_hit_points",
                    &[way[0], way[1], Key("hit_points")],
                    message,
                    "write at least 1",
                );
            }
            for (number, attack) in monster.attacks.iter().enumerate() {
                let way = [way[0], way[1], Key("attack"), At(number), Key("damage")];
                dice(&mut notes, &way, &attack.damage);
            }
            for ability in monster.saves.keys() {
                self.ability(&mut notes, &[way[0], way[1], Key("saves"), Key(ability)], ability);
            }
        }
        notes.into_findings()
    }

    fn of_spells(&self, mut notes: Notes<'_>) -> Vec<Finding> {
        twice(&mut notes, "spell", self.spells.iter().map(|spell| spell.id.as_str()));
        for (place, spell) in self.spells.iter().enumerate() {
            let way = |field| [Key("spell"), At(place), Key(field)];
            for class in spell.classes.iter().filter(|id| !self.classes.iter().any(|class| class.id == **id))
            {
                let known: Vec<&str> = self.classes.iter().map(|class| class.id.as_str()).collect();
                let message =
                    format!("the spell {:?} is for the class {class:?}, which does not exist", spell.id);
                let help = format!("use one of {}", known.join(", "));
                notes.error("unknown_class", &way("classes"), message, help);
            }
            for (field, text) in [("damage", &spell.damage), ("heal", &spell.heal)] {
                text.iter().for_each(|text| dice(&mut notes, &way(field), text));
            }
            if let Some(ability) = &spell.save {
                self.ability(&mut notes, &way("save"), ability);
            }
        }
        notes.into_findings()
    }

    fn of_the_ready(&self, mut notes: Notes<'_>) -> Vec<Finding> {
        if self.pregenerated.len() < usize::from(PLAYERS_MAX) {
            let message = format!(
                "{} characters; {PLAYERS_MAX} are needed, one for every seat that may stay mute",
                self.pregenerated.len(),
            );
            notes.error("too_few_characters", &[Key("character")], message, "write the others");
        }
        for (place, ready) in self.pregenerated.iter().enumerate() {
            for fault in self.faults(&self.sheet(ready)) {
                let message = format!("{}: {fault}", ready.name);
                let help = "a pregenerated sheet must be legal under the pack, like any other";
                notes.error("illegal_character", &[Key("character"), At(place)], message, help);
            }
        }
        notes.into_findings()
    }

    fn ability(&self, notes: &mut Notes<'_>, way: &[super::super::Step<'_>], ability: &str) {
        if self.ability_index(ability).is_none() {
            let known = self.pack.abilities.names.join(", ");
            let message = format!("there is no ability {ability:?}; the rules pack has {known}");
            notes.error("unknown_ability", way, message, format!("use one of {known}"));
        }
    }
}

fn twice<'a>(notes: &mut Notes<'_>, what: &'static str, ids: impl Iterator<Item = &'a str>) {
    let mut seen = BTreeMap::new();
    for (place, id) in ids.enumerate() {
        if seen.insert(id, place).is_some() {
            let message = format!("the {what} {id:?} is defined twice");
            notes.error("duplicate_id", &[Key(what), At(place), Key("id")], message, "give each its own id");
        }
    }
}

pub(in crate::setup) fn dice(notes: &mut Notes<'_>, way: &[super::super::Step<'_>], text: &str) {
    if !is_roll(text) {
        let message = format!("{text:?} is not a roll");
        notes.error("not_a_roll", way, message, "write something like 1d6, 2d4+1 or d8");
    }
}

/// Is it `d6`, `2d6` or `2d6+1`? The engine reads it once more when it rolls, within the limits of the campaign.
fn is_roll(text: &str) -> bool {
    range(text).is_some()
}

/// The lowest and the highest result of a roll; nothing where the text is none.
pub(super) fn range(text: &str) -> Option<(i64, i64)> {
    let (count, rest) = text.trim().split_once(['d', 'D'])?;
    let (sides, modifier) = match rest.find(['+', '-']) {
        Some(at) => (&rest[..at], Some(&rest[at..])),
        None => (rest, None),
    };
    let number = |text: &str, least: u32| {
        text.trim().parse::<u32>().ok().filter(|number| *number >= least).map(i64::from)
    };
    let count = if count.is_empty() { 1 } else { number(count, 1)? };
    let sides = number(sides, 2)?;
    let modifier = match modifier {
        Some(text) if text.starts_with('-') => -number(&text[1..], 0)?,
        Some(text) => number(&text[1..], 0)?,
        None => 0,
    };
    Some((count + modifier, count.saturating_mul(sides).saturating_add(modifier)))
}

#[cfg(test)]
mod tests {
    use super::{is_roll, range};

    #[test]
    fn a_roll_is_told_from_other_texts() {
        for roll in ["d6", "1d20", "2d6+1", "3D8-2"] {
            assert!(is_roll(roll), "{roll}");
        }
        assert_eq!(
            (range("2d6-1"), range("d20"), range("1D8 + 2")),
            (Some((1, 11)), Some((1, 20)), Some((3, 10)))
        );
        assert_eq!(range("4294967295d4294967295").map(|range| range.0), Some(4_294_967_295));
        for other in ["", "6", "d", "0d6", "1d1", "2d6+", "two dice", "1d6d6"] {
            assert!(!is_roll(other), "{other}");
        }
    }
}
