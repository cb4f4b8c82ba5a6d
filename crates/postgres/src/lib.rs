//! A shelf of campaigns in PostgreSQL 15 or later, and what speaks its protocol.
//!
//! * Connect with [`Postgres::connect`]; the result is a [`Shelf`](twicetold_journal::Shelf) like a folder of files and passes the same
//!   [`conformance`](twicetold_journal::conformance) suite.
//! * An append is one statement and one transaction. Its first part is an update of the campaign's row that names the head and the epoch
//!   it follows from; a writer that lost the campaign changes no row, and writes nothing.
//! * Whoever writes a campaign holds a lease by the database's clock, and renews it. A lease says whom to wait for. Safety does not rest
//!   on it, but on the epoch, which grows with every lease.
//! * When a connection breaks during an append, the writer asks the database whether its entry is there before it does anything else.
//!
//! Statements have no names and sessions no locks: poolers of connections may stand in between.

mod address;
mod database;
mod lease;
pub mod limits;
mod queue;
mod records;
mod schema;
mod shelf;
mod store;
pub mod views;

pub use address::{Address, AddressError, Passwords};
pub use database::ConnectError;
pub use shelf::Postgres;
