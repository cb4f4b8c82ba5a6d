//! The supervisor: seats the actors, starts a seat again that fails, and stops the campaign (this one and no other) when its table fails.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ractor::{Actor, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent};
use tokio::sync::{mpsc, oneshot};
use twicetold_event::{CampaignId, Input, Millis, Seat};
use twicetold_provider::Provider;
use twicetold_session::{InFlight, Session};

use crate::budget::{Budget, Meter};
use crate::call::Model;
use crate::message::{Notice, PlayError, Stop};
use crate::seats::{SeatRef, Seats};
use crate::table::{Finished, TableActor, TableMessage, TableState};

/// Where time comes from: the edge of the program.
pub type Clock = Arc<dyn Fn() -> Millis + Send + Sync>;

/// Everything that is needed to play.
pub struct PlaySetup {
    /// The campaign and its journal.
    pub session: Session,
    /// Who answers for each seat.
    pub providers: BTreeMap<Seat, Arc<dyn Provider>>,
    /// Where time comes from.
    pub clock: Clock,
    /// The first inputs: an opening, or that somebody resumes, and who takes a seat. What they lead to is done after the last.
    pub first: Vec<Input>,
    /// How far it may be played here; `None`: as far as the charter's limits allow.
    pub budget: Option<Budget>,
    /// Who watches; the table waits when the watcher is slow.
    pub notices: Option<mpsc::Sender<Notice>>,
    /// Where a reply is kept that the memory seat gave beside a turn. Without such a place it is asked when the turn has ended, and everybody
    /// waits for it; the story is the same.
    pub ahead: Option<Arc<dyn KeepAhead>>,
}

impl PlaySetup {
    /// A campaign that is played as far as the charter's limits allow, with nobody watching and nothing asked beside a turn.
    pub fn new(
        session: Session,
        providers: BTreeMap<Seat, Arc<dyn Provider>>,
        clock: Clock,
        first: Vec<Input>,
    ) -> PlaySetup {
        PlaySetup { session, providers, clock, first, budget: None, notices: None, ahead: None }
    }
}

/// A place for the one reply that came before the campaign asked for it: a crash between the two does not cost it again.
pub trait KeepAhead: Send + Sync {
    /// Keeps these bytes in place of what was kept. A failure costs nothing but that reply, after a crash.
    fn keep(&self, kept: &[u8]);
    /// What an earlier process kept.
    fn kept(&self) -> Option<Vec<u8>>;
    /// Nothing is kept any more.
    fn forget(&self);
}

/// A campaign being played.
pub struct Handle {
    table: ActorRef<TableMessage>,
    supervisor: ActorRef<SupervisorMessage>,
    finished: oneshot::Receiver<Finished>,
}

/// How often the actor of a seat is started again: a bug that comes back each time would be paid for each time.
pub const RESTARTS_MAX: u32 = 2;

/// Seats the actors and begins.
///
/// # Errors
/// The campaign is being played in this process already, or the actors could not be started.
pub async fn play(setup: PlaySetup) -> Result<Handle, PlayError> {
    let PlaySetup { session, providers, clock, first, budget, notices, ahead } = setup;
    let id = session.id();
    let bug = |error: ractor::SpawnErr| match error {
        ractor::SpawnErr::ActorAlreadyRegistered(_) => PlayError::PlayedTwice(id),
        error => PlayError::Bug(error.to_string()),
    };
    let models = providers.into_iter().map(|(seat, provider)| {
        let wire = session.campaign().wire(seat);
        (seat, Model { provider, wire, shown: Arc::default() })
    });
    let troupe =
        Troupe { campaign: id, models: models.collect(), seats: Seats::new(), failures: BTreeMap::new() };
    let (supervisor, _) =
        Actor::spawn(Some(name(id, "supervisor")), Supervisor, troupe).await.map_err(bug)?;
    let seats = ractor::call!(supervisor, SupervisorMessage::Seats);
    let seats = seats.map_err(|error| PlayError::Bug(error.to_string()))?;
    let (finish, finished) = oneshot::channel();
    let kept = ahead.as_ref().and_then(|ahead| ahead.kept());
    let in_flight = kept.map_or_else(InFlight::default, |kept| InFlight::default().with_kept(&kept));
    let state = TableState {
        session: Some(session),
        seats,
        meter: budget.map(|budget| Meter::new(budget, clock())),
        notices,
        finished: Some(finish),
        in_flight,
        ahead,
        stops_now: false,
    };
    let time = state.meter.as_ref().and_then(Meter::time_ms);
    let table = (Some(name(id, "table")), TableActor { clock });
    let (table, _) =
        Actor::spawn_linked(table.0, table.1, state, supervisor.get_cell()).await.map_err(bug)?;
    let begun = supervisor
        .cast(SupervisorMessage::Table(table.clone()))
        .map_err(|error| error.to_string())
        .and_then(|()| table.cast(TableMessage::Together(first)).map_err(|error| error.to_string()));
    begun.map_err(PlayError::Bug)?;
    if let Some(time) = time {
        // Also while the table only waits to try a call again.
        drop(table.send_after(Duration::from_millis(time), || TableMessage::TimeIsUp));
    }
    Ok(Handle { table, supervisor, finished })
}

/// What an actor is registered as.
fn name(campaign: CampaignId, actor: &str) -> String {
    format!("twicetold/{campaign}/{actor}")
}

impl Handle {
    /// Tells the table what happened outside: what a person said, or that somebody wants to stop for now, for which the call in
    /// flight is given up. All of it is durable before anything is done about it; a table that has stopped hears nothing more.
    pub fn tell(&self, inputs: Vec<Input>) {
        let _ = self.table.cast(TableMessage::Together(inputs));
    }

    /// Waits until the campaign ends or is paused, and returns the session.
    ///
    /// # Errors
    /// The journal could not be written, or a bug stopped the campaign.
    pub async fn finished(&mut self) -> (Result<Stop, PlayError>, Option<Session>) {
        let finished = (&mut self.finished).await;
        // All of them are gone before anybody plays the campaign again: a name is one actor's at a time. A call that hangs is
        // cut off.
        let children = self.supervisor.get_children();
        let _ = self.supervisor.kill_and_wait(None).await;
        for child in children {
            child.kill();
            let _ = child.wait(None).await;
        }
        finished.unwrap_or_else(|_| {
            (Err(PlayError::Bug("an actor failed; its message is in the log".into())), None)
        })
    }
}

/// Nobody plays on who cannot be stopped: a campaign that nobody holds any more is as after a crash, and `resume` goes on with it.
impl Drop for Handle {
    fn drop(&mut self) {
        let children = self.supervisor.get_children();
        self.supervisor.kill();
        children.iter().for_each(|child| child.kill());
    }
}

/// To the supervisor.
enum SupervisorMessage {
    /// Who sits at the table?
    Seats(RpcReplyPort<Seats>),
    /// The table is here: it hears of what fails.
    Table(ActorRef<TableMessage>),
}

/// The supervisor's actor: seats the others, starts a seat again that fails, and stops the campaign (this one and no other) when the
/// table fails.
struct Supervisor;

/// What the supervisor knows.
struct Troupe {
    campaign: CampaignId,
    models: BTreeMap<Seat, Model>,
    seats: Seats,
    failures: BTreeMap<Seat, u32>,
}

impl Actor for Supervisor {
    type Msg = SupervisorMessage;
    type State = (Troupe, Option<ActorRef<TableMessage>>);
    type Arguments = Troupe;

    async fn pre_start(
        &self,
        myself: ActorRef<SupervisorMessage>,
        mut troupe: Troupe,
    ) -> Result<Self::State, ActorProcessingErr> {
        for (seat, model) in troupe.models.clone() {
            let seated = troupe.seat(seat, model, &myself).await?;
            troupe.seats.insert(seat, seated);
        }
        Ok((troupe, None))
    }

    async fn handle(
        &self,
        _: ActorRef<SupervisorMessage>,
        message: SupervisorMessage,
        (troupe, table): &mut Self::State,
    ) -> Result<(), ActorProcessingErr> {
        match message {
            SupervisorMessage::Seats(reply) => reply.send(troupe.seats.clone())?,
            SupervisorMessage::Table(here) => *table = Some(here),
        }
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<SupervisorMessage>,
        event: SupervisionEvent,
        (troupe, table): &mut Self::State,
    ) -> Result<(), ActorProcessingErr> {
        // One that stopped has done its work.
        let SupervisionEvent::ActorFailed(who, error) = event else { return Ok(()) };
        tracing::error!(actor = ?who.get_name(), %error, "an actor failed");
        let failed = troupe.seats.iter().find(|(_, actor)| actor.cell().get_id() == who.get_id());
        let Some((seat, table)) = failed.map(|(seat, _)| *seat).zip(table.as_ref()) else {
            // The table is the single writer: without it nothing may be written, and `resume` begins from what is durable.
            myself.stop_children(None);
            return Ok(());
        };
        // Its name is free when it is gone altogether.
        let _ = who.wait(None).await;
        let failures = troupe.failures.entry(seat).or_default();
        *failures += 1;
        let model = troupe.models.get(&seat).filter(|_| *failures <= RESTARTS_MAX).cloned();
        let successor = match model {
            Some(model) => Some(troupe.seat(seat, model, &myself).await?),
            None => None,
        };
        if let Some(actor) = &successor {
            troupe.seats.insert(seat, actor.clone());
        }
        table.cast(TableMessage::Failed(seat, successor, error.to_string()))?;
        Ok(())
    }
}

impl Troupe {
    async fn seat(
        &self,
        seat: Seat,
        model: Model,
        supervisor: &ActorRef<SupervisorMessage>,
    ) -> Result<SeatRef, ractor::SpawnErr> {
        SeatRef::spawn(name(self.campaign, &seat.slug()), seat, model, supervisor.get_cell()).await
    }
}
