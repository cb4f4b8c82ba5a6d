//! A process that plays: what the actors of the live program do, one thing after another.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use twicetold_event::{CallId, Seat};
use twicetold_model::{Digest, Request};
use twicetold_session::{InFlight, Session};

/// A request on its way to a seat.
#[derive(Clone)]
pub(crate) struct Perform {
    pub(crate) call: CallId,
    pub(crate) seat: Seat,
    pub(crate) request: Arc<Request>,
    pub(crate) digest: Digest,
}

/// One life of the program.
pub(crate) struct Process {
    pub(crate) session: Session,
    /// What is under way outside, as the live table keeps it.
    pub(crate) in_flight: InFlight,
    /// Requests that a seat makes one after the other; the first is being made.
    pub(crate) mailboxes: BTreeMap<Seat, VecDeque<Perform>>,
}
