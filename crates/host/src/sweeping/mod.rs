//! Sweeps: many campaigns by one plan. Each is an ordinary campaign, whose id is derived from what the plan says of it. So it is found
//! again after a kill without any list, and what was played is never paid twice. Beside the campaigns there is a copy of the plan alone.

pub mod bench;
mod check;
mod cost;
mod play;
mod queue;
mod record;
mod results;

use std::path::{Path, PathBuf};

use twicetold_event::{CampaignId, limits};
use twicetold_model::{Digest, Digester};
use twicetold_sweep::{Cell, Mistake, Plan};

use crate::configuration::Configuration;
use crate::mapping::WhoPlays;
use crate::opening::Opening;
use crate::spend::Spend;
use crate::{Error, Kind, Library, bounded, words};
use bench::Bench;

pub use cost::Estimate;
pub use play::{News, Played, play};
pub use queue::{Queued, enqueue};
pub use record::{list, recorded};
pub(crate) use results::look;
pub use results::{Found, Standing, find_cell, results, standing};

/// A sweep whose plan is right.
pub struct Sweep {
    /// The plan.
    pub plan: Plan,
    /// Its text.
    text: String,
    /// The folder that its paths begin in.
    folder: PathBuf,
    /// What is configured, for each campaign and each configuration folder: campaigns first.
    digests: Vec<Digest>,
    /// The digests of how the models are asked and where, for each campaign and variant: campaigns first. Empty in one that is only shown.
    models: Vec<Digest>,
    /// The models.toml that was asked for.
    config: Option<PathBuf>,
    /// What the whole sweep may cost.
    budget: Option<Spend>,
}

/// Why there is no sweep.
pub enum NoSweep {
    /// The plan is wrong: its text, and all that is wrong with it.
    Mistakes(String, Vec<Mistake>),
    /// Something else.
    Failed(Error),
}

impl From<Error> for NoSweep {
    fn from(error: Error) -> NoSweep {
        NoSweep::Failed(error)
    }
}

impl Sweep {
    /// Reads a plan and checks everything that can be checked without a model's call. Nothing is written.
    ///
    /// # Errors
    /// The plan is wrong, or too small a budget for it; or the file cannot be read.
    pub fn read(library: &Library, file: &Path, config: Option<&Path>) -> Result<Sweep, NoSweep> {
        let text = bounded::text(file, twicetold_sweep::PLAN_BYTES_MAX as u64).map_err(|error| {
            let message = format!("the plan {} cannot be read: {error}", file.display());
            let kind = if error.kind() == std::io::ErrorKind::NotFound { Kind::Missing } else { Kind::Usage };
            let help = "a plan is a TOML file with a name, campaigns and seeds; `twicetold sweep run --help` shows one";
            Error::new(kind, message, help)
        })?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        Sweep::of(library, text, folder, config)
    }

    /// The sweep that ranks models. A budget that does not pay for all of it is refused: half a ranking is none.
    ///
    /// # Errors
    /// Something cannot be played, or the budget is too small.
    pub fn bench(library: &Library, bench: &Bench<'_>, config: Option<&Path>) -> Result<Sweep, NoSweep> {
        let sweep = Sweep::of(library, bench.plan(), PathBuf::from("."), config)?;
        let whole = sweep.estimate(library)?;
        if let Some(why) = sweep.budget.as_ref().and_then(|budget| whole.above(budget)) {
            let campaigns = words::counted(sweep.plan.count(), "campaign");
            let message = format!("the budget does not pay for the whole ranking: {campaigns} take {why}");
            let help = "raise --budget, or rank fewer models; the estimate is the campaigns as the improviser plays them";
            return Err(Error::new(Kind::Usage, message, help).into());
        }
        Ok(sweep)
    }

    fn of(library: &Library, text: String, folder: PathBuf, config: Option<&Path>) -> Result<Sweep, NoSweep> {
        let (plan, mistakes) = parsed(&text);
        let Some(plan) = plan else { return Err(NoSweep::Mistakes(text, mistakes)) };
        let mut sweep = Sweep {
            plan,
            text,
            folder,
            digests: Vec::new(),
            models: Vec::new(),
            config: config.map(Path::to_owned),
            budget: None,
        };
        match sweep.check(library, mistakes) {
            Ok(()) => Ok(sweep),
            Err(mistakes) => Err(NoSweep::Mistakes(sweep.text, mistakes)),
        }
    }

    /// The text of the plan.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The campaigns, in the order of the plan.
    pub fn cells(&self) -> Vec<Cell> {
        self.plan.cells().collect()
    }

    /// The id of a campaign: a digest of everything that the plan says of it, so that a changed plan finds what it still shares with the
    /// former one.
    pub fn id(&self, cell: Cell) -> CampaignId {
        let plan = &self.plan;
        let variant = &plan.variants[cell.variant];
        let mut digester = Digester::new("twicetold sweep campaign 1");
        digester.text(&plan.name);
        digester.text(&plan.campaigns[cell.campaign].text);
        digester.text(&plan.configurations[variant.configuration].text);
        digester.raw(&self.digest(cell).0);
        let models = &plan.teams[variant.team].models;
        digester.number(models.len() as u64);
        models.iter().for_each(|model| digester.text(&model.text));
        digester.optional(variant.players.map(u64::from));
        digester.optional(plan.turns.map(u64::from));
        digester.number(cell.seed);
        digester.number(u64::from(cell.repetition));
        let mut id = [0; 16];
        id.copy_from_slice(&digester.finish().0[..16]);
        CampaignId(id)
    }

    fn digest(&self, cell: Cell) -> Digest {
        let place = self.digest_place(cell.campaign, self.plan.variants[cell.variant].configuration);
        self.digests.get(place).copied().unwrap_or(Digest::ZERO)
    }

    fn digest_place(&self, campaign: usize, configuration: usize) -> usize {
        campaign * self.plan.configurations.len() + configuration
    }

    /// The configuration folder of a variant; none where it is the bundled one.
    fn configuration(&self, place: usize) -> Option<PathBuf> {
        let name = &self.plan.configurations[place].text;
        (!name.is_empty()).then(|| self.folder.join(name))
    }

    /// A campaign as it is named: a file beside the plan, or the id of a bundled one.
    fn campaign(&self, place: usize) -> String {
        let name = &self.plan.campaigns[place].text;
        let file = self.folder.join(name);
        if file.is_file() { file.display().to_string() } else { name.clone() }
    }

    fn configured(&self, campaign: usize, configuration: usize) -> Result<Configuration, Error> {
        let named = self.campaign(campaign);
        Ok(match self.configuration(configuration) {
            Some(folder) => Configuration::in_folder(&folder, &named)?.0,
            None => Configuration::for_campaign(Some(&named))?.0,
        })
    }

    fn who(&self, cell: Cell) -> WhoPlays {
        let team = &self.plan.teams[self.plan.variants[cell.variant].team];
        WhoPlays {
            model: team.models.iter().map(|model| model.text.clone()).collect(),
            config: self.config.clone(),
            ..WhoPlays::default()
        }
    }

    /// Calls `with` with how a campaign of the sweep is opened.
    fn opening<T>(&self, cell: Cell, with: impl FnOnce(Opening<'_>) -> T) -> T {
        let variant = &self.plan.variants[cell.variant];
        let campaign = self.campaign(cell.campaign);
        let folder = self.configuration(variant.configuration);
        let label = words::short(&self.plan.label(cell), LABEL_CHARS);
        with(Opening {
            campaign: Some(&campaign),
            who: self.who(cell),
            seed: Some(cell.seed),
            players: variant.players,
            turns: self.plan.turns,
            label: Some(&label),
            folder: folder.as_deref(),
            id: Some(self.id(cell)),
            ..Opening::default()
        })
    }
}

/// Characters of a label, so that it stays one when dots are put behind it.
const LABEL_CHARS: usize = 58;

/// Reads the text of a plan.
fn parsed(text: &str) -> (Option<Plan>, Vec<Mistake>) {
    Plan::read(text, &|known, typed| words::near(known.iter().copied(), typed).map(str::to_owned))
}

/// Most bytes of what is kept of a sweep: the plan, and a line for each campaign and configuration.
const RECORD_BYTES_MAX: u64 = limits::FILE_BYTES_MAX as u64;
