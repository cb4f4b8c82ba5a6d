//! Everything in SRD 5.1 that is words alone: conditions, skills, features, peoples, and the chapters of the rules.

use serde::Deserialize;
use serde_json::Value;
use twicetold_world::setup::Topic;

use super::{Prose, Reference, records, sentence};
use crate::database::Database;
use crate::draft::{self, Draft};

/// Tables whose records have a name and a description, and where their pages go.
const TABLES: [(&str, &str); 12] = [
    ("conditions", "conditions"),
    ("skills", "skills"),
    ("ability_scores", "ability-scores"),
    ("features", "features"),
    ("traits", "traits"),
    ("subclasses", "subclasses"),
    ("subraces", "subraces"),
    ("feats", "feats"),
    ("alignments", "alignments"),
    ("damage_types", "damage-types"),
    ("magic_schools", "magic-schools"),
    ("weapon_properties", "weapon-properties"),
];

#[derive(Deserialize)]
struct Record {
    name: String,
    #[serde(default)]
    desc: Prose,
    #[serde(default)]
    level: Option<u8>,
    #[serde(default)]
    class: Option<Reference>,
    #[serde(default)]
    full_name: Option<String>,
}

#[derive(Deserialize)]
struct Chapter {
    name: String,
    #[serde(default)]
    desc: String,
    #[serde(default)]
    subsections: Vec<Reference>,
}

/// Maps the tables.
pub fn map(database: &Database, draft: &mut Draft) {
    for (table, folder) in TABLES {
        for (id, record) in records::<Record>(database, table, draft) {
            let full = record.desc.text();
            if full.is_empty() {
                draft.unmapped.note(table, "no words: left out", id);
                continue;
            }
            let class = record.class.map(|class| class.name).filter(|name| !name.is_empty());
            let stats = match (class, record.level) {
                (Some(class), Some(level)) => format!("{class}, level {level}"),
                (class, _) => class.unwrap_or_default(),
            };
            let (title, summary) = (record.full_name.unwrap_or(record.name), sentence(&full));
            draft.topic(format!("{folder}/{id}"), Topic { title, summary, stats, full, ..Topic::default() });
        }
    }
    for (table, folder) in [("races", "races"), ("backgrounds", "backgrounds"), ("languages", "languages")] {
        for (id, record) in records::<serde_json::Map<String, Value>>(database, table, draft) {
            let title = record.get("name").and_then(Value::as_str).unwrap_or(&id).to_owned();
            let full = told(&record);
            let summary = sentence(&full);
            draft.topic(format!("{folder}/{id}"), Topic { title, summary, full, ..Topic::default() });
        }
    }
    for (id, chapter) in records::<Chapter>(database, "rules", draft) {
        let sections: Vec<String> =
            chapter.subsections.iter().map(|section| format!("rules/{}", section.index)).collect();
        let full = format!("{}\n\nIts sections: {}", body(&chapter.desc), sections.join(", "));
        let (title, summary) = (chapter.name, format!("A chapter: {}", sections.join(", ")));
        let page = Topic { title, summary, full: full.trim().to_owned(), ..Topic::default() };
        draft.topic(format!("chapters/{id}"), page);
    }
    for (id, section) in records::<Chapter>(database, "rule_sections", draft) {
        self::section(&id, &section, draft);
    }
}

/// A record of which every field is a sentence or a list of names.
fn told(record: &serde_json::Map<String, Value>) -> String {
    let mut lines = Vec::new();
    for (name, value) in record {
        let words = match value {
            Value::String(text) if !["index", "name", "url"].contains(&name.as_str()) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Array(items) => items.iter().filter_map(named).collect::<Vec<_>>().join(", "),
            Value::Object(object) => match object.get("desc") {
                Some(Value::Array(words)) => {
                    words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
                }
                _ => named(value).unwrap_or_default(),
            },
            _ => String::new(),
        };
        if !words.is_empty() {
            lines.push(format!("{}: {words}", name.replace('_', " ")));
        }
    }
    lines.join("\n\n")
}

fn named(value: &Value) -> Option<String> {
    let reference = ["ability_score", "equipment"].iter().find_map(|inner| value.get(inner)).unwrap_or(value);
    let name = reference.get("name").and_then(Value::as_str).or(value.as_str())?;
    Some(match value.get("bonus").and_then(Value::as_i64) {
        Some(bonus) => format!("{name} {bonus:+}"),
        None => name.to_owned(),
    })
}

/// A section of the rules: a page for what comes before its first heading, and one for each heading, so that nobody has to read
/// ten pages for one rule.
fn section(id: &str, section: &Chapter, draft: &mut Draft) {
    let mut parts: Vec<(String, Vec<&str>)> = vec![(String::new(), Vec::new())];
    for line in section.desc.lines() {
        match line.strip_prefix('#') {
            Some(heading) => parts.push((heading.trim_matches(['#', ' ']).to_owned(), Vec::new())),
            None => parts.last_mut().into_iter().for_each(|(_, lines)| lines.push(line)),
        }
    }
    let mut intro = String::new();
    let mut below: Vec<String> = Vec::new();
    for (heading, lines) in parts {
        let full = lines.join("\n").trim().to_owned();
        let folded: String =
            heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
        let slug = draft::id(&folded.split_whitespace().collect::<Vec<_>>().join("-"));
        if full.is_empty() {
            continue;
        }
        match slug {
            Some(slug) if slug != id && heading != section.name => {
                let path = format!("rules/{id}/{slug}");
                let title = format!("{}: {heading}", section.name);
                let page = Topic { title, summary: sentence(&full), full, ..Topic::default() };
                // Headings may come again, as "Examples" does.
                match draft.topics.get_mut(&path) {
                    Some(known) => known.full = format!("{}\n\n{}", known.full, page.full),
                    None => {
                        draft.topic(path.clone(), page);
                        below.push(path);
                    }
                }
            }
            _ => intro = format!("{intro}\n\n{full}"),
        }
    }
    let list = if below.is_empty() { String::new() } else { format!("More: {}", below.join(", ")) };
    let summary = match sentence(&intro) {
        sentence if sentence.is_empty() => list.clone(),
        sentence => sentence,
    };
    let full = format!("{}\n\n{list}", intro.trim()).trim().to_owned();
    if full.is_empty() {
        draft.unmapped.note("rule_sections", "no words: left out", id);
        return;
    }
    draft.topic(
        format!("rules/{id}"),
        Topic { title: section.name.clone(), summary, full, ..Topic::default() },
    );
}

/// A text without its own headings.
fn body(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n").trim().to_owned()
}
