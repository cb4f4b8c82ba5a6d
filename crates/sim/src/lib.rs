//! Simulates the core and the store under seeded schedules of faults, and judges every step. Synchronous, without a runtime.
//!
//! A [`Schedule`] is drawn from one seed: which campaign under which limits, and how often the store, the process, the model
//! servers and people make trouble. [`run`] plays it in simulated time over the real session and the real journal in memory;
//! [`check`](fn@check) runs it twice and compares it with its twin without faults. After every step a judge who only ever folds what lies on
//! the disk asks each [`Oracle`].

mod check;
mod configuration;
mod disk;
mod draws;
mod judge;
mod limits;
mod process;
mod schedule;
mod servers;
mod simulation;

pub use check::check;
pub use configuration::configuration_of;
pub use judge::{Oracle, Violation};
pub use schedule::{Flaw, Schedule};
pub use simulation::{Failure, Outcome, run};
