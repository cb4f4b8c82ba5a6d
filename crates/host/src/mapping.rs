//! Which models of this machine play the seats of a campaign: a file beside the campaign that is never exported.
//!
//! A campaign without one was not opened here. None of its calls is made until whoever plays it has given its seats models of
//! their own, and then within a budget of their own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twicetold_event::{CampaignId, Seat, limits};
use twicetold_world::State;
use twicetold_world::setup::SeatsFile;

use crate::error::OTHER_DATA;
use crate::measured::Measurements;
use crate::seats::{Choosing, Models, chairs, unmapped, usable};
use crate::spend::{Allowed, Spend, Spending, Spent};
use crate::whole;
use crate::words::did_you_mean;
use crate::{Error, Kind};
use crate::{bounded, seals};

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

/// Who is to play, as whoever opens a campaign or goes on with it asks for it.
#[derive(Clone, Debug, Default)]
pub struct WhoPlays {
    /// The model on every seat by its name in models.toml, or on one as `SEAT=NAME`.
    pub model: Vec<String>,
    /// The folder whose models.toml is used.
    pub config: Option<PathBuf>,
    /// Does a seat that this machine has given no model get the one of models.toml that is set up as the campaign says?
    pub same: bool,
    /// How much may be spent from here on; it takes the place of what was allowed before.
    pub budget: Option<Spend>,
    /// Whether models may be asked that can cost money.
    pub spending: Spending,
}

impl WhoPlays {
    /// Can whatever names this asks for be used at all, whatever campaign it is?
    ///
    /// # Errors
    /// There is no such model or seat, or a model cannot be reached as it is set up.
    pub fn check(&self) -> Result<(), Error> {
        let models = Models::of(self.config.as_deref())?;
        let mut names: Vec<String> = wishes(&self.model, limits::PLAYERS_MAX)?.into_values().collect();
        names.dedup();
        names.iter().try_for_each(|name| usable(&models, name))
    }

    /// The mapping of a new campaign, opened on this machine.
    pub fn of_new(&self, mut mapping: Mapping) -> Mapping {
        mapping.budget = self.budget.as_ref().and_then(|spend| spend.on_top_of(&Spent::default()));
        mapping
    }

    /// The mapping with which a campaign goes on, to be kept for the next time; and `seats.toml` as the charter has to have it, where
    /// that is another than before. Nothing is written.
    pub fn of(
        &self,
        file: &MappingFile,
        (id, state): (CampaignId, &State),
        measurements: &Measurements,
        say: &mut dyn FnMut(&str),
    ) -> Result<(Mapping, Option<String>), Error> {
        let setup = state.setup();
        let before = file.read()?;
        let mut mapping = before.clone().unwrap_or_default();
        let mut seats = SeatsFile { players: setup.seats.players, seat: setup.seats.seat.clone() };
        let (spent, shown) = (Spent::of(state), format!("{id:.8}"));
        let models = Models::of(self.config.as_deref())?;
        let mut choosing = Choosing::new(&models, measurements);
        for (seat, name) in wishes(&self.model, seats.players)? {
            seats.seat.insert(seat.slug(), choosing.setup(&name)?);
            mapping.seat.insert(seat.slug(), models.player(&name));
        }
        choosing.said.iter().for_each(|said| say(said));
        if self.config.is_some() && self.model.is_empty() {
            mapping.seat.values_mut().for_each(|player| *player = models.player(&player.model));
        }
        if self.same {
            for slug in unmapped(&seats, &mapping) {
                let name = seats.seat.get(&slug).and_then(|setup| models.same_as(setup));
                mapping.seat.extend(name.map(|name| (slug, models.player(&name))));
            }
        }
        let missing = unmapped(&seats, &mapping);
        if !missing.is_empty() {
            let message = format!(
                "this campaign was imported, or played on another machine: no model of your models.toml is assigned to {}; no model was called",
                missing.join(", ")
            );
            let help = format!(
                "`twicetold resume {shown} --model NAME` assigns one of your models to every seat; `--model dm=NAME --model players=NAME` assigns one per seat; \
                 `twicetold models` lists them"
            );
            return Err(Error::new(Kind::Usage, message, help));
        }
        if before.is_none() {
            mapping.budget = Spend::of_limits(self.config.as_deref())?.on_top_of(&spent);
        }
        if let Some(allowed) = self.budget.as_ref().and_then(|spend| spend.on_top_of(&spent)) {
            mapping.budget = Some(allowed);
        }
        let changed = seats.seat != setup.seats.seat;
        let text = changed.then(|| toml::to_string(&seats)).transpose();
        let text = text.map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?;
        Ok((mapping, text))
    }
}

/// The seat of a wish, if it names one, and the model. An address may hold a `=` of its own: it names no seat.
pub fn split_wish(asked: &str) -> (Option<&str>, &str) {
    match asked.split_once('=') {
        Some((seat, name)) if !seat.contains(['/', ':']) => (Some(seat), name),
        _ => (None, asked),
    }
}

/// The models that `--model` puts on seats: `NAME` on every seat, `SEAT=NAME` on one, `players=NAME` on all players.
pub fn wishes(asked: &[String], players: u8) -> Result<BTreeMap<Seat, String>, Error> {
    let mut wishes = BTreeMap::new();
    // What is said of one seat counts, wherever it is said.
    let (every, single): (Vec<_>, Vec<_>) =
        asked.iter().map(|asked| split_wish(asked)).partition(|(seat, _)| seat.is_none());
    for (_, name) in every {
        wishes.extend(chairs(players).map(|seat| (seat, name.to_owned())));
    }
    let (group, seats): (Vec<_>, Vec<_>) = (single.into_iter())
        .filter_map(|(seat, name)| Some((seat?, name)))
        .partition(|(seat, _)| *seat == "players");
    for (_, name) in group {
        wishes.extend((1..=players).map(|number| (Seat::Player(number), name.to_owned())));
    }
    for (slug, name) in seats {
        let Some(seat) = chairs(players).find(|seat| seat.slug() == slug) else {
            let known: Vec<String> = chairs(players).map(|seat| seat.slug()).collect();
            let near = did_you_mean(known.iter().map(String::as_str).chain(["players"]), slug);
            let message = format!("there is no seat {slug:?}");
            return Err(Error::new(
                Kind::Usage,
                message,
                format!("{near}the seats are {}, and players for all of them", known.join(", ")),
            ));
        };
        wishes.insert(seat, name.to_owned());
    }
    Ok(wishes)
}

/// Where the mapping of a campaign lies, whether it has one or not.
pub struct MappingFile {
    file: PathBuf,
    id: CampaignId,
}

/// How the first line of it begins, by which this machine knows that it wrote the rest.
const SEAL: &str = "# written here: ";

impl MappingFile {
    /// That of the campaign `id` below the folder of data.
    pub fn new(data: &Path, id: CampaignId) -> MappingFile {
        MappingFile { file: data.join("seats").join(format!("{id}.toml")), id }
    }

    /// The mapping; nothing where the campaign has none, or where it was not written on this machine: whoever gives a folder away
    /// chooses no model and no server of whoever takes it.
    pub fn read(&self) -> Result<Option<Mapping>, Error> {
        if !self.file.exists() {
            return Ok(None);
        }
        let failed = |what: String| {
            let message = format!("{}: {what}", self.file.display());
            Error::new(
                Kind::Usage,
                message,
                "delete the file, then assign models to the seats again with --model SEAT=NAME",
            )
        };
        let bytes = bounded::file(&self.file, limits::FILE_BYTES_MAX as u64)
            .map_err(|error| failed(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| failed(error.to_string()))?;
        let sealed = text.strip_prefix(SEAL).and_then(|rest| rest.split_once('\n'));
        let is_ours = |key: &seals::Key, seal: &str, text: &str| seals::of(key, self.id, text) == seal;
        let key = seals::known()?;
        let Some((_, text)) = sealed.filter(|(seal, text)| key.is_some_and(|key| is_ours(&key, seal, text)))
        else {
            tracing::debug!(file = %self.file.display(), "not written on this machine: nobody is called by it");
            return Ok(None);
        };
        toml::from_str(text).map(Some).map_err(|error| failed(error.message().to_owned()))
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, mapping: &Mapping) -> Result<(), Error> {
        let text =
            toml::to_string(mapping).map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?;
        let seal = seals::own()?.map(|key| format!("{SEAL}{}\n", seals::of(&key, self.id, &text)));
        let text = seal.unwrap_or_default() + &text;
        whole::write(&self.file, text.as_bytes())
            .map_err(|error| Error::unwritable(&self.file, &error, OTHER_DATA))
    }

    /// Throws it away.
    pub fn remove(&self) {
        let _ = std::fs::remove_file(&self.file);
    }
}
