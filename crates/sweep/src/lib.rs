//! Experiments over many campaigns: the plan, the scores of a journal, paired differences between variants and their intervals.
//!
//! Everything here is computed from texts and journals that somebody else reads: this crate opens no file, starts no campaign and
//! prints nothing. The campaigns of a plan are played by `host`.

#![allow(clippy::float_arithmetic, reason = "statistics; nothing that is replayed depends on them")]
#![allow(clippy::cast_precision_loss, reason = "counts of events stay far below 2^53")]

mod compare;
mod condition;
mod draws;
mod interval;
mod plan;
mod rank;
mod scores;
mod table;

pub use compare::{Comparison, Played, Row, compare};
pub use condition::{Condition, Met};
pub use draws::Draws;
pub use interval::{Difference, Interval, PAIRS_MIN, mean};
pub use plan::schemas;
pub use plan::{
    CELLS_MAX, Cell, LIST_MAX, Mistake, Near, PARALLEL_MAX, PLAN_BYTES_MAX, Plan, Team, Variant, Word,
};
pub use rank::{Better, ROLES, Ranked, Role, rank};
pub use scores::{Card, SCORES, SHOWN_FIRST, Score, Scorer, Shown, Unit, Value, named};
pub use table::{between, csv_field, signed, table, written};
