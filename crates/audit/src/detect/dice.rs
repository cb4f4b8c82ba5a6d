//! Are the dice fair? Faces counted by chi-square, and streaks of one face.

use std::collections::BTreeMap;

use super::finding;
use crate::limits::{CHI_SQUARE_THOUSANDTHS, EXPECTED_FACES_MIN, UNFAIR_ODDS};
use crate::{Finding, Severity, Transcript, Verdict};

/// Faces in order, each with the number of its roll.
type Faces = Vec<(u64, u16)>;

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let Some(rolls) = &transcript.rolls else { return Verdict::NotRecorded("rolls") };
    let mut thrown: BTreeMap<(String, u16), Faces> = BTreeMap::new();
    let mut known = rolls.is_empty();
    for roll in rolls {
        let Some(sides) = roll.sides else { continue };
        known = true;
        let who = roll.roller.as_deref().map_or("the narrator's people", |roller| transcript.name(roller));
        for name in [who, "everybody"] {
            let faces = roll.faces.iter().map(|face| (roll.number, *face));
            thrown.entry((name.to_owned(), sides)).or_default().extend(faces);
        }
    }
    if !known {
        return Verdict::NotRecorded("what dice were thrown and what each showed");
    }
    let mut findings = Vec::new();
    for ((who, sides), faces) in &thrown {
        findings.extend(uneven(who, *sides, faces));
        // Among everybody's dice a streak is made of different people's: theirs are looked at one by one.
        if who != "everybody" {
            findings.extend(streak(who, *sides, faces));
        }
    }
    Verdict::Looked(findings)
}

/// Chi-square against equal shares.
fn uneven(who: &str, sides: u16, faces: &Faces) -> Option<Finding> {
    let (_, critical) = CHI_SQUARE_THOUSANDTHS.iter().find(|(known, _)| *known == sides)?;
    let count = faces.len() as u64;
    if count < EXPECTED_FACES_MIN * u64::from(sides) {
        return None;
    }
    let mut seen: BTreeMap<u16, u64> = BTreeMap::new();
    for (_, face) in faces {
        *seen.entry(*face).or_default() += 1;
    }
    let squares: u64 = seen.values().map(|seen| seen * seen).sum();
    // Σ(observed − expected)² / expected is sides · Σ observed² / count − count.
    let thousandths = (1_000 * u64::from(sides) * squares / count).saturating_sub(1_000 * count);
    if thousandths <= *critical {
        return None;
    }
    let why = format!(
        "{count} d{sides} of {who} are uneven: chi-square {}.{:03}, which fair dice exceed once in {UNFAIR_ODDS} times",
        thousandths / 1_000,
        thousandths % 1_000
    );
    let numbers = faces.first().into_iter().chain(faces.last()).map(|(number, _)| *number);
    Some(finding("dice", (Severity::Warning, 95), numbers, "", why))
}

/// The longest row of one face, if fair dice hardly ever show one as long.
fn streak(who: &str, sides: u16, faces: &Faces) -> Option<Finding> {
    let longest = faces.chunk_by(|one, next| one.1 == next.1).max_by_key(|row| row.len())?;
    // A row of so many begins anywhere with one chance in sides^(length − 1).
    let again = u32::try_from(longest.len() - 1).unwrap_or(u32::MAX);
    let odds = u64::from(sides).saturating_pow(again);
    if sides < 2 || odds < UNFAIR_ODDS.saturating_mul(faces.len() as u64) {
        return None;
    }
    let why = format!("{who} threw {} on a d{sides} {} times in a row", longest[0].1, longest.len());
    let numbers = longest.iter().map(|(number, _)| *number);
    Some(finding("dice", (Severity::Warning, 95), numbers, "", why))
}
