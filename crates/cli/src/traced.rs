//! Traces of a campaign while it is played, and of many when they are over.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::spawn;
use std::time::Duration;

use tokio::sync::oneshot;
use twicetold_event::CampaignId;
use twicetold_host::Library;
use twicetold_host::traces::FINISH_MS_MAX;
pub use twicetold_host::traces::{LiveTraces, Traces};

use crate::failure::Failure;
use crate::play::say;
use crate::signals::StopSignals;
use crate::terminal::counted;

/// Where traces are sent.
#[derive(clap::Args)]
pub struct Traced {
    /// Send OpenTelemetry traces to this collector, e.g. http://127.0.0.1:4318. Play does not wait for it; its end does, 5 seconds at most
    #[arg(long, value_name = "URL", env = "TWICETOLD_OTLP")]
    otlp: Option<String>,

    /// Send prompts, replies and arguments of tools to the collector too
    #[arg(long, requires = "otlp")]
    content: bool,
}

impl Traced {
    /// The same options for another command.
    pub fn flag(&self) -> String {
        let address = self.otlp.as_deref().filter(|address| !address.is_empty());
        let content = if self.content { " --content" } else { "" };
        address.map_or_else(String::new, |address| format!(" --otlp {address}{content}"))
    }

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
        let (unsent, (done, all_sent)) = (Arc::new(Mutex::new(Unsent::default())), oneshot::channel());
        let counts = unsent.clone();
        spawn(move || {
            // The same address was accepted above.
            if let Ok(traces) = Traces::new(&library, &address, content) {
                send(&library, &traces, &campaigns, &counts);
            }
            let _ = done.send(());
        });
        Ok(Some(Afterwards { over, all_sent, unsent }))
    }
}

/// Takes the id of a campaign that is over.
pub type Over = Box<dyn Fn(CampaignId) + Send + Sync>;

/// Sends the traces of campaigns that are over, one after the other, beside those that are being played.
pub struct Afterwards {
    over: Sender<Option<CampaignId>>,
    all_sent: oneshot::Receiver<()>,
    unsent: Arc<Mutex<Unsent>>,
}

/// Campaigns whose traces did not get to the collector, or are on their way, and why.
#[derive(Default)]
struct Unsent {
    campaigns: u64,
    why: Option<String>,
}

impl Afterwards {
    /// Is told which campaign is over.
    pub fn over(&self) -> Over {
        let (over, unsent) = (self.over.clone(), self.unsent.clone());
        Box::new(move |id| {
            locked(&unsent).campaigns += 1;
            let _ = over.send(Some(id));
        })
    }

    /// Waits a little for the last of them, and says what did not get to the collector.
    pub async fn finish(self, signals: &mut StopSignals) {
        let Afterwards { over, all_sent, unsent } = self;
        let _ = over.send(None);
        tokio::select! {
            _ = all_sent => {}
            _ = signals.next() => {}
            () = tokio::time::sleep(Duration::from_millis(FINISH_MS_MAX)) => {}
        }
        let Unsent { campaigns, why } = std::mem::take(&mut *locked(&unsent));
        if campaigns > 0 {
            let count = counted(campaigns, "campaign");
            let why = why.unwrap_or_else(|| "the collector was too slow".to_owned());
            say(&format!("Traces of {count} not sent ({why}); `twicetold trace ID` sends those of one."));
        }
    }
}

fn send(
    library: &Library,
    traces: &Traces<'_>,
    campaigns: &Receiver<Option<CampaignId>>,
    unsent: &Mutex<Unsent>,
) {
    // A collector that took nothing is asked once for each of the others, until it takes something again.
    let mut is_patient = true;
    for id in campaigns.iter().map_while(|id| id) {
        let sent = library.read(id).and_then(|source| {
            let sent = traces.send(&*source, is_patient);
            is_patient = sent.is_ok();
            sent
        });
        let why = match sent {
            Ok(sent) if sent.lost == 0 => {
                let mut unsent = locked(unsent);
                unsent.campaigns = unsent.campaigns.saturating_sub(1);
                continue;
            }
            Ok(sent) => sent.why.unwrap_or_default(),
            Err(error) => error.message,
        };
        locked(unsent).why = Some(why);
    }
}

/// A thread that panicked while it held the lock has changed a number alone.
fn locked(unsent: &Mutex<Unsent>) -> MutexGuard<'_, Unsent> {
    unsent.lock().unwrap_or_else(PoisonError::into_inner)
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
