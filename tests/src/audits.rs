//! A journal as the transcript that detectors look at.

use twicetold_audit::{Recorder, Transcript};
use twicetold_journal::Source;
use twicetold_referee::Campaign;
use twicetold_session::{charter_of, entries};

/// The transcript of a campaign; panics when the journal is damaged.
pub fn transcript(source: &dyn Source) -> Transcript {
    let (charter, setup) = charter_of(source).expect("the journal has a charter");
    let mut campaign = Campaign::new(charter, setup).expect("the charter is sound");
    let mut recorder = Recorder::new();
    for entry in entries(source).expect("the journal can be read") {
        let entry = entry.expect("the journal is whole");
        campaign.fold(&entry).expect("the entry follows");
        recorder.entry(campaign.state(), campaign.replies(), &entry);
    }
    recorder.finish()
}
