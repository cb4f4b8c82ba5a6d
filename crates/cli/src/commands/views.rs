//! `views`: campaigns in a database as tables and views of SQL.

use std::process::ExitCode;

use twicetold_host::Library;
use twicetold_host::views_in_sql::update;

use crate::failure::{Failure, code};
use crate::terminal::{counted, print};

/// Updates the SQL views of campaigns in a database
///
/// Journals lie in a database as encoded bytes. This command writes what SQL cannot read there into the schema
/// twicetold_views: campaigns, calls, tool calls, rejections, goals, outcomes, costs and payments. It reads the campaigns
/// that have grown since the last time, and adds what is new; give it again as often as you like, also while campaigns
/// are played. `DROP SCHEMA twicetold_views CASCADE` removes all of it.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write all rows anew, for example after prices in models.toml have changed
    #[arg(long)]
    rebuild: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let done = update(library, arguments.rebuild, |id, error| {
        let error = Failure::from(error);
        let _ = Failure::new(code::FAILED, format!("{id:.8} has no rows: {}", error.line()), "").report();
    })?;
    let removed = match done.forgotten {
        0 => String::new(),
        count => format!(", {} removed", counted(count as u64, "campaign")),
    };
    print(&format!("{} updated{removed}\n", counted(done.written as u64, "campaign")))?;
    Ok(ExitCode::from(if done.failed == 0 { 0 } else { code::DAMAGED }))
}
