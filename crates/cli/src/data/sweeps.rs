//! Sweeps: their results, their campaigns, and the events behind a score.

use std::collections::BTreeMap;

use serde::Serialize;

forms! {
    SweepResults: "sweep", "what a sweep shows: sweep run, sweep show";
    SweepCampaigns: "sweep-campaigns", "the campaigns of a sweep: sweep show --campaigns";
    SweepComparison: "sweep-comparison", "two sweeps compared: sweep diff";
    Sweeps: "sweeps", "the sweeps that were run: sweep list";
    SweepScore: "sweep-score", "the events behind a score: sweep show --score";
    BenchResults: "bench", "models in order, as DM and as players: bench";
}

/// The sweeps that were run, by their names.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sweeps {
    /// Each of them.
    pub sweeps: Vec<SweepName>,
}

/// A sweep that was run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepName {
    /// What its plan calls it.
    pub name: String,
}

/// How far a campaign of a sweep is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SweepState {
    /// It has not begun.
    Waiting,
    /// It goes on with the next run.
    Begun,
    /// It is over.
    Done,
    /// It cannot be played on.
    Failed,
}

/// A campaign of a sweep.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepCampaign {
    /// Its id: 32 hexadecimal digits.
    pub campaign: String,
    /// Which campaign is played, as the plan names it.
    pub plays: String,
    /// Its variant.
    pub variant: String,
    /// Its seed.
    pub seed: u64,
    /// Which repetition of its seed, from 1.
    pub repetition: u32,
    /// How far it is.
    pub state: SweepState,
    /// Why it failed; null where it did not.
    pub reason: Option<String>,
}

/// A campaign with its scores.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ScoredCampaign {
    #[serde(flatten)]
    pub of: SweepCampaign,
    /// Scores by name; null where a score is not known.
    pub scores: BTreeMap<&'static str, Option<f64>>,
}

/// A 95 % interval, or why there is none.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SweepInterval {
    /// From and to.
    Between(f64, f64),
    /// Fewer than ten pairs, or for a mean fewer than ten campaigns and seeds.
    TooFew,
    /// All of them, or nearly all, are the same.
    NoSpread,
}

/// A paired difference to the baseline.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepDifference {
    /// Pairs of which both have the score: a campaign under a seed.
    pub pairs: u64,
    /// The mean of the differences.
    pub mean: f64,
    /// Between what the difference lies.
    pub interval: SweepInterval,
}

/// A score of a variant.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepRow {
    /// The variant.
    pub variant: String,
    /// The score.
    pub score: &'static str,
    /// Campaigns that have the score.
    pub campaigns: u64,
    /// The mean over them; null where there are none.
    pub mean: Option<f64>,
    /// Between what the mean lies; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_interval: Option<SweepInterval>,
    /// The difference to the baseline; null for the baseline itself.
    pub difference: Option<SweepDifference>,
}

/// What a sweep shows.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepResults {
    /// Its name.
    pub sweep: String,
    /// The variant that the others are compared with.
    pub baseline: String,
    /// Campaigns that are over.
    pub done: u64,
    /// Its campaigns.
    pub campaigns: Vec<ScoredCampaign>,
    /// Scores by variants.
    pub rows: Vec<SweepRow>,
}

/// Two sweeps, by the variants that both have: the second is compared with the first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepComparison {
    /// Scores by variants.
    pub rows: Vec<SweepRow>,
}

/// The campaigns of a sweep.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepCampaigns {
    /// Its name.
    pub sweep: String,
    /// Its campaigns.
    pub campaigns: Vec<SweepCampaign>,
}

/// An event behind a score.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ScoredEvent {
    /// Its sequence number.
    pub number: u64,
    /// What it is.
    pub what: String,
}

/// A score of one campaign, and the events behind it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepScore {
    /// The sweep's name.
    pub sweep: String,
    /// The campaign.
    pub of: SweepCampaign,
    /// The score.
    pub score: &'static str,
    /// Its value; null where it is not known.
    pub value: Option<f64>,
    /// The first events of those that it was counted from.
    pub events: Vec<ScoredEvent>,
    /// How many more there are.
    pub left_out: u64,
}

/// Which values of a score are better.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WhichIsBetter {
    /// Greater ones.
    Higher,
    /// Smaller ones.
    Lower,
}

/// A score that counts in a role.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchScore {
    /// The score.
    pub score: &'static str,
    /// Which of its values are better.
    pub better: WhichIsBetter,
}

/// A model in a role.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchModel {
    /// The model, as it was named.
    pub model: String,
    /// Its rank, from 1; several models may have the same one. Null where too few pairs were played.
    pub rank: Option<u64>,
    /// Scores and other models in which it is clearly better.
    pub better: u64,
    /// Scores and other models in which it is clearly worse.
    pub worse: u64,
    /// Scores and other models of which an interval is known.
    pub compared: u64,
    /// Its mean of each score; null where a score is not known.
    pub means: BTreeMap<&'static str, Option<f64>>,
}

/// A role, and who plays it best.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchRole {
    /// `dm` or `players`.
    pub role: &'static str,
    /// The scores that count.
    pub scores: Vec<BenchScore>,
    /// The models, the best first.
    pub models: Vec<BenchModel>,
}

/// Models in order.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchResults {
    /// The name of the sweep.
    pub sweep: String,
    /// The model at all other seats.
    pub with: String,
    /// Campaigns of the sweep.
    pub campaigns: u64,
    /// Campaigns that are over.
    pub done: u64,
    /// The roles.
    pub roles: Vec<BenchRole>,
}
