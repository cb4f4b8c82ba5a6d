//! `list`: the campaigns that there are.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use textwrap::core::Word;
use twicetold_event::CampaignId;
use twicetold_host::Library;

use crate::failure::Failure;
use crate::pager::page;
use crate::terminal::{json_line, short, when};
use crate::told::{Brief, told};

/// Lists campaigns, the newest first
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A campaign as it is listed.
#[derive(serde::Serialize)]
struct Row {
    id: String,
    title: String,
    opened_ms: u64,
    turns: u32,
    calls: u32,
    state: String,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut rows: Vec<Row> = library.list().into_iter().map(|id| row(library, id)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.opened_ms));
    let text = match (arguments.json, rows.is_empty()) {
        (true, _) => json_line(&rows),
        (false, true) => {
            format!("No campaigns in {} yet. `twicetold run` plays one.\n", library.folder().display())
        }
        (false, false) => table(rows),
    };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn table(rows: Vec<Row>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["id", "opened", "title", "turns", "calls", "state"]);
    // Where there is no terminal, lines stay whole.
    let room = table.width().map(|width| usize::from(width).saturating_sub(OTHERS_WIDTH).max(24));
    for row in rows {
        table.add_row([
            row.id[..8].to_owned(),
            when(row.opened_ms),
            fitted(&row.title, room.map(|room| room * 2 / 5)),
            row.turns.to_string(),
            row.calls.to_string(),
            fitted(&row.state, room.map(|room| room - room * 2 / 5)),
        ]);
    }
    format!("{table}\n")
}

/// Columns that all but the title and the state take, with what lies between: id, time and two numbers.
const OTHERS_WIDTH: usize = 8 + 16 + 5 + 5 + 6 * 2;

/// A text in lines of a width, broken at spaces and within ids only after their hyphens and underscores.
fn fitted(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let separator = textwrap::WordSeparator::Custom(parts);
    let options = textwrap::Options::new(width).word_separator(separator);
    textwrap::fill(text, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
}

/// Words, and the parts of ids.
fn parts(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    Box::new(line.split_inclusive([' ', '-', '_']).map(Word::from))
}

fn row(library: &Library, campaign: CampaignId) -> Row {
    let id = campaign.to_string();
    let reader = library.read(campaign).map_err(Failure::from);
    match reader.and_then(|reader| told(&*reader)?.brief(&library.view(campaign))) {
        Ok(Brief { title, state, detail, opened_ms, turns, calls }) => {
            let state = if detail.is_empty() { state } else { format!("{state}: {detail}") };
            Row { id, title: short(&title, 40), opened_ms, turns, calls, state }
        }
        Err(why) => {
            Row { id, title: String::new(), opened_ms: 0, turns: 0, calls: 0, state: short(&why.line(), 60) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_broken_after_their_hyphens_and_underscores_alone() {
        let state = "resolved: dynamic_the-truth-is-told";
        assert_eq!(fitted(state, None), state);
        let lines = fitted(state, Some(20));
        assert_eq!(lines, "resolved: dynamic_\nthe-truth-is-told");
        assert_eq!(fitted("resolved: boat-back-in-time", Some(20)), "resolved: boat-back-\nin-time");
    }
}
