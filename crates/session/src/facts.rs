//! A campaign's documents as single facts, each with a path: what two branches differ in, and when a fact took its value.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use twicetold_event::Number;
use twicetold_journal::Source;
use twicetold_projection::people;
use twicetold_referee::Campaign;

use crate::{LoadError, charter_of, entries};

/// Facts by their paths, for example `npcs.wren-pellow.trust`.
pub type Facts = BTreeMap<String, String>;

/// Fields that say where something was written and not what: no two branches agree on them.
const PLACES: [&str; 4] = ["written", "met", "registered", "summary"];

/// All facts of a campaign as it stands.
pub fn facts(campaign: &Campaign) -> Facts {
    let (state, replies) = (campaign.state(), campaign.replies());
    let mut facts = Facts::new();
    add(&mut facts, "characters", &people::characters(state));
    add(&mut facts, "npcs", &people::npcs(state, replies));
    add(&mut facts, "goals", &people::goals(state));
    add(&mut facts, "party", &people::party(state, replies));
    add(&mut facts, "memory", &people::memory(state, replies));
    let spent = state.calls().total();
    facts.insert("turn".into(), state.turn().number.to_string());
    facts.insert("calls".into(), spent.calls.to_string());
    facts.insert("tokens".into(), (spent.input_tokens + spent.output_tokens).to_string());
    facts
}

fn add(facts: &mut Facts, path: &str, document: &impl Serialize) {
    if let Ok(value) = serde_json::to_value(document) {
        flatten(facts, path, &value);
    }
}

fn flatten(facts: &mut Facts, path: &str, value: &Value) {
    match value {
        Value::Null => {}
        Value::Object(fields) => {
            for (name, value) in fields.iter().filter(|(name, _)| !PLACES.contains(&name.as_str())) {
                flatten(facts, &format!("{path}.{name}"), value);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                let (name, item) = named(place, item);
                flatten(facts, &format!("{path}.{name}"), &item);
            }
        }
        Value::String(text) => drop(facts.insert(path.to_owned(), text.clone())),
        other => drop(facts.insert(path.to_owned(), other.to_string())),
    }
}

/// What an item of a list is called: its id or name where it has one, its first part where it is a pair, else its place.
fn named(place: usize, item: &Value) -> (String, Value) {
    let keys = ["id", "seat", "section", "name", "encounter", "title"];
    let key = keys.iter().find_map(|key| item.get(key)?.as_str());
    if let Some(key) = key {
        return (key.to_owned(), item.clone());
    }
    match item.as_array().map(Vec::as_slice) {
        // A number and a text: the text is the fact.
        Some([Value::Number(_), Value::String(text)]) => (place.to_string(), Value::String(text.clone())),
        Some([Value::String(name), value]) => (name.clone(), value.clone()),
        _ => (place.to_string(), item.clone()),
    }
}

/// A value that a fact had, and since when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The first number of the entry that gave the value.
    pub number: u64,
    /// The fact.
    pub path: String,
    /// The value; none when the fact was gone.
    pub value: Option<String>,
}

/// Every value that facts had whose path is, or begins with, `path`, in order. Stops after the first that `until` accepts.
///
/// # Errors
/// The journal is damaged.
pub fn history(
    source: &dyn Source,
    path: &str,
    until: impl Fn(&Change) -> bool,
) -> Result<Vec<Change>, LoadError> {
    let (charter, setup) = charter_of(source)?;
    let mut campaign = Campaign::new(charter, setup)?;
    let is_meant =
        |known: &str| known == path || known.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    let mut before = Facts::new();
    let mut changes = Vec::new();
    for entry in entries(source)? {
        let entry = entry?;
        let number = entry.header.first;
        fold(&mut campaign, &entry, number)?;
        let now: Facts = facts(&campaign).into_iter().filter(|(known, _)| is_meant(known)).collect();
        for (known, value) in now.iter().filter(|(known, value)| before.get(*known) != Some(*value)) {
            changes.push(Change { number: number.0, path: known.clone(), value: Some(value.clone()) });
            if changes.last().is_some_and(&until) {
                return Ok(changes);
            }
        }
        for known in before.keys().filter(|known| !now.contains_key(*known)) {
            changes.push(Change { number: number.0, path: known.clone(), value: None });
        }
        before = now;
    }
    Ok(changes)
}

fn fold(campaign: &mut Campaign, entry: &twicetold_event::Entry, number: Number) -> Result<(), LoadError> {
    campaign.fold(entry).map_err(|why| LoadError::Entry { number, why: why.to_string() })
}

/// A number and the name of its input or event.
pub type Place = (u64, String);

/// Where two campaigns part, and what differs at their ends.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// Numbers that both have, with the very same input and events.
    pub shared: u64,
    /// What each side has first that the other has not: number and line.
    pub parting: (Option<Place>, Option<Place>),
    /// Facts that differ: path, and the value of either side.
    pub facts: Vec<(String, Option<String>, Option<String>)>,
}

/// Compares two journals entry by entry, and their ends fact by fact.
///
/// # Errors
/// One of them is damaged.
pub fn diff(one: &dyn Source, other: &dyn Source) -> Result<Difference, LoadError> {
    let (mut left, mut right) = (entries(one)?, entries(other)?);
    let mut shared = 0;
    let parting = loop {
        match (left.next().transpose()?, right.next().transpose()?) {
            (Some(left), Some(right)) if left.input == right.input && left.events == right.events => {
                shared = left.header.next().0;
            }
            (left, right) => break (left, right),
        }
    };
    let line = |entry: Option<twicetold_event::Entry>, other: Option<&twicetold_event::Entry>| {
        let entry = entry?;
        let same = |place: usize| other.and_then(|other| other.events.get(place)) == entry.events.get(place);
        let parts = other.is_none_or(|other| other.input != entry.input);
        let place = if parts {
            0
        } else {
            (0..entry.events.len()).find(|place| !same(*place)).map_or(0, |place| place + 1)
        };
        let name = match place {
            0 => entry.input.name(),
            place => entry.events[place - 1].name(),
        };
        Some((entry.header.first.0 + place as u64, name.to_owned()))
    };
    let parting = (line(parting.0.clone(), parting.1.as_ref()), line(parting.1, parting.0.as_ref()));
    let ends = (facts(&crate::load(one)?.campaign), facts(&crate::load(other)?.campaign));
    let paths: std::collections::BTreeSet<&String> = ends.0.keys().chain(ends.1.keys()).collect();
    let differ = paths.into_iter().filter(|path| ends.0.get(*path) != ends.1.get(*path));
    let facts =
        differ.map(|path| (path.clone(), ends.0.get(path).cloned(), ends.1.get(path).cloned())).collect();
    Ok(Difference { shared, parting, facts })
}
