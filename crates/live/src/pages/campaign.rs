//! A campaign: the story, and beside it the party, the cast, goals, dice and cost; now, or as of any moment.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State as Shared};
use twicetold_event::{CampaignId, Number, Seat};
use twicetold_host::brief::standing;
use twicetold_projection::people;
use twicetold_report::{Frame, Full, Record, Served, served};

use twicetold_world::{Life, State};

use super::{address, found, why_base};
use crate::App;
use crate::answer::{Answer, Problem, blocking, html};

#[derive(Template)]
#[template(path = "campaign.html")]
struct Page {
    address: String,
    served: Served,
    short_id: String,
    now_html: String,
    time: Time,
    /// The token of forms; none where nothing can be changed.
    form: Option<String>,
    is_playing: bool,
    can_go_on: bool,
    failed: Option<(String, String)>,
    /// The seats of a campaign that is not over.
    seats: Vec<Place>,
}

/// A seat that somebody can take.
struct Place {
    seat: String,
    /// How it is called at the table.
    name: String,
    /// Who sits there; empty: a model.
    who: String,
    /// The link that invites to it.
    link: String,
}

/// Where the page stands in the campaign.
struct Time {
    /// The moment that is shown; none for the newest.
    at: Option<u64>,
    /// The last number that is shown, and the last that there is.
    shown: u64,
    last: u64,
    /// Ends of the entries before and after.
    before: u64,
    after: u64,
    /// The number from which a stream goes on.
    next: u64,
    turn: u32,
}

/// What is going on, in short: a piece of the page that is sent anew with each update.
#[derive(Template)]
#[template(path = "now.html")]
struct Now {
    standing: &'static str,
    is_playing: bool,
    detail: String,
    turn: u32,
    speaker: String,
    class: String,
    place: String,
    objective: String,
    party: Vec<Member>,
}

struct Member {
    name: String,
    class: String,
    hit_points: i64,
    most: i64,
    conditions: String,
}

/// The page.
pub(crate) async fn page(
    Shared(app): Shared<Arc<App>>,
    Path(name): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
) -> Answer {
    let value = |wanted: &str| query.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let is_all = |wanted: &str| value(wanted).is_some_and(|how_much| how_much == "all");
    let (at, full) = (value("at"), Full { turns: is_all("turns"), timeline: is_all("timeline") });
    let page = blocking(app, move |app| shown(app, &name, at.as_deref(), full)).await?;
    Ok(html(page))
}

fn shown(app: &App, name: &str, at: Option<&str>, full: Full) -> Result<String, Problem> {
    let id = found(app, name)?;
    let at = at.filter(|text| !text.is_empty()).map(number).transpose()?;
    let source = app.library.read(id).map_err(Problem::from)?;
    let last = source.head().next.0.saturating_sub(1);
    let at = at.map(|at| at.min(last));
    let record = Record::until(&*source, at.map(Number))?.with_prices(app.library.prices(&*source));
    let base = why_base(id);
    let served = served(&record, Frame { why: Some(&base) }, full)?;
    let next = record.next().0;
    let before = before(&record);
    let after = match source.entry_holding(Number(next.min(last))).map_err(twicetold_host::Error::from)? {
        Some(bytes) => twicetold_event::Entry::decode(&bytes).map_or(last, |entry| entry.header.next().0 - 1),
        None => last,
    };
    let state = record.campaign().state();
    let time =
        Time { at, shown: next.saturating_sub(1), last, before, after, next, turn: state.turn().number };
    let now_html = now(&record)?;
    let is_over = matches!(state.life(), Life::Ended { .. });
    let form = (!app.settings.read_only).then(|| app.form_token());
    let seen = app.tables.shown(id).unwrap_or_default();
    let page = Page {
        address: address(id),
        short_id: format!("{id:.8}"),
        served,
        now_html,
        form,
        is_playing: seen.is_playing && time.at.is_none(),
        can_go_on: !seen.is_playing && !is_over && time.at.is_none(),
        failed: seen.failed,
        seats: if !is_over && time.at.is_none() { seats(app, id, state) } else { Vec::new() },
        time,
    };
    Ok(page.render()?)
}

fn seats(app: &App, id: CampaignId, state: &State) -> Vec<Place> {
    let seats = [Seat::Dm].into_iter().chain(state.setup().players());
    let seat = |seat: Seat| {
        let who = state.table().people.get(&seat).cloned().unwrap_or_default();
        Place { seat: seat.slug(), name: state.seat_name(seat), who, link: app.invitation(id, seat) }
    };
    seats.map(seat).collect()
}

/// The end of the entry before the last one.
pub(crate) fn before(record: &Record) -> u64 {
    record.entries().last().map_or(0, |entry| entry.header.first.0.saturating_sub(1))
}

/// A sequence number as people write it.
pub(crate) fn number(text: &str) -> Result<u64, Problem> {
    text.trim_start_matches('#').parse().map_err(|_| {
        Problem::new(
            axum::http::StatusCode::BAD_REQUEST,
            format!("{text:?} is no sequence number."),
            "Sequence numbers are whole numbers from 0 on.",
        )
    })
}

/// What is going on.
pub(crate) fn now(record: &Record) -> Result<String, Problem> {
    let (state, replies) = (record.campaign().state(), record.campaign().replies());
    let (standing, detail) = standing(state);
    let memory = people::memory(state, replies);
    let text = |fact: Option<(u64, String)>| fact.map_or_else(String::new, |(_, text)| text);
    let seat = state.turn().seat.filter(|_| standing == "in progress");
    let party = people::characters(state).into_iter().zip(state.characters().keys());
    let member = |(page, seat): (people::CharacterPage, &Seat)| Member {
        name: page.name,
        class: seat.slug(),
        hit_points: page.hit_points.0,
        most: page.hit_points.1.into(),
        conditions: page.conditions.join(", "),
    };
    let now = Now {
        standing,
        is_playing: standing == "in progress",
        detail,
        turn: state.turn().number,
        speaker: seat.map_or_else(String::new, |seat| state.seat_name(seat)),
        class: seat.map_or_else(String::new, |seat| seat.slug()),
        place: text(memory.location),
        objective: text(memory.objective),
        party: party.map(member).collect(),
    };
    Ok(now.render()?)
}
