//! Whether an entry follows from a journal's head: the one place where appending, verifying and importing agree.

use thiserror::Error;
use twicetold_event::body::{self, Body, BodyError, blob_digest};
use twicetold_event::entry::{self, EntryError, Header};
use twicetold_event::{BlobId, CampaignId, Input, Millis, Number};

use crate::{AppendError, Blob, Head};

/// Bytes of one entry. A reply has at most 2 MiB, and its events refer to it; more can only be a mistake.
pub const ENTRY_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Bytes of one blob's plain content. Configuration files have at most 4 MiB; prompts are smaller.
pub const BLOB_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Why an entry does not follow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// Its header or its digest is wrong.
    #[error("{0}")]
    Entry(#[from] EntryError),
    /// Its body is cut.
    #[error("{0}")]
    Body(#[from] BodyError),
    /// It belongs to another campaign.
    #[error("it belongs to campaign {found:?}, the journal to {expected:?}")]
    Campaign {
        /// The journal's campaign.
        expected: CampaignId,
        /// The entry's.
        found: CampaignId,
    },
    /// Numbers are missing or twice there.
    #[error("it begins at {found}; {expected} is next")]
    Number {
        /// The number that is next.
        expected: Number,
        /// The entry's first.
        found: Number,
    },
    /// It continues another journal than this one.
    #[error("its `previous` digest does not match the entry before it: the digest chain is broken")]
    Previous,
    /// Time ran backwards.
    #[error("its time is {} ms before that of the entry before it", before.0.saturating_sub(found.0))]
    Time {
        /// The time of the entry before.
        before: Millis,
        /// The entry's.
        found: Millis,
    },
    /// A writer that had lost its epoch wrote it.
    #[error("its epoch {found} is older than {before}, that of the entry before it")]
    Epoch {
        /// The epoch of the entry before.
        before: u32,
        /// The entry's.
        found: u32,
    },
    /// Ids of blobs are missing or twice there.
    #[error("its blobs begin at {}; {} is next", found.0, expected.0)]
    FirstBlob {
        /// The id that is next.
        expected: BlobId,
        /// The entry's first.
        found: BlobId,
    },
    /// Its header counts other frames than its body has.
    #[error("its header counts {stated} numbers, its body holds {found}")]
    Count {
        /// The header's count.
        stated: u32,
        /// How many frames there are.
        found: usize,
    },
}

/// The entry's header and body, if it follows from `head`.
pub fn check<'a>(head: &Head, bytes: &'a [u8]) -> Result<(Header, Body<'a>), Rejection> {
    let (header, body) = entry::open(bytes)?;
    match head.campaign {
        Some(expected) if expected != header.campaign && !is_branch(expected, header.first, body) => {
            return Err(Rejection::Campaign { expected, found: header.campaign });
        }
        _ => {}
    }
    if header.first != head.next {
        return Err(Rejection::Number { expected: head.next, found: header.first });
    }
    if header.previous != head.chain {
        return Err(Rejection::Previous);
    }
    if header.at < head.at {
        return Err(Rejection::Time { before: head.at, found: header.at });
    }
    if header.epoch < head.epoch {
        return Err(Rejection::Epoch { before: head.epoch, found: header.epoch });
    }
    let body = body::decode(body)?;
    if body.first_blob != BlobId(head.blobs) {
        return Err(Rejection::FirstBlob { expected: BlobId(head.blobs), found: body.first_blob });
    }
    let mut found = 0;
    for frame in body::frames(body.frames) {
        frame?;
        found += 1;
    }
    if found != header.count as usize {
        return Err(Rejection::Count { stated: header.count, found });
    }
    Ok((header, body))
}

/// What every store asks before it appends: the entry's header, and the head after it.
///
/// # Errors
/// The entry does not follow from `head`, states another epoch than the writer's, is too large, or lists other blobs.
pub fn admit(head: &Head, epoch: u32, entry: &[u8], blobs: &[Blob]) -> Result<(Header, Head), AppendError> {
    limit("an entry", entry.len(), ENTRY_BYTES_MAX)?;
    let (header, body) = check(head, entry)?;
    if header.epoch != epoch {
        return Err(AppendError::Fenced { stated: header.epoch, current: epoch });
    }
    compare_blobs(&body, blobs)?;
    Ok((header, head.after(&header, &body)))
}

fn compare_blobs(body: &Body<'_>, blobs: &[Blob]) -> Result<(), AppendError> {
    let ids = (body.first_blob.0..).map(BlobId);
    for ((id, listed), blob) in ids.zip(&body.blobs).zip(blobs) {
        limit("a blob", blob.content.len(), BLOB_BYTES_MAX)?;
        if blob.digest != *listed || blob_digest(&blob.content) != *listed {
            return Err(AppendError::Blob(id));
        }
    }
    if body.blobs.len() != blobs.len() {
        let first_odd = body.blobs.len().min(blobs.len());
        let odd = u32::try_from(first_odd).unwrap_or(u32::MAX);
        return Err(AppendError::Blob(BlobId(body.first_blob.0.saturating_add(odd))));
    }
    Ok(())
}

fn limit(what: &'static str, found: usize, max: usize) -> Result<(), AppendError> {
    if found > max { Err(AppendError::TooLarge { what, found, max }) } else { Ok(()) }
}

/// A branch goes on in its own name after the entries of its parent.
fn is_branch(parent: CampaignId, first: Number, body: &[u8]) -> bool {
    let Ok(body) = body::decode(body) else { return false };
    let input = body::frames(body.frames).next().and_then(Result::ok);
    let input = input.and_then(|frame| Input::decode(&frame).ok());
    matches!(input, Some(Input::ForkAsked(word)) if word.parent == parent && word.at == first)
}
