//! The promises of the actors.

mod actors;
mod budgets;
mod durable_first;
