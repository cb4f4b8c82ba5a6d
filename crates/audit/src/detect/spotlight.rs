//! How often each player gets to speak.

use super::finding;
use crate::limits::{SILENCE_LINES_PER_PLAYER, SPOTLIGHT_LINES_MIN, SPOTLIGHT_PERCENT_MIN};
use crate::{Kind, Line, Measure, Severity, Transcript, Verdict};

/// Each player's share of the lines, and their longest silence.
pub(super) fn measure(transcript: &Transcript) -> Vec<Measure> {
    let spoken: Vec<&Line> =
        transcript.play().filter(|line| transcript.kind(&line.voice) == Kind::Player).collect();
    let measured = transcript.players().map(|(player, _)| {
        let lines = spoken.iter().filter(|line| line.voice == player).count();
        let silence = spoken.split(|line| line.voice == player).map(<[_]>::len).max().unwrap_or(0);
        let share = lines * 100 / spoken.len().max(1);
        let name = transcript.name(player);
        let numbers = [("lines", lines), ("share_percent", share), ("longest_silence_lines", silence)];
        Measure {
            of: name.to_owned(),
            numbers: numbers.map(|(name, number)| (name, number as u64)).into(),
            words: format!("{name}: {share}% of {} lines, longest silence {silence} lines", spoken.len()),
        }
    });
    measured.collect()
}

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let players: Vec<&str> = transcript.players().map(|(name, _)| name).collect();
    let spoken: Vec<&Line> =
        transcript.play().filter(|line| transcript.kind(&line.voice) == Kind::Player).collect();
    if players.len() < 2 || spoken.len() < SPOTLIGHT_LINES_MIN {
        return Verdict::Looked(Vec::new());
    }
    let mut findings = Vec::new();
    for player in &players {
        let own = spoken.iter().filter(|line| line.voice == *player).count();
        let number = spoken.iter().rev().find(|line| line.voice == *player).map(|line| line.number);
        if own * players.len() * 100 < spoken.len() * SPOTLIGHT_PERCENT_MIN {
            let name = transcript.name(player);
            let why = format!("{name} spoke {own} of {} times among {} players", spoken.len(), players.len());
            findings.push(finding("spotlight", (Severity::Warning, 90), number, "", why));
            continue;
        }
        findings.extend(silence(transcript, &spoken, player, players.len()));
    }
    Verdict::Looked(findings)
}

/// The longest time that a player said nothing, if it was long.
fn silence(
    transcript: &Transcript,
    spoken: &[&Line],
    player: &str,
    players: usize,
) -> Option<crate::Finding> {
    let gaps = spoken.split(|line| line.voice == player);
    let longest = gaps.max_by_key(|gap| gap.len())?;
    if longest.len() < SILENCE_LINES_PER_PLAYER * players {
        return None;
    }
    let (first, last) = (longest.first()?, longest.last()?);
    let name = transcript.name(player);
    let why = format!(
        "{name} said nothing while the others spoke {} times, from turn {} to turn {}",
        longest.len(),
        first.turn,
        last.turn
    );
    Some(finding("spotlight", (Severity::Info, 90), [first.number, last.number], "", why))
}
