//! A build that sends no traces.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::sync::Arc;

use twicetold_event::{CampaignId, Entry};
use twicetold_host::Library;
use twicetold_referee::Campaign;

use crate::failure::Failure;
use crate::signals::StopSignals;

/// No options.
#[derive(clap::Args)]
pub struct Traced {}

/// There are none.
pub struct Traces<'l>(Infallible, PhantomData<&'l ()>);

/// As above.
pub type LiveTraces<'l> = Traces<'l>;

impl Traced {
    /// Nothing.
    pub fn flag(&self) -> String {
        String::new()
    }

    /// None.
    pub fn traces<'l>(&self, _: &'l Library) -> Result<Option<Traces<'l>>, Failure> {
        Ok(None)
    }

    /// None.
    pub fn afterwards(&self, _: &Arc<Library>) -> Result<Option<Afterwards>, Failure> {
        Ok(None)
    }
}

/// There are none.
pub struct Afterwards(Infallible);

impl Afterwards {
    /// Never.
    pub fn over(&self) -> Box<dyn Fn(CampaignId) + Send + Sync> {
        match self.0 {}
    }

    /// Never.
    pub async fn finish(self, _: &mut StopSignals) {
        match self.0 {}
    }
}

impl<'l> Traces<'l> {
    /// Never.
    pub fn live(self, _: &Campaign, _: CampaignId) -> Result<LiveTraces<'l>, Failure> {
        match self.0 {}
    }

    /// Never.
    pub fn committed(&mut self, _: &Campaign, _: &Entry) {
        match self.0 {}
    }
}

/// Never.
pub async fn finish(traces: LiveTraces<'_>, _: &mut StopSignals) {
    match traces.0 {}
}
