//! `watch`: a campaign's story as it unfolds, also while another process is playing it.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use twicetold_event::{Entry, Number};
use twicetold_projection::people::lines;
use twicetold_referee::Campaign;
use twicetold_session::Follower;
use twicetold_world::Life;

use crate::failure::Failure;
use crate::terminal::{DIM, printed};
use twicetold_host::Library;

/// How often the journal is looked at: well within the time that a model takes for a sentence.
const LOOK: Duration = Duration::from_millis(100);

/// Shows a campaign's story as it unfolds, also while another process plays it; ends when the campaign does
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, or `last`
    id: String,

    /// Begin at this number instead of at the opening
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    follow(library, &arguments.id, Number(arguments.from), |campaign, entry| {
        let shown = lines(campaign.state(), campaign.replies(), entry);
        shown.iter().map(|line| crate::story::rendered(campaign.state(), line)).collect()
    })
}

/// Prints what `each` makes of every entry from `from` on, until the campaign is over or nobody reads any more.
pub fn follow(
    library: &Library,
    id: &str,
    from: Number,
    mut each: impl FnMut(&Campaign, &Entry) -> String,
) -> Result<ExitCode, Failure> {
    let mut reader = library.read(library.find(id)?)?;
    let mut follower = Follower::new(&*reader)?;
    let mut out = anstream::stdout();
    let mut result = Ok(());
    let mut parked = false;
    loop {
        follower.read(&*reader, |campaign, entry| {
            if from < entry.header.next() {
                result = out.write_all(each(campaign, entry).as_bytes());
            }
            result.is_ok()
        })?;
        let end = match follower.campaign().state().life() {
            _ if result.is_err() => return printed(result).map(|()| ExitCode::SUCCESS),
            Life::Ended { .. } => {
                // A number that is still to come is waited for, but not after the end.
                super::log::within(&*reader, Some(from))?;
                return printed(out.flush()).map(|()| ExitCode::SUCCESS);
            }
            Life::Parked { .. } => true,
            _ => false,
        };
        if end && !parked {
            result = writeln!(
                out,
                "{DIM}Parked; waiting for somebody to resume it. Ctrl-C stops watching.{DIM:#}"
            );
        }
        result = result.and_then(|()| out.flush());
        parked = end;
        std::thread::sleep(LOOK);
        reader.refresh()?;
    }
}
