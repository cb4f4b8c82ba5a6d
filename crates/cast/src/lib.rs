//! The actors of a campaign on ractor: the DM, the players, the memory agent, the table (its single writer) and their supervisor.
//! They carry messages; every rule is the referee's.
//!
//! Each is registered as `twicetold/CAMPAIGN/NAME`: `dm`, `player-1` …, `memory`, `table`, `supervisor`.

mod budget;
mod call;
mod dm;
mod memory;
mod message;
mod player;
mod seats;
mod shared;
mod supervisor;
mod table;

pub use budget::{Budget, Limit, Meter, MoneyBudget, UsedUp};
pub use message::{BudgetNotice, Notice, PlayError, Stop};
pub use shared::{Most, SharedBudget};
pub use supervisor::{Clock, Handle, KeepAhead, PlaySetup, RESTARTS_MAX, play};
