//! What can be looked up: a page for every class, item, monster, spell, topic and guide.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twicetold_event::Detail;

use super::{Class, Item, Monster, Spell};

/// A page of `topics.toml`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// For example `conditions/frightened`.
    pub path: String,
    /// Title.
    pub title: String,
    /// One or two sentences.
    #[serde(default)]
    pub summary: String,
    /// The numbers.
    #[serde(default)]
    pub stats: String,
    /// Everything.
    #[serde(default)]
    pub full: String,
}

/// Something that can be looked up.
#[derive(Clone, Debug)]
pub struct Page {
    /// Title.
    pub title: String,
    summary: String,
    stats: String,
    full: String,
}

impl Page {
    /// The page at this detail; never empty.
    pub fn text(&self, detail: Detail) -> String {
        let wanted = match detail {
            Detail::Summary => &self.summary,
            Detail::Stats => &self.stats,
            Detail::Full => &self.full,
        };
        let body =
            [wanted, &self.full, &self.summary, &self.stats].into_iter().find(|text| !text.trim().is_empty());
        format!("{}: {}", self.title, body.map_or("", |text| text.trim()))
    }
}

/// All pages by path, and the paths that two pages claim.
pub(super) fn pages(
    (classes, items): (&[Class], &[Item]),
    (monsters, spells): (&[Monster], &[Spell]),
    topics: &[Topic],
    guides: &[(&str, &str, &str)],
) -> (BTreeMap<String, Page>, Vec<String>) {
    let all = (classes.iter().map(class))
        .chain(items.iter().map(item))
        .chain(monsters.iter().map(monster))
        .chain(spells.iter().map(spell))
        .chain(topics.iter().map(topic))
        .chain(guides.iter().map(guide));
    let (mut pages, mut twice) = (BTreeMap::new(), Vec::new());
    for (path, page) in all {
        if pages.insert(path.clone(), page).is_some() {
            twice.push(path);
        }
    }
    (pages, twice)
}

fn class(class: &Class) -> (String, Page) {
    let page = Page {
        title: class.name.clone(),
        summary: class.summary.clone(),
        stats: class.stats.clone(),
        full: class.full.clone(),
    };
    (format!("classes/{}", class.id), page)
}

fn item(item: &Item) -> (String, Page) {
    let mut stats = format!("costs {} gold", item.cost);
    if let Some(class) = item.armor_class {
        stats += &format!(", armour class {class}");
    }
    if let Some(bonus) = item.armor_bonus {
        stats += &format!(", armour class +{bonus}");
    }
    if let Some(damage) = &item.damage {
        stats += &format!(", damage {damage}");
    }
    if let Some(ability) = &item.ability {
        stats += &format!(", attacks with {ability}");
    }
    if let Some(effect) = &item.consumable {
        stats += ", used up";
        if let Some(dice) = &effect.heal {
            stats += &format!(", gives back {dice} hit points");
        }
        if let Some(dice) = &effect.damage {
            stats += &format!(", damage {dice}");
        }
        if !effect.cures.is_empty() {
            stats += &format!(", ends {}", effect.cures.join(", "));
        }
    }
    let full = format!("{} ({stats})", item.summary.trim_end_matches('.'));
    let page = Page { title: item.name.clone(), summary: item.summary.clone(), stats, full };
    (format!("equipment/{}", item.id), page)
}

/// The numbers come from the fields that the engine plays by, so that a page cannot contradict it.
fn monster(monster: &Monster) -> (String, Page) {
    let attack = |attack: &super::MonsterAttack| {
        format!("{} {:+}, damage {}", attack.name, attack.bonus, attack.damage)
    };
    let mut numbers = format!(
        "AC {}, hp {}, initiative {:+}, morale {}; {}",
        monster.armor_class,
        monster.hit_points,
        monster.initiative,
        monster.morale,
        monster.attacks.iter().map(attack).collect::<Vec<_>>().join("; "),
    );
    if !monster.saves.is_empty() {
        let saves = monster.saves.iter().map(|(ability, bonus)| format!("{ability} {bonus:+}"));
        numbers += &format!("; saves {}", saves.collect::<Vec<_>>().join(", "));
    }
    let page = numbered(&monster.name, numbers, &monster.summary, &monster.stats, &monster.full);
    (format!("monsters/{}", monster.id), page)
}

fn spell(spell: &Spell) -> (String, Page) {
    let mut numbers = match spell.uses_per_encounter {
        1 => "once in an encounter".to_owned(),
        uses => format!("{uses} times in an encounter"),
    };
    if !spell.classes.is_empty() {
        numbers += &format!("; known to {}", spell.classes.join(", "));
    }
    if let Some(dice) = &spell.damage {
        numbers += &format!("; damage {dice}");
    }
    if let Some(dice) = &spell.heal {
        numbers += &format!("; gives back {dice} hit points");
    }
    if let Some(ability) = &spell.save {
        numbers += &format!("; saving throw {ability}");
        if let Some(difficulty) = spell.difficulty {
            numbers += &format!(" {difficulty}");
        }
    }
    let page = numbered(&spell.name, numbers, &spell.summary, &spell.stats, &spell.full);
    (format!("spells/{}", spell.id), page)
}

fn numbered(title: &str, numbers: String, summary: &str, stats: &str, full: &str) -> Page {
    let stats = match stats.trim() {
        "" => format!("{numbers}."),
        more => format!("{numbers}. {more}"),
    };
    let full = [full, summary].into_iter().map(str::trim).find(|text| !text.is_empty()).unwrap_or("");
    let full = format!("{full}\n\n{stats}").trim().to_owned();
    Page { title: title.to_owned(), summary: summary.to_owned(), stats, full }
}

fn topic(topic: &Topic) -> (String, Page) {
    let page = Page {
        title: topic.title.clone(),
        summary: topic.summary.clone(),
        stats: topic.stats.clone(),
        full: topic.full.clone(),
    };
    (topic.path.clone(), page)
}

fn guide((name, _, text): &(&str, &str, &str)) -> (String, Page) {
    let title = text.lines().next().unwrap_or(name).trim_start_matches('#').trim().to_owned();
    let body = text.split_once('\n').map_or(*text, |(_, body)| body).trim();
    let summary = body.split("\n\n").next().unwrap_or("").to_owned();
    let page = Page { title, summary, stats: String::new(), full: body.to_owned() };
    (format!("guides/{name}"), page)
}
