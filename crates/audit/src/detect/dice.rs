//! Are the dice fair? Faces counted by chi-square, and streaks of one face.

use std::collections::BTreeMap;

use super::finding;
use crate::limits::{CHI_SQUARE_THOUSANDTHS, EXPECTED_FACES_MIN, UNFAIR_ODDS};
use crate::{Finding, Measure, Severity, Transcript, Verdict};

/// Faces in order, each with the number of its roll.
type Faces = Vec<(u64, u16)>;

/// How uneven each seat's dice are, and everybody's together.
pub(super) fn measure(transcript: &Transcript) -> Vec<Measure> {
    let Some((thrown, _)) = thrown(transcript) else { return Vec::new() };
    let measured = thrown.iter().filter(|(_, faces)| !faces.is_empty()).map(|((who, sides), faces)| {
        let (count, square) = (faces.len() as u64, chi_square(*sides, faces));
        let (whole, thousandths) = (square / 1_000, square % 1_000);
        let numbers = [("sides", u64::from(*sides)), ("dice", count), ("chi_square_thousandths", square)];
        Measure {
            of: who.clone(),
            numbers: numbers.into(),
            words: format!("{who}, d{sides}: {count} rolls, chi-square {whole}.{thousandths:03}"),
        }
    });
    measured.collect()
}

/// Dice by who threw them and by their sides; and whether it was recorded what dice they were.
type Thrown = BTreeMap<(String, u16), Faces>;

fn thrown(transcript: &Transcript) -> Option<(Thrown, bool)> {
    let rolls = transcript.rolls.as_ref()?;
    let mut thrown = Thrown::new();
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
    Some((thrown, known))
}

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let Some((thrown, known)) = thrown(transcript) else { return Verdict::NotRecorded("rolls") };
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

/// Chi-square against equal shares, in thousandths.
fn chi_square(sides: u16, faces: &Faces) -> u64 {
    let count = (faces.len() as u64).max(1);
    let mut seen: BTreeMap<u16, u64> = BTreeMap::new();
    for (_, face) in faces {
        *seen.entry(*face).or_default() += 1;
    }
    let squares: u64 = seen.values().map(|seen| seen * seen).sum();
    // Σ(observed − expected)² / expected is sides · Σ observed² / count − count.
    (1_000 * u64::from(sides) * squares / count).saturating_sub(1_000 * count)
}

/// More uneven than fair dice are.
fn uneven(who: &str, sides: u16, faces: &Faces) -> Option<Finding> {
    let (_, critical) = CHI_SQUARE_THOUSANDTHS.iter().find(|(known, _)| *known == sides)?;
    let count = faces.len() as u64;
    if count < EXPECTED_FACES_MIN * u64::from(sides) {
        return None;
    }
    let thousandths = chi_square(sides, faces);
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
