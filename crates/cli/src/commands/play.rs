//! `play`: a person takes a seat of a campaign.

use std::process::ExitCode;

use twicetold_host::{Error, Kind, Library, Sitting, seats_at};
use twicetold_world::State;

use crate::failure::Failure;
use crate::play::{Beside, Show, Shown, go_on};
use crate::who::{Me, WhoPlays};

/// Lets you play one seat of a campaign from the terminal
///
/// The campaign continues where it stopped. The program asks you whenever it would otherwise call a model. Each
/// line that you type is one message; /help lists the commands. /leave or end of input returns the seat to its
/// model and pauses the campaign.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, or `last`
    id: String,

    /// The seat: dm, player-1 …, or the name of a character [default: list the seats]
    #[arg(long, value_name = "NAME")]
    seat: Option<String>,

    #[command(flatten)]
    me: Me,

    #[command(flatten)]
    who: WhoPlays,

    #[command(flatten)]
    posting: crate::webhook::Posting,

    #[command(flatten)]
    traced: crate::traced::Traced,

    #[command(flatten)]
    attested: crate::attested::Attested,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let sits = |state: &State| match &arguments.seat {
        Some(seat) => Sitting::read(state, seat, arguments.me.name()).map(Some),
        None => {
            let help = format!("give one with --seat NAME; the seats are {}", seats_at(state).join(", "));
            Err(Error::new(Kind::Usage, "no seat is named", help))
        }
    };
    let beside = Beside {
        webhook: arguments.posting.webhook()?,
        traces: arguments.traced.traces(library)?,
        attests: arguments.attested.attesting(library)?,
    };
    let shown = Shown { show: Show::Story, hold: arguments.me.hold(), paced: None, spoilers: false };
    go_on(library, &arguments.id, shown, &arguments.who, beside, sits)
}
