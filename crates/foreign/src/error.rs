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
    /// No mapping knows such a file.
    #[error("{} is in no known format: {looked}", file.display())]
    Unknown {
        /// The transcript.
        file: PathBuf,
        /// What was looked at.
        looked: String,
        /// What each mapping reads.
        formats: String,
    },
    /// Somebody was given two roles.
    #[error("{0:?} was given two roles")]
    Twice(String),
    /// Somebody was told of who does not speak.
    #[error("nobody is called {name:?} in this transcript{}", meant(near.as_deref()))]
    Nobody {
        /// The name.
        name: String,
        /// The nearest one.
        near: Option<String>,
        /// Everybody who speaks.
        speakers: Vec<String>,
    },
}

impl RecordError {
    /// What to do next.
    pub fn help(&self) -> String {
        match self {
            RecordError::Record { .. } => "nothing was imported; fix the file or its mapping".into(),
            RecordError::Silent(_) => "check that the mapping fits the file".into(),
            RecordError::Unknown { formats, .. } => {
                format!(
                    "known are: {formats}. For another format, write a mapping (config/README.md) and name it with --from FILE"
                )
            }
            RecordError::Twice(_) => "name each speaker once, by --narrator, --player or --other".to_owned(),
            RecordError::Nobody { speakers, .. } => format!("the speakers are: {}", speakers.join(", ")),
        }
    }
}

/// `; did you mean "Ada"?`, where a name is near.
fn meant(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
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
