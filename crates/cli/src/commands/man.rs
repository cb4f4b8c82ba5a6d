//! `man`: manual pages with the texts of `--help`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::failure::{Failure, code};
use crate::files::unwritable;
use crate::terminal::print;

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
    let program = program.disable_help_subcommand(true);
    let Some(folder) = &arguments.folder else {
        let mut page = Vec::new();
        let rendered = clap_mangen::Man::new(program).render(&mut page);
        rendered.map_err(|error| Failure::new(code::FAILED, format!("no manual page: {error}"), ""))?;
        print(&String::from_utf8_lossy(&page))?;
        return Ok(ExitCode::SUCCESS);
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(program, folder))
        .map_err(|error| unwritable(folder, &error))?;
    let folder = folder.display();
    print(&format!(
        "The manual pages are in {folder}. `man -l {folder}/twicetold.1` shows the first one.\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}
