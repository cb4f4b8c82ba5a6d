//! The JSON Schema of a plan. A plan is read by hand, so that all its mistakes are told at once; its schema is written beside the
//! reader, of the reader's own names and limits.

use std::collections::BTreeMap;

use schemars::{Schema, SchemaGenerator, json_schema};

use super::read::{KEYS, NAME_CHARS_MAX, PARALLEL, PLAYERS_MAX, REPETITIONS_MAX, SEATS};
use super::{LIST_MAX, PARALLEL_MAX};
use crate::scores::{SCORES, SHOWN_FIRST};

/// The schema, by the name of its file below `schemas/`.
pub fn schemas(generator: impl Fn() -> SchemaGenerator) -> Vec<(&'static str, Schema)> {
    let properties: BTreeMap<&str, Schema> = KEYS.iter().map(|key| (*key, of(key))).collect();
    let schema = json_schema!({
        "$schema": generator().settings().meta_schema,
        "description": "The plan of a sweep: which campaigns are played by whom.",
        "type": "object",
        "required": ["name", "campaigns", "seeds"],
        "additionalProperties": false,
        "properties": properties,
    });
    vec![("plan", schema)]
}

fn of(key: &str) -> Schema {
    let text = || json_schema!({ "type": "string", "pattern": "\\S" });
    let from = |least: u64| json_schema!({ "type": "integer", "minimum": least });
    let to = |least: u64, most: u64| json_schema!({ "type": "integer", "minimum": least, "maximum": most });
    let (description, schema) = match key {
        "name" => (
            "What the sweep is called.",
            json_schema!({ "type": "string", "pattern": format!("^[A-Za-z0-9_][A-Za-z0-9_-]{{0,{}}}$", NAME_CHARS_MAX - 1) }),
        ),
        "campaigns" => ("Ids of bundled campaigns, or files beside the plan.", several(&text())),
        "models" => (
            "Who plays, as `--model` takes it, or seat by seat; the default of models.toml where it is absent.",
            several(&json_schema!({ "anyOf": [text(), team()] })),
        ),
        "configurations" => (
            "Folders as `twicetold init` writes them; an empty text is the bundled configuration.",
            several(&json_schema!({ "type": "string" })),
        ),
        "players" => {
            ("Numbers of players; as the campaign says where it is absent.", several(&to(1, PLAYERS_MAX)))
        }
        "seeds" => (
            "A range such as \"1..20\", or a list.",
            json_schema!({ "anyOf": [text(), from(0), { "type": "array", "minItems": 1, "items": from(0) }] }),
        ),
        "repetitions" => ("How often each seed is played.", to(1, REPETITIONS_MAX)),
        "turns" => ("Most turns of a campaign.", to(1, u64::from(u32::MAX))),
        "parallel" => ("Campaigns side by side.", to(1, PARALLEL_MAX)),
        "per_server" => {
            ("Calls in flight at one model server; as `parallel` where it is absent.", to(1, PARALLEL_MAX))
        }
        "budget" => {
            ("What the whole sweep may cost, as `--budget` takes it, for example \"0.50usd\".", text())
        }
        "scores" => {
            let known: Vec<&str> = SCORES.iter().map(|score| score.name).collect();
            ("The scores that are shown.", several(&json_schema!({ "type": "string", "enum": known })))
        }
        "baseline" => {
            ("The variant that the others are compared with; the first where it is absent.", text())
        }
        "interval_seed" => ("The seed of the intervals' random numbers.", from(0)),
        other => panic!("{other} has no schema"),
    };
    let mut schema = schema;
    match key {
        "repetitions" | "interval_seed" => drop(schema.insert("default".into(), 1.into())),
        "parallel" => drop(schema.insert("default".into(), PARALLEL.into())),
        "scores" => drop(schema.insert("default".into(), SHOWN_FIRST.into())),
        _ => {}
    }
    schema.insert("description".into(), description.into());
    schema
}

/// One, or a list.
fn several(one: &Schema) -> Schema {
    json_schema!({ "anyOf": [one, { "type": "array", "minItems": 1, "maxItems": LIST_MAX, "items": one }] })
}

/// The models of one table, by seat.
fn team() -> Schema {
    let of = |name: &&str| {
        let description = match *name {
            "name" => "What its variant is called.",
            "dm" => "The model of the DM.",
            "memory" => "The model of the memory agent.",
            "players" => "The model of all players that have none of their own.",
            _ => "The model of this player.",
        };
        ((*name).to_owned(), json_schema!({ "description": description, "type": "string", "pattern": "\\S" }))
    };
    let seats: BTreeMap<String, Schema> = SEATS.iter().map(of).collect();
    json_schema!({ "type": "object", "properties": seats, "additionalProperties": false })
}
