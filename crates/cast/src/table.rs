//! The table: the campaign's single writer. One input, one step, one durable append; only then does anybody hear of it.

use std::sync::Arc;
use std::time::Duration;

use ractor::{Actor, ActorProcessingErr, ActorRef};
use tokio::sync::{mpsc, oneshot};
use twicetold_dialect::{sent_digest, visible};
use twicetold_event::{Input, PauseAsked, Purpose, Seat, TimerFired};
use twicetold_model::{Fault, FaultKind};
use twicetold_referee::{Effect, failed};
use twicetold_session::{Action, Committed, InFlight, Session};
use twicetold_world::Life;

use crate::budget::{Meter, UsedUp};
use crate::call::Call;
use crate::message::{BudgetNotice, Notice, PlayError, Stop};
use crate::seats::{SeatRef, Seats};
use crate::supervisor::{Clock, KeepAhead, RESTARTS_MAX};

/// To the table.
pub(crate) enum TableMessage {
    /// A seat's model has made its call, and this came of it.
    Made(Seat, Input),
    /// The same of a call that was made ahead.
    MadeAhead(Input),
    /// A timer's time has come.
    Wake(TimerFired),
    /// The time of the budget is over.
    TimeIsUp,
    /// Several things happened outside: what they lead to is done after the last of them.
    Together(Vec<Input>),
    /// The actor of a seat failed, and here is its successor; none when it failed too often.
    Failed(Seat, Option<SeatRef>, String),
}

/// The table's actor.
pub(crate) struct TableActor {
    pub(crate) clock: Clock,
}

/// What the table holds.
pub(crate) struct TableState {
    /// Lent to the committing thread and given back.
    pub(crate) session: Option<Session>,
    pub(crate) seats: Seats,
    pub(crate) meter: Option<Meter>,
    pub(crate) notices: Option<mpsc::Sender<Notice>>,
    pub(crate) finished: Option<oneshot::Sender<Finished>>,
    /// What is under way outside.
    pub(crate) in_flight: InFlight,
    /// Where a reply that came ahead is kept; where there is no such place, nothing is asked ahead.
    pub(crate) ahead: Option<Arc<dyn KeepAhead>>,
    /// Somebody wants to stop now. Otherwise what is being asked ahead is waited for when the campaign is paused: it is paid either way.
    pub(crate) stops_now: bool,
}

/// How it went, with the session for the one who opened it.
pub(crate) type Finished = (Result<Stop, PlayError>, Option<Session>);

impl Actor for TableActor {
    type Msg = TableMessage;
    type State = TableState;
    type Arguments = TableState;

    async fn pre_start(
        &self,
        _: ActorRef<TableMessage>,
        state: TableState,
    ) -> Result<TableState, ActorProcessingErr> {
        Ok(state)
    }

    async fn handle(
        &self,
        myself: ActorRef<TableMessage>,
        message: TableMessage,
        state: &mut TableState,
    ) -> Result<(), ActorProcessingErr> {
        let inputs = match message {
            TableMessage::Made(seat, input) => {
                state.in_flight.made(seat);
                answered(state, seat, &input);
                vec![input]
            }
            TableMessage::MadeAhead(input) => {
                state.in_flight.made_ahead(input);
                keep_ahead(state).await;
                Vec::new()
            }
            TableMessage::TimeIsUp => {
                if let Some(meter) = &mut state.meter {
                    meter.time_is_up();
                }
                Vec::new()
            }
            TableMessage::Wake(timer) => {
                state.in_flight.fired(&timer);
                vec![Input::TimerFired(timer)]
            }
            TableMessage::Together(inputs) => {
                state.stops_now |= inputs.iter().any(|input| matches!(input, Input::PauseAsked(_)));
                inputs
            }
            TableMessage::Failed(seat, successor, what) => seat_failed(state, seat, successor, &what),
        };
        if !self.hear(&myself, state, inputs).await {
            return Ok(());
        }
        while let Some(came_ahead) = self.act(&myself, state).await {
            answered(state, Seat::Memory, &came_ahead);
            if !self.hear(&myself, state, vec![came_ahead]).await {
                return Ok(());
            }
            // It is in the journal now.
            forget_ahead(state).await;
        }
        Ok(())
    }
}

impl TableActor {
    /// Makes what happened durable, one after the other; false when that could not be done.
    async fn hear(
        &self,
        myself: &ActorRef<TableMessage>,
        state: &mut TableState,
        inputs: Vec<Input>,
    ) -> bool {
        for input in inputs.into_iter().map(Some).chain([None]) {
            // After the last: a call that the budget does not allow pauses the campaign in its place.
            let used_up = if input.is_none() { over_budget(state, &self.clock) } else { None };
            if let Some(UsedUp { notice, .. }) = &used_up {
                notify(state, Notice::Budget(notice.clone())).await;
            }
            let Some(input) = input.or_else(|| used_up.map(UsedUp::pause)) else { break };
            match self.commit(state, input).await {
                Ok(committed) => self.tell(state, committed).await,
                Err(error) => {
                    finish(myself, state, Err(error));
                    return false;
                }
            }
        }
        for notice in warnings(state, &self.clock) {
            notify(state, Notice::Budget(notice)).await;
        }
        true
    }

    /// Waiting for the disk never blocks the runtime: the whole session goes to a thread that may wait.
    async fn commit(&self, state: &mut TableState, input: Input) -> Result<Committed, PlayError> {
        let Some(mut session) = state.session.take() else {
            return Err(PlayError::Bug("the table was asked for a second step during the first".into()));
        };
        let now = (self.clock)();
        let joined = tokio::task::spawn_blocking(move || {
            let committed = session.commit(now, input);
            (session, committed)
        });
        let (session, committed) = joined.await.map_err(|error| PlayError::Bug(error.to_string()))?;
        state.session = Some(session);
        Ok(committed?)
    }

    async fn tell(&self, state: &mut TableState, committed: Committed) {
        notify(state, Notice::Committed(committed)).await;
    }

    /// Starts the pending effect, and what can be asked beside it; returns what came of the pending call, if that was made ahead.
    async fn act(&self, myself: &ActorRef<TableMessage>, state: &mut TableState) -> Option<Input> {
        let session = state.session.as_ref()?;
        let campaign = session.campaign();
        match state.in_flight.next(campaign) {
            Action::Wait => {}
            Action::Answered(input) => return Some(input),
            Action::Begin(Effect::CallModel { call, seat, purpose }) => {
                let Some(actor) = state.seats.get(&seat).cloned() else {
                    finish(myself, state, Err(PlayError::NobodyPlays(seat)));
                    return None;
                };
                let (request, digest) = session.pending_request()?;
                // A build that renders another request than the one that was decided must not send it, nor write after it.
                if request.digest() != digest {
                    let what = format!("the request of {call} is not the one that was decided");
                    finish(myself, state, Err(PlayError::Bug(what)));
                    return None;
                }
                let tokens = request.text_bytes().div_ceil(3);
                // What is said in Session Zero may hold secrets, and a dialogue is private.
                let is_public = purpose == Purpose::Play;
                // A call that hangs keeps nobody waiting for notices: those who watch are told when the table is gone.
                let drafts = state.notices.as_ref().filter(|_| is_public).map(mpsc::Sender::downgrade);
                actor.ask(purpose, Call { call, is_ahead: false, request, table: myself.clone(), drafts });
                if let Some(notices) = &state.notices {
                    let _ = notices.send(Notice::Calling { call, tokens }).await;
                }
            }
            Action::Begin(Effect::SetTimer { call, due }) => {
                // The time of a journal goes on from its last entry, also where the clock was set back since.
                let now = (self.clock)().max(campaign.state().at());
                let wait = due.0.saturating_sub(now.0);
                let wake = move || TableMessage::Wake(TimerFired { call, due });
                drop(myself.send_after(Duration::from_millis(wait), wake));
            }
            // A person answers when they like.
            Action::Begin(Effect::AskPerson { call, seat }) => {
                if let Some(notices) = &state.notices {
                    let _ = notices.send(Notice::Asking { call, seat }).await;
                }
            }
            Action::Stop => {
                let stop = match campaign.state().life() {
                    Life::Ended { .. } => Stop::Ended,
                    _ if !state.stops_now && state.in_flight.makes_ahead() => return None,
                    _ => Stop::Paused,
                };
                if stop == Stop::Ended {
                    forget_ahead(state).await;
                }
                finish(myself, state, Ok(stop));
            }
        }
        self.act_ahead(myself, state);
        None
    }

    /// The memory seat is asked beside a turn what it will be asked when the turn has ended.
    fn act_ahead(&self, myself: &ActorRef<TableMessage>, state: &mut TableState) {
        let Some(session) = state.session.as_ref().filter(|_| state.ahead.is_some()) else { return };
        let campaign = session.campaign();
        let Some(actor) = campaign.ahead().and_then(|(seat, _)| state.seats.get(&seat)) else { return };
        let is_allowed = |meter: &Meter| meter.allows_another(campaign.state(), || (self.clock)());
        if !state.meter.as_ref().is_none_or(is_allowed) {
            return;
        }
        if let (Some((_, purpose)), Some((_, request))) =
            (campaign.ahead(), state.in_flight.begin_ahead(campaign))
        {
            let call = campaign.state().calls().next;
            actor.ask(purpose, Call { call, is_ahead: true, request, table: myself.clone(), drafts: None });
        }
    }
}

/// What the failure of a seat's actor is to the campaign: a fault of the call that it was making, and after too many a pause.
fn seat_failed(state: &mut TableState, seat: Seat, successor: Option<SeatRef>, what: &str) -> Vec<Input> {
    state.in_flight.made(seat);
    if seat == Seat::Memory {
        state.in_flight.failed_ahead();
    }
    let Some(session) = &state.session else { return Vec::new() };
    let campaign = session.campaign();
    let pending = campaign.state().calls().pending.as_ref().filter(|pending| pending.seat == seat);
    let sent =
        session.pending_request().map(|(request, _)| sent_digest(&campaign.wire(seat).encode(&request)));
    let fault = Fault::new(FaultKind::Crashed, visible(what, FAULT_CHARACTERS_MAX));
    let mut inputs: Vec<Input> =
        pending.zip(sent).map(|(pending, sent)| failed(pending.call, sent, fault, "")).into_iter().collect();
    match successor {
        Some(actor) => drop(state.seats.insert(seat, actor)),
        None => {
            let reason = format!("the actor of {seat} failed {} times: {what}", RESTARTS_MAX + 1);
            inputs.push(Input::PauseAsked(PauseAsked { reason }));
        }
    }
    inputs
}

/// What came ahead is kept until the campaign asks for it. Waiting for the disk never blocks the runtime.
async fn keep_ahead(state: &mut TableState) {
    if let (Some(place), Some(kept)) = (state.ahead.clone(), state.in_flight.kept()) {
        // What cannot be kept is at hand all the same.
        let _ = tokio::task::spawn_blocking(move || place.keep(&kept)).await;
    }
}

async fn forget_ahead(state: &mut TableState) {
    if let Some(place) = state.ahead.clone() {
        let _ = tokio::task::spawn_blocking(move || place.forget()).await;
    }
}

/// Of what a panic says, this much is recorded.
const FAULT_CHARACTERS_MAX: usize = 200;

async fn notify(state: &mut TableState, notice: Notice) {
    if let Some(notices) = &state.notices
        && notices.send(notice).await.is_err()
    {
        // Nobody watches any more; the campaign is played all the same.
        state.notices = None;
    }
}

/// An answer is paid, also one that nobody waits for any more.
fn answered(state: &mut TableState, seat: Seat, input: &Input) {
    if let (Some(meter), Some(session), Input::ModelReplied(word)) = (&mut state.meter, &state.session, input)
        && let Some(setup) = session.campaign().state().setup().seats.of(seat)
        && !setup.is_embedded()
    {
        meter.answered(seat, &setup.model, &word.usage);
    }
}

/// What is used up when the next call would be made, so that a pause takes its place. A call that is under way is waited for: it is
/// paid either way.
fn over_budget(state: &TableState, clock: &Clock) -> Option<UsedUp> {
    let campaign = state.session.as_ref()?.campaign();
    let effect = campaign.plan()?;
    let used_up = state.meter.as_ref()?.used_up(campaign.state(), || clock())?;
    match effect {
        Effect::CallModel { call, seat, .. } => {
            (!state.in_flight.makes(campaign, seat, call)).then_some(used_up)
        }
        // To wait costs time and nothing else.
        Effect::SetTimer { .. } => used_up.is_time.then_some(used_up),
        Effect::AskPerson { .. } => None,
    }
}

/// What is nearly used up, each once, while the campaign goes on.
fn warnings(state: &mut TableState, clock: &Clock) -> Vec<BudgetNotice> {
    match (&mut state.meter, &state.session) {
        (Some(meter), Some(session)) if session.campaign().plan().is_some() => {
            meter.warnings(session.campaign().state(), || clock())
        }
        _ => Vec::new(),
    }
}

fn finish(myself: &ActorRef<TableMessage>, state: &mut TableState, result: Result<Stop, PlayError>) {
    if let Some(finished) = state.finished.take() {
        let _ = finished.send((result, state.session.take()));
    }
    myself.stop(None);
}
