//! The page of a transcript of another program: its words, and what was found in it. Nothing else of it is known.

use askama::Template;
use twicetold_event::ForeignOpened;
use twicetold_foreign::not_recorded;
use twicetold_projection::people::{Line, LineKind};

use crate::text::clean;
use crate::{Examination, Finding, ReportError, markdown};

/// The page. Fields that end in `html` were escaped where they were made.
#[derive(Template)]
#[template(path = "foreign.html")]
struct ForeignPage<'a> {
    style_html: &'static str,
    policy_html: &'static str,
    title: &'a str,
    missing: String,
    looked_for: String,
    not_looked_for: String,
    taken: &'a str,
    findings: &'a [Finding],
    measured: &'a [(String, Vec<String>)],
    lines: Vec<Shown<'a>>,
}

/// A line of it.
struct Shown<'a> {
    number: u64,
    speaker: &'a str,
    text: &'a str,
    html: String,
}

/// There is nothing to run on it.
pub(super) const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page of a transcript of another program.
///
/// # Errors
/// The page could not be written, which is a bug.
pub fn foreign_html(
    opened: &ForeignOpened,
    lines: &[Line],
    examined: &Examination,
) -> Result<String, ReportError> {
    let told = lines.iter().filter(|line| line.kind != LineKind::Heading);
    let shown = told.map(|line| Shown {
        number: line.number,
        speaker: &line.speaker,
        text: &line.text,
        html: markdown::html(&line.text),
    });
    let page = ForeignPage {
        style_html: super::STYLE,
        policy_html: POLICY,
        title: &opened.file,
        missing: not_recorded(opened).join(", "),
        measured: &examined.measured,
        looked_for: examined.looked_for.join("; "),
        not_looked_for: examined.not_looked_for.join("; "),
        taken: &examined.taken,
        findings: &examined.findings,
        lines: shown.collect(),
    };
    Ok(clean(&page.render()?))
}
