//! What was asked of the campaign's memory, and what it answered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Seat, Values};

/// What was asked for. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryQuery {
    /// What must not be forgotten.
    ImportantEvents,
    /// The characters who entered the story during play.
    SupportingNpcs,
    /// Both.
    All,
}

/// A line of an answer: the text `answers.<text>` of the charter tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Which text.
    pub text: String,
    /// What it tells of, as it was when it was asked.
    pub values: Values,
}

impl Answer {
    /// A line that tells of nothing yet.
    pub fn new(text: &str) -> Answer {
        Answer { text: text.to_owned(), values: Values::default() }
    }

    /// Adds a value.
    #[must_use]
    pub fn with(self, name: &str, value: impl ToString) -> Answer {
        Answer { values: self.values.with(name, value), ..self }
    }
}

/// The memory was asked. The answer holds what the asking seat may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryQueried {
    /// Who asked.
    pub seat: Seat,
    /// For what.
    pub query: MemoryQuery,
    /// Words that had to occur; empty for all.
    pub text: String,
    /// What was found, line by line.
    pub answer: Vec<Answer>,
}

/// What of a campaign was asked for. Append, never insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CampaignQuery {
    /// A character of the DM's.
    Npc,
    /// An act.
    Act,
    /// An encounter.
    Encounter,
}

/// The campaign's material was asked, as far as it has begun. The answer holds what the asking seat may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CampaignQueried {
    /// Who asked.
    pub seat: Seat,
    /// For what.
    pub query: CampaignQuery,
    /// Its id.
    pub id: String,
    /// What was found, line by line.
    pub answer: Vec<Answer>,
}
