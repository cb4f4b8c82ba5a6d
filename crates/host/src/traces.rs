//! Sends traces of campaigns to an OpenTelemetry collector: of any campaign afterwards, and while one is played. Whatever goes wrong at the
//! collector, play goes on and does not wait for it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::JoinHandle;
use twicetold_event::{CallId, CampaignId, Entry};
use twicetold_journal::Source;
use twicetold_model::Request;
use twicetold_provider::{Collector, Exported, WebhookError};
use twicetold_referee::Campaign;
use twicetold_session::{Follower, JournalCursor, rebuild_in};
use twicetold_trace::{Projector, body};

use crate::{Error, Kind, Library};

/// Bytes of spans that wait to be sent while a campaign is played: some ten thousand spans without texts. What has no room is not sent.
const QUEUE_BYTES_MAX: usize = 16 << 20;

/// Most spans of one request, as OpenTelemetry's own libraries have it.
const BATCH_SPANS_MAX: usize = 512;

/// A request is sent when it has so many bytes: collectors take 20 MiB, and a span with a long prompt may come on top.
const BATCH_BYTES: usize = 1 << 20;

/// Times that a request is tried.
const ATTEMPTS_MAX: u32 = 4;

/// The wait after a collector was not reached.
const WAIT_MS_UNREACHED: u64 = 1_000;

/// Longest wait between two attempts.
const WAIT_MS_MAX: u64 = 30_000;

/// Longest time that the end of a campaign, or of a sweep, waits for the last spans.
pub const FINISH_MS_MAX: u64 = 5_000;

/// Where traces are sent, and what is in them.
pub struct Traces<'l> {
    library: &'l Library,
    collector: Collector,
    content: bool,
}

/// What became of the spans of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Spans that the collector took.
    pub taken: u64,
    /// Spans that did not get there.
    pub lost: u64,
    /// Why, where that is known.
    pub why: Option<String>,
}

impl Sent {
    fn add(&mut self, spans: usize, result: Result<u64, String>) {
        let spans = spans as u64;
        match result {
            Ok(rejected) => {
                self.taken += spans.saturating_sub(rejected);
                self.lost += rejected.min(spans);
                if rejected > 0 {
                    self.why = Some("the collector rejected them".to_owned());
                }
            }
            Err(why) => {
                self.lost += spans;
                self.why = Some(why);
            }
        }
    }
}

impl<'l> Traces<'l> {
    /// Traces to the collector at this address, with prompts, replies and arguments where `content` says so. Connects to nothing yet.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn new(library: &'l Library, address: &str, content: bool) -> Result<Traces<'l>, Error> {
        let collector = Collector::new(address, &headers()).map_err(|error| {
            Error::new(Kind::Usage, error.to_string(), "for example http://127.0.0.1:4318, or https://…")
        })?;
        Ok(Traces { library, collector, content })
    }

    /// The collector's host, for people.
    pub fn host(&self) -> String {
        self.collector.host()
    }

    /// Sends all traces of a journal. A turn that is not over has no span yet. A collector that is busy or cannot be reached is asked again
    /// where the caller `is_patient`.
    ///
    /// # Errors
    /// The journal cannot be read, or the collector takes nothing.
    pub fn send(&self, source: &dyn Source, is_patient: bool) -> Result<Sent, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime =
            runtime.map_err(|error| Error::new(Kind::Failed, format!("no threads: {error}"), ""))?;
        let (_ending, ending) = watch::channel(!is_patient);
        let campaign = source.head().campaign.unwrap_or(CampaignId([0; 16]));
        let (mut projector, mut follower) = (Projector::new(campaign), Follower::new(source)?);
        let (mut sent, mut batch, mut failed) = (Sent::default(), Vec::new(), None);
        let mut post = |batch: &mut Vec<String>| {
            let spans = std::mem::take(batch);
            let result = runtime.block_on(deliver(&self.collector, &spans, ending.clone()));
            let failure = result.as_ref().err().cloned();
            sent.add(spans.len(), result);
            failure
        };
        follower.read(source, |view, entry| {
            batch.extend(self.spans(&mut projector, view, entry, Some(source)));
            if is_full(&batch) {
                failed = post(&mut batch);
            }
            failed.is_none()
        })?;
        if !batch.is_empty() && failed.is_none() {
            failed = post(&mut batch);
        }
        match failed {
            Some(why) => Err(Error::new(
                Kind::Failed,
                why,
                "check its address; the same command sends all of it again, with the same ids",
            )),
            None => Ok(sent),
        }
    }

    /// Begins to send what becomes durable of a campaign from now on, within a runtime.
    ///
    /// # Errors
    /// What was played of it before cannot be read.
    pub fn live(self, campaign: &Campaign, id: CampaignId) -> Result<LiveTraces<'l>, Error> {
        let mut projector = Projector::new(id);
        // The turn that was interrupted goes on.
        if campaign.next().0 > 0 {
            let source = self.library.read(id)?;
            Follower::new(&*source)?.read(&*source, |view, entry| {
                projector.add(view, entry, None);
                true
            })?;
        }
        let (queue, waiting) = mpsc::unbounded_channel();
        let (ending, ended) = watch::channel(false);
        let Traces { library, collector, content } = self;
        let (told, progress) = watch::channel(Sent::default());
        let task = tokio::spawn(send_all(collector, waiting, ended, told));
        let room = Arc::new(Semaphore::new(QUEUE_BYTES_MAX));
        Ok(LiveTraces {
            library,
            content,
            id,
            projector,
            queue,
            room,
            ending,
            task,
            progress,
            queued: 0,
            unsent: 0,
        })
    }

    fn spans(
        &self,
        projector: &mut Projector,
        view: &Campaign,
        entry: &Entry,
        source: Option<&dyn Source>,
    ) -> Vec<String> {
        written(projector, view, entry, source.filter(|_| self.content))
    }
}

/// What is over with an entry, as JSON; with prompts where there is a journal to read them from.
fn written(
    projector: &mut Projector,
    view: &Campaign,
    entry: &Entry,
    source: Option<&dyn Source>,
) -> Vec<String> {
    let cursor = source.and_then(|source| JournalCursor::new(source, view.amended()).ok());
    let request =
        |call: CallId| -> Option<Request> { Some(rebuild_in(cursor.as_ref()?, call).ok()??.request) };
    let spans = projector.add(view, entry, source.is_some().then_some(&request));
    // A span that cannot be written would be a bug, and no reason to stop.
    spans.iter().filter_map(|span| serde_json::to_string(span).ok()).collect()
}

fn is_full(batch: &[String]) -> bool {
    batch.len() >= BATCH_SPANS_MAX || batch.iter().map(String::len).sum::<usize>() >= BATCH_BYTES
}

/// What OpenTelemetry's own programs send along, such as a key.
#[allow(clippy::disallowed_methods, reason = "a header is a secret, which comes from the environment alone")]
fn headers() -> String {
    std::env::var("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default()
}

/// A span on its way and its room in the queue.
type Waiting = (String, OwnedSemaphorePermit);

/// Sends what is committed, in order, beside the campaign.
pub struct LiveTraces<'l> {
    library: &'l Library,
    content: bool,
    id: CampaignId,
    projector: Projector,
    queue: mpsc::UnboundedSender<Waiting>,
    room: Arc<Semaphore>,
    ending: watch::Sender<bool>,
    task: JoinHandle<()>,
    /// What has become of the spans that were queued.
    progress: watch::Receiver<Sent>,
    /// Spans that were queued.
    queued: u64,
    /// Spans for which the queue had no room.
    unsent: u64,
}

impl LiveTraces<'_> {
    /// Takes in an entry that became durable; `view` is the campaign after it. Never waits.
    pub fn committed(&mut self, view: &Campaign, entry: &Entry) {
        let source = self.content.then(|| self.library.read(self.id).ok()).flatten();
        let source: Option<&dyn Source> = source.as_ref().map(|source| &**source as &dyn Source);
        for span in written(&mut self.projector, view, entry, source) {
            let bytes = u32::try_from(span.len()).unwrap_or(u32::MAX);
            let sent = match self.room.clone().try_acquire_many_owned(bytes) {
                Ok(room) => self.queue.send((span, room)).is_ok(),
                Err(_) => false,
            };
            self.queued += u64::from(sent);
            self.unsent += u64::from(!sent);
        }
    }

    /// Waits a little until all is sent, or given up, or `stop` comes. Says what became of it.
    pub async fn finish(self, stop: impl Future<Output = ()>) -> Sent {
        let LiveTraces { queue, ending, mut task, progress, queued, unsent, .. } = self;
        drop(queue);
        // A collector that is not there is not waited for.
        let _ = ending.send(true);
        let is_done = tokio::select! {
            done = &mut task => done.is_ok(),
            () = tokio::time::sleep(Duration::from_millis(FINISH_MS_MAX)) => false,
            () = stop => false,
        };
        task.abort();
        let mut sent = progress.borrow().clone();
        if !is_done {
            // Those of the request in flight may have been taken; nobody knows, and a second time does no harm.
            sent.lost = queued.saturating_sub(sent.taken);
            sent.why = Some("the collector was too slow".to_owned());
        }
        if unsent > 0 {
            sent.lost += unsent;
            sent.why.get_or_insert_with(|| "the collector is slower than the campaign".to_owned());
        }
        sent
    }
}

async fn send_all(
    collector: Collector,
    mut queue: mpsc::UnboundedReceiver<Waiting>,
    ending: watch::Receiver<bool>,
    progress: watch::Sender<Sent>,
) {
    while let Some((span, room)) = queue.recv().await {
        let (mut batch, mut rooms) = (vec![span], vec![room]);
        while !is_full(&batch)
            && let Ok((span, room)) = queue.try_recv()
        {
            batch.push(span);
            rooms.push(room);
        }
        let result = deliver(&collector, &batch, ending.clone()).await;
        progress.send_modify(|sent| sent.add(batch.len(), result));
    }
}

/// Sends one request; after `ending` nothing is tried again. How many of its spans were rejected, or why all are lost.
async fn deliver(
    collector: &Collector,
    spans: &[String],
    mut ending: watch::Receiver<bool>,
) -> Result<u64, String> {
    let mut why = String::new();
    for attempt in 1..=ATTEMPTS_MAX {
        let wait = match collector.export(body(spans)).await {
            Ok(Exported::Taken(rejected)) => return Ok(rejected),
            Ok(Exported::Later(ms)) => {
                why = format!("the collector at {} takes nothing now", collector.host());
                ms.min(WAIT_MS_MAX)
            }
            Err(error @ WebhookError::Unreached { .. }) => {
                why = error.to_string();
                WAIT_MS_UNREACHED
            }
            Err(error) => return Err(error.to_string()),
        };
        if attempt == ATTEMPTS_MAX || *ending.borrow_and_update() {
            break;
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(wait)) => {}
            Ok(()) = ending.changed() => {}
        }
    }
    Err(why)
}
