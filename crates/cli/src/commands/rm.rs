//! `rm`: removes a campaign.

use std::process::ExitCode;

use twicetold_host::Library;

use crate::failure::{Failure, code};

/// Deletes a campaign permanently (use `export` first to keep a copy)
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id (`last` is not accepted)
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
