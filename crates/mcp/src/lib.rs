//! A Model Context Protocol server: with it, agents that are built on anything read campaigns, run them and take seats.
//!
//! A connection is either the owner's, or that of one seat, which is told what the seat may know and nothing else. Clients speak by lines
//! ([`Server::serve`]) or by HTTP ([`HttpServer`]). Results hold texts that
//! models and players wrote; they are returned as data and marked as such.

mod acting;
mod failure;
mod house;
mod http;
mod invitations;
pub mod limits;
mod lines;
mod page;
mod place;
mod reading;
mod seats;
mod server;
mod tools;
mod why;

pub use house::{House, Settings};
pub use http::HttpServer;
pub use invitations::Invitation;
pub use server::Server;
