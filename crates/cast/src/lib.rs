//! The actors of a campaign on ractor: the table (its single writer), the DM, the players, the keeper of memory, and their
//! supervisor. They carry messages; every rule is the referee's.

mod message;
mod seat;
mod supervisor;
mod table;

pub use message::{Notice, PlayError, Stop};
pub use supervisor::{Budget, Casting, Clock, Handle, play};
