//! Traces of a campaign while it is played.

use twicetold_host::Library;
pub use twicetold_host::traces::{LiveTraces, Traces};

use crate::failure::Failure;
use crate::play::say;
use crate::signals::StopSignals;
use crate::terminal::counted;

/// Where traces are sent.
#[derive(clap::Args)]
pub struct Traced {
    /// Send OpenTelemetry traces to this collector during play, e.g. http://127.0.0.1:4318. Play never waits for it
    #[arg(long, value_name = "URL", env = "TWICETOLD_OTLP")]
    otlp: Option<String>,

    /// Send prompts, replies and arguments of tools to the collector too
    #[arg(long, requires = "otlp")]
    content: bool,
}

impl Traced {
    /// The collector, if there is one. An address that cannot be used is told of before anything is played.
    pub fn traces<'l>(&self, library: &'l Library) -> Result<Option<Traces<'l>>, Failure> {
        let address = self.otlp.as_deref().filter(|address| !address.is_empty());
        Ok(address.map(|address| Traces::new(library, address, self.content)).transpose()?)
    }
}

/// Waits a little for the last spans, and says what did not get to the collector.
pub async fn finish(traces: LiveTraces<'_>, signals: &mut StopSignals) {
    let stop = async {
        signals.next().await;
    };
    let sent = traces.finish(stop).await;
    if sent.lost > 0 {
        let why = sent.why.unwrap_or_default();
        say(&format!("{} not sent ({why}); `twicetold trace` sends them again.", counted(sent.lost, "span")));
    }
}
