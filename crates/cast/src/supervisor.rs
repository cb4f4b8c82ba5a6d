//! The supervisor: seats the actors, and stops the campaign (this one and no other) when one of them fails.

use std::collections::BTreeMap;
use std::sync::Arc;

use ractor::{Actor, ActorProcessingErr, ActorRef, SupervisionEvent};
use tokio::sync::{mpsc, oneshot};
use twicetold_event::{Input, Millis, Seat};
use twicetold_provider::Provider;
use twicetold_session::{Agenda, Session};
use twicetold_world::State;

use crate::message::{Notice, PlayError, Stop, TableMessage};
use crate::seat::SeatActor;
use crate::table::{Finished, TableActor, TableState};

/// Where time comes from: the edge of the program.
pub type Clock = Arc<dyn Fn() -> Millis + Send + Sync>;

/// Everything that is needed to play.
pub struct Casting {
    /// The campaign and its journal.
    pub session: Session,
    /// Who answers for each seat.
    pub providers: BTreeMap<Seat, Arc<dyn Provider>>,
    /// Where time comes from.
    pub clock: Clock,
    /// The first inputs: an opening, or that somebody resumes, and who takes a seat. What they lead to is done after the last.
    pub first: Vec<Input>,
    /// What the calls of this play may cost; `None`: as much as the charter's limits allow.
    pub budget: Option<Budget>,
    /// Who watches; the table waits when the watcher is slow.
    pub notices: Option<mpsc::Sender<Notice>>,
}

/// How far a campaign may be played on this machine, whatever its charter says: totals of the whole campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Calls that were answered, from which on no further one is made.
    pub calls: u64,
    /// Tokens of requests and replies, from which on no further call is made.
    pub tokens: u64,
}

impl Budget {
    /// Why no further call may be made, if none may.
    pub fn used_up(&self, state: &State) -> Option<String> {
        let spent = state.calls().total();
        let (calls, tokens) =
            (u64::from(spent.calls), spent.input_tokens.saturating_add(spent.output_tokens));
        if calls >= self.calls {
            return Some(format!("the budget is used up: {calls} calls, at most {}", self.calls));
        }
        let most = self.tokens;
        (tokens >= most).then(|| format!("the budget is used up: {tokens} tokens, at most {most}"))
    }
}

/// A campaign being played.
pub struct Handle {
    table: ActorRef<TableMessage>,
    supervisor: ActorRef<()>,
    finished: oneshot::Receiver<Finished>,
}

/// Seats the actors and begins.
///
/// # Errors
/// The actors could not be started.
pub async fn play(casting: Casting) -> Result<Handle, PlayError> {
    let bug = |error: ractor::SpawnErr| PlayError::Bug(error.to_string());
    let (finish, finished) = oneshot::channel();
    let (supervisor, _) = Actor::spawn(None, Supervisor, ()).await.map_err(bug)?;
    let Casting { session, providers, clock, first, budget, notices } = casting;
    let mut seats = BTreeMap::new();
    for (seat, provider) in providers {
        let wire = session.campaign().wire(seat);
        let actor = SeatActor { provider, wire };
        let (seated, _) = Actor::spawn_linked(None, actor, (), supervisor.get_cell()).await.map_err(bug)?;
        seats.insert(seat, seated);
    }
    let state = TableState {
        session: Some(session),
        seats,
        budget,
        notices,
        finished: Some(finish),
        agenda: Agenda::default(),
    };
    let (table, _) =
        Actor::spawn_linked(None, TableActor { clock }, state, supervisor.get_cell()).await.map_err(bug)?;
    table.cast(TableMessage::Together(first)).map_err(|error| PlayError::Bug(error.to_string()))?;
    Ok(Handle { table, supervisor, finished })
}

impl Handle {
    /// Tells the table what happened outside: what a person said, or that somebody wants to stop for now, for which the call in
    /// flight is given up. All of it is durable before anything is done about it; a table that has stopped hears nothing more.
    pub fn tell(&self, inputs: Vec<Input>) {
        let _ = self.table.cast(TableMessage::Together(inputs));
    }

    /// Waits until the campaign is over or parked, and gives the session back.
    ///
    /// # Errors
    /// The journal could not be written, or a bug stopped the campaign.
    pub async fn finished(&mut self) -> (Result<Stop, PlayError>, Option<Session>) {
        let finished = (&mut self.finished).await;
        self.supervisor.stop_children(None);
        self.supervisor.kill();
        finished.unwrap_or_else(|_| {
            (Err(PlayError::Bug("an actor failed; its message is in the log".into())), None)
        })
    }
}

/// The supervisor's actor.
struct Supervisor;

impl Actor for Supervisor {
    type Msg = ();
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<()>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<()>,
        event: SupervisionEvent,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        // A failed actor is a bug: the campaign stops, nothing is written after it. A stopped one has done its work.
        if let SupervisionEvent::ActorFailed(who, error) = event {
            tracing::error!(actor = ?who.get_id(), %error, "an actor failed");
            myself.stop_children(None);
        }
        Ok(())
    }
}
