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
    /// What a model says while it says it. It is no part of the journal: the reply may still be cut or refused.
    Draft {
        /// Who speaks.
        seat: Seat,
        /// All words so far.
        words: String,
    },
    /// A person is asked. Whoever watches brings the answer, when there is one, by [`Handle::tell`](crate::Handle::tell).
    Asking {
        /// The call.
        call: CallId,
        /// Where the person sits.
        seat: Seat,
    },
    /// A budget is nearly or altogether used up.
    Budget(BudgetNotice),
}

/// How much of a budget is spent. What it says of money is for whoever watches, and never for the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetNotice {
    /// Is it used up, so that the campaign is being paused?
    pub used_up: bool,
    /// What is spent of what: `0.4012 of 0.50 usd`.
    pub spent: String,
    /// As much again of all that is limited, as it is asked for: `400calls,0.50usd`.
    pub again: String,
}

/// Why the actors stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The campaign is over.
    Ended,
    /// It is paused and can be resumed.
    Paused,
}

/// Why a campaign could not be played on. What is in the journal is whole.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The journal could not be written.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The charter gives a seat that has to speak no model, and nobody sits there.
    #[error("no model is assigned to {0} in the campaign's seats.toml")]
    NobodyPlays(Seat),
    /// The same campaign is being played in this process already.
    #[error("the campaign {0:.8} is being played already")]
    PlayedTwice(CampaignId),
    /// A bug: the supervisor stopped the campaign, and nothing was written after it.
    #[error(
        "the program stopped the campaign because of a bug: {0}. Nothing was written after that. Please report the bug"
    )]
    Bug(String),
}
