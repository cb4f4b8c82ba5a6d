//! `rm`: removes a campaign.

use std::process::ExitCode;

use twicetold_host::Library;

use crate::failure::{Failure, code};

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
    let id = library.find(&arguments.id)?;
    library.remove(id)?;
    crate::terminal::print(&format!("{id:.8} removed.\n"))?;
    Ok(ExitCode::SUCCESS)
}
