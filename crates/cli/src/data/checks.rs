//! What is found out about campaigns: checks, comparisons, and the values that fields had.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use twicetold_audit::{Finding, Measure, Severity};
use twicetold_event::CampaignId;
use twicetold_foreign::Summary;
use twicetold_host::attestation::Verdict;
use twicetold_model::Digest;
use twicetold_referee::replay::DivergenceKind;
use twicetold_session::{Change, Difference, FactValue};

forms! {
    Audit: "audit", "what detectors find: audit";
    Replay: "replay", "whether a replay is as it was recorded: replay";
    Verify: "verify", "a journal that is whole: verify";
    Attestation: "attestation", "campaigns beside an attestation: verify --attestation";
    Diff: "diff", "where two campaigns part, and what differs: diff";
    Fields: "fields", "all state fields as they stand: history ID";
    History: "history", "every value of a state field: history ID FIELD";
    Bisect: "bisect", "the first number at which a condition holds: bisect";
}

/// What detectors find.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Audit {
    /// The campaign; null of a transcript that was read from a file of another program.
    pub campaign: Option<CampaignId>,
    /// What was found, detector by detector.
    pub findings: Vec<Found>,
    /// What each detector says.
    pub detectors: Vec<Detector>,
    /// The severity of the most severe finding; null where nothing was found.
    pub worst: Option<Severity>,
    /// What was taken from a transcript of another program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<Summary>,
}

/// A finding, and in a transcript of another program where its file has it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Found {
    #[serde(flatten)]
    pub finding: Finding,
    /// The file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of each number; null of a number that has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Option<u64>>>,
}

/// What a detector says.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Detector {
    /// Its name.
    pub name: &'static str,
    /// What it looks for.
    pub about: &'static str,
    /// How many findings stand above.
    pub findings: usize,
    /// How many more there were.
    pub left_out: usize,
    /// What it would have needed and was not recorded; null where it could look.
    pub not_recorded: Option<&'static str>,
    /// What it measured.
    pub measures: Vec<Measure>,
}

/// Whether a replay is as it was recorded.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Replay {
    /// Is every event and every request as it was recorded?
    pub identical: bool,
    /// Entries that were replayed.
    pub entries: u64,
    /// Inputs and events that were compared.
    pub numbers: u64,
    /// Requests that were made again.
    pub requests: u64,
    /// The digest of the replayed story.
    pub story: Digest,
    /// Is the recorded campaign over?
    pub over: bool,
    /// Prompts that differ under another configuration.
    pub drifted: u64,
    /// The first of them.
    pub first_drift: Option<Diverged>,
    /// Where the replay parts from the record, and ends.
    pub divergence: Option<Diverged>,
}

/// Where a replay differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Diverged {
    /// The number of the event, or of the input whose HTTP body differs.
    pub number: u64,
    /// What kind of difference.
    pub kind: DivergenceKind,
    /// What the journal says.
    pub journal: String,
    /// What this build says.
    pub build: String,
    /// The fields that differ, where both say the same kind of event.
    pub fields: Vec<FieldDiffers>,
    /// The build that wrote the entry.
    pub recorded_by: String,
    /// This build.
    pub this_build: String,
    /// The first piece of a prompt that differs.
    pub span: Option<SpanDiffers>,
}

/// A field of an event that differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FieldDiffers {
    /// As the journal has it.
    pub journal: String,
    /// As this build has it.
    pub build: String,
}

/// A piece of a prompt that differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpanDiffers {
    /// Where its words come from.
    pub source: String,
    /// As the journal has it.
    pub journal: String,
    /// As this build has it.
    pub build: String,
}

/// A journal that is whole.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verify {
    /// No byte was changed, lost or reordered; otherwise the command fails and says on standard error what is damaged.
    pub whole: bool,
    /// Entries.
    pub entries: u64,
    /// Inputs and events.
    pub numbers: u64,
    /// Texts and files that entries refer to.
    pub blobs: u32,
    /// The size of the journal.
    pub bytes: u64,
    /// The digest of the chain's last link.
    pub chain: Digest,
    /// The digest of the story.
    pub story: Digest,
    /// The last attestation that was made on this machine; null where none was.
    pub attestation: Option<Attested>,
}

/// An attestation, compared with the journal.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Attested {
    /// Its file.
    pub file: PathBuf,
    /// When it was signed, in milliseconds since 1970.
    pub at_ms: u64,
    /// The number after the last one that was attested.
    pub next: u64,
    /// The public key that signed it.
    pub key: String,
    /// The result.
    pub verdict: Verdict,
}

/// The campaigns of an attestation, compared with the data folder.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Attestation {
    /// The public key that signed it.
    pub key: String,
    /// Its campaigns.
    pub campaigns: Vec<Compared>,
}

/// A campaign of an attestation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compared {
    /// Its id.
    pub campaign: CampaignId,
    /// The number after the last one that was attested.
    pub next: u64,
    /// The result.
    pub verdict: Verdict,
}

/// Where two campaigns part, and what differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Diff {
    /// The two, in the order in which all pairs below have them.
    pub campaigns: (CampaignId, CampaignId),
    #[serde(flatten)]
    pub difference: Difference,
}

/// All state fields as they stand.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fields {
    /// Values by the paths of their fields.
    pub fields: BTreeMap<String, FactValue>,
}

/// Every value of a state field, or of all fields below a path.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct History {
    /// The path, as it is written in full.
    pub path: String,
    /// The values in order.
    pub changes: Vec<Change>,
}

/// The first number at which a condition holds.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Bisect(pub Change);
