//! Are the dice fair? How often fair ones would show the same: sums, one face too often, a narrow range, streaks, uneven counts.

use std::collections::BTreeMap;

use twicetold_projection::people::grouped;

use super::finding;
use crate::chance::{ONE, odds, of_face, of_range, of_streak, of_sum};
use crate::limits::{
    CHI_SQUARE_ODDS, CHI_SQUARE_THOUSANDTHS, DICE_MAX, DICE_MIN, EXPECTED_FACES_MIN, ODD_ODDS, UNFAIR_ODDS,
};
use crate::read::{Check, People, checks};
use crate::{Finding, Measure, Severity, Transcript, Verdict};

/// Faces in order, each with the number of its roll.
type Faces = Vec<(u64, u16)>;
/// Dice by who threw them and by their sides.
type Thrown = BTreeMap<(String, u16), Faces>;
/// Ways in which dice are looked at: each is one more chance to accuse fair ones.
const LOOKS: u128 = 6;

/// How even each seat's dice are, and everybody's together.
pub(super) fn measure(transcript: &Transcript) -> Vec<Measure> {
    let Some(thrown) = thrown(transcript) else { return Vec::new() };
    let groups = thrown.len();
    let measured = thrown.iter().map(|((who, sides), faces)| {
        let (count, square) = (faces.len() as u64, chi_square(*sides, faces));
        let tenths = faces.iter().map(|(_, face)| u64::from(*face)).sum::<u64>() * 10;
        let tenths = (tenths + count / 2) / count.max(1);
        let seen = seen(*sides, faces, groups);
        let odds = seen.as_ref().map_or(1, |(chance, _)| odds(*chance));
        let numbers = [
            ("sides", u64::from(*sides)),
            ("dice", count),
            ("mean_tenths", tenths),
            ("chi_square_thousandths", square),
            ("degrees_of_freedom", u64::from(sides.saturating_sub(1))),
            ("once_in_campaigns", odds),
        ];
        let rolls = if count == 1 { "roll" } else { "rolls" };
        let front = format!("{who}, d{sides}: {count} {rolls}, mean {}.{}", tenths / 10, tenths % 10);
        let words = match seen {
            None => format!("{front}, too few to judge"),
            Some(_) => format!("{front}, {}", verdict(odds)),
        };
        Measure { of: who.clone(), numbers: numbers.into(), words }
    });
    measured.collect()
}

/// What odds mean.
fn verdict(odds: u64) -> String {
    match odds {
        0..ODD_ODDS => "as fair dice fall".to_owned(),
        ODD_ODDS..UNFAIR_ODDS => {
            format!("lucky or unlucky, but possible (once in {} campaigns)", grouped(odds, ','))
        }
        _ => format!("what fair dice show once in {} campaigns: not fair", grouped(odds, ',')),
    }
}

/// `None`: no dice were recorded or told.
fn thrown(transcript: &Transcript) -> Option<Thrown> {
    let rolls: Vec<Check> = checks(transcript, &People::of(transcript))?;
    let mut thrown = Thrown::new();
    for roll in &rolls {
        let Some(sides) = roll.sides.filter(|sides| *sides > 1) else { continue };
        let who = roll.roller.as_deref().map_or("the narrator's people", |roller| transcript.name(roller));
        for name in [who, "everybody"] {
            let faces = roll.faces.iter().filter(|face| (1..=sides).contains(*face));
            let row = thrown.entry((name.to_owned(), sides)).or_default();
            row.extend(faces.map(|face| (roll.number, *face)));
        }
    }
    thrown.retain(|_, faces| !faces.is_empty());
    Some(thrown)
}

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let Some(thrown) = thrown(transcript) else { return Verdict::NotRecorded("rolls") };
    if thrown.is_empty() && transcript.rolls.as_ref().is_none_or(|rolls| !rolls.is_empty()) {
        return Verdict::NotRecorded("what dice were thrown and what each showed");
    }
    let groups = thrown.len();
    let mut findings: Vec<Finding> = Vec::new();
    let mut accused: Vec<u16> = Vec::new();
    // "everybody" last: it is accused only where nobody alone is.
    let (everybody, own): (Vec<_>, Vec<_>) = thrown.iter().partition(|((who, _), _)| who == "everybody");
    for ((who, sides), faces) in own.into_iter().chain(everybody) {
        let Some((chance, what)) = seen(*sides, faces, groups) else { continue };
        let odds = odds(chance);
        if odds < UNFAIR_ODDS || (who == "everybody" && accused.contains(sides)) {
            continue;
        }
        accused.push(*sides);
        let row: Vec<String> = faces.iter().take(SHOWN).map(|(_, face)| face.to_string()).collect();
        let more = if faces.len() > SHOWN { ", …" } else { "" };
        let why = format!(
            "{} d{sides} of {who}, {what} ({}{more}): {}",
            faces.len(),
            row.join(", "),
            verdict(odds)
        );
        let mut numbers: Vec<u64> = faces.iter().map(|(number, _)| *number).collect();
        numbers.dedup();
        findings.push(finding("dice", (Severity::Warning, 95), numbers, "", why));
    }
    Verdict::Looked(findings)
}

/// Faces that a finding shows.
const SHOWN: usize = 12;

/// The chance, in a whole campaign, to see dice as odd as these, and what is odd. `None`: so few could show anything.
fn seen(sides: u16, faces: &Faces, groups: usize) -> Option<(u128, String)> {
    if faces.len() < DICE_MIN {
        return None;
    }
    let faces = &faces[..faces.len().min(DICE_MAX)];
    let count = faces.len();
    let sum: u64 = faces.iter().map(|(_, face)| u64::from(*face)).sum();
    let (mut least, mut most) = (sides, 1);
    let mut often: BTreeMap<u16, usize> = BTreeMap::new();
    for (_, face) in faces {
        (least, most) = (least.min(*face), most.max(*face));
        *often.entry(*face).or_default() += 1;
    }
    let (face, times) = often.into_iter().max_by_key(|(_, times)| *times)?;
    let longest = faces.chunk_by(|one, next| one.1 == next.1).max_by_key(|row| row.len())?;
    let mut looks = vec![
        (of_sum(sides, count, sum, false), "too high".to_owned()),
        (of_sum(sides, count, sum, true), "too low".to_owned()),
        (of_face(sides, count, times), format!("{times} of them {face}")),
        (of_range(sides, count, most - least + 1), format!("all from {least} to {most}")),
        (
            of_streak(sides, count, longest.len()),
            format!("{} times {} in a row", longest.len(), longest[0].1),
        ),
    ];
    let critical =
        CHI_SQUARE_THOUSANDTHS.iter().find(|(known, _)| *known == sides).map(|(_, critical)| *critical);
    let enough = count as u64 >= EXPECTED_FACES_MIN * u64::from(sides);
    if enough && critical.is_some_and(|critical| chi_square(sides, &faces.to_vec()) > critical) {
        looks.push((ONE / u128::from(CHI_SQUARE_ODDS), "uneven".to_owned()));
    }
    let (chance, what) = looks.into_iter().min_by_key(|(chance, _)| *chance)?;
    let asked = LOOKS * groups.max(1) as u128;
    Some(((chance * asked).min(ONE), what))
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
