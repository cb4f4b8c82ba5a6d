//! A journal in other formats, each for somebody who has a use for it.

mod chat;
mod jsonl;
mod markdown;

use twicetold_event::Event;
use twicetold_projection::people::{Line, for_readers};

use crate::{LoadedJournal, ReportError, embeds, endings};

pub use chat::{ChatLine, ForeignChat, chat, foreign_chat};
pub use jsonl::{JsonLines, LogLine, jsonl};
pub use markdown::{foreign_markdown, markdown};

/// The story, without what is hidden from the players, and its card as bodies for a Discord webhook, one a line, in the order in which
/// they are to be posted.
///
/// # Errors
/// A body could not be written, which is a bug.
pub fn discord(journal: &LoadedJournal) -> Result<String, ReportError> {
    let state = journal.state();
    let lines: Vec<_> = unspoiled(journal).collect();
    let mut all = embeds::of_lines(state, &lines);
    all.push(embeds::card(
        state,
        journal.campaign.story(),
        &journal.id.to_string(),
        None,
        &endings(&journal.campaign, journal.source)?,
    ));
    let mut out = String::new();
    for hook in embeds::messages(all) {
        out += &serde_json::to_string(&hook)?;
        out.push('\n');
    }
    Ok(out)
}

/// The lines of the story without what is hidden from the players.
fn unspoiled(journal: &LoadedJournal) -> impl Iterator<Item = Line> {
    let setup = journal.state().setup();
    let mut in_encounter = false;
    let events = journal.entries().iter().flat_map(|entry| entry.numbered());
    events.filter_map(move |(number, event)| {
        in_encounter |= matches!(event, Event::EncounterBegan(_));
        for_readers(setup, in_encounter, event, journal.lines.get(&number.0)?.clone())
    })
}
