//! A journal as the transcript that detectors look at.

use std::path::Path;

use twicetold_audit::{Recorder, Transcript};
use twicetold_event::{Build, CampaignId, Millis};
use twicetold_foreign::{Mapping, Told};
use twicetold_journal::Source;
use twicetold_referee::Campaign;
use twicetold_session::{charter_of, entries};

/// The bundled campaigns.
pub const CAMPAIGNS: [&str; 5] =
    ["one-lantern-short", "the-borrowed-boat", "the-weir-book", "the-last-tram-but-one", "the-bell-road"];

/// The transcript of another program, and the lines at which its records begin.
///
/// # Errors
/// The file or the mapping cannot be read: why, for people.
pub fn foreign(file: &Path, mapping: &Path) -> Result<(Transcript, Vec<u64>), String> {
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let common = read(&mapping.with_file_name("common.toml"))?;
    let mapping =
        Mapping::read(read(mapping)?, &common).map_err(|error| format!("{}: {error}", mapping.display()))?;
    let records = twicetold_foreign::records(file, &read(file)?, &mapping, &Told::default())
        .map_err(|error| error.to_string())?;
    let lines = records.iter().map(|(record, _)| record.line).collect();
    let whose = (CampaignId([7; 16]), Build::new("test"), Millis(0));
    let journal =
        twicetold_foreign::journal(whose, &mapping, file, records).map_err(|error| error.to_string())?;
    let entries: Result<Vec<_>, _> = entries(&journal).map_err(|error| error.to_string())?.collect();
    Ok((twicetold_foreign::transcript(&entries.map_err(|error| error.to_string())?), lines))
}

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
