//! A failure that is told as a success, or a success that is told as a failure.

use super::finding;
use crate::limits::{OUTCOME_SENTENCES, OUTCOME_TURNS};
use crate::text::{names, sentences, unquoted, words};
use crate::{Channel, Kind, Line, Roll, RollKind, Severity, Transcript, Verdict};

/// Turns of speech that say that something worked.
const WON: [&str; 17] = [
    "succeed",
    "succeeds",
    "succeeded",
    "success",
    "successful",
    "successfully",
    "manage to",
    "manages to",
    "managed to",
    "pull it off",
    "pulls it off",
    "flawlessly",
    "triumph",
    "works perfectly",
    "goes perfectly",
    "strikes true",
    "finds its mark",
];
/// Turns of speech that say that it did not. "Missed" is none: people speak of what others have missed.
const LOST: [&str; 23] = [
    "fail",
    "fails",
    "failed",
    "failure",
    "unsuccessful",
    "unsuccessfully",
    "misses",
    "in vain",
    "goes wrong",
    "went wrong",
    "to no avail",
    "comes to nothing",
    "came to nothing",
    "not this time",
    "falls short",
    "fell short",
    "fumbles",
    "fumbled",
    "botch",
    "botches",
    "botched",
    "without success",
    "does not work",
];
/// What makes a sentence speak of what might be, or might have been.
const SUPPOSED: [&str; 14] = [
    "if",
    "would",
    "could",
    "might",
    "may",
    "unless",
    "whether",
    "should",
    "must",
    "last",
    "before",
    "earlier",
    "yesterday",
    "or",
];
/// What turns a word around.
const NOT: [&str; 9] = ["not", "never", "no", "without", "cannot", "nothing", "don't", "doesn't", "didn't"];

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let Some(rolls) = &transcript.rolls else { return Verdict::NotRecorded("rolls") };
    let tried = |roll: &&Roll| matches!(roll.kind, RollKind::Check | RollKind::Attack | RollKind::Defence);
    let tried: Vec<&Roll> = rolls.iter().filter(tried).collect();
    let mut findings = Vec::new();
    for (place, roll) in tried.iter().enumerate() {
        let (Some(success), Some(roller)) = (roll.success, roll.roller.as_deref()) else { continue };
        // Several rolls of one character may be told together, and then nobody can say which words are whose.
        let near =
            |other: &&Roll| other.roller == roll.roller && other.turn.abs_diff(roll.turn) <= OUTCOME_TURNS;
        let others = tried.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, other)| *other);
        if others.filter(near).any(|other| other.success != Some(success)) {
            continue;
        }
        let after = |line: &&Line| line.number > roll.number && line.turn <= roll.turn + OUTCOME_TURNS;
        let told = transcript.play().filter(after).filter(|line| line.channel == Channel::Table);
        for line in told {
            let Some(sentence) = contradiction(transcript, line, roller, success) else { continue };
            let (was, told) = if success { ("succeeded", "failed") } else { ("failed", "succeeded") };
            let why = format!("the roll {was} ({}), but the narration says that it {told}", roll.what);
            let sure = (Severity::Error, 75);
            findings.push(finding("mechanics", sure, [line.number, roll.number], &sentence, why));
            break;
        }
    }
    Verdict::Looked(findings)
}

/// The first sentence of a line that tells the outcome the other way round, unless another one tells it rightly.
fn contradiction(transcript: &Transcript, line: &Line, roller: &str, success: bool) -> Option<String> {
    let own = line.voice == roller;
    if !own && transcript.kind(&line.voice) != Kind::Narrator {
        return None;
    }
    let text = unquoted(&line.text);
    let voice = transcript.voices.get(roller)?;
    let others = transcript.players().filter(|(name, _)| *name != roller);
    let others: Vec<&String> = others.flat_map(|(_, voice)| &voice.names).collect();
    let mut wrong = None;
    let mut meant = own;
    for sentence in sentences(&text).into_iter().take(OUTCOME_SENTENCES) {
        if others.iter().any(|name| names(sentence, name)) {
            break;
        }
        meant |= voice.names.iter().any(|name| names(sentence, name));
        match told(sentence) {
            Some(told) if told == success => return None,
            Some(_) if meant => wrong = wrong.or_else(|| Some(sentence.to_owned())),
            _ => {}
        }
    }
    wrong
}

/// Does a sentence tell of success or of failure?
fn told(sentence: &str) -> Option<bool> {
    if sentence.ends_with('?') {
        return None;
    }
    let words = words(sentence);
    if words.iter().any(|word| SUPPOSED.contains(&word.as_str())) {
        return None;
    }
    let (won, lost) = (cues(&words, &WON), cues(&words, &LOST));
    match (won.0 + lost.1, lost.0 + won.1) {
        (1.., 0) => Some(true),
        (0, 1..) => Some(false),
        _ => None,
    }
}

/// How many of these turns of speech there are, plain and turned around.
fn cues(words: &[String], cues: &[&str]) -> (usize, usize) {
    let mut found = (0, 0);
    for cue in cues {
        let cue: Vec<&str> = cue.split(' ').collect();
        for (place, window) in words.windows(cue.len()).enumerate() {
            if window.iter().zip(&cue).all(|(word, cue)| word == cue) {
                let before = &words[place.saturating_sub(3)..place];
                match before.iter().any(|word| NOT.contains(&word.as_str())) {
                    true => found.1 += 1,
                    false => found.0 += 1,
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn success_failure_and_neither_are_told_apart() {
        assert_eq!(told("Ada succeeds, and the lock gives way."), Some(true));
        assert_eq!(told("The blow misses by a hand."), Some(false));
        assert_eq!(told("She does not succeed."), Some(false));
        assert_eq!(told("If she fails, all is lost."), None);
        assert_eq!(told("Did she succeed?"), None);
    }
}
