//! Promise: every journal under `replays/` is told again exactly, for ever, with the transcript and the why that belong to it.
//!
//! A changed golden file is a changed promise: say so in the changelog. `just record NAME` adds one.

use std::fs;
use std::path::{Path, PathBuf};

use twicetold_journal::open_source;
use twicetold_projection::people::{Line, lines};
use twicetold_session::{Verdict, charter_of, entries, replay, why_goal};
use twicetold_tests::repository;

fn recorded() -> Vec<PathBuf> {
    let folders = fs::read_dir(repository().join("replays")).expect("replays/ is there");
    let mut folders: Vec<PathBuf> =
        folders.map(|folder| folder.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    assert!(folders.len() >= 3, "the golden journals are gone");
    folders
}

fn transcript(folder: &Path) -> String {
    let source = open_source(&folder.join("journal.twicetold")).expect("the journal opens");
    let (charter, setup) = charter_of(source.as_ref()).expect("it has a charter");
    let mut campaign = twicetold_referee::Campaign::new(charter, setup).expect("the charter is sound");
    let mut all: Vec<Line> = Vec::new();
    for entry in entries(source.as_ref()).unwrap() {
        let entry = entry.expect("the entry is whole");
        campaign.fold(&entry).expect("its manifests fit");
        all.extend(lines(campaign.state(), campaign.replies(), &entry));
    }
    all.iter()
        .map(|line| format!("#{} {:?} {}| {}\n", line.number, line.kind, line.speaker, line.text))
        .collect()
}

/// Compares with a golden file, or writes it when the environment asks for that.
fn golden(path: &Path, found: &str) {
    #[allow(clippy::disallowed_methods, reason = "asked for by the person who records")]
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    if update {
        fs::write(path, found).unwrap();
    }
    let golden = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(golden == found, "{} is not what it was: a promise has changed", path.display());
}

#[test]
fn every_golden_journal_is_told_again_exactly() {
    for folder in recorded() {
        let source = open_source(&folder.join("journal.twicetold"))
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let report =
            replay(source.as_ref(), None).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        if let Verdict::Diverged(at) = &report.verdict {
            let at = &at.divergence;
            panic!(
                "{} diverges at {}\n journal: {}\n build:   {}",
                folder.display(),
                at.number,
                at.journal,
                at.build
            );
        }
        assert_eq!(report.told_story, report.recorded_story);
        assert!(report.over && report.requests > 0, "{}", folder.display());
    }
}

#[test]
fn their_transcripts_are_what_they_were() {
    for folder in recorded() {
        golden(&folder.join("transcript.txt"), &transcript(&folder));
    }
}

#[test]
fn the_whys_of_their_goals_are_what_they_were() {
    for folder in recorded() {
        let source = open_source(&folder.join("journal.twicetold")).unwrap();
        let mut all = String::new();
        for id in twicetold_session::goal_ids(source.as_ref()).unwrap() {
            let (why, rebuilt) = why_goal(source.as_ref(), &id).unwrap().expect("a listed goal has a why");
            assert!(rebuilt.is_none_or(|rebuilt| rebuilt.is_exact()), "{}: {id}", folder.display());
            all += &format!("{}\n", serde_json::to_string_pretty(&why).unwrap());
        }
        golden(&folder.join("why.json"), &all);
    }
}
