//! What comes in from outside: the only things that a replay reads instead of computing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use twicetold_model::{Digest, Fault, Finish, Usage};

use crate::{CallId, CampaignId, Charter, Millis, Number, Seat, words::words};

words! {
    /// One thing that happened outside and made the referee take a step. Type numbers 1–99.
    pub enum Input {
        1 v 1 OpeningAsked,
        2 v 1 ModelReplied,
        3 v 1 ModelFailed,
        4 v 1 TimerFired,
        5 v 1 ResumeAsked,
        6 v 1 PauseAsked,
        7 v 1 SeatAsked,
        8 v 1 PersonAnswered,
        9 v 1 AmendmentAsked,
        10 v 1 ForkAsked,
        11 v 1 ForeignLine,
    }
}

/// Somebody opened a campaign under this charter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpeningAsked {
    /// Everything that a replay will need.
    pub charter: Charter,
}

/// A model answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelReplied {
    /// The call that it answers.
    pub call: CallId,
    /// Digest of the HTTP body that was sent.
    pub sent: Digest,
    /// The body as it was received, keys removed.
    pub body: String,
    /// Tokens as the body states them; zero where it does not.
    pub usage: Usage,
    /// Why the model stopped, as the body states it.
    pub finish: Finish,
}

/// A model call ended without a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelFailed {
    /// The call.
    pub call: CallId,
    /// Digest of the HTTP body that was sent.
    pub sent: Digest,
    /// What went wrong.
    pub fault: Fault,
    /// What was received of a body, keys removed and shortened.
    pub body: String,
}

/// A time that the referee asked for has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimerFired {
    /// The call whose next attempt was waiting.
    pub call: CallId,
    /// The time that was asked for.
    pub due: Millis,
}

/// A person asked to resume a paused or interrupted campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResumeAsked {
    /// The call that was in flight when the campaign stopped, if any: it will be made again, perhaps at a second cost.
    pub interrupted: Option<CallId>,
}

/// Somebody asked the campaign to stop for now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PauseAsked {
    /// In their words: `Ctrl-C`, for example.
    pub reason: String,
}

/// A person takes a seat or gives it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeatAsked {
    /// The seat.
    pub seat: Seat,
    /// The person's name; `None` gives the seat back to its model.
    pub person: Option<String>,
}

/// A person answered where a model would have been asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonAnswered {
    /// The call that it answers.
    pub call: CallId,
    /// Their words.
    pub text: String,
    /// What they did with the table's tools, in order.
    pub tool_calls: Vec<PersonCall>,
}

/// A tool as a person used it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonCall {
    /// The tool.
    pub tool: String,
    /// Its arguments as JSON.
    pub arguments: String,
}

/// Somebody asked for a change of the charter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AmendmentAsked {
    /// The charter file to replace.
    pub path: String,
    /// Its new content.
    pub content: String,
}

/// Somebody asked for a branch of another campaign. The entries before this one are that campaign's own, byte for byte; from here
/// on it is a campaign by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForkAsked {
    /// The campaign that it branches off.
    pub parent: CampaignId,
    /// The number after the last that both share.
    pub at: Number,
    /// Where dice and draws come from now; `None`: as before.
    pub seed: Option<u64>,
    /// Files of the charter that are replaced or added.
    pub amendments: Vec<AmendmentAsked>,
    /// Are replies that the parent got to the very same requests left aside, and models asked anew?
    pub resample: bool,
    /// What was changed, in a few words.
    pub note: String,
}

/// A record of another program's transcript, as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForeignLine {
    /// The line of the file that it begins in, or its place in the list, counted from 1.
    pub line: u64,
    /// The record as it stood there: JSON.
    pub text: String,
}

impl Input {
    /// The call that the input speaks of, if any.
    pub fn call(&self) -> Option<CallId> {
        match self {
            Input::ModelReplied(word) => Some(word.call),
            Input::ModelFailed(word) => Some(word.call),
            Input::TimerFired(word) => Some(word.call),
            Input::PersonAnswered(word) => Some(word.call),
            _ => None,
        }
    }

    /// Is it part of the story? Transport attempts and interruptions are not: a tale is the same with and without them.
    pub fn is_story(&self) -> bool {
        !matches!(
            self,
            Input::ModelFailed(_)
                | Input::TimerFired(_)
                | Input::ResumeAsked(_)
                | Input::PauseAsked(_)
                | Input::ForkAsked(_)
                | Input::Unknown(_)
        )
    }
}
