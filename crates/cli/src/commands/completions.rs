//! `completions`: a script that lets a shell complete a command line.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use clap_complete::Shell;

use crate::completing::script;
use crate::failure::{Failure, code};
use crate::terminal::print_as_it_is;

/// Prints a script that lets a shell complete command lines
///
/// Commands and options are completed, and what can be named: campaigns with their titles, bundled campaigns, models, rules
/// packs, seats, and what `why` can explain. The script asks this program each time.
#[derive(clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let program = std::env::args_os().next().map_or_else(|| PathBuf::from("twicetold"), PathBuf::from);
    let shell = arguments.shell.to_possible_value();
    let script = shell.and_then(|shell| script(shell.get_name(), &program));
    let none = || Failure::new(code::FAILED, format!("there is no script for {}", arguments.shell), "");
    print_as_it_is(&script.ok_or_else(none)?)?;
    Ok(ExitCode::SUCCESS)
}
