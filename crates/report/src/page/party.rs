//! The party document: the scenario, and every section with all its versions.

use askama::Template;
use twicetold_event::{Event, Section as Part};
use twicetold_projection::{people, words};

use super::Frame;
use crate::{Record, ReportError, markdown};

/// The section of a page.
#[derive(Template)]
#[template(path = "party.html")]
struct Party<'a> {
    frame: Frame<'a>,
    scenario: Vec<(&'static str, String)>,
    sections: Vec<Section>,
}

/// A section of the party document with its versions, the newest first.
struct Section {
    name: String,
    /// Do only some of the table know it?
    secret: bool,
    versions: Vec<Version>,
}

struct Version {
    version: u32,
    number: u64,
    reason: String,
    html: String,
}

/// The section of what is written about the party.
pub(super) fn section(journal: &Record, frame: Frame<'_>) -> Result<String, ReportError> {
    Ok(Party { frame, scenario: scenario(journal), sections: sections(journal) }.render()?)
}

fn scenario(journal: &Record) -> Vec<(&'static str, String)> {
    let page = people::party(journal.state(), journal.campaign.replies());
    let parts =
        [("The scenario", page.scenario), ("The scenario, for the DM alone", page.scenario_for_the_dm)];
    parts
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(title, text)| (title, markdown::html(&text)))
        .collect()
}

fn sections(journal: &Record) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (number, event) in journal.entries.iter().flat_map(|entry| entry.numbered()) {
        let Event::PartyDocumentUpdated(word) = event else { continue };
        let html = markdown::html(words(journal.campaign.replies(), &word.text).trim());
        let version = Version { version: word.version, number: number.0, reason: word.reason.clone(), html };
        match sections.iter_mut().find(|section| section.name == word.section.name()) {
            Some(section) => section.versions.insert(0, version),
            None => sections.push(Section {
                name: word.section.name().to_owned(),
                secret: word.section == Part::Secrets,
                versions: vec![version],
            }),
        }
    }
    sections
}
