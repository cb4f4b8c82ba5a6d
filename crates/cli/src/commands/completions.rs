//! `completions`: a script that lets a shell complete commands and options.

use std::process::ExitCode;

use clap_complete::Shell;

use crate::failure::Failure;
use crate::terminal::print;

/// Prints a script that lets a shell complete commands
///
/// It completes commands, options and their values.
#[derive(clap::Args)]
pub struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command. `program` is the whole command line.
pub fn run(mut program: clap::Command, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, name, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
