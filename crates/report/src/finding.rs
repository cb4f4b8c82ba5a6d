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

/// What an examination looked for, and what it found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examination {
    /// What was looked for, in a few words each.
    pub looked_for: Vec<String>,
    /// What was not looked for, and which data it would have needed.
    pub not_looked_for: Vec<String>,
    /// What was read of a transcript of another program, and what was passed over; empty for a campaign.
    pub taken: String,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What was measured, by what it is about: each player's share of the lines, how the dice fell.
    pub measured: Vec<(String, Vec<String>)>,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// How sure its detector is, in percent.
    pub confidence: u8,
    /// What found it.
    pub detector: String,
    /// The numbers that it speaks of; ones that the journal does not have are shown without a link.
    pub numbers: Vec<u64>,
    /// Where it stands in the file of another program, as `file:line`; empty for a campaign.
    pub place: String,
    /// What is the matter.
    pub sentence: String,
    /// Why it matters, or how it was seen; may be empty.
    pub why: String,
}
