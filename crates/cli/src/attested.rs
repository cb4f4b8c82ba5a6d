//! Attestations that are written whenever play stops.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use twicetold_event::CampaignId;
use twicetold_host::Library;
use twicetold_host::attestation::Attesting;

use crate::failure::Failure;

/// Where attestations are written.
#[derive(clap::Args)]
pub struct Attested {
    /// When play stops, write a signed attestation of the campaign to this folder; `verify` compares the journal
    /// with it, and `resume` does so before it continues. A folder on another machine is best
    #[arg(long, value_name = "DIR", env = "TWICETOLD_ATTEST", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    attest: Option<PathBuf>,
}

impl Attested {
    /// What attests the campaigns of a library, if anything does. A folder that cannot be used is told of before anything is played.
    pub fn attesting<'l>(&self, library: &'l Library) -> Result<Attests<'l>, Failure> {
        let folder = self.attest.as_deref().filter(|folder| !folder.as_os_str().is_empty());
        let attesting = folder.map(|folder| Attesting::new(library, folder)).transpose()?;
        Ok(Attests(attesting.map(|attesting| (attesting, library))))
    }
}

/// Attests the campaigns of a library, or nothing.
pub struct Attests<'l>(Option<(Attesting, &'l Library)>);

impl Attests<'_> {
    /// Compares a campaign that is to go on with its last attestation in the folder.
    pub fn check(&self, id: CampaignId) -> Result<(), Failure> {
        self.0.as_ref().map_or(Ok(()), |(attesting, library)| Ok(attesting.check(library, id)?))
    }

    /// Attests where a campaign stands.
    pub fn attest(&self, id: CampaignId) -> Result<(), Failure> {
        self.0.as_ref().map_or(Ok(()), |(attesting, library)| Ok(attesting.attest(library, id)?))
    }
}
