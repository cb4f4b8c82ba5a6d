//! The promises of the actors.

mod actors;
mod drafts;
mod durable_first;
