//! A campaign and its journal together: open, commit, recover, replay, rebuild a request. Synchronous, without a runtime.

mod branch;
mod card;
mod cursor;
mod diff;
mod facts;
mod follow;
mod in_flight;
mod load;
mod rebuild;
mod replay;
mod session;
mod snapshot;
mod why;

pub use branch::{Replies, lineage, untaken};
pub use card::Card;
pub use cursor::JournalCursor;
pub use diff::{Branched, Difference, Nothing, Place, diff};
pub use facts::{Change, FactValue, Facts, facts, history};
pub use follow::Follower;
pub use in_flight::{Action, InFlight};
pub use load::{
    LoadError, Loaded, charter_of, entries, foreign, load, load_to, load_with, recall, recorded_charter,
};
pub use rebuild::{Part, Rebuilt, rebuild, rebuild_in};
pub use replay::{Drift, Report, Verdict, replay, replay_to};
pub use session::{CommitError, Committed, Session};
pub use snapshot::snapshot;
pub use why::{
    Appearance, Became, CallWhy, Carried, Cause, Chain, CitedWhy, EffectWhy, EndedWhy, EvidenceWhy,
    Explainer, GoalStep, GoalWhy, NeedWhy, Origin, OtherWhy, ReplyWhy, RequestWhy, SaidWhy, Shown, SpanWhy,
    StruckWhy, Subject, ToolCallWhy, Trace, TraceStep, WhyNot, goal_history, goal_ids, why_goal,
    why_not_goal,
};
