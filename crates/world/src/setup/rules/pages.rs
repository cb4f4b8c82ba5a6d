//! What can be looked up: a page for every class, item, monster, spell, topic and guide.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_event::Detail;

use super::{Class, Item, Monster, Spell};

/// A page of `topics.toml`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
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
    numbers: Option<Numbered>,
}

/// What the engine plays by: a page tells the numbers of these fields, so that it cannot contradict what is played.
#[derive(Clone, Debug)]
pub enum Numbered {
    /// A piece of equipment.
    Item(Item),
    /// A foe.
    Monster(Monster),
    /// A spell.
    Spell(Spell),
}

/// What is shown of a page, in this order.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// Words of the rules pack.
    pub text: &'a str,
    /// Numbers, where they are wanted.
    pub numbers: Option<&'a Numbered>,
    /// What the pack adds to the numbers.
    pub more: &'a str,
}

impl Page {
    /// The page at this detail; never empty.
    pub fn shown(&self, detail: Detail) -> Shown<'_> {
        let (summary, stats, full) = (self.summary.trim(), self.stats.trim(), self.full.trim());
        let Some(numbers) = &self.numbers else {
            let wanted = match detail {
                Detail::Summary => summary,
                Detail::Stats => stats,
                Detail::Full => full,
            };
            let text = [wanted, full, summary, stats].into_iter().find(|text| !text.is_empty());
            return Shown { text: text.unwrap_or_default(), numbers: None, more: "" };
        };
        let numbers = Some(numbers);
        match detail {
            Detail::Summary if !summary.is_empty() => Shown { text: summary, numbers: None, more: "" },
            Detail::Stats => Shown { text: "", numbers, more: stats },
            _ => Shown { text: if full.is_empty() { summary } else { full }, numbers, more: stats },
        }
    }

    /// All words of the pack about it, for a search.
    pub fn words(&self) -> String {
        [&self.summary, &self.stats, &self.full].map(String::as_str).join("\n")
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
        numbers: None,
    };
    (format!("classes/{}", class.id), page)
}

fn item(item: &Item) -> (String, Page) {
    // It stands before the numbers, and they end the sentence.
    let full = item.summary.trim_end_matches('.').to_owned();
    let numbers = Some(Numbered::Item(item.clone()));
    let page =
        Page { title: item.name.clone(), summary: item.summary.clone(), stats: String::new(), full, numbers };
    (format!("equipment/{}", item.id), page)
}

fn monster(monster: &Monster) -> (String, Page) {
    let page = Page {
        title: monster.name.clone(),
        summary: monster.summary.clone(),
        stats: monster.stats.clone(),
        full: monster.full.clone(),
        numbers: Some(Numbered::Monster(monster.clone())),
    };
    (format!("monsters/{}", monster.id), page)
}

fn spell(spell: &Spell) -> (String, Page) {
    let page = Page {
        title: spell.name.clone(),
        summary: spell.summary.clone(),
        stats: spell.stats.clone(),
        full: spell.full.clone(),
        numbers: Some(Numbered::Spell(spell.clone())),
    };
    (format!("spells/{}", spell.id), page)
}

fn topic(topic: &Topic) -> (String, Page) {
    let page = Page {
        title: topic.title.clone(),
        summary: topic.summary.clone(),
        stats: topic.stats.clone(),
        full: topic.full.clone(),
        numbers: None,
    };
    (topic.path.clone(), page)
}

fn guide((name, _, text): &(&str, &str, &str)) -> (String, Page) {
    let title = text.lines().next().unwrap_or(name).trim_start_matches('#').trim().to_owned();
    let body = text.split_once('\n').map_or(*text, |(_, body)| body).trim();
    let summary = body.split("\n\n").next().unwrap_or("").to_owned();
    let page = Page { title, summary, stats: String::new(), full: body.to_owned(), numbers: None };
    (format!("guides/{name}"), page)
}
