//! `tree`: which campaign branches off which.

use std::collections::BTreeMap;
use std::process::ExitCode;

use twicetold_journal::open_read_only;
use twicetold_session::lineage;
use twicetold_world::Life;

use crate::failure::Failure;
use crate::library::Library;
use crate::terminal::{DIM, json_line, print, safe, short};

/// Shows campaigns with their branches
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A campaign in the tree.
#[derive(serde::Serialize)]
struct Row {
    id: String,
    title: String,
    state: String,
    opened_ms: u64,
    /// The campaign that it branches off, the number after the last that both share, and what was changed.
    branch: Option<(String, u64, String)>,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut rows: Vec<Row> = library.entries().into_iter().filter_map(|entry| row(library, entry)).collect();
    rows.sort_by_key(|row| row.opened_ms);
    let text = if arguments.json { json_line(&rows) } else { drawn(&rows) };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A campaign that can be read; `list` tells of the others.
fn row(library: &Library, entry: crate::library::Entry) -> Option<Row> {
    let reader = open_read_only(&entry.path).ok()?;
    let loaded = library.view(entry.id).load(&reader).ok()?;
    let branch =
        lineage(&reader).ok()?.pop().map(|(_, asked)| (asked.parent.to_string(), asked.at.0, asked.note));
    let state = loaded.campaign.state();
    let life = match state.life() {
        Life::Ended { .. } => "over".to_owned(),
        Life::Parked { .. } => "parked".to_owned(),
        _ => state.phase().name().to_owned(),
    };
    let title = state.setup().campaign.title.clone();
    Some(Row { id: entry.id.to_string(), title, state: life, opened_ms: loaded.opened.0, branch })
}

fn drawn(rows: &[Row]) -> String {
    if rows.is_empty() {
        return "There are no campaigns that could have branches. `twicetold run` plays one.\n".to_owned();
    }
    let known = |id: &str| rows.iter().any(|row| row.id == id);
    let mut children: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    let mut roots = Vec::new();
    for row in rows {
        match &row.branch {
            Some((parent, ..)) if known(parent) => children.entry(parent).or_default().push(row),
            _ => roots.push(row),
        }
    }
    let mut out = String::new();
    // Each campaign once, its branches below it; the lead says how deep.
    let mut open: Vec<(&Row, String, String)> =
        roots.into_iter().rev().map(|row| (row, String::new(), String::new())).collect();
    while let Some((row, lead, below)) = open.pop() {
        let branch = row.branch.as_ref().map_or_else(String::new, |(_, at, note)| {
            let note = if note.is_empty() { String::new() } else { format!(": {}", short(note, 60)) };
            format!(" {DIM}after #{}{note}{DIM:#}", at.saturating_sub(1))
        });
        out += &format!("{lead}{:.8}  {} ({}){branch}\n", row.id, safe(&row.title), row.state);
        let kept = children.remove(row.id.as_str()).unwrap_or_default();
        for (place, child) in kept.iter().enumerate().rev() {
            let (corner, line) =
                if place + 1 == kept.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            open.push((child, format!("{below}{corner}"), format!("{below}{line}")));
        }
    }
    out
}
