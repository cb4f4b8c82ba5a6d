//! The page: one HTML file that needs nothing but itself.

mod anchors;
mod cast;
mod cost;
mod foreign;
mod goals;
mod graph;
mod party;
mod served;
mod story;
mod sweep;
mod timeline;
mod why;

pub use foreign::foreign_html;
pub use served::{Frame, Full, Served, TURNS_SHOWN_MAX, heard_html, served, side, story_after};
pub use sweep::{SweepCell, sweep_html};
pub use why::{WhyPage, why_page};

use askama::Template;
use base64::Engine;
use sha2::{Digest, Sha256};
use twicetold_projection::people::{why_over, why_paused};
use twicetold_session::Card;
use twicetold_world::Life;

use crate::models::models_text;
use crate::text::{clean, counted, day, grouped, short};
use crate::{Examination, Finding, LoadedJournal, Record, ReportError, limits};

/// The looks of all pages.
pub const STYLE: &str = include_str!("../../templates/report.css");
const SCRIPT: &str = include_str!("../../templates/report.js");

/// The page. Fields that end in `html` were escaped where they were made.
#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    style_html: &'static str,
    script_html: &'static str,
    policy_html: String,
    card: Head,
    looked_for: String,
    findings: Vec<FoundView<'a>>,
    measured: &'a [(String, Vec<String>)],
    story_html: String,
    party_html: String,
    cast_html: String,
    goals_html: String,
    timeline_html: String,
    cost_html: String,
    others: Vec<Other>,
}

/// What the campaign was, in a few words.
struct Head {
    title: String,
    id: String,
    is_over: bool,
    ending: String,
    opened: String,
    facts: Vec<(&'static str, String)>,
    outcomes: Vec<(bool, String)>,
    build: String,
}

/// A finding, with the numbers that there are and those that there are not.
struct FoundView<'a> {
    finding: &'a Finding,
    numbers: Vec<(u64, bool)>,
}

/// A number that something points to and that nothing else on the page shows.
struct Other {
    number: u64,
    name: &'static str,
    text: String,
}

/// The page of a campaign. What was found in it is shown on top, or what was looked for; if nothing was, there is no such section.
///
/// # Errors
/// The page could not be written, which is a bug.
pub fn html(journal: &LoadedJournal, examined: &Examination) -> Result<String, ReportError> {
    let explainer = journal.explainer()?;
    let frame = Frame::default();
    let mut page = Page {
        style_html: STYLE,
        script_html: SCRIPT,
        policy_html: policy(),
        card: head(journal),
        measured: &examined.measured,
        looked_for: examined.looked_for.join("; "),
        findings: examined.findings.iter().map(|finding| found(journal, finding)).collect(),
        story_html: story::section(journal, Some(&explainer), 0, frame)?,
        party_html: party::section(journal, frame)?,
        cast_html: cast::section(journal)?,
        goals_html: goals::section(journal, Some(&explainer), frame)?,
        timeline_html: timeline::section(journal, usize::MAX)?,
        cost_html: cost::section(journal)?,
        others: Vec::new(),
    };
    // Whatever the page points to and does not show yet is shown at its end: no link leads nowhere.
    let missing = anchors::missing(&page.render()?);
    page.others = missing.into_iter().filter_map(|number| other(journal, number)).collect();
    Ok(clean(&page.render()?))
}

/// What the page may do: show its own styles and run its one script, known by its digest; nothing is fetched from anywhere.
fn policy() -> String {
    let digest = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
}

fn head(journal: &Record) -> Head {
    let state = journal.state();
    let card = Card::of(state, journal.campaign.story(), None);
    let (is_over, ending) = match state.life() {
        Life::Ended { reason, .. } => (true, why_over(reason)),
        Life::Paused { fault, reason, .. } => (false, format!("paused: {}", why_paused(*fault, reason))),
        Life::Unopened => (false, "not opened".into()),
        Life::Running => (false, "interrupted".into()),
    };
    let tokens = card.tokens();
    let outcomes = card.goals.into_iter().filter_map(|page| {
        let reached = page.goals.iter().find(|goal| goal.reached);
        Some(match reached {
            Some(goal) => (true, format!("{}: {}", page.title, goal.label)),
            None => (false, format!("{}: {}", page.title, page.ended?)),
        })
    });
    Head {
        title: card.title,
        id: journal.id.to_string(),
        is_over,
        ending,
        opened: day(journal.opened.0),
        facts: vec![
            ("Model", models_text(&state.setup().seats)),
            ("Turns", grouped(u64::from(card.turns))),
            ("Model calls", grouped(u64::from(card.calls))),
            ("Tokens", grouped(tokens)),
            ("Events", grouped(journal.next)),
            ("Seed", card.seed.to_string()),
            ("Rules version", state.setup().rules_version.to_string()),
            ("Story digest", format!("{:.12}", card.story)),
        ],
        outcomes: outcomes.collect(),
        build: journal.entries.last().map_or_else(String::new, |entry| entry.header.build.to_string()),
    }
}

fn found<'a>(journal: &Record, finding: &'a Finding) -> FoundView<'a> {
    FoundView {
        finding,
        numbers: finding.numbers.iter().map(|number| (*number, *number < journal.next)).collect(),
    }
}

fn other(journal: &Record, number: u64) -> Option<Other> {
    let (name, text) = journal.hint(number)?;
    Some(Other { number, name, text: short(&text, 2 * limits::HINT_CHARACTERS_MAX) })
}

/// A link to another number, with a hint of what it is.
pub(crate) struct Hint {
    pub(crate) number: u64,
    pub(crate) name: &'static str,
    pub(crate) text: String,
}

pub(crate) fn hint(journal: &Record, number: u64) -> Option<Hint> {
    let (name, text) = journal.hint(number)?;
    Some(Hint { number, name, text: short(&text, limits::HINT_CHARACTERS_MAX) })
}

/// `3 calls`, for templates.
pub(crate) fn many(count: usize, one: &str, more: &str) -> String {
    counted(count as u64, one, more)
}
