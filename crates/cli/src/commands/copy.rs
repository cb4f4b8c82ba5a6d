//! `copy`: campaigns from one folder or database to another.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use twicetold_host::copying::{Copied, copy};
use twicetold_host::{Error, Library};

use crate::failure::{Failure, code};
use crate::terminal::{GOOD, print};

/// Copies campaigns to another folder or a database
///
/// Each campaign is verified while it is copied, byte for byte, with its label. One that lies there already is left as it is.
#[derive(clap::Args)]
pub struct Arguments {
    /// Prefixes of campaigns' ids, or `last` [default: all campaigns]
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    /// Where to: a folder, or a database as postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "DIR")]
    to: OsString,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let ids = match arguments.ids.is_empty() {
        true => library.list()?,
        false => arguments.ids.iter().map(|id| library.find(id)).collect::<Result<_, _>>()?,
    };
    if arguments.to.is_empty() {
        return Err(Failure::new(code::USAGE, "--to is empty", "give a folder or the address of a database"));
    }
    let to = Library::new(Some(PathBuf::from(&arguments.to)))?;
    if to.name() == library.name() {
        let message = format!("{} is where the campaigns lie already", to.name());
        return Err(Failure::new(code::USAGE, message, "give another folder or database with --to"));
    }
    if ids.is_empty() {
        print(&format!("No campaigns in {} yet. `twicetold run` plays one.\n", library.name()))?;
    }
    // What no campaign can be copied to is told of once.
    if !ids.is_empty()
        && let Err(error) = to.ready()
    {
        return Err(Error { help: error.help.replace("--data DIR", "--to DIR"), ..error }.into());
    }
    let mut ended = ExitCode::SUCCESS;
    for id in ids {
        let line = match copy(library, &to, id) {
            Ok(Copied::New(head)) => format!("copied, {} entries", head.entries),
            Ok(Copied::Same) => "is there already".to_owned(),
            Err(error) => {
                ended = Failure::from(error).report();
                continue;
            }
        };
        print(&format!("{id:.8}  {GOOD}{line}{GOOD:#}\n"))?;
    }
    Ok(ended)
}
