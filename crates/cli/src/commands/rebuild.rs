//! `rebuild`: throws snapshots away and folds the journals anew.

use std::process::ExitCode;

use twicetold_host::Library;

use crate::failure::{Failure, code};
use crate::terminal::{GOOD, TROUBLE, print};
use crate::told::told;
use twicetold_event::CampaignId;

/// Recreates the snapshots (a cache) of campaigns
///
/// The snapshots are deleted and made again from the journals.
#[derive(clap::Args)]
pub struct Arguments {
    /// A prefix of a campaign's id, or `last` [default: all campaigns]
    id: Option<String>,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let ids = match &arguments.id {
        Some(id) => vec![library.find(id)?],
        None => library.list()?,
    };
    if ids.is_empty() {
        print(&format!("No campaigns in {} yet. `twicetold run` plays one.\n", library.name()))?;
    }
    let mut wrong = 0;
    for id in ids {
        let (line, ok) = rebuilt(library, id).unwrap_or_else(|failure| (failure.line(), false));
        wrong += usize::from(!ok);
        let style = if ok { GOOD } else { TROUBLE };
        print(&format!("{id:.8}  {style}{line}{style:#}\n"))?;
    }
    Ok(ExitCode::from(if wrong == 0 { 0 } else { code::DAMAGED }))
}

/// What was done with one campaign, and whether all was well with it.
fn rebuilt(library: &Library, id: CampaignId) -> Result<(String, bool), Failure> {
    let reader = library.read(id)?;
    told(&*reader)?.rebuild(&library.view(id))
}
