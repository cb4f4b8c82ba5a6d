//! What is done with whole campaigns: labels, files that are written, attestations, removal.

use serde::Serialize;

forms! {
    Label: "label", "the label of a campaign: label";
    Removed: "removed", "a campaign that was deleted: rm";
    Written: "written", "a file that was written of a campaign: export, report";
    NewAttestation: "new-attestation", "a signed attestation that was written: attest";
}

/// The label of a campaign.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Label {
    /// The label; null where it has none.
    pub label: Option<String>,
}

/// A campaign that was deleted.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Removed {
    /// Its title; null where its journal could not be read.
    pub title: Option<String>,
}

/// A file that was written of a campaign.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Written {
    /// The file.
    pub file: String,
    /// Its format, as `export --as` names it; `journal` where it is the campaign itself.
    pub format: String,
    /// Entries of the journal; null of other formats.
    pub entries: Option<u64>,
    /// The chain digest of the journal; null of other formats.
    pub chain: Option<String>,
}

/// A signed attestation that was written.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewAttestation {
    /// The file; null where none was named.
    pub file: Option<String>,
    /// How many campaigns it holds.
    pub campaigns: u64,
    /// The attestation.
    pub text: String,
}
