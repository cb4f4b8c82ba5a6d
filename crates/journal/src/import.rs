//! From an export to a campaign file: verified before the first byte is written, and there whole or not at all.

use std::path::Path;

use twicetold_event::Number;

use crate::file::Fresh;
use crate::{Blob, Export, Head, ImportError, Journal, Part, Source, check, verify};

/// Entries per commit: a commit is two flushes, which would take most of the time if each entry had its own.
const BATCH_ENTRIES: usize = 512;

/// Makes the campaign file `destination` from the export at `path`. Refuses to replace anything.
pub fn import(path: &Path, destination: &Path) -> Result<Head, ImportError> {
    let export = Export::open(path)?;
    copy(&export, destination)
}

/// Copies all of `source`.
pub(crate) fn copy(source: &dyn Source, destination: &Path) -> Result<Head, ImportError> {
    let (fresh, head) = copied(source, None, destination)?;
    fresh.publish(destination)?;
    Ok(head)
}

/// Makes a campaign from the entries of `source` before `until`, byte for byte: what a branch begins with. The file `destination` is there
/// when the journal has been closed, with what was appended to it, or not at all.
pub fn branch(source: &dyn Source, until: Number, destination: &Path) -> Result<Journal, ImportError> {
    let (fresh, _) = copied(source, Some(until), destination)?;
    Ok(fresh.continued(destination)?)
}

/// Verifies all of `source` and copies its entries up to `until` to a file that has no name yet.
fn copied(
    source: &dyn Source,
    until: Option<Number>,
    destination: &Path,
) -> Result<(Fresh, Head), ImportError> {
    verify(source)?;
    let fresh = Fresh::beside(destination)?;
    let mut journal = fresh.journal(destination)?;
    let mut head = Head::EMPTY;
    let mut blobs = source.blobs()?;
    let mut batch: Vec<(Number, Vec<u8>)> = Vec::new();
    let mut batch_blobs: Vec<Blob> = Vec::new();
    for entry in source.entries(Number(0))? {
        if until == Some(head.next) {
            break;
        }
        let entry = entry?;
        let (header, body) = check(&head, &entry).map_err(|rejection| crate::Damage {
            part: Part::Entry(head.next),
            byte: source.place(Part::Entry(head.next)),
            why: rejection.to_string(),
        })?;
        for blob in blobs.by_ref().take(body.blobs.len()) {
            batch_blobs.push(blob?);
        }
        head = head.after(&header, &body);
        batch.push((header.first, entry));
        if batch.len() == BATCH_ENTRIES {
            journal.restore(&batch, &batch_blobs, head)?;
            batch.clear();
            batch_blobs.clear();
        }
    }
    journal.restore(&batch, &batch_blobs, head)?;
    journal.finish()?;
    Ok((fresh, head))
}
