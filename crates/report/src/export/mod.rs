//! A journal in other formats, each for somebody who has a use for it.

mod chat;
mod jsonl;
mod markdown;

use crate::{LoadedJournal, ReportError, embeds, endings};

pub use chat::{ChatLine, ForeignChat, chat, foreign_chat};
pub use jsonl::{JsonLines, LogLine, jsonl};
pub use markdown::{foreign_markdown, markdown};

/// The whole story and its card as bodies for a Discord webhook, one a line, in the order in which they are to be posted.
///
/// # Errors
/// A body could not be written, which is a bug.
pub fn discord(journal: &LoadedJournal) -> Result<String, ReportError> {
    let lines: Vec<_> = journal.lines.values().cloned().collect();
    let state = journal.state();
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
