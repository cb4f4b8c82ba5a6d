//! A campaign's documents as single facts, each with a path: what two branches differ in, and when a fact took its value.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use twicetold_event::{Entry, Number};
use twicetold_journal::Source;
use twicetold_projection::{Replies, people};
use twicetold_referee::Campaign;
use twicetold_world::{State, evolve};

use crate::{LoadError, charter_of, entries};

/// Facts by their paths, for example `npcs.wren-pellow.trust`.
pub type Facts = BTreeMap<String, FactValue>;

/// Fields that say where something was written and not what: no two branches agree on them.
const PLACES: [&str; 4] = ["written", "met", "registered", "summary"];

/// What a fact is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FactValue {
    /// A number.
    Number(i64),
    /// Yes or no.
    Flag(bool),
    /// A text.
    Text(String),
}

impl FactValue {
    fn of(value: &Value) -> FactValue {
        match value {
            Value::String(text) => FactValue::Text(text.clone()),
            Value::Bool(flag) => FactValue::Flag(*flag),
            other => other.as_i64().map_or_else(|| FactValue::Text(other.to_string()), FactValue::Number),
        }
    }
}

impl fmt::Display for FactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FactValue::Number(number) => number.fmt(f),
            FactValue::Flag(flag) => flag.fmt(f),
            FactValue::Text(text) => f.write_str(text),
        }
    }
}

/// All facts of a campaign as it stands.
pub fn facts(campaign: &Campaign) -> Facts {
    facts_below(campaign.state(), campaign.replies(), "")
}

/// The facts whose path is, or begins with, `path`; all of them where it is empty.
fn facts_below(state: &State, replies: &dyn Replies, path: &str) -> Facts {
    let mut facts = Facts::new();
    let document = path.split('.').next().unwrap_or(path);
    // Documents that nobody asks for are not made: a long campaign is read number by number.
    let mut add = |name: &str, make: &dyn Fn() -> serde_json::Result<Value>| {
        if (document.is_empty() || document == name)
            && let Ok(value) = make()
        {
            flatten(&mut facts, name, &value);
        }
    };
    add("characters", &|| serde_json::to_value(people::characters(state)));
    add("npcs", &|| serde_json::to_value(people::npcs(state, replies)));
    add("goals", &|| serde_json::to_value(people::goals(state)));
    add("party", &|| serde_json::to_value(people::party(state, replies)));
    add("memory", &|| serde_json::to_value(people::memory(state, replies)));
    let spent = state.calls().total();
    add("turn", &|| Ok(state.turn().number.into()));
    add("calls", &|| Ok(spent.calls.into()));
    add("tokens", &|| Ok((spent.input_tokens + spent.output_tokens).into()));
    let is_meant =
        |known: &str| known.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    facts.retain(|known, _| path.is_empty() || is_meant(known));
    facts
}

fn flatten(facts: &mut Facts, path: &str, value: &Value) {
    match value {
        Value::Null => {}
        Value::Object(fields) => {
            for (name, value) in fields.iter().filter(|(name, _)| !PLACES.contains(&name.as_str())) {
                flatten(facts, &format!("{path}.{name}"), value);
            }
        }
        Value::Array(items) => match items.as_slice() {
            // The number that wrote it, and the fact.
            [Value::Number(_), text @ Value::String(_)] => {
                facts.insert(path.to_owned(), FactValue::of(text));
            }
            // Hit points, as they are and as they were at the start.
            [now @ Value::Number(_), start @ Value::Number(_)] => {
                flatten(facts, &format!("{path}.now"), now);
                flatten(facts, &format!("{path}.start"), start);
            }
            items => {
                for (place, item) in items.iter().enumerate() {
                    let (name, item) = named(path, place, item);
                    flatten(facts, &format!("{path}.{name}"), &item);
                }
            }
        },
        other => drop(facts.insert(path.to_owned(), FactValue::of(other))),
    }
}

/// What an item of a list is called: its id or name where it has one, its first part where it is a pair, else its place. Numbers of the
/// journal are left out: they say where something was written.
fn named(path: &str, place: usize, item: &Value) -> (String, Value) {
    let keys = ["id", "seat", "section", "name", "encounter", "title"];
    let key = keys.iter().find_map(|key| item.get(key)?.as_str());
    if let Some(key) = key {
        return (key.to_owned(), item.clone());
    }
    // An ability and its score, as a sheet shows them.
    if let Some((name, score)) = item.as_str().and_then(|text| text.rsplit_once(' '))
        && path.ends_with(".abilities")
    {
        return (name.to_owned(), score.parse::<i64>().map_or_else(|_| score.into(), Value::from));
    }
    match item.as_array().map(Vec::as_slice) {
        Some([Value::Number(_), Value::String(name), Value::String(value)]) => {
            (name.clone(), value.as_str().into())
        }
        Some([Value::Number(_), Value::String(text), done @ Value::Bool(_)]) => {
            (place.to_string(), serde_json::json!({ "text": text, "done": done }))
        }
        Some([Value::String(name), value]) => (name.clone(), value.clone()),
        _ => (place.to_string(), item.clone()),
    }
}

/// A value that a fact had, and since when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Change {
    /// The number of the event that gave the value, or of the input that was counted.
    pub number: u64,
    /// The fact.
    pub path: String,
    /// The value; none when the fact was gone.
    pub value: Option<FactValue>,
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
    let mut before = Facts::new();
    let mut changes = Vec::new();
    for entry in entries(source)? {
        let entry = entry?;
        let earlier = campaign.state().clone();
        let number = entry.header.first;
        campaign.fold(&entry).map_err(|why| LoadError::Entry { number, why: why.to_string() })?;
        let now = facts_below(campaign.state(), campaign.replies(), path);
        if now == before {
            continue;
        }
        for (number, after) in number_by_number(earlier, &campaign, &entry, path) {
            compare(number, &before, &after, &mut changes);
            before = after;
        }
        compare(Number(entry.header.next().0 - 1), &before, &now, &mut changes);
        before = now;
        if let Some(found) = changes.iter().position(&until) {
            changes.truncate(found + 1);
            return Ok(changes);
        }
    }
    Ok(changes)
}

/// The facts after the input and after each event of an entry. `campaign` is the one that stands after it: it knows every word.
fn number_by_number(
    mut state: State,
    campaign: &Campaign,
    entry: &Entry,
    path: &str,
) -> Vec<(Number, Facts)> {
    let mut all = Vec::with_capacity(entry.events.len() + 1);
    state.receive(entry.header.at, &entry.input);
    all.push((entry.header.first, facts_below(&state, campaign.replies(), path)));
    for (number, event) in entry.numbered() {
        evolve(&mut state, number, entry.header.at, event);
        all.push((number, facts_below(&state, campaign.replies(), path)));
    }
    all
}

/// Adds what one number changed.
fn compare(number: Number, before: &Facts, now: &Facts, changes: &mut Vec<Change>) {
    let number = number.0;
    for (path, value) in now.iter().filter(|(path, value)| before.get(*path) != Some(*value)) {
        changes.push(Change { number, path: path.clone(), value: Some(value.clone()) });
    }
    for path in before.keys().filter(|path| !now.contains_key(*path)) {
        changes.push(Change { number, path: path.clone(), value: None });
    }
}
