//! A seed is checked: run twice, and compared with its twin without faults where the story may not change.

use crate::judge::{Oracle, Violation};
use crate::schedule::Schedule;
use crate::simulation::{Failure, Outcome, run};

/// Runs a schedule twice, and its twin once.
///
/// # Errors
/// A promise was broken, or there is no configuration to play.
pub fn check(schedule: &Schedule) -> Result<Outcome, Failure> {
    let outcome = run(schedule)?;
    let broken = |oracle, seen: String| {
        let happening = outcome.happenings;
        let at = twicetold_event::Millis(0);
        Failure::Broken(Violation { oracle, seen, happening, at }, outcome.trace.clone())
    };
    let again = run(schedule)?;
    if again != outcome {
        let lines = outcome.trace.iter().zip(&again.trace);
        let first = lines.clone().find(|(one, other)| one != other);
        let seen =
            first.map_or("the journals differ".to_owned(), |(one, other)| format!("{one:?}, then {other:?}"));
        return Err(broken(Oracle::SameBytes, seen));
    }
    if schedule.keeps_the_story() {
        let twin = run(&schedule.without_faults())?;
        if twin.story != outcome.story {
            let seen = format!(
                "{:.16}, the twin's {:.16} ({} against {})",
                outcome.story, twin.story, outcome.ending, twin.ending
            );
            return Err(broken(Oracle::TwinAgrees, seen));
        }
    }
    Ok(outcome)
}
