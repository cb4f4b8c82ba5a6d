//! `attest`: writes a signed attestation of every campaign's journal head.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::attestation::attest;

use crate::data::{NewAttestation, document};
use crate::failure::{Failure, code};
use crate::files::{STANDARD_OUTPUT, write};
use crate::play::say;
use crate::terminal::{print, print_as_it_is, safe};

/// Writes a signed attestation of every campaign's journal
///
/// It holds the last sequence number and the head digest of each journal. Keep it on another machine.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print JSON, with the attestation in it
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.json && arguments.output.as_deref() == Some(Path::new(STANDARD_OUTPUT)) {
        return Err(Failure::new(
            code::USAGE,
            "--json needs a file to write to",
            "name one with -o FILE, or leave -o out",
        ));
    }
    let (text, unread) = attest(library)?;
    match &arguments.output {
        None if arguments.json => {}
        None => print_as_it_is(&text)?,
        Some(path) => write(path, text.as_bytes(), true)?,
    }
    if arguments.json {
        let file = arguments.output.as_ref().map(|path| path.display().to_string());
        let campaigns = text.lines().filter(|line| line.starts_with("campaign ")).count() as u64;
        print(&document(NewAttestation { file, campaigns, text }))?;
    }
    // The others are attested all the same.
    let mut unread = unread.into_iter();
    let last = unread.next_back();
    unread.for_each(|error| say(&format!("not attested: {}", safe(&error.message))));
    last.map_or(Ok(ExitCode::SUCCESS), |error| Err(error.into()))
}
