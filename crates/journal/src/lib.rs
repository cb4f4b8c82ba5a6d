//! Append and read entries and blobs: one redb file per campaign.
//!
//! * [`Source`] is the reading half, [`Store`] adds appending. A [`Journal`] is a store on a redb file or in memory; a
//!   [`Reader`] is a redb file that somebody else may be playing; an [`Export`] is one self-contained file.
//! * A [`Shelf`] is where campaigns lie by their ids; a [`Folder`] of files is one.
//! * [`verify`](fn@verify) walks any source and names the first thing that is wrong with it.
//! * [`conformance`] is what every store and every shelf must pass.
//!
//! The journal knows headers, bodies and digests, and where a branch begins; never what an event means.

mod check;
mod codec;
pub mod conformance;
mod error;
mod export;
mod file;
mod flush;
mod guard;
mod import;
mod journal;
mod memory;
mod shelf;
mod snapshot;
mod source;
mod stream;
mod verify;
mod witness;

pub use check::{BLOB_BYTES_MAX, ENTRY_BYTES_MAX, Rejection, admit, check};
pub use error::{AppendError, ExportError, ImportError, OpenError, StoreError};
pub use export::{EXPORT_MAGIC, Export, write_export};
pub use file::{FileKind, Reader, create, open, open_at_once, open_read_only, open_source, sniff};
pub use guard::panics_are_caught;
pub use import::{Batch, Copied, branch, each_batch, import};
pub use journal::Journal;
pub use memory::Memory;
pub use shelf::{Folder, Live, Queue, Shelf, Taken, Waiting};
pub use source::{Blob, Blobs, Entries, Head, Source, Store};
pub use verify::{Damage, Part, Verified, verify, verify_with};
