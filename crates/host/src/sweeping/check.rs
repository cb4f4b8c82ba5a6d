//! What is checked of a plan before anything is written: names, folders, keys, windows, and whether the budget pays one campaign.

use twicetold_model::{Digest, Digester};
use twicetold_sweep::{Cell, Mistake, Word};
use twicetold_world::setup::Setup;

use super::Sweep;
use super::cost::{Estimate, estimate};
use crate::configuration::Configuration;
use crate::mapping::Mapping;
use crate::opening::{Prepared, prepare};
use crate::prices::prices;
use crate::seats::{Models, seated};
use crate::spend::{Spend, all_priced};
use crate::{Error, Kind, Library};

impl Sweep {
    /// Checks everything that the text alone does not show, and learns what is configured. `mistakes` are those of the text.
    pub(super) fn check(
        &mut self,
        library: &Library,
        mut mistakes: Vec<Mistake>,
    ) -> Result<(), Vec<Mistake>> {
        self.check_names(&mut mistakes);
        if !mistakes.is_empty() {
            mistakes.sort_by_key(|mistake| mistake.span.start);
            return Err(mistakes);
        }
        let estimates = self.check_campaigns(library, &mut mistakes);
        if let Some(budget) = &self.plan.budget {
            mistakes.extend(self.too_small(budget, &estimates));
        }
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
    }

    fn check_names(&mut self, mistakes: &mut Vec<Mistake>) {
        let before = mistakes.len();
        for (place, word) in self.plan.configurations.iter().enumerate() {
            let Some(folder) = self.configuration(place) else { continue };
            if let Err(error) = Configuration::is_in(&folder) {
                mistakes.push(told(word, error));
            }
        }
        // What is no folder has no campaigns either, and one mistake is told once.
        if mistakes.len() == before {
            let mut digests = Vec::new();
            for (campaign, word) in self.plan.campaigns.iter().enumerate() {
                for configuration in 0..self.plan.configurations.len() {
                    match self.configured(campaign, configuration) {
                        Ok(configured) => digests.push(configured.own_digest()),
                        Err(error) => mistakes.push(told(word, error)),
                    }
                }
            }
            self.digests = digests;
        }
        match Models::of(self.config.as_deref()) {
            Ok(models) => {
                for word in self.plan.teams.iter().flat_map(|team| &team.models) {
                    // Of `SEAT=NAME` the seat was checked with the plan; an address may hold the sign too.
                    let seat = word.text.split_once('=').filter(|(seat, _)| !seat.contains(['/', ':']));
                    let name = seat.map_or(word.text.as_str(), |(_, name)| name);
                    mistakes.extend(models.find(name).err().map(|error| told(word, error)));
                }
            }
            Err(error) => mistakes.push(Mistake::at(&(0..0), error.message, error.help)),
        }
        if let Some(word) = &self.plan.budget {
            match Spend::parse(&word.text) {
                Ok(spend) if spend.time_ms.is_some() => {
                    let help = "Ctrl-C stops a sweep at any time, and the same command goes on";
                    mistakes.push(Mistake::at(&word.span, "the budget of a sweep is not a time", help));
                }
                Ok(spend) => self.budget = Some(spend),
                Err(message) => mistakes.push(Mistake::at(&word.span, message, "")),
            }
        }
    }

    /// Prepares one campaign of each kind. With a budget, also what it will take.
    fn check_campaigns(&mut self, library: &Library, mistakes: &mut Vec<Mistake>) -> Vec<(Cell, Estimate)> {
        let (mut estimates, mut models) = (Vec::new(), Vec::new());
        let Some(seed) = self.plan.seeds.first().copied() else { return estimates };
        for (campaign, word) in self.plan.campaigns.iter().enumerate() {
            for (variant, described) in self.plan.variants.iter().enumerate() {
                let cell = Cell { campaign, seed, repetition: 1, variant };
                let prepared = self.opening(cell, |opening| prepare(library, &opening, &mut |_| {}));
                let estimated = prepared.and_then(|Prepared { setup, mapping, .. }| {
                    models.push(asked(&setup, &mapping)?);
                    let Some(budget) = &self.budget else { return Ok(None) };
                    let prices = prices(&mapping);
                    if let Some((_, currency)) = &budget.money {
                        all_priced(&mapping, &setup.seats, &prices, currency)?;
                    }
                    estimate(&setup, &prices).map(Some)
                });
                match estimated {
                    Ok(estimate) => estimates.extend(estimate.map(|estimate| (cell, estimate))),
                    Err(error) => {
                        let mistake = told(word, error);
                        let message = format!("{} with {}: {}", word.text, described.name, mistake.message);
                        let is_new = mistakes.iter().all(|known: &Mistake| known.message != message);
                        mistakes.extend(is_new.then_some(Mistake { message, ..mistake }));
                    }
                }
            }
        }
        self.models = models;
        estimates
    }

    /// What all campaigns of the plan will take, also those that were played.
    ///
    /// # Errors
    /// A campaign cannot be played.
    pub fn estimate(&self, library: &Library) -> Result<Estimate, Error> {
        let mut whole = Estimate::default();
        let Some(seed) = self.plan.seeds.first().copied() else { return Ok(whole) };
        let times = self.plan.seeds.len() as u64 * u64::from(self.plan.repetitions);
        for campaign in 0..self.plan.campaigns.len() {
            for variant in 0..self.plan.variants.len() {
                let cell = Cell { campaign, seed, repetition: 1, variant };
                let prepared = self.opening(cell, |opening| prepare(library, &opening, &mut |_| {}))?;
                whole.add(&estimate(&prepared.setup, &prices(&prepared.mapping))?, times);
            }
        }
        Ok(whole)
    }

    /// A budget that does not pay the cheapest campaign is refused with the arithmetic.
    fn too_small(&self, word: &Word, estimates: &[(Cell, Estimate)]) -> Option<Mistake> {
        let budget = self.budget.as_ref()?;
        let lacks = estimates.iter().map(|(cell, estimate)| Some((cell, estimate.above(budget)?)));
        // One campaign that it pays is a sweep, however short.
        let (cell, why) = lacks.min_by_key(Option::is_some)??;
        let campaign = &self.plan.campaigns[cell.campaign].text;
        let variant = &self.plan.variants[cell.variant].name;
        let message = format!("the budget pays no campaign: {campaign} with {variant} takes {why}");
        let help = "the estimate is the campaign as the improviser plays it; no model was called";
        Some(Mistake::at(&word.span, message, help))
    }
}

/// How the models of a campaign are asked, and where.
fn asked(setup: &Setup, mapping: &Mapping) -> Result<Digest, Error> {
    let mut digester = Digester::new("twicetold sweep models 1");
    for (seat, one) in seated(setup, mapping)? {
        digester.text(&seat.slug());
        let how = setup.seats.of(seat).map(toml::to_string).transpose();
        digester
            .text(&how.map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?.unwrap_or_default());
        digester.text(&one.address.unwrap_or_default());
    }
    Ok(digester.finish())
}

fn told(word: &Word, error: Error) -> Mistake {
    Mistake::at(&word.span, error.message, error.help)
}
