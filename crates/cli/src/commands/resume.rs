//! `resume`: goes on where the journal ends.

use std::process::ExitCode;

use twicetold_host::{Library, Sitting};
use twicetold_world::State;

use crate::failure::Failure;
use crate::play::{Show, go_on};
use crate::who::WhoPlays;

/// Goes on with a campaign that was parked or interrupted
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, or `last`
    id: String,

    /// Show the card at the end alone
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,

    /// Print one JSON object a line for each event, and one for the end
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    who: WhoPlays,

    #[command(flatten)]
    posting: crate::webhook::Posting,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let show = Show::of(arguments.quiet, arguments.json);
    // Whoever sat there when the program was killed is asked again, where they can be shown what is asked.
    let sits = |state: &State| {
        let mut people = state.table().people.iter().filter(|_| show == Show::Story);
        let person = people.next().map(|(seat, name)| (*seat, name.clone()));
        Ok(person.map(|(seat, name)| Sitting { seat, name }))
    };
    go_on(library, &arguments.id, show, &arguments.who, arguments.posting.webhook()?, sits)
}
