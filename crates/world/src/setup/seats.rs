//! Who sits at the table and which model plays where: `seats.toml` of a charter.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use twicetold_event::Seat;

/// The seats of a charter. The program writes this file from `models.toml` and the command line when a campaign is opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatsFile {
    /// Number of players.
    pub players: u8,
    /// The model of each seat by its slug: `dm`, `player-1`, `memory`.
    pub seat: BTreeMap<String, SeatSetup>,
}

/// A model and how it is asked: all that changes the bytes of a request. Where its server is and which key it wants is no part of
/// a charter: a campaign travels, and whoever plays it says that anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatSetup {
    /// The wire protocol: `chat-completions`, or `improv` for the embedded improviser.
    pub protocol: String,
    /// The version of what goes over the wire: a build that would send other bytes speaks another version.
    pub wire: u32,
    /// The model's name as its server knows it; `improv:chaos` is the improviser with vices.
    pub model: String,
    /// Thousandths; absent: the server's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature_milli: Option<u32>,
    /// Most tokens of a reply.
    pub tokens_max: u32,
    /// Several tool calls in one reply?
    pub parallel_tool_calls: bool,
    /// Send a seed drawn from the campaign's?
    pub send_seed: bool,
    /// Tokens are estimated as a third of the bytes, times this many hundredths.
    pub token_factor_percent: u32,
    /// What this server supports; see the documentation of `models.toml`.
    #[serde(default)]
    pub compat: toml::Table,
}

impl SeatSetup {
    /// Does the program itself play the seat? Then no server is asked, no key is wanted, and no language but its own is read.
    pub fn is_embedded(&self) -> bool {
        self.protocol == "improv"
    }

    /// Is it asked one small question at a time?
    pub fn is_guided(&self) -> bool {
        self.tool_calls() == Some("guided")
    }

    /// Does it write its calls as text, in the form that its prompt shows?
    pub fn writes_calls(&self) -> bool {
        matches!(self.tool_calls(), Some("prompted" | "structured"))
    }

    fn tool_calls(&self) -> Option<&str> {
        self.compat.get("tool_calls").and_then(toml::Value::as_str)
    }
}

impl SeatsFile {
    /// The model of a seat; seats without one of their own are played by the DM's.
    pub fn of(&self, seat: Seat) -> Option<&SeatSetup> {
        self.seat.get(&seat.slug()).or_else(|| self.seat.get("dm"))
    }
}
