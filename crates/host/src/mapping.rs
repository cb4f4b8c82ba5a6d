//! Which models of this machine play the seats of a campaign: a file beside the campaign that is never exported.
//!
//! A campaign without one was not opened here. None of its calls is made until whoever plays it has given its seats models of
//! their own, and then within a budget of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twicetold_cast::Budget;
use twicetold_event::{CampaignId, limits};
use twicetold_world::State;
use twicetold_world::setup::SeatsFile;

use crate::bounded;
use crate::configuration::Configuration;
use crate::seats::{Models, unmapped, wishes};
use crate::{Error, Kind};

/// The models of this machine that play a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// How far it may be played here; absent: as far as its charter allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Allowed>,
    /// Who plays, by the slug of the seat.
    #[serde(default)]
    pub seat: BTreeMap<String, Player>,
}

/// The model that plays a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// Its name in models.toml.
    pub model: String,
    /// The folder of that models.toml; absent: the user's own, or the bundled one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<PathBuf>,
}

/// Totals of the whole campaign at which it is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowed {
    /// Calls.
    pub calls: u64,
    /// Tokens of requests and replies.
    pub tokens: u64,
}

impl Allowed {
    /// The budget that the table keeps to.
    pub fn budget(self) -> Budget {
        Budget { calls: self.calls, tokens: self.tokens }
    }
}

/// Who is to play, as whoever opens a campaign or goes on with it asks for it.
#[derive(Clone, Debug, Default)]
pub struct WhoPlays {
    /// The model on every seat by its name in models.toml, or on one as `SEAT=NAME`.
    pub model: Vec<String>,
    /// The folder whose models.toml is used.
    pub config: Option<PathBuf>,
    /// How much may be spent from here on.
    pub budget: Option<Spend>,
}

/// What may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spend {
    calls: Option<u64>,
    tokens: Option<u64>,
}

impl Spend {
    /// Reads an amount: `400calls`, `200ktok`, or both with a comma between.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Spend, String> {
        let mut spend = Spend { calls: None, tokens: None };
        for part in text.split(',').map(str::trim) {
            let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            let (count, unit) = part.split_at(digits);
            let count: u64 = count
                .parse()
                .map_err(|_| format!("{part:?} must start with a number, for example 400calls"))?;
            let (slot, factor) = match unit.trim() {
                "call" | "calls" => (&mut spend.calls, 1),
                "tok" | "tokens" => (&mut spend.tokens, 1),
                "ktok" => (&mut spend.tokens, 1_000),
                "Mtok" => (&mut spend.tokens, 1_000_000),
                other => {
                    return Err(format!(
                        "the unit {other:?} is not one of calls, tok, ktok, Mtok (write for example 400calls)"
                    ));
                }
            };
            *slot = Some(count.checked_mul(factor).ok_or("that is more than can be counted")?);
        }
        Ok(spend)
    }

    /// Totals of a campaign that has spent so much already.
    fn on_top_of(self, calls: u64, tokens: u64) -> Allowed {
        let sum =
            |spent: u64, more: Option<u64>| more.map_or(u64::MAX >> 1, |more| spent.saturating_add(more));
        Allowed { calls: sum(calls, self.calls), tokens: sum(tokens, self.tokens) }
    }

    /// What the player's own limits allow a campaign.
    fn of_limits(config: Option<&Path>) -> Result<Spend, Error> {
        let configuration =
            config.map_or_else(|| Ok(Configuration::bundled()), Configuration::with_folder)?;
        let text = configuration.text("limits.toml").cloned().unwrap_or_default();
        let table: toml::Table = text.parse().unwrap_or_default();
        let number = |name: &str| table.get(name)?.as_integer().and_then(|number| u64::try_from(number).ok());
        Ok(Spend { calls: number("calls_max"), tokens: number("tokens_max") })
    }
}

impl WhoPlays {
    /// The mapping of a new campaign, opened on this machine.
    pub fn of_new(&self, mut mapping: Mapping) -> Mapping {
        mapping.budget = self.budget.map(|spend| spend.on_top_of(0, 0));
        mapping
    }

    /// The mapping with which a campaign goes on, to be kept for the next time; and `seats.toml` as the charter has to have it, where
    /// that is another than before. Nothing is written.
    pub fn of(
        &self,
        file: &MappingFile,
        id: CampaignId,
        state: &State,
    ) -> Result<(Mapping, Option<String>), Error> {
        let setup = state.setup();
        let before = file.read()?;
        let mut mapping = before.clone().unwrap_or_default();
        let mut seats = SeatsFile { players: setup.seats.players, seat: setup.seats.seat.clone() };
        let (total, shown) = (state.calls().total(), format!("{id:.8}"));
        let (calls, tokens) =
            (u64::from(total.calls), total.input_tokens.saturating_add(total.output_tokens));
        let models = Models::of(self.config.as_deref())?;
        for (seat, name) in wishes(&self.model, seats.players)? {
            seats.seat.insert(seat.slug(), models.find(&name)?.setup);
            mapping.seat.insert(seat.slug(), models.player(&name));
        }
        if self.config.is_some() && self.model.is_empty() {
            mapping.seat.values_mut().for_each(|player| *player = models.player(&player.model));
        }
        let missing = unmapped(&seats, &mapping);
        if !missing.is_empty() {
            let message = format!(
                "this campaign was imported: no model of your models.toml is assigned to {}; no model was called",
                missing.join(", ")
            );
            let help = format!(
                "`twicetold resume {shown} --model NAME` assigns one of your models to every seat; `--model dm=NAME --model players=NAME` assigns one per seat; \
                 `twicetold models` lists them"
            );
            return Err(Error::new(Kind::Usage, message, help));
        }
        if before.is_none() {
            mapping.budget = Some(Spend::of_limits(self.config.as_deref())?.on_top_of(calls, tokens));
        }
        if let Some(spend) = self.budget {
            mapping.budget = Some(spend.on_top_of(calls, tokens));
        }
        if let Some(reason) = mapping.budget.and_then(|allowed| allowed.budget().used_up(state)) {
            let help = format!("`twicetold resume {shown} --budget 200calls` allows 200 more");
            return Err(Error::new(Kind::Usage, reason, help));
        }
        let changed = seats.seat != setup.seats.seat;
        let text = changed.then(|| toml::to_string(&seats)).transpose();
        let text = text.map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?;
        Ok((mapping, text))
    }
}

/// Where the mapping of a campaign lies, whether it has one or not.
pub struct MappingFile(PathBuf);

impl MappingFile {
    /// That of the campaign `id` below the folder of data.
    pub fn new(data: &Path, id: CampaignId) -> MappingFile {
        MappingFile(data.join("seats").join(format!("{id}.toml")))
    }

    /// The mapping; nothing where the campaign has none.
    pub fn read(&self) -> Result<Option<Mapping>, Error> {
        if !self.0.exists() {
            return Ok(None);
        }
        let failed = |what: String| {
            let message = format!("{}: {what}", self.0.display());
            Error::new(
                Kind::Usage,
                message,
                "delete the file, then assign models to the seats again with --model SEAT=NAME",
            )
        };
        let text = bounded::text(&self.0, limits::FILE_BYTES_MAX as u64)
            .map_err(|error| failed(error.to_string()))?;
        toml::from_str(&text).map(Some).map_err(|error| failed(error.message().to_owned()))
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, mapping: &Mapping) -> Result<(), Error> {
        let failed = |error: String| {
            Error::new(Kind::Failed, format!("{} cannot be written: {error}", self.0.display()), "")
        };
        let text = toml::to_string(mapping).map_err(|error| failed(error.to_string()))?;
        let fresh = self.0.with_extension(format!("{}.new", std::process::id()));
        let folder = self.0.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&fresh, text))
            .and_then(|()| std::fs::rename(&fresh, &self.0))
            .map_err(|error| failed(error.to_string()))
    }

    /// Throws it away.
    pub fn remove(&self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
