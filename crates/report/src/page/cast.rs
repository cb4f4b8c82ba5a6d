//! The cast: the party's characters and the DM's, as they stand at the end.

use askama::Template;
use twicetold_projection::people::{self, NpcLine};

use super::graph::{Graph, graph};
use crate::text::counted;
use crate::{Record, ReportError};

/// The section of a page.
#[derive(Template)]
#[template(path = "cast.html")]
struct Cast {
    graph: Option<Graph>,
    players: Vec<Player>,
    npcs: Vec<Npc>,
}

/// The section of everybody.
pub(super) fn section(journal: &Record) -> Result<String, ReportError> {
    let cast = Cast { graph: graph(journal), players: players(journal), npcs: npcs(journal) };
    Ok(cast.render()?)
}

struct Player {
    class: String,
    name: String,
    about: String,
    facts: Vec<(&'static str, String)>,
    background: String,
    secret: String,
}

struct Npc {
    name: String,
    about: String,
    texts: Vec<String>,
    facts: Vec<(&'static str, String)>,
    met: Option<u64>,
    memories: Vec<(u64, String)>,
}

fn players(journal: &Record) -> Vec<Player> {
    let state = journal.state();
    let slugs = state.characters().keys().map(|seat| seat.slug());
    let page = |(page, class): (people::CharacterPage, String)| {
        let (now, most) = page.hit_points;
        let mut facts = vec![
            ("Abilities", page.abilities.join(", ")),
            ("Hit points", format!("{now} of {most}")),
            ("Armour class", page.armor_class.to_string()),
            ("Gold", page.gold.to_string()),
            ("Carries", items(&page.inventory)),
        ];
        facts.push(("Conditions", page.conditions.join(", ")));
        facts.retain(|(_, text)| !text.is_empty());
        Player {
            class,
            name: page.name,
            about: format!("{}, {}", page.class, page.seat),
            facts,
            background: page.background,
            secret: page.secret,
        }
    };
    people::characters(state).into_iter().zip(slugs).map(page).collect()
}

fn npcs(journal: &Record) -> Vec<Npc> {
    people::npcs(journal.state(), journal.campaign.replies()).into_iter().map(npc).collect()
}

fn npc(line: NpcLine) -> Npc {
    let mut about = vec![line.role.clone()];
    if !matches!(line.status.as_str(), "" | "active") {
        about.push(line.status.clone());
    }
    about.retain(|part| !part.is_empty());
    let feelings: Vec<String> =
        line.feelings.iter().map(|(name, strength)| format!("{name} {strength}")).collect();
    let mut facts = vec![("Feels", feelings.join(", ")), ("Carries", items(&line.items))];
    if !line.status.is_empty() {
        facts.insert(0, ("Trust", line.trust.to_string()));
    }
    facts.push(("Found at", line.location));
    facts.push(("Hit points", line.hit_points.map_or_else(String::new, |points| points.to_string())));
    facts.push(("Conditions", line.conditions.join(", ")));
    facts.retain(|(_, text)| !text.is_empty());
    let texts =
        [Some(line.persona), line.profile].into_iter().flatten().filter(|text| !text.trim().is_empty());
    let mut memories: Vec<(u64, String)> = line.dialogues.into_iter().chain(line.memories).collect();
    memories.sort();
    Npc { name: line.name, about: about.join(", "), texts: texts.collect(), facts, met: line.met, memories }
}

fn items(items: &[(String, u32)]) -> String {
    let one = |(name, count): &(String, u32)| match count {
        1 => name.clone(),
        _ => format!("{name} ×{count}"),
    };
    items.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// `twice`, and so on, for sentences about pairs.
pub(super) fn times(count: u32) -> String {
    match count {
        1 => "once".into(),
        2 => "twice".into(),
        _ => counted(u64::from(count), "time", "times"),
    }
}
