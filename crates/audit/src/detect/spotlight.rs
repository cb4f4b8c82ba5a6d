//! How often each player gets to speak.

use super::finding;
use crate::cues::LISTS;
use crate::limits::{
    AWAY_LINES, ONCE_LINES_PER_PLAYER, SILENCE_LINES_PER_PLAYER, SPOTLIGHT_LINES_PER_PLAYER,
    SPOTLIGHT_PERCENT_MIN,
};
use crate::read::{People, is_nobody};
use crate::text::{place_of, sentences, words};
use crate::{Finding, Kind, Line, Measure, Severity, Transcript, Verdict};

/// The players who could speak: hosts and programs that a transcript lists among them are none.
fn players(transcript: &Transcript) -> Vec<&str> {
    let all: Vec<&str> = transcript.players().map(|(name, _)| name).collect();
    let people: Vec<&str> = all.iter().copied().filter(|name| !is_nobody(name)).collect();
    if transcript.foreign && people.len() > 1 { people } else { all }
}

fn spoken<'t>(transcript: &'t Transcript, players: &[&str]) -> Vec<&'t Line> {
    transcript.play().filter(|line| players.contains(&line.voice.as_str())).collect()
}

/// Each player's share of the lines, and their longest silence.
pub(super) fn measure(transcript: &Transcript) -> Vec<Measure> {
    let players = players(transcript);
    let spoken = spoken(transcript, &players);
    let measured = players.iter().map(|player| {
        let lines = spoken.iter().filter(|line| line.voice == *player).count();
        let silence = spoken.split(|line| line.voice == *player).map(<[_]>::len).max().unwrap_or(0);
        let share = lines * 100 / spoken.len().max(1);
        let name = transcript.name(player);
        let numbers = [("lines", lines), ("share_percent", share), ("longest_silence_lines", silence)];
        let count = |lines: usize| format!("{lines} line{}", if lines == 1 { "" } else { "s" });
        let (all, silence) = (count(spoken.len()), count(silence));
        Measure {
            of: name.to_owned(),
            numbers: numbers.map(|(name, number)| (name, number as u64)).into(),
            words: format!("{name}: {share}% of {all}, longest silence {silence}"),
        }
    });
    measured.collect()
}

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let players = players(transcript);
    let spoken = spoken(transcript, &players);
    let people = People::of(transcript);
    if players.len() < 2 || spoken.len() < SPOTLIGHT_LINES_PER_PLAYER * players.len() {
        let once = transcript.foreign.then(|| once(transcript, &people, &spoken, &players)).flatten();
        return Verdict::Looked(once.into_iter().collect());
    }
    let mut findings = Vec::new();
    for player in &players {
        let own = spoken.iter().filter(|line| line.voice == *player).count();
        let last = spoken.iter().rev().find(|line| line.voice == *player).map(|line| line.number);
        if own * players.len() * 100 < spoken.len() * SPOTLIGHT_PERCENT_MIN {
            // Whoever said goodbye has spoken as long as they were there.
            if is_excused(transcript, &players, player)
                || is_away(transcript, &people, player, last.unwrap_or(0), u64::MAX)
            {
                continue;
            }
            let name = transcript.name(player);
            let why = format!("{name} spoke {own} of {} times among {} players", spoken.len(), players.len());
            findings.push(finding("spotlight", (Severity::Warning, 90), last, "", why));
            continue;
        }
        findings.extend(silence(transcript, &people, &spoken, player, players.len()));
    }
    Verdict::Looked(findings)
}

/// In a short transcript shares say little; somebody of three or more who speaks once at the beginning, and never again while
/// everybody else does again and again, is left out all the same.
fn once(transcript: &Transcript, people: &People<'_>, spoken: &[&Line], players: &[&str]) -> Option<Finding> {
    if players.len() < 3 {
        return None;
    }
    let lines = |player: &str| spoken.iter().filter(|line| line.voice == player).count();
    let (silent, others): (Vec<&str>, Vec<&str>) =
        players.iter().copied().partition(|player| lines(player) <= 1);
    let [player] = silent[..] else { return None };
    let first = spoken.iter().position(|line| line.voice == player).unwrap_or(0);
    let last = spoken.get(first)?.number;
    let early = first < players.len();
    let excused =
        is_excused(transcript, players, player) || is_away(transcript, people, player, last, u64::MAX);
    if !early || excused || others.iter().any(|other| lines(other) < ONCE_LINES_PER_PLAYER) {
        return None;
    }
    let name = transcript.name(player);
    let why = format!("{name} spoke once, and the others {} times after it", spoken.len() - first - 1);
    Some(finding("spotlight", (Severity::Warning, 80), [last], "", why))
}

/// The longest time that a player said nothing, if it was long.
fn silence(
    transcript: &Transcript,
    people: &People<'_>,
    spoken: &[&Line],
    player: &str,
    players: usize,
) -> Option<Finding> {
    let gaps = spoken.split(|line| line.voice == player);
    let longest = gaps.max_by_key(|gap| gap.len())?;
    if longest.len() < SILENCE_LINES_PER_PLAYER * players {
        return None;
    }
    let (first, last) = (longest.first()?, longest.last()?);
    if is_away(transcript, people, player, first.number, last.number) {
        return None;
    }
    let name = transcript.name(player);
    let why = format!(
        "{name} said nothing while the others spoke {} times, from turn {} to turn {}",
        longest.len(),
        first.turn,
        last.turn
    );
    Some(finding("spotlight", (Severity::Info, 90), [first.number, last.number], "", why))
}

/// Does a prompt say of a player, before it comes to the next one, that they are away?
fn is_excused(transcript: &Transcript, players: &[&str], player: &str) -> bool {
    transcript.prompts.iter().any(|(_, text)| {
        let Some(at) = place_of(text, player) else { return false };
        let rest = &text[at + player.len()..];
        let next =
            players.iter().filter(|other| **other != player).filter_map(|other| place_of(rest, other)).min();
        let own = &rest[..next.unwrap_or(rest.len())];
        let own = own.split_once(". ").map_or(own, |(own, _)| own);
        LISTS.story.away.say(&words(own)) || LISTS.story.absent.say(&words(own))
    })
}

/// Is it said, shortly before a silence or in it, that the player has gone or the character cannot speak?
fn is_away(transcript: &Transcript, people: &People<'_>, player: &str, from: u64, to: u64) -> bool {
    let first = transcript.lines.partition_point(|line| line.number < from).saturating_sub(AWAY_LINES);
    let near = transcript.lines[first..].iter().filter(|line| line.number <= to);
    near.into_iter().any(|line| {
        let own = line.voice == player;
        let told = transcript.kind(&line.voice) != Kind::Player || own;
        told && sentences(&line.text).into_iter().any(|sentence| {
            (own || people.is_named(player, sentence) || sentence.contains(player))
                && LISTS.story.away.say(&words(sentence))
        })
    })
}
