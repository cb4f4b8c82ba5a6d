//! Goes on where a journal ends.

use std::collections::BTreeMap;
use std::sync::Arc;

use twicetold_event::{
    AmendmentAsked, CallId, CampaignId, Entry, Input, Number, ResumeAsked, Seat, SeatAsked,
};
use twicetold_journal::{Source, Store};
use twicetold_projection::people::why_over;
use twicetold_referee::Campaign;
use twicetold_session::{JournalCursor, Session};
use twicetold_world::setup::Setup;
use twicetold_world::{Life, State};

use crate::branching::replies;
use crate::mapping::{WhoPlays, wishes};
use crate::play::Game;
use crate::seats::seated;
use crate::spend::{budget, may_spend, not_used_up};
use crate::{Error, Kind, Library, Sitting, build, now, windows};

/// A model's call that is made a second time, and may be paid twice.
pub struct Again {
    /// Which.
    pub call: CallId,
    /// Tokens that are read, about, and written, at most.
    pub cost: Option<(u32, u32)>,
}

/// Takes up a campaign. `say` is told what is no mistake, and still to be known; `sits` says who takes a seat; whoever else still holds one gives it back.
///
/// # Errors
/// There is nothing to go on with, or it cannot be played here.
pub fn resume(
    library: &Library,
    name: &str,
    who: &WhoPlays,
    say: &mut dyn FnMut(&str),
    sits: impl FnOnce(&State) -> Result<Vec<Sitting>, Error>,
) -> Result<(Game, Option<Again>), Error> {
    let id = library.find(name)?;
    library.ready()?;
    resume_in(library, id, library.open(id)?, who, say, sits)
}

/// The same for one that was opened.
pub(crate) fn resume_in(
    library: &Library,
    id: CampaignId,
    store: Box<dyn Store>,
    who: &WhoPlays,
    say: &mut dyn FnMut(&str),
    sits: impl FnOnce(&State) -> Result<Vec<Sitting>, Error>,
) -> Result<(Game, Option<Again>), Error> {
    if store.head().entries == 0 {
        let message = "this campaign has no entries: the process stopped before the first one was written, so it cannot be resumed";
        return Err(Error::new(Kind::Failed, message, format!("`twicetold rm {id:.8}` removes it")));
    }
    let snapshot = library.view(id);
    let mut session = Session::recover_with(store, build(), snapshot.read().as_deref())?;
    let (campaign, journal) = (session.campaign(), session.journal());
    let state = campaign.state();
    if let Life::Ended { reason, .. } = state.life() {
        let message = format!("this campaign is over: {}", why_over(reason));
        let help = "use `twicetold show` or `twicetold replay` to inspect it";
        return Err(Error::new(Kind::Usage, message, help));
    }
    let (mapping, seats) = who.of(&library.mapping(id), (id, state), &library.measurements(), say)?;
    // Models that cannot be used are found before anything is written.
    let amended = seats.as_ref().map(|seats| {
        let amended = state.setup().amended(SEATS, Arc::from(seats.as_str())).and_then(Setup::sound);
        amended.map_err(|error| Error::new(Kind::Usage, error.to_string(), ""))
    });
    let amended = amended.transpose()?;
    let setup = amended.as_ref().unwrap_or(state.setup());
    let mut seated = seated(setup, &mapping)?;
    let changed = wishes(&who.model, setup.seats.players)?;
    seated.retain(|seat, _| changed.contains_key(seat));
    windows::check(setup, &seated)?;
    let budget = budget(&mapping, &setup.seats, who, Some(journal))?;
    if let Some(budget) = &budget {
        not_used_up(budget, id, state)?;
    }
    let sittings = sits(state)?;
    may_spend(&setup.seats, who, &sittings)?;
    let (first, interrupted) = first(state, &sittings, is_new_branch(journal), seats.is_some());
    let again = interrupted.map(|call| Again { call, cost: possible_cost(journal, campaign, call) });
    let replies = replies(library, journal)?;
    let place = library.place(id);
    if !mapping.seat.is_empty() {
        library.mapping(id).write(&mapping)?;
    }
    // The pending call is asked anew as the seats are now, before anybody is seated.
    if let Some(content) = seats {
        let asked = Input::AmendmentAsked(AmendmentAsked { path: SEATS.into(), content });
        session.commit(now(), asked).map_err(|error| Error::commit(&place, &error))?;
    }
    let (servers, own) = (None, BTreeMap::new());
    Ok((Game { session, place, snapshot, first, mapping, budget, replies, sittings, servers, own }, again))
}

/// The file of a charter that says how each seat is asked.
pub(crate) const SEATS: &str = "seats.toml";

/// What a call costs when its server has answered it already: tokens that are read, about, and written, at most.
fn possible_cost(source: &dyn Source, view: &Campaign, call: CallId) -> Option<(u32, u32)> {
    let (_, asked) = JournalCursor::new(source, view.amended()).ok()?.request(call).ok()??;
    let most = view.state().setup().seats.of(asked.seat).map_or(0, |seat| seat.tokens_max);
    Some((asked.tokens, most))
}

/// Does the journal end where a branch begins? Then only the parent can have made its pending call.
fn is_new_branch(source: &dyn Source) -> bool {
    let last = Number(source.head().next.0.saturating_sub(1));
    let last = source.entry_holding(last).ok().flatten().and_then(|bytes| Entry::decode(&bytes).ok());
    last.is_some_and(|entry| matches!(entry.input, Input::ForkAsked(_)))
}

/// The inputs with which a campaign goes on, and the model's call that is made again.
fn first(
    state: &State,
    sittings: &[Sitting],
    new_branch: bool,
    amended: bool,
) -> (Vec<Input>, Option<CallId>) {
    let people = &state.table().people;
    let in_flight = match state.life() {
        // Where a person was asked, no model was.
        Life::Running if !new_branch => {
            state.calls().pending.as_ref().filter(|pending| !people.contains_key(&pending.seat))
        }
        _ => None,
    };
    let left = people.keys().filter(|seat| sittings.iter().all(|sitting| sitting.seat != **seat));
    let released = |seat: &Seat| Input::SeatAsked(SeatAsked { seat: *seat, person: None });
    let mut first: Vec<Input> = left.map(released).collect();
    let seated = sittings.iter().filter(|sitting| people.get(&sitting.seat) != Some(&sitting.name));
    first.extend(seated.map(Sitting::input));
    first.push(Input::ResumeAsked(ResumeAsked {
        // A call that was withdrawn is not made again: another takes its place.
        interrupted: in_flight.filter(|_| !amended).map(|pending| pending.call),
    }));
    let again = in_flight.filter(|pending| sittings.iter().all(|sitting| sitting.seat != pending.seat));
    (first, again.map(|pending| pending.call))
}
