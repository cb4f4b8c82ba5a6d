//! What an examination of a journal found, as a report shows it.

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A rule was broken.
    Error,
    /// Somebody should look at it.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What found it.
    pub detector: String,
    /// The numbers that it speaks of; ones that the journal does not have are shown without a link.
    pub numbers: Vec<u64>,
    /// What is the matter.
    pub sentence: String,
    /// Why it matters, or how it was seen; may be empty.
    pub why: String,
}
