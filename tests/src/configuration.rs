//! The repository's configuration as a charter's files.

use std::path::{Path, PathBuf};

use twicetold_world::setup::SourceFile;

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a charter for the bundled campaign, with these players, all played by the improviser.
pub fn configuration(players: u8) -> Vec<SourceFile> {
    configuration_of("one-lantern-short", Some(players))
}

/// The files of a charter for this campaign, with so many players or as many as it is written for.
pub fn configuration_of(campaign: &str, players: Option<u8>) -> Vec<SourceFile> {
    twicetold_sim::configuration_of(campaign, players).expect("the configuration is complete")
}
