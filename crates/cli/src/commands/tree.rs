//! `tree`: which campaign branches off which.

use std::collections::BTreeMap;
use std::process::ExitCode;

use twicetold_event::CampaignId;
use twicetold_host::Library;
use twicetold_session::lineage;

use crate::data::{BranchedOff, InTree, Tree, document};
use crate::failure::Failure;
use crate::pager::page;
use crate::terminal::{BOLD, DIM, counted, short, when};
use crate::told::{Brief, Standing, told};

/// Shows campaigns with their branches
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut rows: Vec<InTree> = library.list()?.into_iter().filter_map(|id| row(library, id)).collect();
    rows.sort_by_key(|row| row.opened_ms);
    let text = if arguments.json { document(Tree { campaigns: rows }) } else { drawn(&rows) };
    page(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A campaign that can be read; `list` tells of the others.
fn row(library: &Library, id: CampaignId) -> Option<InTree> {
    let reader = library.read(id).ok()?;
    let brief = told(&*reader).ok()?.brief(&library.view(id)).ok()?;
    let branch = lineage(&*reader).ok()?.pop().map(|(_, asked)| BranchedOff {
        parent: asked.parent,
        at: asked.at.0,
        changed: asked.note,
    });
    let Brief { title, state, detail, turns, opened_ms, .. } = brief;
    Some(InTree { campaign: id, title, state, detail, turns: Some(turns), opened_ms, branch })
}

fn drawn(rows: &[InTree]) -> String {
    if rows.is_empty() {
        return "There are no campaigns that could have branches. `twicetold run` plays one.\n".to_owned();
    }
    let known = |id: CampaignId| rows.iter().any(|row| row.campaign == id);
    let mut children: BTreeMap<CampaignId, Vec<&InTree>> = BTreeMap::new();
    let mut roots = Vec::new();
    for row in rows {
        match &row.branch {
            Some(branch) if known(branch.parent) => children.entry(branch.parent).or_default().push(row),
            _ => roots.push(row),
        }
    }
    let mut out = String::new();
    // Each campaign once, its branches below it; the lead says how deep.
    let mut open: Vec<(&InTree, String, String)> =
        roots.into_iter().rev().map(|row| (row, String::new(), String::new())).collect();
    while let Some((row, lead, below)) = open.pop() {
        let branch = row.branch.as_ref().map_or_else(String::new, |BranchedOff { at, changed, .. }| {
            let changed =
                if changed.is_empty() { String::new() } else { format!(": {}", short(changed, 60)) };
            format!(" {DIM}after #{}{changed}{DIM:#}", at.saturating_sub(1))
        });
        let style = row.state.style_with(&row.detail);
        let state = format!("{style}{}{style:#}", row.state.name());
        // A reason why it is paused is for `list`.
        let detail = match row.state {
            Standing::Over if !row.detail.is_empty() => format!(": {}", short(&row.detail, 60)),
            _ => String::new(),
        };
        let (title, turns) = (
            short(&row.title, 60),
            counted(
                u64::from(row.turns.unwrap_or(0)),
                if row.state == Standing::Foreign { "line" } else { "turn" },
            ),
        );
        let id = format!("{BOLD}{:.8}{BOLD:#}", row.campaign);
        out += &format!("{lead}{id}  {title}, {}, {turns}, {state}{detail}{branch}\n", when(row.opened_ms));
        let kept = children.remove(&row.campaign).unwrap_or_default();
        for (place, child) in kept.iter().enumerate().rev() {
            let (corner, line) =
                if place + 1 == kept.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            open.push((child, format!("{below}{corner}"), format!("{below}{line}")));
        }
    }
    out
}
