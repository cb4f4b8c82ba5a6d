//! A Model Context Protocol server: with it, agents that are built on anything read campaigns.
//!
//! A connection is the owner's. Its results hold texts that models and players wrote; they are returned as data and marked as such.

mod failure;
pub mod limits;
mod lines;
mod page;
mod reading;
mod server;
mod tools;
mod why;

pub use server::Server;
