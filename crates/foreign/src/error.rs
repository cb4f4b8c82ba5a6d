//! Why a transcript did not become a journal, with the file and line.

use std::path::PathBuf;

/// What is wrong with a transcript, or with the mapping that it is read by.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A record is not what the mapping says.
    #[error("{}:{line}: {why}", file.display())]
    Record {
        /// The transcript.
        file: PathBuf,
        /// The line at which the record begins.
        line: u64,
        /// As text.
        why: String,
    },
    /// There are records, and nobody speaks in them.
    #[error("{} contains no record with a speaker", .0.display())]
    Silent(PathBuf),
}

impl RecordError {
    /// What to do next.
    pub fn help(&self) -> &'static str {
        match self {
            RecordError::Record { .. } => "nothing was imported; fix the file or its mapping",
            RecordError::Silent(_) => "check that the mapping fits the file",
        }
    }
}

/// Why a journal was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// An entry could not be made.
    #[error("the journal cannot be written: {0}")]
    Entry(String),
    /// The file could not be.
    #[error(transparent)]
    File(#[from] twicetold_journal::ImportError),
}
