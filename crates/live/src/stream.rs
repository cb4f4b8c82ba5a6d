//! What is new in a campaign, for a page that is open: a stream of server-sent events. Each holds all that came since the one before.
//!
//! Pages that show the same are told by one thread: it reads the campaign once, and renders once what it tells all of them.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use twicetold_event::{CallId, CampaignId, Number, Seat};
use twicetold_host::following::{Following, LOOK};
use twicetold_report::{Frame, Record, side, story_after};
use twicetold_world::Life;

use crate::answer::{Answer, Problem, blocking};
use crate::pages::seat::Heard;
use crate::pages::{self, why_base};
use crate::{App, limits};

/// What is followed: a campaign, whole or through the ears of a seat.
type Followed = (CampaignId, Option<Seat>);

/// The threads that tell open pages what is new, each with the way by which pages come to it.
#[derive(Default)]
pub(crate) struct Tellers(Mutex<BTreeMap<Followed, mpsc::Sender<Page>>>);

/// An open page.
struct Page {
    /// The number from which it wants to hear.
    from: Number,
    seen: Option<Seen>,
    /// The unfinished words that it shows.
    draft: Option<(String, String)>,
    silent: u32,
    out: Sender<Bytes>,
    /// Its place among the open pages.
    _place: OwnedSemaphorePermit,
}

/// How much a page has been told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    /// Entries or lines.
    pieces: usize,
    next: Number,
    /// Which of the forms that say what can be done.
    form: u64,
}

/// The stream of a campaign's page.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Answer {
    let from = from(&query, &headers)?;
    let id = blocking(app.clone(), move |app| pages::found(app, &name)).await?;
    stream(app, (id, None), from)
}

/// The stream of a seat's page.
pub(crate) async fn seat_events(
    State(app): State<Arc<App>>,
    Path((id, seat)): Path<(String, String)>,
    Query(query): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Answer {
    let from = from(&query, &headers)?;
    let (id, seat) = pages::seat::place(&id, &seat)?;
    stream(app, (id, Some(seat)), from)
}

/// The number from which somebody wants to hear: a browser whose connection broke says what it had seen last.
fn from(query: &[(String, String)], headers: &HeaderMap) -> Result<Number, Problem> {
    let seen = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let asked = query.iter().find(|(name, _)| name == "from").map(|(_, value)| value.as_str());
    seen.or(asked).map_or(Ok(Number(0)), |from| pages::number(from).map(Number))
}

/// An answer that goes on until the page is closed, its campaign ends, or the server stops.
fn stream(app: Arc<App>, followed: Followed, from: Number) -> Answer {
    let Ok(place) = app.streams.clone().try_acquire_owned() else {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{} live pages are open already.", limits::STREAMS_MAX),
            "Close one of them; this page goes on by itself.",
        ));
    };
    let (out, receiver) = channel(limits::STREAM_QUEUE);
    join(app, followed, Page { from, seen: None, draft: None, silent: 0, out, _place: place })?;
    let stream = ReceiverStream::new(receiver).map(Ok::<Bytes, std::convert::Infallible>);
    let about = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-cache")];
    Ok((about, [("x-accel-buffering", "no")], Body::from_stream(stream)).into_response())
}

/// An event as it is sent; the same bytes go to all pages that are told the same. `data` has one line, as JSON is written.
fn event(name: &str, id: Option<Number>, data: &serde_json::Value) -> Bytes {
    let id = id.map_or_else(String::new, |id| format!("id: {}\n", id.0));
    format!("event: {name}\n{id}data: {data}\n\n").into()
}

/// Brings a page to the thread that tells what it shows; begins one where there is none.
fn join(app: Arc<App>, followed: Followed, page: Page) -> Result<(), Problem> {
    let all = app.clone();
    let mut tellers = all.tellers.0.lock().unwrap_or_else(PoisonError::into_inner);
    let page = match tellers.get(&followed) {
        None => page,
        Some(teller) => match teller.send(page) {
            Ok(()) => return Ok(()),
            // Its thread is gone.
            Err(mpsc::SendError(page)) => page,
        },
    };
    tellers.remove(&followed);
    if tellers.len() >= limits::FOLLOWED_MAX {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("Live pages of {} campaigns and seats are open already.", limits::FOLLOWED_MAX),
            "Close those of one of them; this page goes on by itself.",
        ));
    }
    let (comes, coming) = mpsc::channel();
    // The other end is kept until the thread has it.
    let _ = comes.send(page);
    let begun =
        std::thread::Builder::new().name("live pages".into()).spawn(move || tell(&app, followed, &coming));
    begun.map_err(|error| {
        let message = format!("There is no thread for a live page: {error}.");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, message, "Close other live pages.")
    })?;
    tellers.insert(followed, comes);
    Ok(())
}

/// Tells pages what is new until none is open.
fn tell(app: &App, followed: Followed, coming: &mpsc::Receiver<Page>) {
    let mut pages = Vec::new();
    let told = match followed {
        (id, None) => {
            Whole::open(app, id).and_then(|told| tell_from(app, told, followed, coming, &mut pages))
        }
        (id, Some(seat)) => {
            Ears::open(app, id, seat).and_then(|told| tell_from(app, told, followed, coming, &mut pages))
        }
    };
    let Err(problem) = told else { return };
    let mut tellers = app.tellers.0.lock().unwrap_or_else(PoisonError::into_inner);
    tellers.remove(&followed);
    pages.extend(coming.try_iter());
    drop(tellers);
    let (message, help) = problem.said();
    let gone = event("gone", None, &json!({ "message": message, "help": help }));
    for page in pages {
        // A page that is too slow for it comes back and hears it then.
        let _ = page.out.try_send(gone.clone());
    }
}

/// Something that pages are told of.
trait Told {
    /// How much a page has been told that wants to hear from a number on.
    fn seen_before(&self, from: Number) -> Seen;
    /// How much a page has been told that knows everything.
    fn now(&self) -> Seen;
    /// What a page lacks that has been told so much.
    fn more(&mut self, app: &App, seen: Seen) -> Result<serde_json::Value, Problem>;
    /// Words that are being written: whose, and how they begin.
    fn draft(&self, app: &App) -> Option<(String, String)>;
    fn is_over(&self) -> bool;
    /// Reads what was committed meanwhile.
    fn read_on(&mut self, app: &App) -> Result<(), Problem>;
}

fn tell_from(
    app: &App,
    mut told: impl Told,
    followed: Followed,
    coming: &mpsc::Receiver<Page>,
    pages: &mut Vec<Page>,
) -> Result<(), Problem> {
    loop {
        if app.stopping.load(Ordering::Relaxed) {
            return Ok(());
        }
        pages.extend(coming.try_iter());
        let (now, is_over, draft) = (told.now(), told.is_over(), told.draft(app));
        let mut rendered: BTreeMap<Seen, Bytes> = BTreeMap::new();
        for page in &mut *pages {
            let seen = *page.seen.get_or_insert_with(|| told.seen_before(page.from));
            // A page that is slow is told when there is room: all that came meanwhile, at once.
            if seen == now || page.out.capacity() == 0 {
                continue;
            }
            if let Some(more) = rendered.get(&seen) {
                page.tell(more.clone(), now);
                continue;
            }
            let more = event("more", Some(now.next), &told.more(app, seen)?);
            page.tell(more.clone(), now);
            rendered.insert(seen, more);
        }
        pages.retain_mut(|page| page.goes_on(now, is_over, draft.as_ref()));
        match coming.recv_timeout(LOOK) {
            Ok(page) => pages.push(page),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if pages.is_empty() {
            let mut tellers = app.tellers.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Pages come only while this is locked.
            pages.extend(coming.try_iter());
            if pages.is_empty() {
                tellers.remove(&followed);
                return Ok(());
            }
        }
        told.read_on(app)?;
    }
}

impl Page {
    fn tell(&mut self, event: Bytes, now: Seen) {
        if self.out.try_send(event).is_ok() {
            (self.seen, self.silent) = (Some(now), 0);
        }
    }

    /// Tells it what is no entry. Is it still open, with more to come?
    fn goes_on(&mut self, now: Seen, is_over: bool, draft: Option<&(String, String)>) -> bool {
        if self.out.is_closed() {
            return false;
        }
        if is_over && self.seen == Some(now) {
            let over = self.out.try_send(event("over", None, &json!({})));
            return matches!(over, Err(TrySendError::Full(_)));
        }
        if self.draft.as_ref() != draft {
            self.draft = draft.cloned();
            let (speaker, words) = draft.cloned().unwrap_or_default();
            let draft = json!({ "speaker": speaker, "words": words });
            // A draft that finds no room is soon followed by a longer one.
            let _ = self.out.try_send(event("draft", None, &draft));
        }
        self.silent += 1;
        if self.silent >= limits::LOOKS_BEFORE_SIGN_OF_LIFE {
            self.silent = 0;
            let _ = self.out.try_send(Bytes::from_static(b": still here\n\n"));
        }
        true
    }
}

/// A campaign as its owner sees it.
struct Whole {
    id: CampaignId,
    base: String,
    following: Following,
    record: Record,
    /// What stands beside the story, after so many entries.
    beside: Option<(usize, String, String)>,
}

impl Whole {
    fn open(app: &App, id: CampaignId) -> Result<Whole, Problem> {
        let following = Following::open(&app.library, id).map_err(Problem::from)?;
        let prices = app.library.prices(following.source());
        let record = Record::until(following.source(), None)?.with_prices(prices);
        Ok(Whole { id, base: why_base(id), following, record, beside: None })
    }

    fn seen(&self, pieces: usize) -> Seen {
        let next = self.record.entries().get(pieces).map_or(self.record.next(), |entry| entry.header.first);
        Seen { pieces, next, form: 0 }
    }
}

impl Told for Whole {
    fn seen_before(&self, from: Number) -> Seen {
        self.seen(self.record.entries().partition_point(|entry| entry.header.first < from))
    }

    fn now(&self) -> Seen {
        self.seen(self.record.entries().len())
    }

    fn more(&mut self, _: &App, seen: Seen) -> Result<serde_json::Value, Problem> {
        let (record, frame) = (&self.record, Frame { why: Some(&self.base) });
        let entries = record.entries().len();
        let (side, now) = match self.beside.take().filter(|(known, ..)| *known == entries) {
            Some((_, side, now)) => (side, now),
            None => (side(record, frame)?, pages::now(record)?),
        };
        let more = json!({
            "story": story_after(record, seen.pieces, frame)?,
            "side": side,
            "now": now,
            "before": pages::before(record),
            "next": record.next().0,
        });
        self.beside = Some((entries, side, now));
        Ok(more)
    }

    fn draft(&self, app: &App) -> Option<(String, String)> {
        app.tables.shown(self.id).and_then(|shown| shown.draft)
    }

    fn is_over(&self) -> bool {
        matches!(self.record.campaign().state().life(), Life::Ended { .. })
    }

    fn read_on(&mut self, _: &App) -> Result<(), Problem> {
        self.following.look().map_err(Problem::from)?;
        Ok(self.record.read_on(self.following.source(), None)?)
    }
}

/// What decides what a seat can do.
type Standing = (bool, bool, Option<CallId>, Option<String>);

/// A campaign through the ears of a seat.
struct Ears {
    id: CampaignId,
    following: Following,
    heard: Heard,
    standing: Standing,
    form: u64,
}

impl Ears {
    fn open(app: &App, id: CampaignId, seat: Seat) -> Result<Ears, Problem> {
        let following = Following::open(&app.library, id).map_err(Problem::from)?;
        let mut heard = Heard::before(following.source(), seat)?;
        heard.read_on(following.source())?;
        let standing = heard.standing(app.tables.is_playing(id));
        Ok(Ears { id, following, heard, standing, form: 1 })
    }
}

impl Told for Ears {
    fn seen_before(&self, from: Number) -> Seen {
        let pieces = self.heard.0.lines.partition_point(|line| line.number < from.0);
        Seen { pieces, next: from, form: 0 }
    }

    fn now(&self) -> Seen {
        Seen { pieces: self.heard.0.lines.len(), next: self.heard.0.next, form: self.form }
    }

    fn more(&mut self, app: &App, seen: Seen) -> Result<serde_json::Value, Problem> {
        let act = (seen.form != self.form).then(|| self.heard.act(app, self.id)).transpose()?;
        Ok(json!({
            "story": self.heard.story(seen.pieces)?,
            "side": self.heard.side()?,
            "act": act,
            "name": self.heard.name(),
            "next": self.heard.0.next.0,
        }))
    }

    fn draft(&self, _: &App) -> Option<(String, String)> {
        None
    }

    fn is_over(&self) -> bool {
        self.heard.0.is_over()
    }

    fn read_on(&mut self, app: &App) -> Result<(), Problem> {
        self.following.look().map_err(Problem::from)?;
        self.heard.read_on(self.following.source())?;
        let standing = self.heard.standing(app.tables.is_playing(self.id));
        if standing != self.standing {
            (self.standing, self.form) = (standing, self.form + 1);
        }
        Ok(())
    }
}
