//! `play`: a person takes a seat of a campaign.

use std::process::ExitCode;

use twicetold_host::{Library, Sitting};

use crate::failure::Failure;
use crate::play::{Show, go_on};
use crate::who::{Me, WhoPlays};

/// Takes a seat in a campaign and plays it from the terminal
///
/// The campaign goes on where it stopped, and you are asked whenever a model would have been. What you type is what you say
/// and do; /help lists the commands. /leave or the end of the input gives the seat back and parks the campaign.
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, or `last`
    id: String,

    /// The seat: dm, player-1 …, or the name of a character
    #[arg(long, value_name = "NAME")]
    seat: String,

    #[command(flatten)]
    me: Me,

    #[command(flatten)]
    who: WhoPlays,

    #[command(flatten)]
    posting: crate::webhook::Posting,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let sits = |state: &_| Sitting::read(state, &arguments.seat, arguments.me.name()).map(Some);
    go_on(library, &arguments.id, Show::Story, &arguments.who, arguments.posting.webhook()?, sits)
}
