//! Transcripts of other programs: a mapping says where in each record what stands, and a journal of foreign words comes of it.
//!
//! [`records`] and [`write()`] make such a journal; [`lines`] and [`transcript`] read one. No rule decided any of it, so there is
//! nothing to fold, to play or to replay.

mod error;
mod limits;
mod lines;
mod mapping;
#[allow(dead_code, reason = "mappings name patterns next")]
mod pattern;
#[allow(dead_code, reason = "whole files of it are read next")]
mod python;
mod read;
mod transcript;
mod writing;

pub use error::{RecordError, WriteError};
pub use limits::{MAPPING_BYTES_MAX, TRANSCRIPT_BYTES_MAX};
pub use lines::{lines, not_recorded};
pub use mapping::Mapping;
pub use read::{Record, records};
pub use transcript::transcript;
pub use writing::write;
