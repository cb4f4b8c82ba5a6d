//! The charter: everything that a campaign was opened with, as references to blobs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_model::Digest;

use crate::BlobId;

/// The whole effective configuration of a campaign. A replay reads this and no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Charter {
    /// Where all dice and draws come from.
    pub seed: u64,
    /// The version of the rules that the campaign is played by; 0 in a transcript that another program wrote.
    pub rules: u16,
    /// Configuration files, prompt templates, tool schemas and limits, in order of their paths.
    pub files: Vec<CharterFile>,
}

/// One file of a charter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CharterFile {
    /// Its path below the configuration folder, for example `prompts/dm-play.md`.
    pub path: String,
    /// Its content.
    pub blob: BlobId,
    /// The digest of its content.
    pub digest: Digest,
}
