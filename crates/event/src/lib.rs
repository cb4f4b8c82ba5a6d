//! The words of the journal: what came in, what was decided, and how both are written down for ever.

pub mod body;
pub mod entry;
mod id;

pub use id::{BlobId, Build, CallId, CampaignId, Millis, Number, Seat};
