//! `run`: opens a campaign and plays it.

use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::label::label;
use twicetold_host::opening::{Opening, open};
use twicetold_host::working;

use crate::failure::{Failure, code};
use crate::pace::Paced;
use crate::play::{self, Beside, Playing, Show};
use crate::story::Spoilers;
use crate::terminal::print;
use crate::who::{Me, WhoPlays};

/// Plays a new campaign, from Session Zero to its last encounter
#[derive(clap::Args)]
pub struct Arguments {
    /// A campaign file (in a configuration folder created by `init`), or the id of a bundled campaign [default:
    /// one-lantern-short]
    campaign: Option<String>,

    #[command(flatten)]
    who: WhoPlays,

    /// Random seed for dice and other random draws. The same seed with a deterministic model produces the same
    /// story [default: random]
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// The rules pack to use instead of the campaign's own; `twicetold rules list` lists the packs
    #[arg(long, value_name = "ID")]
    rules: Option<String>,

    /// Number of players
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=6))]
    players: Option<u8>,

    /// Maximum number of turns, including those of Session Zero. Session Zero always finishes, even beyond this
    /// limit
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,

    /// Reuse the party of this campaign: its player characters, party document, known NPCs and memories are
    /// copied
    #[arg(long, value_name = "ID")]
    party: Option<String>,

    /// The seat that you play yourself: dm or player-1 …; SEAT=me is also accepted [default: models play all
    /// seats]
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["quiet", "json", "pace"])]
    seat: Option<String>,

    #[command(flatten)]
    me: Me,

    #[command(flatten)]
    posting: crate::webhook::Posting,

    #[command(flatten)]
    traced: crate::traced::Traced,

    #[command(flatten)]
    attested: crate::attested::Attested,

    /// A label for `list`; `label ID LABEL` changes it. It is not part of the journal
    #[arg(long, value_parser = label)]
    label: Option<String>,

    /// Put the campaign into the queue of the database that --data names, for a `worker` to play, and print its id
    #[arg(long, conflicts_with_all = ["seat", "pace", "webhook", "attest", "hold", "json"])]
    queue: bool,

    #[command(flatten)]
    paced: Paced,

    #[command(flatten)]
    spoilers: Spoilers,

    /// Print only the summary at the end
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,

    /// Print one JSON object per line for each event, and a last one with the summary
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    let webhook = arguments.posting.webhook()?;
    let traces = arguments.traced.traces(library)?;
    let attests = arguments.attested.attesting(library)?;
    let opening = Opening {
        campaign: arguments.campaign.as_deref(),
        who: arguments.who.asked(),
        seed: arguments.seed,
        rules: arguments.rules.as_deref(),
        players: arguments.players,
        turns: arguments.turns,
        party: arguments.party.as_deref(),
        label: arguments.label.as_deref(),
        seats: arguments.seat.iter().map(|seat| (seat.as_str(), arguments.me.name())).collect(),
        ..Opening::default()
    };
    if arguments.queue {
        library.queue()?;
        if opening.who.budget.is_some() {
            let message = "a budget is kept on the machine that plays, and a worker may be on another one";
            let help = "omit --budget, and give each worker its own: `twicetold worker --budget 0.50usd`";
            return Err(Failure::new(code::USAGE, message, help));
        }
    }
    let game = open(library, opening, &mut play::say)?;
    if arguments.queue {
        print(&format!("{}\n", working::put(library, game)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    play::run(Playing {
        game,
        show: Show::of(arguments.quiet, arguments.json),
        flag: library.flag(),
        typed: library.typed(),
        hold: arguments.me.hold(),
        pace: arguments.paced.pace(),
        spoilers: arguments.spoilers.spoilers,
        beside: Beside { webhook, traces, attests },
    })
}
