//! The promises of the actors.

mod actors;
mod durable_first;
