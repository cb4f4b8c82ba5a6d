//! Looks for a fault of one's own in a campaign, or in a transcript of another program.
//!
//! `cargo run -p twicetold-host --example detector -- FILE` reads an export or a transcript in any format that `twicetold import` reads.

use std::error::Error;
use std::path::Path;

use twicetold_audit::{Detector, Finding, Recorder, Severity, Transcript, Verdict, audit_by};
use twicetold_host::reading::walk;
use twicetold_host::transcripts::{Asked, is_foreign, open_transcript};
use twicetold_journal::open_source;
use twicetold_session::entries;

/// More characters in one message than a table listens to.
const LONG: usize = 600;

const SPEECHES: Detector = Detector {
    name: "speeches",
    about: "messages that are longer than a table listens to",
    look: speeches,
    measure: |_| Vec::new(),
};

fn speeches(transcript: &Transcript) -> Verdict {
    let long = transcript.lines.iter().filter(|line| line.text.chars().count() > LONG);
    let finding = |line: &twicetold_audit::Line| Finding {
        severity: Severity::Info,
        confidence: 100,
        detector: SPEECHES.name,
        count: 1,
        numbers: vec![line.number],
        sentence: line.text.chars().take(60).collect(),
        why: format!("{} speaks {} characters at once", line.voice, line.text.chars().count()),
    };
    Verdict::Looked(long.map(finding).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("name a file: an export, or another program's transcript")?;
    for finding in look(Path::new(&file))? {
        println!("#{}: {} ({}…)", finding.numbers[0], finding.why, finding.sentence);
    }
    Ok(())
}

fn look(file: &Path) -> Result<Vec<Finding>, Box<dyn Error>> {
    let transcript = if is_foreign(file) {
        let source = open_transcript(&Asked::default(), file)?;
        twicetold_foreign::transcript(&entries(source.as_ref())?.collect::<Result<Vec<_>, _>>()?)
    } else {
        let mut recorder = Recorder::new();
        walk(open_source(file)?.as_ref(), None, |campaign, entry| {
            recorder.entry(campaign.state(), campaign.replies(), entry);
            true
        })?;
        recorder.finish()
    };
    let report = audit_by(&transcript, &[SPEECHES]);
    Ok(report.outcomes.into_iter().flat_map(|outcome| outcome.findings).collect())
}

#[test]
fn a_recorded_campaign_is_looked_at() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays/improv/journal.twicetold");
    let found = look(&file).unwrap();
    assert!(found.iter().all(|finding| finding.detector == "speeches" && !finding.numbers.is_empty()));
    assert!(!found.is_empty(), "the opening is longer than that");
}
