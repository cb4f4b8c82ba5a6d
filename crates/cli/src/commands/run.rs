//! `run`: opens a campaign and plays it.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use twicetold_event::{CampaignId, Input, OpeningAsked};
use twicetold_referee::{Campaign, charter};
use twicetold_session::{Replies, Session};
use twicetold_world::setup::{CampaignSpec, CarriedParty, RULES_VERSION, SetupError, SourceFile};

use crate::failure::{Failure, code};
use crate::person::Sitting;
use crate::play::{self, Playing, Show};
use crate::terminal::{counted, safe};
use crate::who::Me;
use crate::who::WhoPlays;
use twicetold_host::Library;
use twicetold_host::configuration::Configuration;
use twicetold_host::seats::{Models, seats};

/// Plays a new campaign, from Session Zero to its last encounter
#[derive(clap::Args)]
pub struct Arguments {
    /// A campaign file (in a folder as `init` writes it), or the id of a bundled campaign [default: the bundled one]
    campaign: Option<String>,

    #[command(flatten)]
    who: WhoPlays,

    /// Where dice and draws come from; the same seed and model tell the same story where the model allows it [default: random]
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// The rules pack to play by, in the place of the campaign's own; `twicetold rules list` shows them
    #[arg(long, value_name = "ID")]
    rules: Option<String>,

    /// Number of players
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=6))]
    players: Option<u8>,

    /// Most turns of the campaign, those of Session Zero among them; Session Zero itself is never cut short
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,

    /// Play on with the party of this campaign: its characters, document, people and memories come along
    #[arg(long, value_name = "ID")]
    party: Option<String>,

    /// Play yourself: dm, player-1 …, alone or as SEAT=me [default: models play all seats]
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["quiet", "json"])]
    seat: Option<String>,

    #[command(flatten)]
    me: Me,

    #[command(flatten)]
    posting: crate::webhook::Posting,

    /// Show the card at the end alone
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,

    /// Print one JSON object a line for each event, and one for the end
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    let webhook = arguments.posting.webhook()?;
    let (mut configuration, id) = Configuration::for_campaign(arguments.campaign.as_deref())?;
    if let Some(rules) = &arguments.rules {
        configuration.play_by(&id, rules);
    }
    configuration.take_packs(library.data(), std::slice::from_ref(&id))?;
    let party = arguments.party.as_deref().map(|party| carried(library, party)).transpose()?;
    let players = match (arguments.players, &party) {
        (Some(players), Some(party)) if usize::from(players) != party.characters.len() => {
            let message = format!(
                "the party has {}, and {} asked for",
                counted(party.characters.len() as u64, "character"),
                if players == 1 { "1 player was".to_owned() } else { format!("{players} players were") }
            );
            return Err(Failure::new(code::USAGE, message, "leave --players out"));
        }
        (_, Some(party)) => party.characters.len() as u8,
        (players, None) => fitting(&spec(&configuration, &id)?, players)?,
    };
    let who = arguments.who.asked();
    let models = Models::of(who.config.as_deref())?;
    if let Some(unread) = configuration.unread_models(who.config.as_deref()) {
        let _ = writeln!(std::io::stderr(), "{unread}");
    }
    let (seats, mapping) = seats(&models, players, &who.model)?;
    let mapping = who.of_new(mapping);
    let mut files = configuration.charter_files(&id, &seats)?;
    if let Some(turns) = arguments.turns {
        limit_turns(&mut files, turns);
    }
    if let Some(party) = &party {
        let text =
            toml::to_string(party).map_err(|error| Failure::new(code::FAILED, error.to_string(), ""))?;
        files.push(SourceFile { path: "party.toml".into(), text: Arc::from(text) });
    }
    let seed = match arguments.seed {
        Some(seed) => seed,
        None => u64::from_le_bytes(twicetold_host::random()?),
    };
    let setup = Arc::new(configuration.setup(&id, seed, files.clone())?);
    // A provider that cannot be used is told of before anything is written.
    twicetold_host::seats::providers(&setup, &mapping)?;
    let charter = charter(seed, RULES_VERSION, &files);
    let campaign = |setup| {
        Campaign::new(charter.clone(), setup)
            .map_err(|error: SetupError| Failure::new(code::USAGE, error.to_string(), ""))
    };
    let view = campaign(setup.clone())?;
    let wish = arguments.seat.as_deref();
    let sitting = wish.map(|wish| Sitting::read(view.state(), wish, arguments.me.name(), library.typed()));
    let sitting = sitting.transpose()?;
    let campaign_id = CampaignId(twicetold_host::random()?);
    let path = library.file(campaign_id)?;
    library.mapping(campaign_id).write(&mapping)?;
    let store = twicetold_journal::create(&path)?;
    let session = Session::new(campaign(setup)?, Box::new(store), campaign_id, twicetold_host::build());
    let show = match (arguments.quiet, arguments.json) {
        (true, _) => Show::Card,
        (_, true) => Show::Json,
        _ => Show::Story,
    };
    let mut first = vec![Input::OpeningAsked(OpeningAsked { charter })];
    first.extend(sitting.as_ref().map(Sitting::input));
    let replies = Replies::new();
    let snapshot = library.view(session.id());
    play::run(Playing { session, path, view, snapshot, first, show, sitting, mapping, replies, webhook })
}

/// The party of a campaign as it stands now.
fn carried(library: &Library, id: &str) -> Result<CarriedParty, Failure> {
    let source = library.source(id)?;
    let loaded = twicetold_session::load_to(source.as_ref(), None)?;
    let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
    if state.characters().len() < usize::from(state.setup().seats.players) {
        let message = format!("the party of {id} is not complete: Session Zero has not come so far");
        return Err(Failure::new(code::USAGE, message, format!("twicetold resume {id} plays it on")));
    }
    Ok(twicetold_projection::people::carried(loaded.id, state, replies, source.head().next))
}

/// The campaign's own file.
fn spec(configuration: &Configuration, id: &str) -> Result<CampaignSpec, Failure> {
    let text = configuration.text(&format!("campaigns/{id}.toml")).cloned().unwrap_or_default();
    toml::from_str(&text).map_err(|error| {
        let span = error.span().map(|span| (span.start, span.end));
        twicetold_host::Error::at(
            error.message(),
            &configuration.shown(id, "campaign.toml"),
            &text,
            span,
            twicetold_host::configuration::README,
        )
        .into()
    })
}

/// As many players as were asked for, where the campaign is for so many.
fn fitting(spec: &CampaignSpec, asked: Option<u8>) -> Result<u8, Failure> {
    let (least, most) = (spec.players_min, spec.players_max);
    match asked {
        // A range that holds nothing is a mistake of the file, which is told of where it is read.
        Some(asked) if least <= most && !(least..=most).contains(&asked) => {
            let was = if asked == 1 { "player was" } else { "players were" };
            let message = format!(
                "{} is for {least} to {most} players, and {asked} {was} asked for",
                safe(&spec.title)
            );
            Err(Failure::new(code::USAGE, message, format!("give --players from {least} to {most}")))
        }
        Some(asked) => Ok(asked),
        None => Ok(spec.players_default),
    }
}

/// `--turns` becomes part of the charter, so that a replay is played under it. It takes the place of the campaign's own limit.
fn limit_turns(files: &mut [SourceFile], turns: u32) {
    for file in files.iter_mut().filter(|file| ["campaign.toml", "limits.toml"].contains(&file.path.as_str()))
    {
        let first = if file.path == "limits.toml" {
            format!("turns_max = {turns}  # --turns\n")
        } else {
            String::new()
        };
        let kept = file.text.lines().filter(|line| !line.trim_start().starts_with("turns_max"));
        file.text = Arc::from(first + &kept.map(|line| format!("{line}\n")).collect::<String>());
    }
}
