//! Transcripts of other programs: a mapping says where in each record what stands, and a journal of foreign words comes of it.

mod limits;
mod mapping;
mod read;
mod writing;
mod written;

pub use mapping::Mapping;
pub use read::records;
pub use writing::write;
