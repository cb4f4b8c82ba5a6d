//! The promises of the actors.

mod actors;
mod ahead;
mod budgets;
mod drafts;
mod durable_first;
