//! A campaign's specification.

use schemars::JsonSchema;
use serde::Deserialize;

/// `campaign.toml`: the frame of the adventure.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CampaignSpec {
    /// Kebab-case name.
    pub id: String,
    /// What people read.
    pub title: String,
    /// One line that models read.
    pub tone: String,
    /// Folder below `rules/`.
    pub rules: String,
    /// Encounters in the order in which they are played.
    pub encounters: Vec<String>,
    /// Players unless asked otherwise.
    #[serde(default = "three")]
    pub players_default: u8,
    /// Fewest players.
    #[serde(default = "two")]
    pub players_min: u8,
    /// Most players.
    #[serde(default = "five")]
    pub players_max: u8,
    /// What the party might call itself.
    #[serde(default)]
    pub party_name_hint: String,
    /// Limits that take the place of those in `limits.toml`.
    #[serde(default)]
    #[schemars(with = "super::Limits")]
    pub limits: toml::Table,
    /// The acts that its encounters are grouped into; none when they are not.
    #[serde(default, rename = "act")]
    pub acts: Vec<ActSpec>,
    /// The adventure as it stands before Session Zero; used as it is when Session Zero brings no other.
    pub scenario: ScenarioSpec,
}

/// Encounters that belong together. It has begun when one of them has, and from then on players may be told of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActSpec {
    /// Kebab-case id.
    pub id: String,
    /// What people read.
    pub title: String,
    /// What may be told once it has begun.
    pub summary: String,
    /// Ids of encounters of the campaign.
    pub encounters: Vec<String>,
}

/// The adventure's two parts.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioSpec {
    /// What everybody knows.
    pub public: String,
    /// What the DM alone knows.
    pub dm: String,
}

fn two() -> u8 {
    2
}

fn three() -> u8 {
    3
}

fn five() -> u8 {
    5
}
