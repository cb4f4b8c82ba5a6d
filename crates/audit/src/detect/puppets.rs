//! One seat puts words into another's mouth, or decides for it.

use super::finding;
use crate::text::{place_of, quoted, sentences, unquoted, words};
use crate::{Channel, Kind, Line, Severity, Transcript, Verdict, Voice};

/// Verbs of speech, as they stand beside a quotation.
const SAYS: [&str; 16] = [
    "says",
    "said",
    "replies",
    "replied",
    "answers",
    "answered",
    "shouts",
    "shouted",
    "whispers",
    "whispered",
    "declares",
    "declared",
    "cries",
    "agrees",
    "admits",
    "announces",
];
/// Verbs of actions that only the character's own seat decides on.
const DECIDES: [&str; 14] = [
    "decides",
    "agrees",
    "refuses",
    "attacks",
    "casts",
    "surrenders",
    "confesses",
    "swears",
    "accepts",
    "signs",
    "drinks",
    "betrays",
    "kills",
    "stabs",
];

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let mut findings = Vec::new();
    for (place, line) in transcript.lines.iter().enumerate() {
        // Before the game people talk about characters, not as them; a narrator apart voices a person of its own.
        if line.channel == Channel::Before || transcript.kind(&line.voice) == Kind::Other {
            continue;
        }
        let others = transcript.players().filter(|(name, _)| *name != line.voice);
        for (name, other) in others {
            let Some((sentence, what)) = puppet(transcript, &transcript.lines[..place], line, name, other)
            else {
                continue;
            };
            let why = format!("{} belongs to {name}, and {} {what}", transcript.name(name), line.voice);
            findings.push(finding("puppets", (Severity::Error, 80), [line.number], &sentence, why));
        }
    }
    Verdict::Looked(findings)
}

/// The words by which a line speaks or acts as another voice, and what they do.
fn puppet(
    transcript: &Transcript,
    before: &[Line],
    line: &Line,
    name: &str,
    other: &Voice,
) -> Option<(String, &'static str)> {
    for paragraph in line.text.lines() {
        let plain = paragraph.trim_start_matches(['*', '_', '#', '>', '-', ' ']);
        let script = other.names.iter().find_map(|name| {
            let rest = plain.strip_prefix(name.as_str())?.trim_start_matches(['*', '_', ' ']);
            rest.strip_prefix(':').map(|rest| rest.trim_matches(['*', '_', ' ']))
        });
        if let Some(said) = script.filter(|said| words(said).len() >= 2 && !is_cited(before, name, said)) {
            // A sheet or a list has short fields behind names; somebody who speaks has a sentence.
            if said.ends_with(['.', '!', '?', '"', '”']) {
                return Some((plain.to_owned(), "writes lines for them"));
            }
        }
        if let Some(piece) = attributed(plain, other)
            && !is_cited(before, name, &piece)
        {
            return Some((plain.to_owned(), "says what they say"));
        }
    }
    // Narrators tell what players declared; a player never decides for another.
    if transcript.kind(&line.voice) != Kind::Player {
        return None;
    }
    let text = unquoted(&line.text);
    sentences(&text).into_iter().find_map(|sentence| {
        let decided = other.names.iter().any(|name| {
            let lead = sentence.strip_prefix(name.as_str()).map(words);
            lead.is_some_and(|words| words.first().is_some_and(|word| DECIDES.contains(&word.as_str())))
        });
        decided.then(|| (sentence.to_owned(), "decides what they do"))
    })
}

/// The quotation that a paragraph attributes to a voice: `"…," Ada says` or `Ada says, "…"`.
fn attributed(paragraph: &str, other: &Voice) -> Option<String> {
    let bare = paragraph.replace(['“', '”', '„', '«', '»'], "\"");
    let pieces: Vec<&str> = bare.split('"').collect();
    for (place, piece) in pieces.iter().enumerate().skip(1).step_by(2) {
        // A single word in quotation marks is a name of something.
        if words(piece).len() < 3 {
            continue;
        }
        let tail = pieces.get(place + 1).copied().unwrap_or_default();
        let lead = pieces[place - 1];
        for name in &other.names {
            if let Some(rest) = tail.trim_start().strip_prefix(name.as_str()) {
                let follows = words(rest);
                if follows.first().is_some_and(|word| SAYS.contains(&word.as_str()))
                    && !rest.starts_with('\'')
                {
                    return Some((*piece).to_owned());
                }
            }
            let said = last_clause(lead);
            if let Some(at) = place_of(said, name).filter(|at| *at == 0) {
                let between = words(&said[at + name.len()..]);
                let says = between.first().is_some_and(|word| SAYS.contains(&word.as_str()));
                if says && between.len() <= 4 && said.trim_end().ends_with([',', ':']) {
                    return Some((*piece).to_owned());
                }
            }
        }
    }
    None
}

fn last_clause(text: &str) -> &str {
    let end = text.trim_end_matches([' ', ',', ':']).len();
    let start = text[..end].rfind(['.', '!', '?']).map_or(0, |place| place + 1);
    text[start..].trim_start()
}

/// Did that voice say it before? Then it is a quotation of them.
fn is_cited(before: &[Line], name: &str, said: &str) -> bool {
    let wanted = words(&quoted(said).first().cloned().unwrap_or_else(|| said.to_owned())).join(" ");
    let own = before.iter().filter(|line| line.voice == name);
    own.rev().any(|line| words(&line.text).join(" ").contains(&wanted))
}
