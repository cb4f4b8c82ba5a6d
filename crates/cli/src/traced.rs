//! Traces of a campaign while it is played, and of many when they are over.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{JoinHandle, spawn};

use twicetold_event::CampaignId;
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

    /// The same for campaigns that are played side by side: each is sent when it is over, and play waits for none.
    pub fn afterwards(&self, library: &Arc<Library>) -> Result<Option<Afterwards>, Failure> {
        if self.traces(library)?.is_none() {
            return Ok(None);
        }
        let (address, content) = (self.otlp.clone().unwrap_or_default(), self.content);
        let (library, (over, campaigns)) = (library.clone(), channel());
        let sending = spawn(move || match Traces::new(&library, &address, content) {
            Ok(traces) => send(&library, &traces, campaigns),
            // It could be made before.
            Err(error) => Unsent { campaigns: 1, why: error.message },
        });
        Ok(Some(Afterwards { over, sending }))
    }
}

/// Takes the id of a campaign that is over.
pub type Over = Box<dyn Fn(CampaignId) + Send + Sync>;

/// Sends the traces of campaigns that are over, one after the other, beside those that are being played.
pub struct Afterwards {
    over: Sender<Option<CampaignId>>,
    sending: JoinHandle<Unsent>,
}

/// Campaigns whose traces did not get to the collector, and why.
#[derive(Default)]
struct Unsent {
    campaigns: u64,
    why: String,
}

impl Afterwards {
    /// Is told which campaign is over.
    pub fn over(&self) -> Over {
        let over = self.over.clone();
        Box::new(move |id| {
            let _ = over.send(Some(id));
        })
    }

    /// Waits for the last of them, and says what did not get to the collector.
    pub fn finish(self) {
        let Afterwards { over, sending } = self;
        let _ = over.send(None);
        let Ok(Unsent { campaigns, why }) = sending.join() else { return };
        if campaigns > 0 {
            let count = counted(campaigns, "campaign");
            say(&format!("Traces of {count} not sent ({why}); `twicetold trace ID` sends those of one."));
        }
    }
}

fn send(library: &Library, traces: &Traces<'_>, campaigns: Receiver<Option<CampaignId>>) -> Unsent {
    let mut unsent = Unsent::default();
    let mut is_dead = false;
    for id in campaigns.iter().map_while(|id| id) {
        // A collector that takes nothing is not asked again for each of the others.
        if !is_dead {
            let sent = library.read(id).and_then(|source| traces.send(&*source));
            is_dead = sent.is_err();
            unsent.why = match sent {
                Ok(sent) if sent.lost == 0 => continue,
                Ok(sent) => sent.why.unwrap_or_default(),
                Err(error) => error.message,
            };
        }
        unsent.campaigns += 1;
    }
    unsent
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
