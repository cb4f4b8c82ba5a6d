//! Follows a campaign that another process may be playing.

use std::io::Write;
use std::process::ExitCode;

use twicetold_event::{Entry, Number};
use twicetold_host::Library;
use twicetold_host::following::{Following, LOOK};
use twicetold_host::reading::within;
use twicetold_referee::Campaign;
use twicetold_session::Follower;
use twicetold_world::Life;

use crate::failure::{Failure, code};
use crate::pace::Alone;
use crate::terminal::{DIM, printed};

/// Prints what `each` makes of every entry from `from` on, until the campaign is over or nobody reads any more. What is not of the
/// campaign goes to standard error where the text is for programs.
pub fn follow(
    library: &Library,
    id: &str,
    from: Number,
    mut pace: Option<Alone>,
    for_programs: bool,
    mut each: impl FnMut(&Campaign, &Entry) -> String,
) -> Result<ExitCode, Failure> {
    let mut following = Following::open(library, library.find(id)?)?;
    let mut follower = Follower::new(following.source())?;
    let mut out = anstream::stdout();
    let mut result = Ok(());
    let (mut paused, mut stopped) = (false, false);
    loop {
        follower.read(following.source(), |campaign, entry| {
            if from < entry.header.next() {
                let text = each(campaign, entry);
                result = match &mut pace {
                    Some(pace) => pace.show(&text).map(|shown| stopped = !shown),
                    None => out.write_all(text.as_bytes()),
                };
            }
            result.is_ok() && !stopped
        })?;
        if stopped {
            return Ok(ExitCode::from(code::INTERRUPTED));
        }
        let end = match follower.campaign().state().life() {
            _ if result.is_err() => return printed(result).map(|()| ExitCode::SUCCESS),
            Life::Ended { .. } => {
                // A number that is still to come is waited for, but not after the end.
                within(following.source(), Some(from))?;
                return printed(out.flush()).map(|()| ExitCode::SUCCESS);
            }
            Life::Paused { .. } => true,
            _ => false,
        };
        if end && !paused {
            let said =
                format!("{DIM}Paused. Waiting until the campaign is resumed; Ctrl-C stops watching.{DIM:#}");
            result = match for_programs {
                true => writeln!(anstream::stderr(), "{said}"),
                false => writeln!(out, "{said}"),
            };
        }
        result = result.and_then(|()| out.flush());
        paused = end;
        let waited = match &mut pace {
            Some(pace) => pace.wait(LOOK),
            None => {
                std::thread::sleep(LOOK);
                true
            }
        };
        if !waited {
            return Ok(ExitCode::from(code::INTERRUPTED));
        }
        following.look()?;
    }
}
