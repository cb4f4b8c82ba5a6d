//! The plan of a sweep: which campaigns are played by which models, with which configurations, players and seeds.

mod read;
mod schema;
mod seeds;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::scores::Score;
pub use read::Near;
pub use schema::schemas;

/// Bytes of the file of a plan: a plan that names everything it may is a tenth of that.
pub const PLAN_BYTES_MAX: usize = 64 << 10;
/// Campaigns of a sweep. Each is a file, and the results are read from all of them.
pub const CELLS_MAX: u64 = 10_000;
/// Campaigns side by side: each holds its journal open, and systems allow a process some hundred files.
pub const PARALLEL_MAX: u64 = 200;
/// Entries of each list but the seeds.
pub const LIST_MAX: usize = 100;

/// A text of the plan and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Its bytes in the file.
    pub span: Range<usize>,
}

/// Something that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where.
    pub span: Range<usize>,
    /// What.
    pub message: String,
    /// What to do; may be empty.
    pub help: String,
}

impl Mistake {
    /// A mistake at these bytes.
    pub fn at(span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Mistake {
        Mistake { span: span.clone(), message: message.into(), help: help.into() }
    }

    /// The line of the text that it is in, counted from 1.
    pub fn line(&self, text: &str) -> usize {
        1 + text.bytes().take(self.span.start).filter(|byte| *byte == b'\n').count()
    }
}

/// Who plays: one entry of `models`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// What its variant is called.
    pub name: String,
    /// As `--model` takes them: `NAME`, or `SEAT=NAME` for one seat. Empty: the default of models.toml.
    pub models: Vec<Word>,
    /// Where it stands.
    pub span: Range<usize>,
}

impl Team {
    /// Are all seats played by the same models?
    pub(crate) fn is_like(&self, other: &Team) -> bool {
        let models = |team: &Team| team.models.iter().map(|word| word.text.clone()).collect::<BTreeSet<_>>();
        models(self) == models(other)
    }
}

/// One way to play, which is compared with the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What of it differs from the others, as people read it.
    pub name: String,
    /// Who plays: its place in [`Plan::teams`].
    pub team: usize,
    /// The configuration folder, by its place in [`Plan::configurations`].
    pub configuration: usize,
    /// Number of players; nothing: as the campaign says.
    pub players: Option<u8>,
}

/// A plan without mistakes, as far as its text alone can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the sweep is called.
    pub name: String,
    /// Campaigns: files, or ids of bundled ones.
    pub campaigns: Vec<Word>,
    /// Who plays.
    pub teams: Vec<Team>,
    /// Configuration folders; an empty one is the bundled configuration.
    pub configurations: Vec<Word>,
    /// The ways to play that are compared.
    pub variants: Vec<Variant>,
    /// The variant that the others are compared with: its place in the list.
    pub baseline: usize,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// How often each is played.
    pub repetitions: u32,
    /// Most turns of a campaign.
    pub turns: Option<u32>,
    /// Campaigns side by side.
    pub parallel: usize,
    /// Calls in flight at one model server.
    pub per_server: usize,
    /// What the whole sweep may cost, as `--budget` takes it.
    pub budget: Option<Word>,
    /// The scores that are shown.
    pub scores: Vec<&'static Score>,
    /// The seed of the intervals' random numbers.
    pub interval_seed: u64,
}

/// One campaign of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// Its place in [`Plan::campaigns`].
    pub campaign: usize,
    /// The seed.
    pub seed: u64,
    /// Which repetition, from 1.
    pub repetition: u32,
    /// Its place in [`Plan::variants`].
    pub variant: usize,
}

impl Plan {
    /// The campaigns, in the order in which they are begun: pairs stand together, so that a sweep that is stopped early can be compared.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let campaigns = 0..self.campaigns.len();
        let repeated = move |seed: u64| (1..=self.repetitions).map(move |repetition| (seed, repetition));
        let seeds = move || self.seeds.iter().copied().flat_map(repeated);
        campaigns.flat_map(move |campaign| {
            seeds().flat_map(move |(seed, repetition)| {
                (0..self.variants.len()).map(move |variant| Cell { campaign, seed, repetition, variant })
            })
        })
    }

    /// The number of campaigns.
    pub fn count(&self) -> u64 {
        let lists = [self.campaigns.len(), self.variants.len(), self.seeds.len()];
        lists.iter().fold(u64::from(self.repetitions), |all, more| all.saturating_mul(*more as u64))
    }

    /// What a campaign of the sweep is called in lists.
    pub fn label(&self, cell: Cell) -> String {
        let variant = &self.variants[cell.variant].name;
        let again = if cell.repetition > 1 { format!(".{}", cell.repetition) } else { String::new() };
        format!("{}: {variant}, seed {}{again}", self.name, cell.seed)
    }
}
