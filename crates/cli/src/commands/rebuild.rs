//! `rebuild`: throws snapshots away and folds the journals anew.

use std::process::ExitCode;

use twicetold_journal::Source;
use twicetold_session::{foreign, load, load_with, snapshot};

use crate::failure::{Failure, code};
use crate::library::{Entry, Library};
use crate::terminal::{GOOD, TROUBLE, counted, print};
use crate::views::SNAPSHOT_ABOVE;

/// Throws the snapshots of campaigns away and makes them anew from the journals
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, or `last`; all campaigns when left out
    id: Option<String>,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let entries = match &arguments.id {
        Some(id) => vec![library.find(id)?],
        None => library.entries(),
    };
    if entries.is_empty() {
        print(&format!("No campaigns in {} yet. `twicetold run` plays one.\n", library.folder().display()))?;
    }
    let mut wrong = 0;
    for entry in entries {
        let (line, ok) = rebuilt(library, &entry).unwrap_or_else(|failure| (failure.line(), false));
        wrong += usize::from(!ok);
        let style = if ok { GOOD } else { TROUBLE };
        print(&format!("{:.8}  {style}{line}{style:#}\n", entry.id))?;
    }
    Ok(ExitCode::from(if wrong == 0 { 0 } else { code::DAMAGED }))
}

/// What was done with one campaign, and whether all was well with it.
fn rebuilt(library: &Library, entry: &Entry) -> Result<(String, bool), Failure> {
    let view = library.view(entry.id);
    let reader = twicetold_journal::open_read_only(&entry.path)?;
    if foreign(&reader)?.is_some() {
        return Ok(("a transcript of another program: there is nothing to fold".into(), true));
    }
    let kept = view.read();
    let mut loaded = load(&reader)?;
    let digest = loaded.campaign.state().digest();
    let agreed = match &kept {
        Some(bytes) => load_with(&reader, Some(bytes))?.campaign.state().digest() == digest,
        None => true,
    };
    view.remove();
    let (next, entries) = (reader.head().next, loaded.entries);
    let folded = format!("{} folded", counted(entries, "entry"));
    if loaded.unknown.is_none() && next.0 >= SNAPSHOT_ABOVE {
        let bytes = snapshot(&mut loaded.campaign, &reader.head(), loaded.opened);
        let failed =
            |error| Failure::new(code::FAILED, format!("the snapshot cannot be written: {error}"), "");
        bytes.map(|bytes| view.write(&bytes)).transpose().map_err(failed)?;
        return Ok(match agreed {
            true => (format!("{folded}, snapshot made"), true),
            false => (format!("{folded}, the old snapshot said otherwise and was thrown away"), false),
        });
    }
    Ok((format!("{folded}, too short for a snapshot"), true))
}
