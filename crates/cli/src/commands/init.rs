//! `init`: writes the bundled configuration to edit.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use include_dir::Dir;
use twicetold_host::configuration::BUNDLED;

use crate::failure::{Failure, code};

/// Copies the bundled configuration to a folder, where you can edit it and `run` from it
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to create. If it exists, it must be empty
    folder: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let folder = &arguments.folder;
    let failed = |error: std::io::Error| {
        Failure::new(
            code::FAILED,
            format!("{} cannot be written: {error}", folder.display()),
            "choose another folder",
        )
    };
    if folder.exists() && folder.read_dir().map_err(failed)?.next().is_some() {
        let message = format!("{} is not empty: nothing was written", folder.display());
        return Err(Failure::new(code::USAGE, message, "choose a new folder"));
    }
    write(&BUNDLED, folder).map_err(failed)?;
    let mut out = format!("The configuration is in {}.\n", folder.display());
    out += "README.md there describes every field. To play from it:\n";
    for file in BUNDLED.get_dir("campaigns").into_iter().flat_map(Dir::files) {
        out += &format!("  twicetold run {}\n", folder.join(file.path()).display());
    }
    crate::terminal::print(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn write(from: &Dir<'_>, root: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(root.join(from.path()))?;
    for file in from.files() {
        std::fs::write(root.join(file.path()), file.contents())?;
    }
    from.dirs().try_for_each(|inner| write(inner, root))
}
