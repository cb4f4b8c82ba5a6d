//! `man`: manual pages with the texts of `--help`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::failure::Failure;
use crate::files::unwritable;
use crate::manual::pages;
use crate::terminal::{print, print_as_it_is};

/// Prints the manual page, or writes a page for every command
#[derive(clap::Args)]
pub struct Arguments {
    /// Write twicetold.1 and a page for each command to this folder; pages that exist are replaced [default: print
    /// the main page]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Runs the command. `program` is the whole command line.
pub fn run(program: clap::Command, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let pages = pages(program);
    let Some(folder) = &arguments.folder else {
        print_as_it_is(pages.first().map_or("", |(_, page)| page))?;
        return Ok(ExitCode::SUCCESS);
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| pages.iter().try_for_each(|(name, page)| std::fs::write(folder.join(name), page)))
        .map_err(|error| unwritable(folder, &error))?;
    let folder = folder.display();
    print(&format!(
        "The manual pages are in {folder}. `man -l {folder}/twicetold.1` shows the first one.\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}
