//! `tree`: which campaign branches off which.

use std::collections::BTreeMap;
use std::process::ExitCode;

use twicetold_event::CampaignId;
use twicetold_host::Library;
use twicetold_session::lineage;

use crate::failure::Failure;
use crate::pager::page;
use crate::terminal::{DIM, json_line, safe, short};
use crate::told::{Brief, Standing, told};

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
    state: Standing,
    opened_ms: u64,
    branch: Option<Branch>,
}

/// Where a campaign branches off.
#[derive(serde::Serialize)]
struct Branch {
    /// The campaign that it branches off.
    parent: String,
    /// The number after the last that both share.
    at: u64,
    /// What was changed, in a few words.
    changed: String,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut rows: Vec<Row> = library.list().into_iter().filter_map(|id| row(library, id)).collect();
    rows.sort_by_key(|row| row.opened_ms);
    let text = if arguments.json { json_line(&rows) } else { drawn(&rows) };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A campaign that can be read; `list` tells of the others.
fn row(library: &Library, id: CampaignId) -> Option<Row> {
    let reader = library.read(id).ok()?;
    let brief = told(&*reader).ok()?.brief(&library.view(id)).ok()?;
    let branch = lineage(&*reader).ok()?.pop().map(|(_, asked)| Branch {
        parent: asked.parent.to_string(),
        at: asked.at.0,
        changed: asked.note,
    });
    let Brief { title, state, opened_ms, .. } = brief;
    Some(Row { id: id.to_string(), title, state, opened_ms, branch })
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
            Some(branch) if known(&branch.parent) => children.entry(&branch.parent).or_default().push(row),
            _ => roots.push(row),
        }
    }
    let mut out = String::new();
    // Each campaign once, its branches below it; the lead says how deep.
    let mut open: Vec<(&Row, String, String)> =
        roots.into_iter().rev().map(|row| (row, String::new(), String::new())).collect();
    while let Some((row, lead, below)) = open.pop() {
        let branch = row.branch.as_ref().map_or_else(String::new, |Branch { at, changed, .. }| {
            let changed =
                if changed.is_empty() { String::new() } else { format!(": {}", short(changed, 60)) };
            format!(" {DIM}after #{}{changed}{DIM:#}", at.saturating_sub(1))
        });
        out += &format!("{lead}{:.8}  {} ({}){branch}\n", row.id, safe(&row.title), row.state.name());
        let kept = children.remove(row.id.as_str()).unwrap_or_default();
        for (place, child) in kept.iter().enumerate().rev() {
            let (corner, line) =
                if place + 1 == kept.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            open.push((child, format!("{below}{corner}"), format!("{below}{line}")));
        }
    }
    out
}
