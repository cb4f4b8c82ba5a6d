//! A sheet for somebody who wants to play and not to count: legal by the rules pack, from a name, a class and a background.

use twicetold_event::Sheet;
use twicetold_world::reading::Reading;
use twicetold_world::setup::{Class, Rules};

/// The names of the classes that there are.
pub fn classes(rules: &Rules) -> Vec<&str> {
    rules.classes.iter().map(|class| class.name.as_str()).collect()
}

/// The block that a player sends; none where a name or a background is missing, or there is no such class.
pub fn block(
    rules: &Rules,
    reading: &Reading,
    (name, class, background): (&str, &str, &str),
) -> Option<String> {
    // Each value has a line of its own.
    let [name, class, background] =
        [name, class, background].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let (name, background) = (name.as_str(), background.as_str());
    let class = meant(rules, &class).filter(|_| !name.is_empty() && !background.is_empty())?;
    let sheet = sheet(rules, name, class, background);
    let names = &rules.pack.abilities.names;
    let scores: Vec<String> =
        names.iter().zip(&sheet.abilities).map(|(name, score)| format!("{name} {score}")).collect();
    let mut lines = vec![format!("[{}]", reading.first("tags.character"))];
    lines.extend(
        [
            ("keys.name", sheet.name),
            ("keys.class", class.name.clone()),
            ("keys.stats", scores.join(", ")),
            ("keys.hit_points", sheet.hit_points.to_string()),
            ("keys.armor_class", sheet.armor_class.to_string()),
            ("keys.equipment", sheet.equipment.join(", ")),
            ("keys.background", sheet.background),
        ]
        .map(|(key, value)| format!("{}: {value}", reading.first(key))),
    );
    lines.push(format!("[/{}]", reading.first("tags.character")));
    Some(lines.join("\n"))
}

/// A class by its name, or by a part of it that no other has.
fn meant<'a>(rules: &'a Rules, name: &str) -> Option<&'a Class> {
    let wanted = name.to_lowercase();
    let mut parts = rules.classes.iter().filter(|class| class.name.to_lowercase().contains(&wanted));
    let only = parts.next().filter(|_| !wanted.is_empty() && parts.next().is_none());
    rules.class(name).or(only)
}

/// The class's ready-made character under another name, or middling scores where there is none.
fn sheet(rules: &Rules, name: &str, class: &Class, background: &str) -> Sheet {
    let ready =
        rules.pregenerated.iter().find(|ready| rules.class(&ready.class).is_some_and(|of| of.id == class.id));
    let abilities = &rules.pack.abilities;
    let middle = abilities.min + (abilities.max - abilities.min) / 2;
    let (scores, equipment) = match ready.map(|ready| rules.sheet(ready)) {
        Some(sheet) => (sheet.abilities, sheet.equipment),
        None => (vec![middle; abilities.names.len()], class.starting.clone()),
    };
    Sheet {
        name: name.to_owned(),
        class: class.id.clone(),
        hit_points: rules.hit_points(class, &scores).1,
        armor_class: rules.armor_class(&equipment),
        abilities: scores,
        equipment,
        background: background.to_owned(),
        secret: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use twicetold_tests::Game;

    use super::{block, sheet};

    #[test]
    fn a_character_is_legal_whatever_class_it_is_of() {
        let setup = Game::of("one-lantern-short", 1).setup();
        let (rules, reading) = (&setup.rules, &setup.reading);
        for class in &rules.classes {
            let block = block(rules, reading, ("Ada Finch", &class.name, "She counts boats.")).unwrap();
            assert!(block.contains("Name: Ada Finch") && block.contains("She counts boats."), "{block}");
            let faults = rules.faults(&sheet(rules, "Ada Finch", class, "She counts boats."));
            assert!(faults.is_empty(), "{faults:?}");
        }
        assert!(block(rules, reading, ("Ada", "thief", "She counts.")).unwrap().contains("River-Thief"));
        for given in [("", "warden", "b"), ("a", "", "b"), ("a", "wizard", "b"), ("a", "warden", "")] {
            assert!(block(rules, reading, given).is_none());
        }
    }
}
