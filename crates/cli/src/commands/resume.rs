//! `resume`: goes on where the journal ends.

use std::process::ExitCode;

use twicetold_host::{Library, Sitting};
use twicetold_world::State;

use crate::failure::Failure;
use crate::pace::Paced;
use crate::play::{Beside, Show, Shown, go_on};
use crate::story::Spoilers;
use crate::who::WhoPlays;

/// Continues a paused or interrupted campaign
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, or `last`
    id: String,

    /// Print only the summary at the end
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,

    /// Print one JSON object per line for each event, and a last one with the summary
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    paced: Paced,

    #[command(flatten)]
    spoilers: Spoilers,

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
    let show = Show::of(arguments.quiet, arguments.json);
    // If a person played a seat when the program was killed, they are asked again, unless the output is not for people.
    let sits = |state: &State| {
        let mut people = state.table().people.iter().filter(|_| show == Show::Story);
        let person = people.next().map(|(seat, name)| (*seat, name.clone()));
        Ok(person.map(|(seat, name)| Sitting { seat, name }))
    };
    let beside = Beside {
        webhook: arguments.posting.webhook()?,
        traces: arguments.traced.traces(library)?,
        attests: arguments.attested.attesting(library)?,
    };
    let (paced, spoilers) = (Some(&arguments.paced), arguments.spoilers.spoilers);
    go_on(library, &arguments.id, Shown { show, hold: None, paced, spoilers }, &arguments.who, beside, sits)
}
