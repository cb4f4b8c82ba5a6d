//! `list`: the campaigns that there are.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use textwrap::core::Word;
use twicetold_event::ForeignOpened;
use twicetold_journal::{Reader, Source, open_read_only};
use twicetold_session::foreign;
use twicetold_world::Life;

use crate::failure::Failure;
use crate::library::Library;
use crate::story::standing;
use crate::terminal::{json_line, print, short};

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
    let mut rows: Vec<Row> = library.entries().into_iter().map(|entry| row(library, entry)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.opened_ms));
    let text = match (arguments.json, rows.is_empty()) {
        (true, _) => json_line(&rows),
        (false, true) => {
            format!("No campaigns in {} yet. `twicetold run` plays one.\n", library.folder().display())
        }
        (false, false) => table(rows),
    };
    print(&text)?;
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

fn row(library: &Library, entry: crate::library::Entry) -> Row {
    let reader = open_read_only(&entry.path).map_err(|error| error.to_string());
    let id = entry.id.to_string();
    if let Ok(reader) = &reader
        && let Ok(Some(opened)) = foreign(reader)
    {
        return foreign_row(id, reader, &opened);
    }
    let loaded =
        reader.and_then(|reader| library.view(entry.id).load(&reader).map_err(|error| error.to_string()));
    match loaded {
        Ok(loaded) => {
            let state = loaded.campaign.state();
            let life = match state.life() {
                Life::Ended { .. } => match state.encounters_over().last().map(|end| &end.outcome) {
                    Some(Some((outcome, _))) => format!("resolved, {}", short(outcome, 40)),
                    _ => "unresolved".into(),
                },
                Life::Parked { reason } => short(reason, 40),
                _ => state.phase().name().to_owned(),
            };
            let life = format!("{}: {life}", standing(state.life()));
            let title = short(&state.setup().campaign.title, 40);
            let calls = state.calls().total().calls;
            Row { id, title, opened_ms: loaded.opened.0, turns: state.turn().number, calls, state: life }
        }
        Err(why) => {
            Row { id, title: String::new(), opened_ms: 0, turns: 0, calls: 0, state: short(&why, 60) }
        }
    }
}

/// A transcript of another program: as many turns as its lines, and nothing to play.
fn foreign_row(id: String, reader: &Reader, opened: &ForeignOpened) -> Row {
    let at = reader.head().at.0;
    let turns = u32::try_from(reader.head().entries.saturating_sub(1)).unwrap_or(u32::MAX);
    let state = format!("foreign: {}", short(&opened.format, 40));
    Row { id, title: short(&opened.file, 40), opened_ms: at, turns, calls: 0, state }
}

/// The day and time of so many milliseconds since 1970, where the program runs.
pub fn when(ms: u64) -> String {
    let stamp = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    stamp.map_or_else(String::new, |stamp| {
        stamp.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
    })
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
