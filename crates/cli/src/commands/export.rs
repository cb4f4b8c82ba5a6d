//! `export`: a campaign as one self-contained file.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::failure::{Failure, code};
use crate::library::Library;

/// Writes a campaign to one self-contained file that can be kept, sent, verified and replayed
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, or `last`
    id: String,

    /// The file to write; it must not exist
    file: PathBuf,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (entry, reader) = library.read(&arguments.id)?;
    let failed = |error: std::io::Error| {
        Failure::new(
            code::FAILED,
            format!("{} cannot be written: {error}", arguments.file.display()),
            "choose another name or folder",
        )
    };
    let file = std::fs::File::create_new(&arguments.file).map_err(failed)?;
    let mut out = std::io::BufWriter::new(file);
    let written = twicetold_journal::write_export(&reader, &mut out);
    let written = written.map_err(Failure::from).and_then(|head| {
        out.flush().and_then(|()| out.get_ref().sync_all()).map_err(failed)?;
        Ok(head)
    });
    let head = written.inspect_err(|_| drop(std::fs::remove_file(&arguments.file)))?;
    let (id, file) = (entry.id, arguments.file.display());
    crate::terminal::print(&format!(
        "{id:.8} written to {file}: {} entries, chain {:.16}\n",
        head.entries, head.chain
    ))?;
    Ok(ExitCode::SUCCESS)
}
