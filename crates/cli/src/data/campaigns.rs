//! Campaigns: their lists, what is said while one is played, and where branches begin.

use serde::Serialize;
use twicetold_event::CampaignId;
use twicetold_foreign::Summary;
use twicetold_session::Card;

use crate::told::Standing;

forms! {
    End: "end", "how a campaign stands when play stops: run, resume";
    Budget: "budget", "a budget that is used up, or nearly: run, resume";
    CalledAgain: "called-again", "a model call that may be paid twice: resume";
    Campaigns: "campaigns", "the campaigns: list";
    Tree: "tree", "the campaigns with their branches: tree";
    Imported: "imported", "a campaign that was imported: import";
    Branch: "branch", "a new branch: fork, undo";
}

/// What a campaign came to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct End {
    /// How it stands.
    pub state: Standing,
    /// Why it is over or paused; empty where it is neither.
    pub reason: String,
    #[serde(flatten)]
    pub card: Card,
}

/// How much of a budget is used.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BudgetState {
    /// Four fifths.
    NearlyUsedUp,
    /// All: the campaign is being paused.
    UsedUp,
}

/// A budget that is used up, or nearly.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Budget {
    /// How much of it is used.
    pub state: BudgetState,
    /// What is spent of what, for people: `0.4012 of 0.50 usd`.
    pub spent: String,
    /// As much again of all that is limited, as `--budget` takes it.
    pub again: String,
}

/// A call that was in flight when the campaign stopped, and is made a second time.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CalledAgain {
    /// Which call, counted within the campaign.
    pub call: u32,
    /// Does a server take money for it?
    pub may_be_paid_twice: bool,
    /// Tokens to read, as they are estimated; null where that is not known.
    pub input_tokens_about: Option<u64>,
    /// Tokens that it may write at most.
    pub output_tokens_most: Option<u64>,
}

/// The campaigns, the newest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Campaigns {
    pub campaigns: Vec<Listed>,
}

/// A campaign as it is listed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Listed {
    /// Its id.
    pub campaign: CampaignId,
    /// Its title; empty where the journal cannot be read.
    pub title: String,
    /// Its label.
    pub label: Option<String>,
    /// When it was opened, in milliseconds since 1970.
    pub opened_ms: u64,
    /// Turns so far; of a transcript of another program, its lines.
    pub turns: u32,
    /// Model calls so far.
    pub calls: u32,
    /// The models that play, by the names that their servers know.
    pub models: Vec<String>,
    /// How it stands.
    pub state: Standing,
    /// What else is to be said of that, for people.
    pub detail: String,
}

/// The campaigns that can be read, the oldest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tree {
    pub campaigns: Vec<InTree>,
}

/// A campaign in the tree.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InTree {
    /// Its id.
    pub campaign: CampaignId,
    /// Its title.
    pub title: String,
    /// How it stands.
    pub state: Standing,
    /// More of that: how it ended, or why it is paused.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Turns, or lines; lines of earlier versions lack it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// When it was opened, in milliseconds since 1970.
    pub opened_ms: u64,
    /// Where it branches off; null where it does not.
    pub branch: Option<BranchedOff>,
}

/// Where a campaign branches off.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BranchedOff {
    /// The campaign that it branches off.
    pub parent: CampaignId,
    /// The number after the last that both share.
    pub at: u64,
    /// What was changed, in a few words.
    pub changed: String,
}

/// A campaign, or a transcript of another program, that was imported; its id is the campaign.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Imported {
    /// Was the very same there already, so that nothing was written?
    pub already_there: bool,
    /// Entries of its journal.
    pub entries: u64,
    /// The mapping by which a transcript was read; null of a campaign.
    pub mapping: Option<String>,
    /// What was taken from a transcript; null of a campaign.
    pub read: Option<Summary>,
}

/// A new branch; its id is the campaign.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Branch {
    /// The number after the last that it shares with its parent.
    pub shared: u64,
}
