//! A campaign and its journal together: open, commit, recover, replay, rebuild a request. Synchronous, without a runtime.

mod branch;
mod facts;
mod load;
mod rebuild;
mod replay;
mod session;
mod why;

pub use branch::{Replies, lineage, untaken};
pub use facts::{Change, Difference, Facts, diff, facts, history};
pub use load::{LoadError, Loaded, charter_of, entries, foreign, load, load_to};
pub use rebuild::{Part, Rebuilt, rebuild};
pub use replay::{Drift, Report, Verdict, replay};
pub use session::{CommitError, Committed, Session};
pub use why::{GoalOrigin, GoalWhy, Registered, RequestWhy, SpanWhy, ToolCallWhy, goal_ids, why_goal};
