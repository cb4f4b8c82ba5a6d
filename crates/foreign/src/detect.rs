//! Which mapping fits a file: the one that knows most of its records.

use std::path::Path;

use serde_json::Value;

use crate::error::RecordError;
use crate::mapping::{Mapping, first};
use crate::python;
use crate::read::lifted;
use crate::split::split;

/// Records of a file that are looked at: a file of one format says so in its first lines.
const LOOKED_AT: usize = 200;

/// The mapping that knows at least half of the records of a file; among equals the first.
///
/// # Errors
/// None does, and what was looked for.
pub fn detect<'m>(path: &Path, text: &str, mappings: &'m [Mapping]) -> Result<&'m Mapping, RecordError> {
    let mut best: Option<(usize, usize, usize, &Mapping)> = None;
    let mut broken = None;
    let mut record = None;
    for mapping in mappings {
        let spec = &mapping.spec;
        let records = match split(path, text, spec) {
            Ok(records) => records,
            // What is broken for all is broken; a text may be divided by one mapping alone.
            Err(error) => {
                broken = broken.or(Some(error));
                continue;
            }
        };
        let values: Vec<Value> = records
            .into_iter()
            .filter_map(|raw| raw.value.ok())
            .take(LOOKED_AT)
            .map(|value| lifted(spec, value))
            .collect();
        let signs: Vec<bool> =
            values.iter().filter_map(|value| Some(first(&spec.known_by, value)?.weak)).collect();
        let (known, strong) = (signs.len(), signs.iter().filter(|weak| !**weak).count());
        record = record.or_else(|| values.first().map(shape));
        let is_better = best.is_none_or(|(most, strongest, all, _)| {
            let (share, best) = (known * all, most * values.len());
            share > best || (share == best && strong * all > strongest * values.len())
        });
        if known > 0 && known * 2 >= values.len() && is_better {
            best = Some((known, strong, values.len(), mapping));
        }
    }
    if let Some((.., mapping)) = best {
        return Ok(mapping);
    }
    let is_data = text.trim_start().starts_with(['{', '[']) || python::is_printed(text);
    match (broken, record) {
        (Some(error), None) if is_data => Err(error),
        (_, first) => {
            let looked = match (text.trim().is_empty(), first) {
                (true, _) => "it is empty".to_owned(),
                (_, Some(first)) => first,
                _ => "it is neither JSON nor a printed conversation".to_owned(),
            };
            let formats: Vec<String> = mappings.iter().map(|mapping| mapping.name().to_owned()).collect();
            Err(RecordError::Unknown { file: path.to_owned(), looked, formats: formats.join(", ") })
        }
    }
}

/// What the first record looks like.
fn shape(value: &Value) -> String {
    match value {
        Value::Object(fields) if fields.is_empty() => "its first record is an empty object".into(),
        Value::Object(fields) => {
            let names: Vec<String> =
                fields.keys().take(8).map(|name| name.chars().take(30).collect()).collect();
            format!("its first record has the fields {}", names.join(", "))
        }
        Value::Array(_) => "its first record is a list".into(),
        _ => "its first record is no object".into(),
    }
}
