//! `rules`: the rules packs that there are, and others out of open reference documents.

#[cfg(feature = "import-rules")]
mod import;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use twicetold_host::Library;
use twicetold_host::bundle::BUNDLED;
use twicetold_world::setup::Pack;

use crate::data::{Pack as Listed, Packs, document};
use crate::failure::Failure;
use crate::terminal::{print, short};

/// Lists the rules packs, and imports others
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "import-rules")]
    Import(import::Arguments),
    List(List),
}

/// Lists the bundled and the imported rules packs
#[derive(clap::Args)]
struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        #[cfg(feature = "import-rules")]
        Command::Import(arguments) => import::run(library, arguments),
        Command::List(arguments) => list(library, arguments),
    }
}

fn list(library: &Library, arguments: &List) -> Result<ExitCode, Failure> {
    let mut rows: Vec<Listed> = Vec::new();
    for (path, text) in BUNDLED.below("rules") {
        if let Some(folder) = path.strip_suffix("/pack.toml") {
            rows.push(row(Path::new(folder), Ok(text.to_owned()), None));
        }
    }
    let packs = std::fs::read_dir(library.data().join("rules")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = packs.map(|item| item.path()).filter(|path| path.is_dir()).collect();
    // What an import that was killed left behind begins with a dot.
    folders.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')));
    folders.sort();
    for folder in folders {
        let text = std::fs::read_to_string(folder.join("pack.toml")).map_err(|error| error.to_string());
        rows.push(row(&folder, text, Some(folder.display().to_string())));
    }
    print(&if arguments.json { document(Packs { packs: rows }) } else { table(rows) })?;
    Ok(ExitCode::SUCCESS)
}

fn row(path: &Path, text: Result<String, String>, folder: Option<String>) -> Listed {
    let id = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let pack =
        text.and_then(|text| toml::from_str::<Pack>(&text).map_err(|error| error.message().to_owned()));
    let error = pack.as_ref().err().map(|why| format!("pack.toml: {why}"));
    let field = |of: fn(&Pack) -> &String| pack.as_ref().map(of).cloned().unwrap_or_default();
    let (title, version, license) =
        (field(|pack| &pack.title), field(|pack| &pack.version), field(|pack| &pack.license));
    Listed { id, title, version, license, folder, error }
}

fn table(rows: Vec<Listed>) -> String {
    let row = |row: Listed| {
        let place = row.error.or(row.folder).unwrap_or_else(|| "in the program".into());
        [row.id, row.title, row.version, row.license, place].map(|cell| short(&cell, 200))
    };
    let header = ["id", "title", "version", "licence", "where"];
    crate::table::table(header, rows.into_iter().map(row).collect(), 1)
}
