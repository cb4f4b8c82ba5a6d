//! From an export to a campaign file: verified before the first byte is written, and there whole or not at all.

use std::path::Path;

use twicetold_event::Number;

use crate::file::Fresh;
use crate::{Blob, Export, Head, ImportError, Journal, Part, Source, StoreError, check, verify};

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
    let head = each_batch(source, until, &mut |batch| journal.restore(batch))?;
    journal.finish()?;
    Ok((fresh, head))
}

/// Entries of another journal, with the blobs that they are the first to use.
pub struct Batch {
    /// The entries, each with its first number and the number after it.
    pub entries: Vec<Copied>,
    /// Their blobs.
    pub blobs: Vec<Blob>,
    /// The head before them.
    pub before: Head,
    /// The head after them.
    pub after: Head,
}

/// One entry of a [`Batch`].
pub struct Copied {
    /// Its first number.
    pub first: Number,
    /// The first number after it.
    pub next: Number,
    /// Its bytes.
    pub entry: Vec<u8>,
}

/// Hands the entries of `source` before `until` to `keep`, some hundred at a time, each checked against the one before it.
///
/// # Errors
/// An entry does not follow, `source` cannot be read, or `keep` failed.
pub fn each_batch(
    source: &dyn Source,
    until: Option<Number>,
    keep: &mut dyn FnMut(&Batch) -> Result<(), StoreError>,
) -> Result<Head, ImportError> {
    let mut blobs = source.blobs()?;
    let empty = |head| Batch { entries: Vec::new(), blobs: Vec::new(), before: head, after: head };
    let mut batch = empty(Head::EMPTY);
    for entry in source.entries(Number(0))? {
        let head = batch.after;
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
            batch.blobs.push(blob?);
        }
        batch.after = head.after(&header, &body);
        batch.entries.push(Copied { first: header.first, next: header.next(), entry });
        if batch.entries.len() == BATCH_ENTRIES {
            keep(&batch)?;
            batch = empty(batch.after);
        }
    }
    keep(&batch)?;
    Ok(batch.after)
}
