//! What the one who watches is told, and how play ends.

use thiserror::Error;
use twicetold_event::{CallId, CampaignId, Seat};
use twicetold_session::{CommitError, Committed};

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
    /// The same campaign is being played in this process already.
    #[error("the campaign {0:.8} is being played already")]
    PlayedTwice(CampaignId),
    /// A bug: the supervisor stopped the campaign, and nothing was written after it.
    #[error("a bug stopped the campaign: {0}. Nothing was written after it; please report it")]
    Bug(String),
}
