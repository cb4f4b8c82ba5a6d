//! What detectors say: findings, or that what they need was not recorded.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Somebody should look at it.
    Warning,
    /// The telling is wrong.
    Error,
}

impl Severity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Something that a detector found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// How sure the detector is, in percent.
    pub confidence: u8,
    /// Which detector.
    #[schemars(schema_with = "detector")]
    pub detector: &'static str,
    /// How often the same was found; the first of them is told here.
    pub count: usize,
    /// Numbers of the events that show it, the one with the words first.
    pub numbers: Vec<u64>,
    /// The words, as they were said; empty where it is not about words.
    pub sentence: String,
    /// Why, in one sentence.
    pub why: String,
}

fn detector(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = crate::DETECTORS.iter().map(|detector| detector.name).collect();
    json_schema!({ "type": "string", "enum": names })
}

/// What a detector measured, whether or not there is anything to find in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Measure {
    /// Of whom.
    pub of: String,
    /// The numbers by their names.
    pub numbers: BTreeMap<&'static str, u64>,
    /// The same as text.
    pub words: String,
}

/// What one detector says of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It looked, and found this.
    Looked(Vec<Finding>),
    /// It could not look: this was not recorded.
    NotRecorded(&'static str),
}

/// One detector's part of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Outcome {
    /// The detector.
    pub detector: &'static str,
    /// What it looks for.
    pub about: &'static str,
    /// What it would have needed and was not recorded; none where it could look.
    pub not_recorded: Option<&'static str>,
    /// How many more findings there were than a report holds.
    pub left_out: usize,
    /// What it found, in order of numbers.
    pub findings: Vec<Finding>,
    /// What it measured.
    pub measures: Vec<Measure>,
}

/// What all detectors say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Report {
    /// One for each detector that was asked, in order of their list.
    pub outcomes: Vec<Outcome>,
}

impl Report {
    /// Every finding.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.outcomes.iter().flat_map(|outcome| &outcome.findings)
    }

    /// The most severe finding's severity.
    pub fn worst(&self) -> Option<Severity> {
        self.findings().map(|finding| finding.severity).max()
    }
}
