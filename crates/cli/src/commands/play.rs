//! `play`: a person takes a seat of a campaign.

use std::process::ExitCode;

use crate::commands::resume;
use crate::failure::Failure;
use crate::library::Library;
use crate::mapping::WhoPlays;
use crate::person::Sitting;
use crate::play::Show;

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

/// Whoever plays.
#[derive(clap::Args)]
pub struct Me {
    /// Your name, as the journal keeps it
    #[arg(long, env = "USER", hide_env = true, default_value = "a person")]
    name: String,
}

impl Me {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let sits =
        |state: &_| Sitting::read(state, &arguments.seat, arguments.me.name(), library.typed()).map(Some);
    resume::go_on(library, &arguments.id, Show::Story, &arguments.who, arguments.posting.webhook()?, sits)
}
