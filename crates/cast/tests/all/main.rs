//! The promises of the actors.

mod actors;
mod budgets;
mod drafts;
mod durable_first;
