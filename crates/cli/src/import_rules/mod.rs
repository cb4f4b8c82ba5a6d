//! Reads an open reference document of the fifth edition into a rules pack. Nothing of its text is part of the program.

mod database;
mod draft;
mod five;
mod install;
mod limits;
mod roll;
mod source;
mod srd51;
mod srd52;

use std::path::Path;

use twicetold_world::setup::PackSource;

use crate::failure::{Failure, code};
use database::Database;
use five::{Edition, SRD_51, SRD_52};
use source::Source;

pub use draft::{Draft, Unmapped};
pub use install::{Installed, TRIED_WITH, UNMAPPED, install};
pub use limits::{EXAMPLES_SHOWN, REASONS_SHOWN};

/// Reads a source and maps it to a pack.
pub fn read(path: &Path) -> Result<Draft, Failure> {
    let source = Source::open(path)?;
    let mut editions = Vec::new();
    for (name, bytes) in source.databases() {
        let database = Database::read(bytes, srd51::TABLES).map_err(|error| {
            let message = format!("the database {name} cannot be read: {error}");
            Failure::new(code::FAILED, message, "nothing was written; get the file again")
        })?;
        let Some(edition) = database.metadata.get("edition").cloned() else {
            editions.push("none".to_owned());
            continue;
        };
        if edition == "2014" {
            return from_database(&source, &database);
        }
        editions.push(edition);
    }
    let records = Database::of_files(&source.files, srd52::KINDS);
    if !records.tables.is_empty() {
        return complete(&source, srd52::draft(&records, provenance(&source, &records, &SRD_52)));
    }
    Err(source.refused(&match editions.is_empty() {
        true => "holds no database and no records of a reference document".to_owned(),
        false => {
            let found = editions.join(", ");
            format!("holds no database of the edition 2014, which is SRD 5.1, but one of the edition {found}")
        }
    }))
}

fn from_database(source: &Source, database: &Database) -> Result<Draft, Failure> {
    let mut draft = srd51::draft(database, provenance(source, database, &SRD_51));
    if let Some(license) = database.metadata.get("license") {
        draft.pack.license.clone_from(license);
    }
    complete(source, draft)
}

fn provenance(source: &Source, database: &Database, edition: &Edition) -> PackSource {
    let said = |field: &str| database.metadata.get(field).cloned();
    let version =
        source.described("Version").or_else(|| said("source_tag")).unwrap_or_else(|| "unknown".into());
    PackSource {
        name: source.name.clone(),
        version,
        digest: source.digest.to_hex().to_string(),
        attribution: said("attribution").unwrap_or_else(|| edition.attribution.to_owned()),
    }
}

/// A pack without classes cannot be played.
fn complete(source: &Source, draft: Draft) -> Result<Draft, Failure> {
    match draft.classes.is_empty() {
        true => Err(source.refused("holds no classes that could be read, and nobody could be played")),
        false => Ok(draft),
    }
}
