//! `report`: a campaign as one page for a browser.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use twicetold_host::Library;

use crate::data;
use crate::failure::{Failure, code};
use crate::files::{STANDARD_OUTPUT, write};
use crate::terminal::safe;
use crate::told::{Format, told};

/// Writes a campaign as one HTML file
///
/// It shows the story, the characters, the goals, the dice, the cost, and the cause of every event.
///
/// The file is self-contained: it loads nothing from the network or from other files. It contains everything,
/// including hidden goals and secrets.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, `last`, or a file
    id: String,

    /// The file to write, or - for standard output; it must not exist, unless --force is given [default: the first 8 digits of the
    /// campaign's id plus .html, in the current folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long)]
    force: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let is_printed = arguments.output.as_deref() == Some(Path::new(STANDARD_OUTPUT));
    if is_printed && arguments.json {
        return Err(Failure::new(code::USAGE, "--json needs a file to write to", "name one with -o FILE"));
    }
    let source = library.source(&arguments.id)?;
    let page = told(source.as_ref())?.export(Format::Html, library.prices(source.as_ref()))?;
    let file = arguments.output.clone().unwrap_or_else(|| {
        let id = source.head().campaign.map_or_else(String::new, |id| format!("{:.8}", id.to_string()));
        PathBuf::from(format!("{id}.html"))
    });
    write(&file, page.as_bytes(), arguments.force)?;
    if is_printed {
        return Ok(ExitCode::SUCCESS);
    }
    let shown = file.display().to_string();
    crate::terminal::print(&match arguments.json {
        true => {
            let format = Format::Html.name();
            let written = data::Written { file: shown, format, entries: None, chain: None };
            data::of(data::campaign_of(source.as_ref())?, written)
        }
        false => format!("{}\n", safe(&shown)),
    })?;
    Ok(ExitCode::SUCCESS)
}
