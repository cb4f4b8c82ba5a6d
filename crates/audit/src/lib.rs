//! Detectors over the journal and the prose: what a reader would frown at, with the numbers and the words that show it.
//!
//! A [`Transcript`] is plain and knows no journal; a [`Recorder`] makes one of a campaign. What is not
//! recorded is `None`, and a detector that would need it says so instead of guessing. Nothing here changes anything.

mod chance;
mod cues;
mod detect;
mod finding;
mod journal;
pub mod limits;
mod read;
#[cfg(test)]
mod scenes;
mod text;
mod transcript;

pub use detect::{DETECTORS, Detector, audit, audit_by};
pub use finding::{Finding, Measure, Outcome, Report, Severity, Verdict};
pub use journal::{Recorder, sides};
pub use transcript::{
    Allowance, Audience, Call, Channel, Kind, Line, Note, NoteKind, Roll, RollKind, SourceFile, Spent, Stop,
    Transcript, Voice,
};
