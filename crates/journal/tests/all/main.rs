//! The promises of the journal.

mod conformance;
mod export;
mod files;
mod storage;
mod verify;
