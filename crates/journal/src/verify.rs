//! Was anything changed, lost or reordered? A walk over all bytes that names the first broken thing.

use std::fmt;

use twicetold_event::body::{Body, blob_digest};
use twicetold_event::entry::Header;
use twicetold_event::{BlobId, Number};
use twicetold_model::Digest;

use crate::{BLOB_BYTES_MAX, Blob, Head, Source, StoreError, check};

/// What was found whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many entries.
    pub entries: u64,
    /// How many numbers: inputs and events.
    pub numbers: u64,
    /// How many blobs.
    pub blobs: u32,
    /// Bytes of all entries and of the blobs' plain contents.
    pub bytes: u64,
    /// The chain digest of the last entry: it stands for everything before it.
    pub head: Digest,
}

/// A thing that can be damaged alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The journal as a whole.
    Journal,
    /// What stands at the front of an export.
    Header,
    /// The entry that begins with this number.
    Entry(Number),
    /// A blob.
    Blob(BlobId),
    /// What stands at the end of an export.
    End,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Journal => f.write_str("journal"),
            Part::Header => f.write_str("header"),
            Part::Entry(number) => write!(f, "entry {number}"),
            Part::Blob(id) => write!(f, "blob {}", id.0),
            Part::End => f.write_str("end"),
        }
    }
}

/// The first thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Damage {
    /// Which thing.
    pub part: Part,
    /// The byte of the file at which it begins, where the source is a file of records.
    pub byte: Option<u64>,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.byte {
            Some(byte) => write!(f, "{} (byte {byte}): {}", self.part, self.why),
            None => write!(f, "{}: {}", self.part, self.why),
        }
    }
}

/// Verifies all of `source`. An empty journal is an error: there is nothing to verify.
pub fn verify(source: &dyn Source) -> Result<Verified, Damage> {
    verify_with(source, |_, _| Ok(()))
}

/// Verifies all of `source` and hands each entry on once it is known to be whole. An error of `each` is damage of that
/// entry.
pub fn verify_with(
    source: &dyn Source,
    mut each: impl FnMut(&Header, &Body<'_>) -> Result<(), String>,
) -> Result<Verified, Damage> {
    let damage =
        |part: Part, why: &dyn fmt::Display| Damage { part, byte: source.place(part), why: why.to_string() };
    let mut head = Head::EMPTY;
    let mut bytes = 0;
    let mut blobs = source.blobs().map_err(|error| damage(Part::Journal, &error))?;
    for entry in source.entries(Number(0)).map_err(|error| damage(Part::Journal, &error))? {
        let part = Part::Entry(head.next);
        let entry = entry.map_err(|error| damage(part, &error))?;
        let (header, body) = check(&head, &entry).map_err(|rejection| damage(part, &rejection))?;
        bytes += entry.len() as u64;
        for (id, listed) in (head.blobs..).zip(&body.blobs) {
            let blob = listed_blob(blobs.next(), listed).map_err(|why| {
                damage(Part::Blob(BlobId(id)), &format!("{why} (entry {} uses it)", header.first))
            })?;
            bytes += blob.content.len() as u64;
            // Readers look blobs up by their ids: that road must lead to the same content.
            let found = source.blob(BlobId(id)).map_err(|error| damage(Part::Blob(BlobId(id)), &error))?;
            if found.is_none_or(|found| found.digest != blob.digest) {
                return Err(damage(Part::Blob(BlobId(id)), &"looking it up by its id does not find it"));
            }
        }
        each(&header, &body).map_err(|why| damage(part, &why))?;
        head = head.after(&header, &body);
    }
    if head.entries == 0 {
        return Err(damage(Part::Journal, &"it has no entries: there is nothing to verify"));
    }
    if let Some(extra) = blobs.next() {
        let why = extra.err().map_or_else(|| "no entry lists it".to_owned(), |error| error.to_string());
        return Err(damage(Part::Blob(BlobId(head.blobs)), &why));
    }
    let stated = source.head();
    if stated != head {
        let why = format!("it states that {} is next; its entries end before {}", stated.next, head.next);
        return Err(damage(
            Part::Journal,
            &if stated.next == head.next {
                "its head record does not match its last entry".into()
            } else {
                why
            },
        ));
    }
    Ok(Verified { entries: head.entries, numbers: head.next.0, blobs: head.blobs, bytes, head: head.chain })
}

pub(crate) fn listed_blob(found: Option<Result<Blob, StoreError>>, listed: &Digest) -> Result<Blob, String> {
    let blob = found.ok_or("it is missing")?.map_err(|error| error.to_string())?;
    if blob.digest != *listed {
        return Err("another blob is at its position".into());
    }
    if blob.content.len() > BLOB_BYTES_MAX {
        return Err(format!("it has {} bytes; at most {BLOB_BYTES_MAX} are allowed", blob.content.len()));
    }
    if blob_digest(&blob.content) != *listed {
        return Err("its content was changed".into());
    }
    Ok(blob)
}
