//! `verify`: was anything changed, lost or reordered?

use std::path::Path;
use std::process::ExitCode;

use twicetold_event::{Entry, Story};
use twicetold_host::Library;
use twicetold_host::checkpoint::{Compared, Verdict, compare};
use twicetold_journal::verify_with;

use crate::failure::{Failure, code};
use crate::terminal::{GOOD, TROUBLE, counted, json_line, print};

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
        return with_note(library, note, arguments.json);
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

/// What a campaign is now, compared with a note.
#[derive(serde::Serialize)]
struct Row {
    campaign: String,
    next: u64,
    verdict: &'static str,
}

/// Compares every campaign of a note with what lies here; a rewritten history is damage, and one that is gone is not found.
fn with_note(library: &Library, path: &Path, json: bool) -> Result<ExitCode, Failure> {
    let (key, compared) = compare(library, path)?;
    let count = |verdict| compared.iter().filter(|campaign| campaign.verdict == verdict).count();
    let broken = count(Verdict::Rewritten) + count(Verdict::Damaged) > 0;
    let gone = count(Verdict::Gone);
    let row = |campaign: &Compared| Row {
        campaign: campaign.campaign.to_string(),
        next: campaign.next.0,
        verdict: campaign.verdict.words(),
    };
    let rows: Vec<Row> = compared.iter().map(row).collect();
    let text = match json {
        true => json_line(&serde_json::json!({"key": key, "campaigns": rows})),
        false => {
            let line = |row: &Row| {
                let style = if row.verdict == Verdict::Kept.words() { GOOD } else { TROUBLE };
                let (id, last) = (&row.campaign[..8], row.next.saturating_sub(1));
                format!("{id} up to #{last}: {style}{}{style:#}\n", row.verdict)
            };
            let missing = match gone {
                0 => String::new(),
                gone => format!(
                    "{gone} of the note's campaigns cannot be looked at: removed, renamed or moved away since. Look for a copy, or an export.\n"
                ),
            };
            format!("signed by {key}\n{}{missing}", rows.iter().map(line).collect::<String>())
        }
    };
    print(&text)?;
    Ok(match (broken, gone) {
        (true, _) => ExitCode::from(code::DAMAGED),
        (false, 0) => ExitCode::SUCCESS,
        // Whoever wanted to hide a history has only to remove it: a script must notice.
        (false, _) => ExitCode::from(code::MISSING),
    })
}
