//! The JSON Schema of `models.toml`, made of the types that read it. Only tests make it: the program carries its text.

use std::collections::BTreeMap;

use schemars::{Schema, SchemaGenerator, json_schema};
use twicetold_dialect::Compat;

use super::{AUTO, CHAOS, ModelsFile, SERVERS};
use crate::lint;

/// The schema, by the name of its file below `schemas/`.
pub fn schemas(generator: impl Fn() -> SchemaGenerator) -> Vec<(&'static str, Schema)> {
    vec![("models", generator().into_root_schema_for::<ModelsFile>())]
}

pub(super) fn providers(_: &mut SchemaGenerator) -> Schema {
    let servers = SERVERS.iter().map(|(name, _)| *name);
    let known: Vec<&str> = servers.chain(["improv", CHAOS]).collect();
    json_schema!({ "type": "string", "enum": known })
}

pub(super) fn chairs(_: &mut SchemaGenerator) -> Schema {
    let chairs = lint::models::chairs().into_iter().map(|chair| (chair, json_schema!({ "type": "string" })));
    let chairs: BTreeMap<String, Schema> = chairs.collect();
    json_schema!({ "type": "object", "properties": chairs, "additionalProperties": false })
}

/// What `dialect` takes, with what this crate adds: a mode that is chosen later, and answers that come piece by piece.
pub(super) fn compat(generator: &mut SchemaGenerator) -> Schema {
    let mut compat = <Compat as schemars::JsonSchema>::json_schema(generator);
    let properties = compat.get_mut("properties").expect("compat is a table");
    let mode = properties["tool_calls"].clone();
    properties["tool_calls"] = json_schema!({
        "description": mode["description"],
        "default": mode["default"],
        "anyOf": [
            generator.subschema_for::<twicetold_dialect::ToolCalls>(),
            { "description": "The best one that `twicetold models NAME` measured.", "const": AUTO },
        ],
    })
    .to_value();
    properties["stream"]["default"] = true.into();
    compat
}
