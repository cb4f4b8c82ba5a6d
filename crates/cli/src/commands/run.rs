//! `run`: opens a campaign and plays it.

use std::io::Write;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::opening::{Opening, open};

use crate::failure::Failure;
use crate::play::{self, Playing, Show};
use crate::who::{Me, WhoPlays};

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
    let opening = Opening {
        campaign: arguments.campaign.as_deref(),
        who: arguments.who.asked(),
        seed: arguments.seed,
        rules: arguments.rules.as_deref(),
        players: arguments.players,
        turns: arguments.turns,
        party: arguments.party.as_deref(),
        seat: arguments.seat.as_deref().map(|seat| (seat, arguments.me.name())),
    };
    let game = open(library, opening, &mut |said| {
        let _ = writeln!(std::io::stderr(), "{said}");
    })?;
    play::run(Playing {
        game,
        show: Show::of(arguments.quiet, arguments.json),
        typed: library.typed(),
        webhook,
    })
}
