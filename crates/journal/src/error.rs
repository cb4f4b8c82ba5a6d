//! Errors, with messages that name the faulty part and a fix.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use twicetold_event::BlobId;

use crate::{Damage, Rejection};

/// What the storage under a journal reports.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Bytes are not what a writer left behind.
    #[error("the stored bytes are damaged: {0}")]
    Damaged(String),
    /// No space is left: on the disk, in the user's quota, or in a file that may not grow further.
    #[error("no space is left: the disk or the user's quota is full, or the file may not grow")]
    Full,
    /// The file may not be read or written by this user.
    #[error("this user may not read or write it")]
    Permission,
    /// The file is not what the last commit left: what happened to it. Nothing more is written to it.
    #[error("{0} while it was written")]
    Lost(String),
    /// An earlier failure made the outcome unknown.
    #[error("an earlier write failed, so this journal handle is closed; open the campaign again")]
    GivenUp,
    /// Anything else that the operating system reports.
    #[error("{0}")]
    Io(io::Error),
}

impl StoreError {
    /// Sorts whatever redb reports.
    pub(crate) fn of(error: impl Into<redb::Error>) -> StoreError {
        match error.into() {
            redb::Error::Io(error) => StoreError::from(error),
            redb::Error::Corrupted(why) => StoreError::Damaged(why),
            error @ (redb::Error::TableTypeMismatch { .. }
            | redb::Error::TableIsMultimap(_)
            | redb::Error::TableDoesNotExist(_)
            | redb::Error::TypeDefinitionChanged { .. }
            | redb::Error::LockPoisoned(_)) => StoreError::Damaged(error.to_string()),
            error => StoreError::Io(io::Error::other(error.to_string())),
        }
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                StoreError::Full
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreError::Permission,
            io::ErrorKind::UnexpectedEof => StoreError::Damaged("it ends too early".into()),
            // What redb's memory answers when a damaged pointer leads past its end.
            io::ErrorKind::InvalidInput => StoreError::Damaged(error.to_string()),
            _ => StoreError::Io(error),
        }
    }
}

/// Why a campaign cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Nothing is there.
    #[error("there is no {0}")]
    Missing(PathBuf),
    /// Something is there already.
    #[error("{0} exists already and is left as it is")]
    Exists(PathBuf),
    /// It is something else.
    #[error("{path} is not a campaign: {why}")]
    NotACampaign {
        /// The file.
        path: PathBuf,
        /// What it is instead, as far as can be told.
        why: String,
    },
    /// Another writer has it.
    #[error("{path} is locked by {by}; commands that only read still work")]
    Locked {
        /// The file.
        path: PathBuf,
        /// Who has it, as far as can be told.
        by: String,
    },
    /// A later version wrote it.
    #[error("{path} has journal layout {found}, this build reads layout {known}; use a newer build")]
    Layout {
        /// The file.
        path: PathBuf,
        /// Its layout number.
        found: u8,
        /// The layout number of this build.
        known: u8,
    },
    /// Its last writer was killed, it cannot be written here, and it is too large to be repaired in memory.
    #[error(
        "{0} was not closed properly (crash). Open it once with write permission and free disk space, so that it can be repaired"
    )]
    NeedsRepair(PathBuf),
    /// An export has a broken place.
    #[error("{path} is damaged: {damage}")]
    Damage {
        /// The file.
        path: PathBuf,
        /// The first broken place.
        damage: Damage,
    },
    /// The storage failed.
    #[error("{path}: {error}")]
    Storage {
        /// The file.
        path: PathBuf,
        /// What it reports.
        error: StoreError,
    },
}

/// Why an entry was not appended.
#[derive(Debug, Error)]
pub enum AppendError {
    /// The entry does not follow from the journal's head. Nothing was written.
    #[error("the entry does not fit: {0}")]
    Refused(#[from] Rejection),
    /// Another writer has taken over, and this one can write nothing any more. Where the answer to an earlier attempt was lost, the entry
    /// may be there: the journal says so.
    #[error("this writer (epoch {stated}) lost the journal to a newer writer (epoch {current})")]
    Fenced {
        /// What the entry states, or what this writer holds.
        stated: u32,
        /// The epoch that may write.
        current: u32,
    },
    /// The blobs are not those that the entry lists. Nothing was written.
    #[error("blob {} is not the one that the entry lists at its place", .0.0)]
    Blob(BlobId),
    /// The entry or a blob is larger than the journal takes. Nothing was written.
    #[error("{what} has {found} bytes; the maximum is {max}")]
    TooLarge {
        /// An entry or a blob.
        what: &'static str,
        /// Its size in bytes.
        found: usize,
        /// The limit in bytes.
        max: usize,
    },
    /// The storage failed and it was made sure that nothing was written: the same entry may be appended again.
    #[error("nothing was written: {0}")]
    NotWritten(StoreError),
    /// The storage failed, and what it holds could not be found out. Open the journal again and compare heads.
    #[error("it is unknown whether the entry was written: {0}")]
    Unknown(StoreError),
}

/// Why a journal was not exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The journal itself is not whole.
    #[error("the journal cannot be exported: {0}")]
    Damage(#[from] Damage),
    /// The file could not be written.
    #[error("the export cannot be written: {0}")]
    Storage(#[from] StoreError),
}

/// Why an export was not imported. Nothing is left at the destination.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The export could not be read, or the destination not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The export is not a whole journal.
    #[error("the export is damaged: {0}")]
    Damage(#[from] Damage),
    /// The new file could not be written.
    #[error("the campaign cannot be written: {0}")]
    Storage(#[from] StoreError),
}
