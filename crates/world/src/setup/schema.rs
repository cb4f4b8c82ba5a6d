//! JSON Schemas of the files of a configuration, made of the types that read them. Only tests make them: the program carries their text
//! (`config/schemas/`), and nothing of what makes it, because nothing in it asks for that.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use schemars::{Schema, SchemaGenerator, json_schema};

use super::rules::{ClassesFile, EquipmentFile, MonstersFile, PregeneratedFile, SpellsFile, TopicsFile};
use super::texts::BUNDLED;
use super::{CampaignSpec, EncounterSpec, Limits, Pack, TextFile, Texts};

/// The schema of each kind of file, by the name of its file below `schemas/`.
pub fn schemas(generator: impl Fn() -> SchemaGenerator) -> Vec<(&'static str, Schema)> {
    let mut schemas = vec![
        ("campaign", generator().into_root_schema_for::<CampaignSpec>()),
        ("encounter", generator().into_root_schema_for::<EncounterSpec>()),
        ("vocabulary", vocabulary(generator())),
        ("pack", generator().into_root_schema_for::<Pack>()),
        ("classes", generator().into_root_schema_for::<ClassesFile>()),
        ("equipment", generator().into_root_schema_for::<EquipmentFile>()),
        ("monsters", generator().into_root_schema_for::<MonstersFile>()),
        ("spells", generator().into_root_schema_for::<SpellsFile>()),
        ("topics", generator().into_root_schema_for::<TopicsFile>()),
        ("pregenerated", generator().into_root_schema_for::<PregeneratedFile>()),
        ("limits", generator().into_root_schema_for::<Limits>()),
    ];
    let draft = generator().settings().meta_schema.clone();
    schemas.extend(BUNDLED.map(|(name, content)| {
        let mut schema = texts(content);
        schema.insert("$schema".into(), draft.as_deref().into());
        (name, schema)
    }));
    schemas
}

/// What [`super::Setup::read`] reads a list of words as.
fn vocabulary(generator: SchemaGenerator) -> Schema {
    let mut schema = generator.into_root_schema_for::<BTreeMap<String, Vec<String>>>();
    schema
        .insert("description".into(), "`vocabulary/<file>.toml`: lists that an encounter draws from.".into());
    schema
}

/// All texts of a file are needed, and there are no others: a charter without one of them has nothing to say there.
fn texts(content: &str) -> Schema {
    let mut texts = Texts::default();
    texts.add("", TextFile::Program, &Arc::from(content)).expect("the program's own texts can be read");
    let mut tables: BTreeMap<&str, BTreeMap<&str, Schema>> = BTreeMap::new();
    for (key, entry) in texts.iter() {
        let (table, name) = key.split_once('.').expect("a key is a table and a name");
        let names: BTreeSet<&str> = entry.template.names().into_iter().collect();
        let names: Vec<String> = names.into_iter().map(|name| format!("{{{{{name}}}}}")).collect();
        let text = match names.is_empty() {
            true => json_schema!({ "type": "string" }),
            false => {
                json_schema!({ "type": "string", "description": format!("May use {}.", names.join(", ")) })
            }
        };
        tables.entry(table).or_default().insert(name, text);
    }
    let mut schema = closed(tables.into_iter().map(|(name, texts)| (name, closed(texts))).collect());
    let description = "Sentences that models read. All of them are needed, and each may use only the names that stand beside it.";
    schema.insert("description".into(), description.into());
    schema
}

/// A table with all of these and nothing else.
fn closed(properties: BTreeMap<&str, Schema>) -> Schema {
    let names: Vec<&str> = properties.keys().copied().collect();
    json_schema!({ "type": "object", "required": names, "additionalProperties": false, "properties": properties })
}
