//! A sheet for somebody who wants to play and not to count: legal by the rules pack, from a name, a class and a background.

use twicetold_event::Sheet;
use twicetold_world::reading::Reading;
use twicetold_world::setup::{Class, Rules};

/// The block that a player sends, or a text about what is missing.
pub fn block(
    rules: &Rules,
    reading: &Reading,
    (name, class, background): (&str, &str, &str),
) -> Result<String, String> {
    let Some(class) = meant(rules, class).filter(|_| !name.is_empty() && !background.is_empty()) else {
        let classes: Vec<&str> = rules.classes.iter().map(|class| class.name.as_str()).collect();
        let classes = classes.join(", ");
        return Err(format!(
            "Write it as /character NAME, CLASS, BACKGROUND with commas between. CLASS is one of {classes}."
        ));
    };
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
    Ok(lines.join("\n"))
}

/// A class by its name, or by a part of it that no other has.
fn meant<'a>(rules: &'a Rules, name: &str) -> Option<&'a Class> {
    let wanted = name.to_lowercase();
    let mut parts = rules.classes.iter().filter(|class| class.name.to_lowercase().contains(&wanted));
    let only = parts.next().filter(|_| !wanted.is_empty() && parts.next().is_none());
    rules.class(name).or(only)
}

/// The class's ready-made character under another name, or middling scores where there is none.
pub(super) fn sheet(rules: &Rules, name: &str, class: &Class, background: &str) -> Sheet {
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
