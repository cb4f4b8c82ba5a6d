//! `verify`: was anything changed, lost or reordered?

use std::process::ExitCode;

use twicetold_event::{Entry, Story};
use twicetold_journal::verify_with;

use crate::failure::Failure;
use crate::terminal::{GOOD, counted, json_line, print};
use twicetold_host::Library;

/// Checks that nothing of a journal was changed, lost or reordered
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, `last`, or a file
    #[arg(required_unless_present = "checkpoint")]
    id: Option<String>,

    /// Compare all campaigns with a note that `checkpoint` wrote
    #[arg(long, value_name = "NOTE", conflicts_with = "id")]
    checkpoint: Option<std::path::PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let Some(note) = &arguments.checkpoint {
        return super::checkpoint::verify(library, note, arguments.json);
    }
    let id = arguments.id.as_deref().unwrap_or("last");
    let source = library.source(id)?;
    let mut story = Story::default();
    let found = verify_with(source.as_ref(), |header, body| {
        let entry = Entry::of_parts(*header, body).map_err(|error| error.to_string())?;
        story.add(&entry.input, &entry.events);
        Ok(())
    })?;
    let text = if arguments.json {
        let object = serde_json::json!({
            "whole": true, "entries": found.entries, "numbers": found.numbers, "blobs": found.blobs,
            "bytes": found.bytes, "chain": found.head.to_string(), "story": story.0.to_string(),
        });
        json_line(&object)
    } else {
        format!(
            "{GOOD}Whole{GOOD:#}: {}, {}, {}, chain {:.16}\n",
            counted(found.entries, "entry"),
            counted(found.numbers, "number"),
            counted(u64::from(found.blobs), "blob"),
            found.head
        )
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
