//! Documents for people, each from the state alone: what `show` prints and what scripts read as JSON.

mod carried;
mod cost;
mod goals;
mod memory;
mod npcs;
mod party;
mod told;
mod transcript;
mod words;

pub use carried::carried;
pub use cost::{Asked, Cost, Ledger, Paid, Prices, cost, paid, unpriced};
pub use goals::{GoalLine, Goals, goals};
pub use memory::{Memory, memory};
pub use npcs::{NpcLine, npcs};
pub use party::{CharacterPage, EntryLine, PartyPage, SectionPage, characters, party};
pub use told::{heard, recent};
pub use transcript::{Line, LineKind, for_readers, lines, unspoiled, without_spoilers};
pub use words::{
    advice, chosen, grouped, kept, lived, missing, observed, passed, problems, reminder, why_over, why_paused,
};
pub(crate) use words::{after_giving_up, texts, worded};
