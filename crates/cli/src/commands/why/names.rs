//! What `why` can be asked about in a campaign, for people who leave the name out or mistype it.

use std::collections::BTreeMap;

use clap::ValueEnum;
use twicetold_event::{Event, Number, Section};
use twicetold_host::at_once::has_secrets;
use twicetold_journal::Source;
use twicetold_projection::{people, recorded};
use twicetold_session::{Explainer, Loaded, entries};
use twicetold_world::State;

use super::What;
use crate::failure::Failure;
use crate::names::{Name, listed};
use crate::terminal::{DIM, paragraphs};

/// Of things that a campaign has many of, so many are shown: the newest ones.
const NEWEST: usize = 20;

/// The kinds of things, each with how many of them there are.
pub(super) fn kinds(
    source: &dyn Source,
    loaded: &Loaded,
    explainer: &Explainer<'_>,
) -> Result<Vec<Name>, Failure> {
    let kind = |what: &What| {
        let known = names(*what, source, loaded, explainer)?.len() as u64;
        let value = what.to_possible_value();
        let (name, about) = value
            .map(|value| (value.get_name().to_owned(), value.get_help().map(ToString::to_string)))
            .unwrap_or_default();
        let about = about.unwrap_or_default();
        Ok(Name::new(name, if known == 0 { about } else { format!("{about} ({known})") }))
    };
    What::value_variants().iter().map(kind).collect()
}

/// The names of one kind, oldest first.
pub(super) fn names(
    what: What,
    source: &dyn Source,
    loaded: &Loaded,
    explainer: &Explainer<'_>,
) -> Result<Vec<Name>, Failure> {
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    Ok(match what {
        What::Goal => {
            let pages = people::goals(state);
            let goals = pages.iter().flat_map(|page| &page.goals);
            let reached = |reached| if reached { "(reached) " } else { "" };
            let about = |goal: &people::GoalLine| format!("{}{}", reached(goal.reached), goal.label);
            goals.map(|goal| Name::new(&goal.id, about(goal))).collect()
        }
        What::Npc => people::npcs(state, replies)
            .into_iter()
            .map(|npc| Name::new(npc.id, [npc.name, npc.role].join(", ").trim_end_matches(", ")))
            .collect(),
        What::Item => items(state),
        What::Party => {
            let sections = people::party(state, replies).sections.into_iter();
            let version = |version, at| format!("version {version}, written at #{at}");
            sections.map(|one| Name::new(one.section, version(one.version, one.written))).collect()
        }
        What::Hp | What::Gold => {
            let value = |page: &people::CharacterPage| match (what, page.hit_points) {
                (What::Gold, _) => format!("{} gold", page.gold),
                (_, (now, most)) => format!("{now} of {most} hit points"),
            };
            let pages = people::characters(state);
            pages.iter().map(|page| Name::new(&page.name, value(page))).collect()
        }
        What::Trust => {
            let npcs = people::npcs(state, replies).into_iter().filter(|npc| !npc.status.is_empty());
            npcs.map(|npc| Name::new(npc.id, format!("{}, trust {}", npc.name, npc.trust))).collect()
        }
        What::Number => Vec::new(),
        What::Rejection => {
            let found = explainer.rejections()?.into_iter();
            found.map(|(number, text)| Name::new(number_of(number), text)).collect()
        }
        What::Speaker => events(source, |event| match event {
            Event::SpeakerChosen(_) => recorded(event),
            _ => None,
        })?,
        What::Reply => events(source, |event| match event {
            Event::ModelCallRequested(word) => Some(format!("to {}", state.seat_name(word.seat))),
            _ => None,
        })?,
    })
}

/// The names of one kind for a shell that completes them, the newest of those that are numbers. In a campaign that a person plays they
/// tell no more than a player may know.
pub fn suggested(kind: &str, source: &dyn Source, loaded: &Loaded) -> Result<Vec<Name>, Failure> {
    let Ok(what) = What::from_str(kind, false) else { return Ok(Vec::new()) };
    if has_secrets(source, loaded) {
        return Ok(unspoiled(what, loaded));
    }
    let explainer = Explainer::new(source, loaded)?;
    let mut names = names(what, source, loaded, &explainer)?;
    if matches!(what, What::Rejection | What::Speaker | What::Reply) {
        names.drain(..names.len().saturating_sub(NEWEST));
        names.reverse();
    }
    Ok(names)
}

/// What a player may know of: nothing of goals, nothing of people whom the party has not met, and no values of others.
fn unspoiled(what: What, loaded: &Loaded) -> Vec<Name> {
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    match what {
        What::Npc | What::Trust => people::npcs(state, replies)
            .into_iter()
            .filter(|npc| npc.met.is_some())
            .map(|npc| Name::new(npc.id, npc.name))
            .collect(),
        What::Item => {
            let carried = state.characters().values().flat_map(|one| one.inventory.values());
            let mut items: Vec<&String> = carried.map(|(item, ..)| item).collect();
            items.sort();
            items.dedup();
            items.into_iter().map(|item| Name::new(item, "")).collect()
        }
        What::Party => people::party(state, replies)
            .sections
            .into_iter()
            .filter(|one| one.section != Section::Secrets.name())
            .map(|one| Name::new(one.section, ""))
            .collect(),
        What::Hp | What::Gold => {
            people::characters(state).iter().map(|page| Name::new(&page.name, &page.class)).collect()
        }
        What::Goal | What::Number | What::Rejection | What::Speaker | What::Reply => Vec::new(),
    }
}

/// The things that somebody carries, and who.
fn items(state: &State) -> Vec<Name> {
    let characters = state.characters().values().map(|one| (&one.sheet.name, &one.inventory));
    let npcs = state.npcs().all().map(|npc| (&npc.name, &npc.inventory));
    let mut bearers: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (bearer, inventory) in characters.chain(npcs) {
        for (item, ..) in inventory.values() {
            bearers.entry(item.clone()).or_default().push(bearer);
        }
    }
    bearers.into_iter().map(|(item, bearers)| Name::new(item, bearers.join(", "))).collect()
}

fn events(source: &dyn Source, about: impl Fn(&Event) -> Option<String>) -> Result<Vec<Name>, Failure> {
    let mut found = Vec::new();
    for entry in entries(source)? {
        let entry = entry?;
        let about = |(number, event)| Some(Name::new(number_of(number), about(event)?));
        found.extend(entry.numbered().filter_map(about));
    }
    Ok(found)
}

/// A number as it is typed: a shell takes what follows a `#` for a comment.
fn number_of(number: Number) -> String {
    number.0.to_string()
}

/// A list of names for people: what they are, and how one of them is asked about.
pub(super) fn list(what: What, id: &str, names: &[Name], next: Number) -> String {
    let value = what.to_possible_value();
    let kind = value.as_ref().map_or("", |value| value.get_name());
    let ask = |name: &str| format!("{DIM}`twicetold why {id} {kind} {name}` explains one.{DIM:#}\n");
    if let What::Number = what {
        let last = next.0.saturating_sub(1);
        let said =
            format!("Inputs and events have the numbers 0 to {last}. `twicetold log {id}` lists them.");
        return format!("{}\n{}", paragraphs(&said, ""), ask("NUMBER"));
    }
    let (one, many, is_number) = match what {
        What::Goal => ("goal", "goals", false),
        What::Npc | What::Trust => ("NPC", "NPCs", false),
        What::Item => ("item", "items", false),
        What::Party => ("section of the party document", "sections of the party document", false),
        What::Hp | What::Gold => ("character", "characters", false),
        What::Number => ("number", "numbers", true),
        What::Rejection => ("rejection", "rejections", true),
        What::Speaker => ("choice of a speaker", "choices of a speaker", true),
        What::Reply => ("request to a model", "requests to models", true),
    };
    let shown = if is_number { &names[names.len().saturating_sub(NEWEST)..] } else { names };
    let count = match (names.len(), shown.len()) {
        (0, _) => return format!("The campaign has no {many}.\n"),
        (1, _) => format!("1 {one}"),
        (all, some) if some < all => format!("{all} {many}, of which the newest {some} are"),
        (all, _) => format!("{all} {many}"),
    };
    format!("{count}:\n{}{}", listed(shown), ask(if is_number { "NUMBER" } else { "NAME" }))
}
