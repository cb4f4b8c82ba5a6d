//! `checkpoint`: a signed note of where every campaign stands, to be kept elsewhere.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::checkpoint::checkpoint;

use crate::failure::{Failure, code};
use crate::terminal::print;

/// Writes a signed note of where every campaign stands, to be kept elsewhere
#[derive(clap::Args)]
pub struct Arguments {
    /// Where the note goes [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let text = checkpoint(library)?;
    match &arguments.output {
        None => print(&text)?,
        Some(path) => std::fs::write(path, &text).map_err(|error| {
            Failure::new(
                code::FAILED,
                format!("{} cannot be written: {error}", path.display()),
                "choose another file",
            )
        })?,
    }
    Ok(ExitCode::SUCCESS)
}
