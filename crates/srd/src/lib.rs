//! Reads an open reference document of the fifth edition into a rules pack. Nothing of its text is part of the program.
//!
//! [`read`] takes a wheel, a folder or a database and gives a [`Draft`]; where its files go is its caller's business.

mod database;
mod draft;
mod error;
mod five;
mod limits;
mod roll;
mod source;
mod srd51;
mod srd52;

use std::path::Path;

use twicetold_world::setup::PackSource;

use database::Database;
use five::{Edition, SRD_51, SRD_52};
use source::Source;

pub use draft::{Draft, READY, Unmapped};
pub use error::SrdError;

/// Reads a source and maps it to a pack.
///
/// # Errors
/// See [`SrdError`].
pub fn read(path: &Path) -> Result<Draft, SrdError> {
    let source = Source::open(path)?;
    let mut editions = Vec::new();
    for (name, bytes) in source.databases() {
        let database = Database::read(bytes, srd51::TABLES)
            .map_err(|why| SrdError::Damaged { what: format!("the database {name}"), why })?;
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

fn from_database(source: &Source, database: &Database) -> Result<Draft, SrdError> {
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
fn complete(source: &Source, draft: Draft) -> Result<Draft, SrdError> {
    match draft.classes.is_empty() {
        true => Err(source.refused("contains no readable classes, so characters cannot be created")),
        false => Ok(draft),
    }
}
