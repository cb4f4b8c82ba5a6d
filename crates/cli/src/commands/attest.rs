//! `attest`: writes a signed attestation of every campaign's journal head.

use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::attestation::attest;

use crate::failure::{Failure, code};
use crate::terminal::print;

/// Writes a signed attestation of the last sequence number and the head digest of every campaign. Keep it on
/// another machine
#[derive(clap::Args)]
pub struct Arguments {
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let text = attest(library)?;
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
