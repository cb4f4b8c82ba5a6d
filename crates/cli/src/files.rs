//! Files that commands write for people.

use std::io::Write;
use std::path::Path;

use twicetold_host::{Error, whole};

use crate::failure::{Failure, code};
use crate::terminal::printed;

/// What stands for standard output where a file can be named.
pub const STANDARD_OUTPUT: &str = "-";

/// Writes a file whole or not at all. One that exists stays as it is, unless it is to be replaced; then it is until all of the new
/// one is written. What is no file, a device or a pipe, is written to and never removed.
pub fn write(file: &Path, content: &[u8], replace: bool) -> Result<(), Failure> {
    let failed = |error: std::io::Error| unwritable(file, &error);
    match file.metadata() {
        _ if file == Path::new(STANDARD_OUTPUT) => {
            let mut out = std::io::stdout();
            return printed(out.write_all(content).and_then(|()| out.flush()));
        }
        Ok(known) if !known.is_file() => {
            let mut out = std::fs::OpenOptions::new().write(true).open(file).map_err(failed)?;
            return out.write_all(content).and_then(|()| out.flush()).map_err(failed);
        }
        Ok(_) if !replace => return Err(taken(file)),
        _ => {}
    }
    whole::write(file, content).map_err(failed)
}

/// Says before long work that its page could not be written. Standard output has the results.
pub fn is_free(file: &Path, replace: bool) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match file.metadata() {
        _ if file == Path::new(STANDARD_OUTPUT) => {
            let message = "--html needs a file: the results go to standard output";
            Err(Failure::new(code::USAGE, message, "name one, for example --html sweep.html"))
        }
        Err(_) if folder.is_some_and(|folder| !folder.is_dir()) => {
            let folder = folder.unwrap_or(file).display();
            let message = format!("{} cannot be written: there is no folder {folder}", file.display());
            Err(Failure::new(code::USAGE, message, "make the folder, or choose another one"))
        }
        Ok(known) if known.is_file() && !replace => Err(taken(file)),
        Ok(known) if known.is_dir() => Err(unwritable(file, &std::io::ErrorKind::IsADirectory.into())),
        _ => Ok(()),
    }
}

fn taken(file: &Path) -> Failure {
    let message = format!("{} exists already, and nothing was written", file.display());
    Failure::new(code::USAGE, message, "choose another name, or use --force to replace the file")
}

/// What is said of a file that could not be written.
pub fn unwritable(file: &Path, error: &std::io::Error) -> Failure {
    Error::unwritable(file, error, "choose another name or folder").into()
}
