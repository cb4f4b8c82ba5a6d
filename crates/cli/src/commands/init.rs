//! `init`: writes the bundled configuration to edit.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use twicetold_host::bundle::BUNDLED;
use twicetold_host::schemas::headed;
use twicetold_host::{Error, whole};

use crate::failure::{Failure, code};

/// Copies the bundled configuration to a folder, to edit it
///
/// You can `run` from the folder.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to create. If it exists, it must be empty, or hold what an `init` wrote that was stopped
    folder: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let folder = &arguments.folder;
    let failed =
        |error: std::io::Error| Failure::from(Error::unwritable(folder, &error, "choose another folder"));
    // What another `init` wrote before it was stopped is gone on with.
    if folder.exists() && !is_begun(folder).map_err(failed)? {
        let message = format!("{} is not empty: nothing was written", folder.display());
        return Err(Failure::new(code::USAGE, message, "choose a new folder"));
    }
    write(folder).map_err(failed)?;
    let mut out = format!("The configuration is in {}.\n", folder.display());
    out += "README.md there describes every field; an editor that reads the line #:schema\nat the head of a file shows them while \
            you write. To play from it:\n";
    for (name, _) in BUNDLED.below("campaigns") {
        out += &format!("  twicetold run {}\n", folder.join("campaigns").join(name).display());
    }
    crate::terminal::print(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn write(root: &Path) -> std::io::Result<()> {
    for (path, text) in BUNDLED.files() {
        let file = root.join(path);
        std::fs::create_dir_all(file.parent().unwrap_or(root))?;
        whole::write(&file, &headed(path, text.as_bytes()))?;
    }
    Ok(())
}

/// Is nothing in the folder but some of the bundled files, as they are, and what is written before a file gets its name? All of them
/// are no beginning.
fn is_begun(root: &Path) -> std::io::Result<bool> {
    let mut missing = BUNDLED.files().count();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let path = entry.path();
            let below = path.strip_prefix(root).unwrap_or(&path);
            let name = below.to_string_lossy().replace('\\', "/");
            let is_known = match entry.file_type()? {
                kind if kind.is_dir() => BUNDLED.below(&name).next().is_some(),
                kind if kind.is_file() => match BUNDLED.text(&name) {
                    Some(text) => {
                        missing -= 1;
                        std::fs::read(&path)? == *headed(&name, text.as_bytes())
                    }
                    None => whole::is_left(below),
                },
                _ => false,
            };
            if !is_known {
                return Ok(false);
            }
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    Ok(missing > 0)
}
