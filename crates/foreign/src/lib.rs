//! Transcripts of other programs: a mapping says where in each record what stands, and a journal of foreign words comes of it.
//!
//! [`records`] and [`write()`] make such a journal; [`lines`] and [`transcript`] read one. No rule decided any of it, so there is
//! nothing to fold, to play or to replay.

mod detect;
mod dice;
mod error;
mod fields;
mod limits;
mod lines;
mod loose;
mod mapping;
mod pattern;
mod pieces;
mod printed;
mod python;
mod read;
mod roles;
mod split;
mod summary;
#[cfg(test)]
mod tests;
mod transcript;
mod words;
mod writing;

pub use detect::detect;
pub use error::{RecordError, WriteError};
pub use limits::{MAPPING_BYTES_MAX, TRANSCRIPT_BYTES_MAX};
pub use lines::{lines, not_recorded};
pub use mapping::Mapping;
pub use mapping::schemas;
pub use read::{Record, records};
pub use roles::Told;
pub use summary::{PassedOver, Speaker, Summary, summary};
pub use transcript::transcript;
pub use writing::{journal, write};
