//! `rm`: removes a campaign.

use std::process::ExitCode;

use twicetold_host::Library;

use crate::failure::{Failure, code};

/// Deletes a campaign permanently
///
/// Use `export` first to keep a copy.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id (`last` is not accepted)
    id: String,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.id == "last" {
        let message = "`rm` does not accept `last`, to avoid removing the wrong campaign";
        return Err(Failure::new(
            code::USAGE,
            message,
            "give a prefix of the campaign's id; `twicetold list` shows the ids",
        ));
    }
    let id = library.find(&arguments.id)?;
    library.remove(id)?;
    crate::terminal::print(&format!("{id:.8} removed.\n"))?;
    Ok(ExitCode::SUCCESS)
}
