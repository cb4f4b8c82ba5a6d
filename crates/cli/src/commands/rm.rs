//! `rm`: removes a campaign.

use std::process::ExitCode;

use crate::failure::{Failure, code};
use twicetold_host::Library;

/// Removes a campaign for good (`export` keeps a copy)
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id; `last` is not taken here
    id: String,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.id == "last" {
        let message = "`rm last` could remove another campaign than you think";
        return Err(Failure::new(
            code::USAGE,
            message,
            "give the front of its id; `twicetold list` shows it",
        ));
    }
    let entry = library.find(&arguments.id)?;
    // Whoever plays it holds the lock; a damaged file may be removed all the same.
    if let Err(locked @ twicetold_journal::OpenError::Locked { .. }) = twicetold_journal::open(&entry.path) {
        return Err(locked.into());
    }
    std::fs::remove_file(&entry.path).map_err(|error| {
        Failure::new(code::FAILED, format!("{} cannot be removed: {error}", entry.path.display()), "")
    })?;
    library.view(entry.id).remove();
    library.mapping(entry.id).remove();
    crate::terminal::print(&format!("{:.8} removed.\n", entry.id))?;
    Ok(ExitCode::SUCCESS)
}
