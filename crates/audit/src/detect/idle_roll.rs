//! Dice thrown for a character whose player had not said that it does anything.

use super::finding;
use crate::{Kind, RollKind, Severity, Transcript, Verdict};

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let Some(rolls) = &transcript.rolls else { return Verdict::NotRecorded("rolls") };
    if rolls.iter().all(|roll| roll.asked_by.is_none() || roll.roller.is_none()) && !rolls.is_empty() {
        return Verdict::NotRecorded("who asked for a roll, and for whom");
    }
    // A round: everybody has spoken once, and the narrator between them.
    let round = 2 * u32::try_from(transcript.players().count()).unwrap_or(1);
    let mut findings = Vec::new();
    // What befalls a character asks nobody; plain dice in a character's name do what a check does.
    for roll in rolls.iter().filter(|roll| roll.kind != RollKind::Defence) {
        let (Some(roller), Some(asked_by)) = (roll.roller.as_deref(), roll.asked_by.as_deref()) else {
            continue;
        };
        if roller == asked_by || transcript.kind(roller) != Kind::Player {
            continue;
        }
        let declared = transcript.play().any(|line| {
            line.voice == roller && line.number < roll.number && line.turn.saturating_add(round) >= roll.turn
        });
        if !declared {
            let name = transcript.name(roller);
            let why = format!(
                "{asked_by} rolled for {name}, who had not said anything for the {round} turns before ({})",
                roll.what
            );
            findings.push(finding("idle-roll", (Severity::Warning, 85), [roll.number], "", why));
        }
    }
    Verdict::Looked(findings)
}
