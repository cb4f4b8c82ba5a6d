//! Plays campaigns that wait in the queue of a database, side by side with other processes that do the same.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use twicetold_event::{CampaignId, Input, PauseAsked};
use twicetold_journal::{Store, Taken, Waiting};
use twicetold_projection::people::{why_over, why_paused};
use twicetold_provider::Servers;
use twicetold_session::Session;
use twicetold_world::{Life, State};

use crate::mapping::WhoPlays;
use crate::play::{Game, Unwatched};
use crate::resuming::resume_in;
use crate::spend::Spending;
use crate::sweeping::{Standing, look};
use crate::{Error, Kind, Library, now};

/// Campaigns that one worker plays side by side: beyond it, one machine's processor is what they wait for.
pub const WORKER_PARALLEL_MAX: usize = 256;
/// How often an empty queue is looked at: well below the time that a campaign takes.
const LOOK: Duration = Duration::from_secs(1);
/// How often a database that does not answer is asked again.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// Why a campaign is paused before anybody has played it.
const QUEUED: &str = "it waits in the queue for a worker";
/// Why a campaign is paused that goes back into the queue.
const STOPPED: &str = "the worker was stopped";

/// How a worker plays.
pub struct Work {
    /// With which models, and what all campaigns together may spend.
    pub who: WhoPlays,
    /// Campaigns side by side.
    pub parallel: usize,
    /// Calls in flight at one model server.
    pub per_server: usize,
    /// Does it stop when nothing waits any more?
    pub until_empty: bool,
}

/// What a worker tells.
pub enum News {
    /// It took a campaign.
    Took(CampaignId, String),
    /// It put a campaign away, and why.
    Ended(CampaignId, Outcome),
    /// Something that is no mistake, and still to be known.
    Said(String),
}

/// How it went with one campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is over, and left the queue.
    Over(String),
    /// It is paused and left the queue: somebody has to do something about it.
    Paused(String),
    /// It went back into the queue, with all that was played.
    Back(String),
    /// It could not be played; it is tried again some times.
    Failed(String),
    /// This machine has no model for it; others may have, and it was no try.
    Lacking(String),
}

/// Opens a campaign, and lets it wait for a worker.
///
/// # Errors
/// There is no queue, or the campaign cannot be written.
pub fn put(library: &Library, game: Game) -> Result<CampaignId, Error> {
    let queue = library.queue()?;
    let Game { mut session, place, first, sittings, .. } = game;
    if !sittings.is_empty() {
        let message = "a person plays a seat of this campaign, and nobody sits at a worker";
        return Err(Error::new(Kind::Usage, message, "omit --seat or --queue"));
    }
    let id = session.id();
    let paused = Input::PauseAsked(PauseAsked { reason: QUEUED.to_owned() });
    for input in first.into_iter().chain([paused]) {
        session.commit(now(), input).map_err(|error| Error::commit(&place, &error))?;
    }
    session.into_store().close()?;
    queue.put(id)?;
    Ok(id)
}

/// How the queue stands.
///
/// # Errors
/// There is none, or the database does not answer.
pub fn waiting(library: &Library) -> Result<Waiting, Error> {
    Ok(library.queue()?.waiting(&[])?)
}

struct Worker {
    library: Arc<Library>,
    work: Work,
    servers: Arc<Servers>,
    stop: watch::Sender<bool>,
    /// What waits and has no model here.
    lacking: Mutex<BTreeSet<CampaignId>>,
    tell: Box<dyn Fn(News) + Send + Sync>,
}

/// Takes campaigns from the queue and plays them. When `stopped` is ready, those that are being played are paused and stay in the queue.
///
/// # Errors
/// There is no queue. What goes wrong with one campaign is told of that campaign.
pub async fn work(
    library: Arc<Library>,
    work: Work,
    tell: impl Fn(News) + Send + Sync + 'static,
    stopped: impl Future<Output = ()>,
) -> Result<(), Error> {
    library.queue()?;
    // What is wrong for every campaign costs none of them a try.
    work.who.check()?;
    let servers = Arc::new(Servers::new(work.per_server));
    let stop = watch::Sender::new(false);
    let worker =
        Arc::new(Worker { library, work, servers, stop, lacking: Mutex::default(), tell: Box::new(tell) });
    let mut playing = JoinSet::new();
    let mut stopped = std::pin::pin!(stopped);
    let mut is_stopped = false;
    loop {
        let mut wait = None;
        while !is_stopped && !worker.is_used_up() && playing.len() < worker.work.parallel && wait.is_none() {
            match worker.clone().take().await {
                Ok(Some((id, store))) => {
                    let worker = worker.clone();
                    playing.spawn(async move { worker.campaign(id, store).await });
                }
                Ok(None) => wait = Some(LOOK),
                Err(error) => {
                    worker.say(format!("{}; trying again", error.message));
                    wait = Some(LOOK_AGAIN);
                }
            }
        }
        if playing.is_empty() && (is_stopped || worker.is_used_up() || worker.clone().is_done().await) {
            return Ok(());
        }
        tokio::select! {
            biased;
            () = &mut stopped, if !is_stopped => {
                is_stopped = true;
                worker.stop.send_replace(true);
            }
            Some(_) = playing.join_next() => {}
            () = tokio::time::sleep(wait.unwrap_or(LOOK)), if wait.is_some() => {}
        }
    }
}

/// Work with a database, where it holds nobody else up.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(bug(&error)))
}

fn bug(error: &tokio::task::JoinError) -> Error {
    Error::goes_on(format!("this program failed while it played the campaign: {error}"))
}

/// How many replies a campaign has had.
fn replied(library: &Library, id: CampaignId) -> Result<u32, Error> {
    let loaded = library.view(id).load(&*library.read(id)?)?;
    Ok(loaded.campaign.state().calls().total().calls)
}

impl Worker {
    async fn take(self: Arc<Worker>) -> Result<Option<Taken>, Error> {
        // What has no model here is left to others for as long as this worker runs.
        let but = self.lacking();
        aside(move || Ok(self.library.queue()?.take(&but)?)).await
    }

    /// Is it to stop because nothing waits any more?
    async fn is_done(self: Arc<Worker>) -> bool {
        if !self.work.until_empty {
            return false;
        }
        let but = self.lacking();
        let waiting = aside(move || Ok(self.library.queue()?.waiting(&but)?)).await;
        waiting.is_ok_and(|waiting| waiting.queued == 0)
    }

    fn lacking(&self) -> Vec<CampaignId> {
        self.lacking.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    fn is_used_up(&self) -> bool {
        matches!(&self.work.who.spending, Spending::Shared(budget) if budget.is_used_up())
    }

    fn say(&self, said: String) {
        (self.tell)(News::Said(said));
    }

    /// Plays one campaign as far as it goes, and settles what becomes of it.
    async fn campaign(self: Arc<Worker>, id: CampaignId, store: Box<dyn Store>) {
        let epoch = store.epoch();
        // A campaign that ends in a panic is one that failed, and no other.
        let replies = Arc::new(AtomicU32::new(u32::MAX));
        let played = tokio::spawn(self.clone().played(id, store, replies.clone())).await;
        let before = replies.load(Ordering::Acquire);
        let (outcome, is_error) = match played.unwrap_or_else(|error| Err(bug(&error))) {
            Ok(outcome) => (outcome, false),
            Err(error) => (self.clone().outcome(id, before, error).await, true),
        };
        let (worker, settled) = (self.clone(), outcome.clone());
        let settled = aside(move || {
            let queue = worker.library.queue()?;
            match settled {
                Outcome::Over(_) => Ok(queue.leave(id, None)?),
                Outcome::Paused(_) => Ok(queue.leave(id, Some(epoch))?),
                Outcome::Failed(why) => {
                    let moved = replied(&worker.library, id).is_ok_and(|replies| replies > before);
                    Ok(queue.failed(id, epoch, moved, &why)?)
                }
                Outcome::Back(_) if is_error => Ok(queue.put_off(id)?),
                Outcome::Lacking(_) | Outcome::Back(_) => Ok(()),
            }
        });
        if let Err(error) = settled.await {
            self.say(format!("{id:.8} stays in the queue: {}", error.message));
        }
        if let Outcome::Lacking(_) = outcome
            && !self.lacking.lock().unwrap_or_else(PoisonError::into_inner).insert(id)
        {
            // That was told before.
            return;
        }
        (self.tell)(News::Ended(id, outcome));
    }

    /// What an error means for the queue. `before` is how many replies the campaign had when it was taken.
    async fn outcome(self: Arc<Worker>, id: CampaignId, before: u32, error: Error) -> Outcome {
        let worker = self.clone();
        let stands = aside(move || {
            let replies = replied(&worker.library, id).unwrap_or_default();
            Ok((look(&worker.library, id)?, replies))
        });
        match stands.await {
            // Whoever played it last did not come to say so.
            Ok((Standing::Done, _)) => Outcome::Over("another worker had played it".to_owned()),
            // The database was away, or somebody else took it: it goes on from where it stands.
            Ok((_, replies)) if replies > before => Outcome::Back(error.message),
            _ if error.kind == Kind::Locked => Outcome::Back(error.message),
            Ok(_) if error.kind == Kind::Usage => Outcome::Lacking(error.message),
            // What is damaged does not get better by another attempt, and is given up after some.
            Err(looked) if looked.kind == Kind::Damaged => Outcome::Failed(error.message),
            Err(_) => Outcome::Back(error.message),
            Ok(_) => Outcome::Failed(error.message),
        }
    }

    /// `replies` is told how many there were before.
    async fn played(
        self: Arc<Worker>,
        id: CampaignId,
        store: Box<dyn Store>,
        replies: Arc<AtomicU32>,
    ) -> Result<Outcome, Error> {
        let worker = self.clone();
        let game = aside(move || {
            let mut say = |said: &str| worker.say(format!("{id:.8} {said}"));
            let who = &worker.work.who;
            Ok(resume_in(&worker.library, id, store, who, &mut say, |_| Ok(Vec::new()))?.0)
        });
        let game = game.await?;
        replies.store(game.campaign().state().calls().total().calls, Ordering::Release);
        (self.tell)(News::Took(id, game.campaign().state().setup().campaign.title.clone()));
        let mut table = Unwatched::begin(Game { servers: Some(self.servers.clone()), ..game }).await?;
        let mut stop = self.stop.subscribe();
        let mut is_asked = false;
        loop {
            tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop), if !is_asked => {
                    is_asked = true;
                    table.tell(vec![Input::PauseAsked(PauseAsked { reason: STOPPED.to_owned() })]);
                }
                happened = table.next() => if happened.is_none() { break },
            }
        }
        let worker = self.clone();
        let settle = move |session: &Session| worker.settled(session.campaign().state(), is_asked);
        Ok(table.finished(settle).await?.1)
    }

    fn settled(&self, state: &State, is_asked: bool) -> Outcome {
        match state.life() {
            Life::Ended { reason, .. } => Outcome::Over(why_over(reason)),
            Life::Paused { fault: Some(fault), reason, .. } => {
                Outcome::Failed(why_paused(Some(*fault), reason))
            }
            Life::Paused { reason, .. } if !is_asked && !self.is_used_up() => Outcome::Paused(reason.clone()),
            Life::Paused { reason, .. } => Outcome::Back(reason.clone()),
            Life::Running | Life::Unopened => Outcome::Back(STOPPED.to_owned()),
        }
    }
}
