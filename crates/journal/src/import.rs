//! From an export to a campaign file: verified before the first byte is written, and there whole or not at all.

use std::path::Path;

use twicetold_event::{BlobId, Number};

use crate::file::Fresh;
use crate::verify::listed_blob;
use crate::{Blob, Export, Head, ImportError, Journal, Part, Source, StoreError, check, verify};

/// Entries per commit: a commit is a flush, which would take most of the time if each entry had its own.
const BATCH_ENTRIES: usize = 512;
/// Bytes of blobs per commit, from which on it is made: they are all in memory.
const BATCH_BLOB_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of the blobs of one entry. The largest is the first, with a configuration folder of at most 32 MiB, some of its texts twice; a stranger's
/// export could list thousands of blobs that take a few bytes packed and 32 MiB each unpacked.
const ENTRY_BLOB_BYTES_MAX: usize = 128 * 1024 * 1024;

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

/// Makes a campaign from the entries of `source` before `until`, byte for byte: what a branch begins with. Nothing is read beyond them. The
/// file `destination` is there when the journal has been closed, with what was appended to it, or not at all.
pub fn branch(source: &dyn Source, until: Number, destination: &Path) -> Result<Journal, ImportError> {
    let (fresh, _) = copied(source, Some(until), destination)?;
    Ok(fresh.continued(destination)?)
}

/// Copies the entries of `source` up to `until`, or all of it once it is verified, to a file that has no name yet.
fn copied(
    source: &dyn Source,
    until: Option<Number>,
    destination: &Path,
) -> Result<(Fresh, Head), ImportError> {
    if until.is_none() {
        verify(source)?;
    }
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

/// Hands the entries of `source` before `until` to `keep`, some hundred at a time, each checked against the one before it and with the blobs
/// that it lists.
///
/// # Errors
/// An entry does not follow, lists other blobs, or begins at no such number; `source` cannot be read, or `keep` failed.
pub fn each_batch(
    source: &dyn Source,
    until: Option<Number>,
    keep: &mut dyn FnMut(&Batch) -> Result<(), StoreError>,
) -> Result<Head, ImportError> {
    let damage = |part, why| crate::Damage { part, byte: source.place(part), why };
    let mut blobs = source.blobs()?;
    let empty = |head| Batch { entries: Vec::new(), blobs: Vec::new(), before: head, after: head };
    let mut batch = empty(Head::EMPTY);
    let mut held = 0;
    for entry in source.entries(Number(0))? {
        let head = batch.after;
        if until == Some(head.next) {
            break;
        }
        let entry = entry?;
        let (header, body) = check(&head, &entry)
            .map_err(|rejection| damage(Part::Entry(head.next), rejection.to_string()))?;
        let mut own = 0;
        for (id, listed) in (head.blobs..).zip(&body.blobs) {
            let blob =
                listed_blob(blobs.next(), listed).map_err(|why| damage(Part::Blob(BlobId(id)), why))?;
            own += blob.content.len();
            if own > ENTRY_BLOB_BYTES_MAX {
                let why = format!("the blobs of one entry take more than {ENTRY_BLOB_BYTES_MAX} bytes");
                return Err(damage(Part::Entry(head.next), why).into());
            }
            batch.blobs.push(blob);
        }
        held += own;
        batch.after = head.after(&header, &body);
        batch.entries.push(Copied { first: header.first, next: header.next(), entry });
        if batch.entries.len() == BATCH_ENTRIES || held >= BATCH_BLOB_BYTES {
            keep(&batch)?;
            batch = empty(batch.after);
            held = 0;
        }
    }
    if let Some(until) = until.filter(|until| *until != batch.after.next) {
        return Err(damage(Part::Journal, format!("no entry ends before {until}")).into());
    }
    keep(&batch)?;
    Ok(batch.after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::append_sample;
    use crate::{Blobs, Entries, Memory};

    /// A journal with a changed byte in the last entry or the last blob.
    struct Damaged<'a>(&'a dyn Source, Part);

    impl Source for Damaged<'_> {
        fn head(&self) -> Head {
            self.0.head()
        }

        fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
            let last = self.0.entries(from)?.count() - 1;
            let changes = matches!(self.1, Part::Entry(_));
            Ok(Box::new(self.0.entries(from)?.enumerate().map(move |(place, entry)| {
                entry.map(|mut entry| {
                    *entry.last_mut().unwrap() ^= u8::from(changes && place == last);
                    entry
                })
            })))
        }

        fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
            self.0.entry_holding(number)
        }

        fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
            let last = self.0.blobs()?.count() - 1;
            let changes = matches!(self.1, Part::Blob(_));
            Ok(Box::new(self.0.blobs()?.enumerate().map(move |(place, blob)| {
                blob.map(|mut blob| {
                    *blob.content.last_mut().unwrap() ^= u8::from(changes && place == last);
                    blob
                })
            })))
        }

        fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
            self.0.blob(id)
        }
    }

    #[test]
    fn a_branch_reads_what_it_shares_and_refuses_what_was_changed_there() {
        let mut journal = Memory::new().open().unwrap();
        let until = append_sample(&mut journal, 0).unwrap().2.next;
        let end = append_sample(&mut journal, 3).unwrap().2.next;
        let folder = tempfile::tempdir().unwrap();
        let made = |source: &dyn Source, until: Number| {
            let branch = branch(source, until, &folder.path().join("branch.redb"));
            branch.map(|branch| branch.head().next).map_err(|error| error.to_string())
        };
        for part in [Part::Entry(until), Part::Blob(BlobId(journal.head().blobs - 1))] {
            let damaged = Damaged(&journal, part);
            assert_eq!(made(&damaged, until), Ok(until));
            let refused = made(&damaged, end).unwrap_err();
            assert!(refused.contains(&part.to_string()), "{refused}");
        }
        assert_eq!(made(&journal, end), Ok(end));
        assert!(made(&journal, end.plus(1)).unwrap_err().contains("no entry ends before"));
    }
}
