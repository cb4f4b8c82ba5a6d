//! Promise: every journal under `replays/` is replayed exactly, for ever, with the transcript and the why that belong to it.
//!
//! A changed golden file is a changed promise: say so in the changelog. `just golden` records them all anew.

use std::fs;
use std::path::{Path, PathBuf};

use twicetold_journal::open_source;
use twicetold_projection::people::{Line, lines};
#[cfg(not(feature = "new-sentence"))]
use twicetold_session::{Explainer, goal_ids, load};
use twicetold_session::{Verdict, charter_of, entries, replay};

// The crate of the tests would bring along all others.
#[path = "../../../tests/src/golden.rs"]
mod golden;
use golden::golden;

fn recorded() -> Vec<PathBuf> {
    let folders =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays")).expect("replays/ is there");
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

#[test]
fn every_golden_journal_is_replayed_exactly() {
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
        let (path, found) = (folder.join("transcript.txt"), transcript(&folder));
        // Where every sentence for people is another one, this is seen here and in no request.
        if cfg!(feature = "new-sentence") {
            assert_ne!(fs::read_to_string(path).unwrap(), found);
        } else {
            golden(&path, &found);
        }
    }
}

#[cfg(not(feature = "new-sentence"))]
#[test]
fn the_reasons_for_their_goals_are_what_they_were() {
    for folder in recorded() {
        let source = open_source(&folder.join("journal.twicetold")).unwrap();
        let mut all = String::new();
        let loaded = load(source.as_ref()).unwrap();
        let explainer = Explainer::new(source.as_ref(), &loaded).unwrap();
        for id in goal_ids(loaded.campaign.state()) {
            let why = explainer.goal(&id, 1).unwrap().expect("a listed goal has a why");
            let request = why.registered.as_ref().and_then(|why| why.request.as_ref());
            assert!(request.is_none_or(|request| request.exact), "{}: {id}", folder.display());
            all += &format!("{}\n", serde_json::to_string_pretty(&why).unwrap());
        }
        golden(&folder.join("why.json"), &all);
    }
}
