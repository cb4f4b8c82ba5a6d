//! The words of the journal: what came in, what was decided, and how both are written down for ever.

pub mod body;
mod charter;
pub mod entry;
mod event;
mod id;
mod input;
pub mod limits;
mod manifest;
mod record;
#[doc(hidden)]
pub mod samples;
mod text;
mod words;

pub use charter::{Charter, CharterFile};
pub use event::*;
pub use id::{BlobId, Build, CallId, CampaignId, Millis, Number, Seat};
pub use input::*;
pub use manifest::{Edit, Item, Manifest, ManifestError, Place, Source, Span};
pub use record::{Entry, Outcome, RecordError, Story, Verdict, encode_words};
pub use text::{Audience, Channel, Text};
pub use words::{Unknown, WordError};
