//! `resume`: goes on where the journal ends.

use std::io::Write;
use std::process::ExitCode;

use twicetold_event::{Input, ResumeAsked};
use twicetold_journal::Source;
use twicetold_session::{Session, load};
use twicetold_world::Life;

use crate::failure::{Failure, code};
use crate::library::Library;
use crate::play::{self, Show};

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
}

/// Runs the command.
pub fn run(library: &Library, arguments: Arguments) -> Result<ExitCode, Failure> {
    let entry = library.find(&arguments.id)?;
    let store = twicetold_journal::open(&entry.path)?;
    if store.head().entries == 0 {
        let message =
            "this campaign was interrupted before its opening was written: there is nothing to go on with";
        return Err(Failure::new(
            code::FAILED,
            message,
            format!("`twicetold rm {:.8}` removes it", entry.id),
        ));
    }
    let view = load(&store)?.campaign;
    if let Life::Ended { observed, .. } = view.state().life() {
        let message = format!("this campaign is over: {observed}");
        return Err(Failure::new(
            code::FAILED,
            message,
            "`twicetold show` and `twicetold replay` look back at it",
        ));
    }
    let interrupted = match view.state().life() {
        Life::Running => view.state().calls().owed.as_ref().map(|owed| owed.call),
        _ => None,
    };
    let show = match (arguments.quiet, arguments.json) {
        (true, _) => Show::Card,
        (_, true) => Show::Json,
        _ => Show::Story,
    };
    if let (Some(call), Show::Story) = (interrupted, show) {
        let _ = writeln!(
            std::io::stderr(),
            "{call} was in flight when the campaign stopped; it is made again, and may be paid twice."
        );
    }
    let session = Session::recover(Box::new(store), play::build())?;
    let providers = super::fork::providers(library, session.journal(), view.state().setup())?;
    play::run_with(session, view, Input::ResumeAsked(ResumeAsked { interrupted }), show, providers)
}
