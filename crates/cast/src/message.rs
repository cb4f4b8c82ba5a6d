//! What the actors tell each other, and what they tell the one who watches.

use std::sync::Arc;

use ractor::ActorRef;
use thiserror::Error;
use twicetold_event::{CallId, Input, Seat, TimerFired};
use twicetold_model::{Digest, Request};
use twicetold_session::{CommitError, Committed};

/// To the table.
pub(crate) enum TableMessage {
    /// A seat's model has made its call, and this came of it.
    Made(Seat, Input),
    /// A timer's time has come.
    Wake(TimerFired),
    /// Several things happened outside: what they lead to is done after the last of them.
    Together(Vec<Input>),
}

/// To a seat.
pub(crate) struct Perform {
    pub(crate) call: CallId,
    /// Whose call it is.
    pub(crate) seat: Seat,
    pub(crate) request: Arc<Request>,
    /// The digest that was decided: asserted before anything is sent.
    pub(crate) digest: Digest,
    /// Where the reply goes.
    pub(crate) table: ActorRef<TableMessage>,
}

/// To the one who watches.
#[derive(Clone, Debug)]
pub enum Notice {
    /// An entry became durable.
    Committed(Committed),
    /// A call was handed to its model.
    Calling {
        /// The call.
        call: CallId,
        /// Estimated length of the request in tokens.
        tokens: u64,
    },
    /// A person is asked. Whoever watches brings the answer, when there is one, by [`Handle::tell`](crate::Handle::tell).
    Asking {
        /// The call.
        call: CallId,
        /// Where the person sits.
        seat: Seat,
    },
}

/// Why the actors stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The campaign is over.
    Ended,
    /// It is parked; it can be resumed.
    Parked,
}

/// Why a campaign could not be played on. What is in the journal is whole.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The journal could not be written.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The charter gives a seat that has to speak no model, and nobody sits there.
    #[error("nobody plays {0}: the campaign's seats.toml names no model for it")]
    NobodyPlays(Seat),
    /// A bug: the supervisor stopped the campaign, and nothing was written after it.
    #[error("a bug stopped the campaign: {0}. Nothing was written after it; please report it")]
    Bug(String),
}
