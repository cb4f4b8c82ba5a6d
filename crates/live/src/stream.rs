//! What is new in a campaign, for a page that is open: a stream of server-sent events. Each holds all that came since the one before.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use twicetold_event::{CampaignId, Number, Seat};
use twicetold_host::following::{Following, LOOK};
use twicetold_report::{Frame, Record, side, story_after};
use twicetold_world::Life;

use crate::answer::{Answer, Problem, blocking};
use crate::pages::seat::Heard;
use crate::pages::{self, why_base};
use crate::{App, limits};

/// The stream of a campaign's page.
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Answer {
    let from = from(&query, &headers)?;
    let id = blocking(app.clone(), move |app| pages::found(app, &name)).await?;
    stream(app, move |app, out| follow(app, id, from, out))
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
    stream(app, move |app, out| listen(app, (id, seat), from, out))
}

/// The number from which somebody wants to hear: a browser whose connection broke says what it had seen last.
fn from(query: &[(String, String)], headers: &HeaderMap) -> Result<Number, Problem> {
    let seen = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let asked = query.iter().find(|(name, _)| name == "from").map(|(_, value)| value.as_str());
    seen.or(asked).map_or(Ok(Number(0)), |from| pages::number(from).map(Number))
}

/// An answer that goes on as long as `follow` does, in a thread of its own.
fn stream(
    app: Arc<App>,
    follow: impl FnOnce(&App, &Sender<Event>) -> Result<(), Problem> + Send + 'static,
) -> Answer {
    let Ok(place) = app.streams.clone().try_acquire_owned() else {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{} live pages are open already.", limits::STREAMS_MAX),
            "Close one of them; this page goes on by itself.",
        ));
    };
    let (sender, receiver) = channel(limits::STREAM_QUEUE);
    let follow = move || {
        let _place = place;
        if let Err(problem) = follow(&app, &sender) {
            let (message, help) = problem.said();
            let gone = json!({ "message": message, "help": help }).to_string();
            let _ = sender.blocking_send(Event::default().event("gone").data(gone));
        }
    };
    std::thread::Builder::new().name("live page".into()).spawn(follow).map_err(|error| {
        let message = format!("There is no thread for a live page: {error}.");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, message, "Close other live pages.")
    })?;
    let stream = ReceiverStream::new(receiver).map(Ok::<Event, std::convert::Infallible>);
    let mut response: Response = Sse::new(stream).into_response();
    response.headers_mut().insert("x-accel-buffering", axum::http::HeaderValue::from_static("no"));
    Ok(response)
}

/// Follows a campaign until its page is closed, it ends, or the server stops.
fn follow(app: &App, id: CampaignId, from: Number, out: &Sender<Event>) -> Result<(), Problem> {
    let mut following = Following::open(&app.library, id).map_err(Problem::from)?;
    let prices = app.library.prices(following.source());
    let mut record = Record::until(following.source(), None)?.with_prices(prices);
    let (base, mut silent, mut drafted) = (why_base(id), 0, None);
    // What the page has not seen yet is sent at once.
    let mut sent = record.entries().partition_point(|entry| entry.header.first < from);
    loop {
        if sent < record.entries().len() {
            let frame = Frame { why: Some(&base) };
            let update = json!({
                "story": story_after(&record, sent, frame)?,
                "side": side(&record, frame)?,
                "now": pages::now(&record)?,
                "next": record.next().0,
            });
            let event =
                Event::default().event("more").id(record.next().0.to_string()).data(update.to_string());
            if out.blocking_send(event).is_err() {
                return Ok(());
            }
            (sent, silent) = (record.entries().len(), 0);
        }
        if matches!(record.campaign().state().life(), Life::Ended { .. }) {
            let _ = out.blocking_send(Event::default().event("over").data("{}"));
            return Ok(());
        }
        let draft = app.tables.shown(id).and_then(|shown| shown.draft);
        if draft != drafted {
            let (speaker, words) = draft.clone().unwrap_or_default();
            let data = json!({ "speaker": speaker, "words": words }).to_string();
            // A draft that finds no room is soon followed by a longer one.
            let _ = out.try_send(Event::default().event("draft").data(data));
            drafted = draft;
        }
        std::thread::sleep(LOOK);
        if app.stopping.load(Ordering::Relaxed) || out.is_closed() {
            return Ok(());
        }
        silent += 1;
        if silent >= limits::LOOKS_BEFORE_SIGN_OF_LIFE {
            silent = 0;
            let _ = out.try_send(Event::default().comment("still here"));
        }
        following.look().map_err(Problem::from)?;
        record.read_on(following.source(), None)?;
    }
}

/// Follows a campaign through the ears of a seat.
fn listen(
    app: &App,
    (id, seat): (CampaignId, Seat),
    from: Number,
    out: &Sender<Event>,
) -> Result<(), Problem> {
    let mut following = Following::open(&app.library, id).map_err(Problem::from)?;
    let mut heard = Heard::before(following.source(), seat)?;
    heard.read_on(following.source())?;
    let mut sent = heard.0.lines.partition_point(|line| line.number < from.0);
    let (mut next, mut standing, mut silent) = (from, None, 0);
    loop {
        let now = Some(heard.standing(app.tables.is_playing(id)));
        if next < heard.0.next || now != standing {
            let acts = (now != standing).then(|| heard.act(app, id)).transpose()?;
            let update = json!({
                "story": heard.story(sent)?,
                "side": heard.side()?,
                "act": acts,
                "next": heard.0.next.0,
            });
            let event =
                Event::default().event("more").id(heard.0.next.0.to_string()).data(update.to_string());
            if out.blocking_send(event).is_err() {
                return Ok(());
            }
            (sent, next, standing, silent) = (heard.0.lines.len(), heard.0.next, now, 0);
        }
        if heard.0.is_over() {
            let _ = out.blocking_send(Event::default().event("over").data("{}"));
            return Ok(());
        }
        std::thread::sleep(LOOK);
        if app.stopping.load(Ordering::Relaxed) || out.is_closed() {
            return Ok(());
        }
        silent += 1;
        if silent >= limits::LOOKS_BEFORE_SIGN_OF_LIFE {
            silent = 0;
            let _ = out.try_send(Event::default().comment("still here"));
        }
        following.look().map_err(Problem::from)?;
        heard.read_on(following.source())?;
    }
}
