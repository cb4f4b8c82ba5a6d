//! The same sections as pieces of pages that a server hands out: beside each other, and with a page of its own for every cause.

use twicetold_projection::people::Line;
use twicetold_world::State;

use super::{anchors, cast, cost, goals, head, party, story, timeline};
use crate::text::clean;
use crate::{Record, ReportError};

/// Where a page stands. A report stands alone: it opens every cause in its place. A page of a server links to the pages of causes,
/// and folds what would spoil the story.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'a> {
    /// The front of the address of a cause's page, to which its number is added; none on a page that stands alone.
    pub why: Option<&'a str>,
}

impl Frame<'_> {
    /// Is there no other page?
    pub(crate) fn is_alone(self) -> bool {
        self.why.is_none()
    }
}

/// Turns of the story that a page shows unless all are asked for: with them it opens at once and scrolls smoothly, however long the
/// campaign is.
pub const TURNS_SHOWN_MAX: u32 = 300;

/// Rows of the timeline that such a page shows unless all are asked for: they are sent again whenever something happens.
const MOMENTS_SHOWN_MAX: usize = 100;

/// What a page shows in full of a long campaign. To open all of it at once would take a browser a second and more.
#[derive(Clone, Copy, Debug, Default)]
pub struct Full {
    /// All turns of the story, and not the last ones alone.
    pub turns: bool,
    /// All rows of the timeline.
    pub timeline: bool,
}

/// A campaign as a server shows it. Fields that end in `html` were escaped where they were made.
pub struct Served {
    /// Its title.
    pub title: String,
    /// Its id.
    pub id: String,
    /// Has it ended?
    pub is_over: bool,
    /// How it stands.
    pub ending: String,
    /// When it was opened.
    pub opened: String,
    /// Turns, calls, tokens and so on.
    pub facts: Vec<(&'static str, String)>,
    /// The section of the story.
    pub story_html: String,
    /// All other sections, one after the other.
    pub side_html: String,
}

/// The pieces of a campaign's page; of a long one what is new unless `full` asks for all.
///
/// # Errors
/// A piece could not be written, which is a bug.
pub fn served(record: &Record, frame: Frame<'_>, full: Full) -> Result<Served, ReportError> {
    let last = record.state().turn().number;
    let first = last.saturating_sub(TURNS_SHOWN_MAX);
    let is_shown = |turn: u32| full.turns || first == 0 || turn > first;
    let from = record.entries.partition_point(|entry| !is_shown(entry.turn_of(entry.header.first)));
    let head = head(record);
    let (mut story_html, mut side_html) =
        (clean(&story::section(record, None, from, frame)?), beside(record, frame, full.timeline)?);
    // What the page does not show has a page of its own: no link leads nowhere.
    let missing = anchors::missing(&format!("{story_html}{side_html}"));
    for html in [&mut story_html, &mut side_html] {
        *html = anchors::led(html, &missing, frame.why.unwrap_or_default());
    }
    Ok(Served {
        title: clean(&head.title),
        id: head.id,
        is_over: head.is_over,
        ending: clean(&head.ending),
        opened: head.opened,
        facts: head.facts,
        story_html,
        side_html,
    })
}

/// All sections but the story, as a page has them that does not show all.
///
/// # Errors
/// A section could not be written, which is a bug.
pub fn side(record: &Record, frame: Frame<'_>) -> Result<String, ReportError> {
    beside(record, frame, false)
}

fn beside(record: &Record, frame: Frame<'_>, whole: bool) -> Result<String, ReportError> {
    let sections = [
        party::section(record, frame)?,
        cast::section(record)?,
        goals::section(record, None, frame)?,
        timeline::section(record, if whole { usize::MAX } else { MOMENTS_SHOWN_MAX })?,
        cost::section(record)?,
    ];
    Ok(clean(&sections.join("\n")))
}

/// The scenes of the entries from this place of the record on, for a page that shows those before.
///
/// # Errors
/// They could not be written, which is a bug.
pub fn story_after(record: &Record, from: usize, frame: Frame<'_>) -> Result<String, ReportError> {
    Ok(clean(&story::more(record, from, frame)?))
}

/// Lines as one seat may know them, in the looks of the story.
///
/// # Errors
/// They could not be written, which is a bug.
pub fn heard_html(state: &State, lines: &[Line]) -> Result<String, ReportError> {
    Ok(clean(&story::heard(state, lines)?))
}
