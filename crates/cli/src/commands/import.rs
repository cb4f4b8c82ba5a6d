//! `import`: an exported campaign becomes one of the library's.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_journal::{Export, Source};

use crate::failure::{Failure, code};
use crate::library::Library;

/// Reads an exported campaign into the library, after verifying all of it
#[derive(clap::Args)]
pub struct Arguments {
    /// The file
    file: PathBuf,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let export = Export::open(&arguments.file)?;
    let Some(id) = export.head().campaign else {
        return Err(Failure::new(
            code::DAMAGED,
            format!("{} holds no campaign", arguments.file.display()),
            "",
        ));
    };
    // A campaign that no build could fold is of no use to anybody.
    twicetold_session::load(&export)?;
    let head = twicetold_journal::import(&arguments.file, &library.file(id)?)?;
    crate::terminal::print(&format!(
        "{id:.8} imported: {} entries, chain {:.16}\n",
        head.entries, head.chain
    ))?;
    Ok(ExitCode::SUCCESS)
}
