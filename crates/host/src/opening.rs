//! Opens a new campaign.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use twicetold_cast::Budget;
use twicetold_event::{CampaignId, Input, OpeningAsked};
use twicetold_referee::{Campaign, charter};
use twicetold_session::{Replies, Session};
use twicetold_world::State;
use twicetold_world::setup::{
    CampaignSpec, CarriedParty, PartySize, RULES_VERSION, SeatsFile, Setup, SetupError, SourceFile,
    plain_message,
};

use crate::configuration::{Configuration, DEFAULT_CAMPAIGN, README};
use crate::mapping::{Mapping, WhoPlays};
use crate::play::Game;
use crate::seats::{Models, seated, seats};
use crate::spend::{budget, may_spend};
use crate::windows::{self, put_limit};
use crate::words::{counted, safe};
use crate::{Error, Kind, Library, Sitting, build, random};

/// The campaign that somebody wants to open.
#[derive(Default)]
pub struct Opening<'a> {
    /// A campaign file, or the id of a bundled campaign; nothing: [`crate::configuration::DEFAULT_CAMPAIGN`].
    pub campaign: Option<&'a str>,
    /// Who is to play it. Nothing: what the user's models.toml says, which may name a model that costs money; `improv` on every seat asks
    /// nobody.
    pub who: WhoPlays,
    /// Where dice and draws come from; nothing: chance.
    pub seed: Option<u64>,
    /// The rules pack to play by, in the place of the campaign's own.
    pub rules: Option<&'a str>,
    /// Number of players; nothing: as the campaign says.
    pub players: Option<u8>,
    /// Most turns, in the place of the campaign's own limit.
    pub turns: Option<u32>,
    /// The campaign whose party plays on.
    pub party: Option<&'a str>,
    /// A private note beside the campaign.
    pub label: Option<&'a str>,
    /// Where people sit, and how each is called.
    pub seats: Vec<(&'a str, &'a str)>,
    /// A configuration folder that has the campaign, or is laid over the bundled one that has it.
    pub folder: Option<&'a Path>,
    /// Its id; nothing: chance.
    pub id: Option<CampaignId>,
}

/// What campaigns have in common that differ in nothing but their seeds.
pub(crate) struct Ground {
    configuration: Configuration,
    id: String,
    mapping: Mapping,
    files: Vec<SourceFile>,
    /// Read with seed 0; each campaign gets its own.
    setup: Setup,
}

/// A campaign that can be opened; nothing is written yet.
pub(crate) struct Prepared {
    pub(crate) setup: Arc<Setup>,
    pub(crate) mapping: Mapping,
    seed: u64,
    files: Vec<SourceFile>,
    sittings: Vec<Sitting>,
    budget: Option<Budget>,
}

/// Opens a campaign. `say` is told what is no mistake, and still to be known.
///
/// # Errors
/// The campaign cannot be played as it is wanted; nothing was opened.
pub fn open(library: &Library, opening: Opening<'_>, say: &mut dyn FnMut(&str)) -> Result<Game, Error> {
    let ground = Ground::of(library, &opening, say)?;
    open_on(&ground, library, opening, say)
}

/// The same where what it is played with has been read already.
pub(crate) fn open_on(
    ground: &Ground,
    library: &Library,
    opening: Opening<'_>,
    say: &mut dyn FnMut(&str),
) -> Result<Game, Error> {
    let Prepared { setup, mapping, seed, files, sittings, budget } = ground.prepared(&opening, say)?;
    let charter = charter(seed, RULES_VERSION, &files);
    let campaign = Campaign::new(charter.clone(), setup)
        .map_err(|error: SetupError| Error::new(Kind::Usage, error.to_string(), ""))?;
    let id = opening.id.map_or_else(|| random().map(CampaignId), Ok)?;
    let shelf = library.ready()?;
    library.mapping(id).write(&mapping)?;
    opening.label.map(|label| library.label(id).write(label)).transpose()?;
    let session = Session::new(campaign, shelf.create(id)?, id, build());
    let mut first = vec![Input::OpeningAsked(OpeningAsked { charter })];
    first.extend(sittings.iter().map(Sitting::input));
    let (place, snapshot, replies) = (shelf.place(id), library.view(id), Replies::new());
    Ok(Game {
        session,
        place,
        snapshot,
        first,
        mapping,
        budget,
        replies,
        sittings,
        servers: None,
        own: BTreeMap::new(),
    })
}

/// Settles how a campaign would be opened, without writing anything.
pub(crate) fn prepare(
    library: &Library,
    opening: &Opening<'_>,
    say: &mut dyn FnMut(&str),
) -> Result<Prepared, Error> {
    Ground::of(library, opening, say)?.prepared(opening, say)
}

impl Ground {
    /// Reads all that a campaign is played with, but for its seed.
    pub fn of(library: &Library, opening: &Opening<'_>, say: &mut dyn FnMut(&str)) -> Result<Ground, Error> {
        let (mut configuration, id) = match opening.folder {
            Some(folder) => Configuration::in_folder(folder, opening.campaign.unwrap_or(DEFAULT_CAMPAIGN))?,
            None => Configuration::for_campaign(opening.campaign)?,
        };
        if let Some(rules) = opening.rules {
            configuration.play_by(&id, rules);
        }
        configuration.take_packs(library.data(), std::slice::from_ref(&id))?;
        let party = opening.party.map(|party| carried(library, party)).transpose()?;
        let players = match (opening.players, &party) {
            (Some(players), Some(party)) if usize::from(players) != party.characters.len() => {
                let message = format!(
                    "the party has {}, and {} asked for",
                    counted(party.characters.len() as u64, "character"),
                    if players == 1 { "1 player was".to_owned() } else { format!("{players} players were") }
                );
                return Err(Error::new(Kind::Usage, message, "leave --players out"));
            }
            (_, Some(party)) => party.characters.len() as u8,
            (players, None) => fitting(&spec(&configuration, &id)?, players)?,
        };
        let who = &opening.who;
        let models = Models::of(who.config.as_deref())?;
        if let Some(unread) = configuration.unread_models(who.config.as_deref()) {
            say(&unread);
        }
        let (seats, mapping) = seats(&models, &library.measurements(), players, &who.model, say)?;
        let mapping = who.of_new(mapping);
        let mut files = configuration.charter_files(&id, &seats)?;
        if let Some(turns) = opening.turns {
            put_limit(&mut files, "turns_max", turns, "--turns");
        }
        if let Some(party) = &party {
            let text =
                toml::to_string(party).map_err(|error| Error::new(Kind::Failed, error.to_string(), ""))?;
            files.push(SourceFile { path: "party.toml".into(), text: Arc::from(text) });
        }
        let setup = configuration.setup(&id, 0, files.clone())?;
        for_the_party(&setup, players)?;
        Ok(Ground { configuration, id, mapping, files, setup })
    }

    /// Settles how a campaign would be opened, without writing anything.
    fn prepared(&self, opening: &Opening<'_>, say: &mut dyn FnMut(&str)) -> Result<Prepared, Error> {
        let Ground { configuration, id, mapping, files, setup } = self;
        let (who, mapping, mut files) = (&opening.who, mapping.clone(), files.clone());
        let seed = match opening.seed {
            Some(seed) => seed,
            // Short enough to be typed, and to be the same number in programs that read JSON numbers as floating point.
            None => u64::from(u32::from_le_bytes(random()?)),
        };
        let setup = Arc::new(setup.seeded(seed));
        // A provider that cannot be used, and a window that is too small, are told of before anything is written.
        let mut seated = seated(&setup, &mapping)?;
        let before = State::new(setup.clone());
        let sits = opening.seats.iter().map(|(wish, me)| Sitting::read(&before, wish, me));
        let sittings = sits.collect::<Result<Vec<Sitting>, Error>>()?;
        sittings.iter().for_each(|sitting| drop(seated.remove(&sitting.seat)));
        may_spend(&setup.seats, who, &sittings)?;
        let setup = match windows::shorter(&setup, &seated)? {
            Some(shorter) => {
                shorter.put(&mut files);
                say(&shorter.to_string());
                Arc::new(configuration.setup(id, seed, files.clone())?)
            }
            None => setup,
        };
        let budget = budget(&mapping, &setup.seats, who, None)?;
        Ok(Prepared { setup, mapping, seed, files, sittings, budget })
    }
}

/// The seats of a campaign as it would be opened with the models of this machine.
pub(crate) fn table(
    library: &Library,
    configuration: &Configuration,
    id: &str,
    players: Option<u8>,
) -> Result<SeatsFile, Error> {
    let players = fitting(&spec(configuration, id)?, players)?;
    Ok(seats(&Models::of(None)?, &library.measurements(), players, &[], &mut |_| {})?.0)
}

/// The party of a campaign as it stands now.
fn carried(library: &Library, id: &str) -> Result<CarriedParty, Error> {
    let source = library.source(id)?;
    let loaded = twicetold_session::load_to(source.as_ref(), None)?;
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    if state.characters().len() < usize::from(state.setup().seats.players) {
        let message =
            format!("the party of {id} is not complete: that campaign has not finished Session Zero");
        return Err(Error::new(Kind::Usage, message, format!("twicetold resume {id} plays it on")));
    }
    Ok(twicetold_projection::people::carried(loaded.id, state, replies, source.head().next))
}

/// The campaign's own file.
fn spec(configuration: &Configuration, id: &str) -> Result<CampaignSpec, Error> {
    let text = configuration.text(&format!("campaigns/{id}.toml")).cloned().unwrap_or_default();
    toml::from_str(&text).map_err(|error| {
        let span = error.span().map(|span| (span.start, span.end));
        Error::at(
            &plain_message(error.message()),
            &configuration.shown(id, "campaign.toml"),
            &text,
            span,
            README,
        )
    })
}

/// Every encounter must be for a party of this size.
fn for_the_party(setup: &Setup, players: u8) -> Result<(), Error> {
    let is_fitting = |size: &PartySize| (size.min..=size.max).contains(&players);
    let Some(other) = setup.encounters.iter().find(|encounter| !is_fitting(&encounter.party_size)) else {
        return Ok(());
    };
    let PartySize { min, max } = other.party_size;
    let message = format!(
        "the encounter {} is for {min} to {max} players, and there are {players}",
        safe(&other.title)
    );
    Err(Error::new(
        Kind::Usage,
        message,
        format!("give --players from {min} to {max}, or widen party_size in {}", setup.path_of(other)),
    ))
}

/// As many players as were asked for, where the campaign is for so many.
fn fitting(spec: &CampaignSpec, asked: Option<u8>) -> Result<u8, Error> {
    let (least, most) = (spec.players_min, spec.players_max);
    match asked {
        // A range that holds nothing is a mistake of the file, which is told of where it is read.
        Some(asked) if least <= most && !(least..=most).contains(&asked) => {
            let was = if asked == 1 { "player was" } else { "players were" };
            let message = format!(
                "{} is for {least} to {most} players, and {asked} {was} asked for",
                safe(&spec.title)
            );
            Err(Error::new(Kind::Usage, message, format!("give --players from {least} to {most}")))
        }
        Some(asked) => Ok(asked),
        None => Ok(spec.players_default),
    }
}
