//! One seat puts words into another's mouth, or decides for it.

use std::collections::BTreeSet;

use super::finding;
use crate::cues::{LISTS, is_base, stem};
use crate::limits::{ANNOUNCED_LINES, SPEECH_WORDS_MIN};
use crate::read::People;
use crate::text::{is_telling, marked, place_of, sentences, unquoted, words};
use crate::{Channel, Kind, Line, Severity, Transcript, Verdict};

/// What the narrator is called at tables.
const NARRATORS: [&str; 7] =
    ["DM", "GM", "Narrator", "Dungeon Master", "Game Master", "Keeper", "Storyteller"];

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let people = People::of(transcript);
    let mut findings = Vec::new();
    for (place, line) in transcript.lines.iter().enumerate() {
        // Before the game people talk about characters, not as them; a narrator apart voices a person of its own.
        if line.channel == Channel::Before || transcript.kind(&line.voice) == Kind::Other {
            continue;
        }
        let table = Table { transcript, people: &people, before: &transcript.lines[..place], line };
        for (name, names) in people.players().filter(|(name, _)| *name != line.voice) {
            let Some((sentence, what)) = table.puppet(name, names) else { continue };
            let why = format!("{} belongs to {name}, and {} {what}", transcript.name(name), line.voice);
            findings.push(finding("puppets", (Severity::Error, 80), [line.number], &sentence, why));
        }
        if let Some(sentence) = table.as_narrator() {
            let why = format!("{} writes what only the narrator tells", line.voice);
            findings.push(finding("puppets", (Severity::Error, 80), [line.number], &sentence, why));
        }
    }
    Verdict::Looked(findings)
}

/// A line, and all that was said before it.
struct Table<'a, 't> {
    transcript: &'t Transcript,
    people: &'a People<'t>,
    before: &'t [Line],
    line: &'t Line,
}

impl Table<'_, '_> {
    fn by_narrator(&self) -> bool {
        self.transcript.kind(&self.line.voice) == Kind::Narrator
    }

    /// The words by which a line speaks or acts as another voice, and what they do.
    fn puppet(&self, name: &str, names: &[String]) -> Option<(String, &'static str)> {
        let text = marked(&self.line.text);
        for paragraph in text.lines() {
            let plain = paragraph.trim_start_matches(['*', '_', '#', '>', '-', ' ']);
            if let Some(said) = names.iter().find_map(|name| scripted(plain, name))
                && self.is_speech(said)
                && !self.is_cited(name, said)
            {
                return Some((plain.to_owned(), "writes lines for them"));
            }
            let addressed = self.by_narrator() && self.addressed(paragraph) == Some(name);
            if let Some(piece) = attributed(plain, names, addressed)
                && !self.is_cited(name, &piece)
            {
                return Some((plain.to_owned(), "says what they say"));
            }
        }
        let text = unquoted(&self.line.text);
        sentences(&text).into_iter().find_map(|sentence| {
            let addressed = self.by_narrator() && self.addressed(sentence) == Some(name);
            let decided = self.decision(sentence, names, addressed)?;
            (!self.is_announced(name, sentence, &decided))
                .then(|| (sentence.to_owned(), "decides what they do"))
        })
    }

    /// A player's line that goes on as the narrator's.
    fn as_narrator(&self) -> Option<String> {
        if self.transcript.kind(&self.line.voice) != Kind::Player {
            return None;
        }
        let own = self.transcript.voices.iter().filter(|(_, voice)| voice.kind == Kind::Narrator);
        let own: Vec<String> =
            own.flat_map(|(name, voice)| voice.names.iter().chain([name]).cloned()).collect();
        let known = NARRATORS.iter().map(|name| (*name).to_owned());
        let names: Vec<String> = own.into_iter().chain(known).collect();
        self.line.text.lines().find_map(|paragraph| {
            let plain = paragraph.trim_start_matches(['*', '_', '#', '>', '-', ' ', '[', '(']);
            let said = names.iter().find_map(|name| scripted(plain, name))?;
            // Whoever has a question for the narrator begins it so too.
            let asks = said.trim_end().ends_with('?')
                || words(said).iter().any(|word| word == "i" || word == "please" || word == "can");
            (words(said).len() >= SPEECH_WORDS_MIN && !asks).then(|| plain.to_owned())
        })
    }

    /// Whom "you" means: the player named in a text, or who spoke last.
    fn addressed(&self, text: &str) -> Option<&str> {
        let last = self.before.iter().rev().find(|line| self.transcript.kind(&line.voice) == Kind::Player);
        self.people.named_in(text).or_else(|| last.map(|line| line.voice.as_str()))
    }

    /// Is what stands behind a name and a colon spoken, and not a field of a sheet or a word to that player?
    fn is_speech(&self, said: &str) -> bool {
        let words = words(said);
        if words.len() < 2 || !said.trim_end().ends_with(['.', '!', '?', '"', '…', '*']) {
            return false;
        }
        if words.first().is_some_and(|word| LISTS.speech.fields.contains(word)) {
            return false;
        }
        let first =
            ["i", "i'm", "i'll", "i've", "i'd", "we", "we'll", "we're", "my", "me", "let's", "us", "our"];
        let own = words.iter().any(|word| first.contains(&word.as_str()));
        let to_them = words.iter().any(|word| word == "you" || word == "your" || word == "you're");
        own || said.trim_start().starts_with('"') || (!self.by_narrator() && !to_them)
    }

    /// The verb by which a sentence decides for somebody.
    fn decision(&self, sentence: &str, names: &[String], addressed: bool) -> Option<Decision> {
        let words = words(sentence);
        if sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&words) {
            return None;
        }
        let speech = &LISTS.speech;
        let strong = self.by_narrator();
        for found in speech.decides.all(&words).filter(|found| !found.negated) {
            let subject = found
                .start
                .checked_sub(1)
                .map(|at| if speech.adverbs.contains(&words[at]) { at.saturating_sub(1) } else { at });
            let Some(subject) = subject else { continue };
            let verb = &words[found.start];
            let lead = subject.checked_sub(1).map(|at| words[at].as_str());
            let clause = lead.is_none_or(|lead| CLAUSE.contains(&lead))
                || sentence_has_comma_before(sentence, &words[subject]);
            let named = names
                .iter()
                .any(|name| name.to_lowercase() == words[subject] && place_of(sentence, name).is_some())
                || full_name_ends(names, &words, subject);
            let is_subject =
                (named && clause && !is_base(verb)) || (addressed && words[subject] == "you" && clause);
            let bold = speech.decisive.all(&words).any(|other| other.start == found.start);
            if is_subject {
                let verb = stem(verb);
                if bold {
                    return Some(Decision { verb, bold: true });
                }
                if !(strong && words[subject] == "you") {
                    return Some(Decision { verb, bold: !strong });
                }
            }
        }
        None
    }

    /// Did that player say so, or is it told of what they said?
    fn is_announced(&self, name: &str, sentence: &str, decided: &Decision) -> bool {
        let own: Vec<&Line> = self
            .before
            .iter()
            .rev()
            .take(4 * ANNOUNCED_LINES)
            .filter(|line| line.voice == name)
            .take(ANNOUNCED_LINES)
            .collect();
        let telling = |text: &str| {
            words(text)
                .into_iter()
                .filter(|word| is_telling(word))
                .map(|word| stem(&word))
                .collect::<BTreeSet<_>>()
        };
        let names: BTreeSet<String> = self
            .people
            .players()
            .flat_map(|(_, names)| names)
            .flat_map(|name| words(name))
            .map(|word| stem(&word))
            .collect();
        let about: BTreeSet<String> = telling(sentence).difference(&names).cloned().collect();
        let says = |line: &&&Line| {
            let said: BTreeSet<String> = words(&line.text).iter().map(|word| stem(word)).collect();
            said.contains(&decided.verb) || telling(&line.text).intersection(&about).next().is_some()
        };
        if own.iter().any(|line| says(&line)) {
            return true;
        }
        if !self.by_narrator() {
            // What everybody has seen may be spoken of.
            let told = self
                .before
                .iter()
                .rev()
                .take(3 * ANNOUNCED_LINES)
                .filter(|line| self.people.is_named(name, &line.text));
            return told.into_iter().any(|line| says(&&line));
        }
        // A narrator tells in other words what somebody announced: only what nobody can have meant counts.
        !decided.bold && self.before.iter().rev().take(ANNOUNCED_LINES + 3).any(|line| line.voice == name)
    }

    /// Did that voice say it before? Then it is a quotation of them.
    fn is_cited(&self, name: &str, said: &str) -> bool {
        let piece = said.split('"').find(|piece| !piece.trim().is_empty()).unwrap_or(said);
        let wanted = words(piece);
        let own = self.before.iter().rev().filter(|line| line.voice == name).take(4 * ANNOUNCED_LINES);
        own.into_iter().any(|line| {
            let said = words(&line.text);
            let plain = said.join(" ");
            let known: BTreeSet<String> = said.iter().map(|word| stem(word)).collect();
            let shared = wanted.iter().filter(|word| known.contains(&stem(word))).count();
            plain.contains(&wanted.join(" ")) || (wanted.len() > 3 && shared * 10 >= wanted.len() * 7)
        })
    }
}

/// What a sentence decides.
struct Decision {
    verb: String,
    /// Is it one that nobody takes for another, whatever was announced?
    bold: bool,
}

/// Words after which a new clause begins.
const CLAUSE: [&str; 18] = [
    "and",
    "while",
    "then",
    "as",
    "so",
    "but",
    "meanwhile",
    "beside",
    "when",
    "because",
    "now",
    "suddenly",
    "finally",
    "that",
    "here",
    "instead",
    "again",
    "with",
];

fn sentence_has_comma_before(sentence: &str, word: &str) -> bool {
    let lower = sentence.to_lowercase();
    lower.match_indices(word).any(|(at, _)| lower[..at].trim_end().ends_with([',', ';', ':', '—', ')', '*']))
}

/// "Ada Lovelace signs": the word before the verb is the last of a longer name.
fn full_name_ends(names: &[String], said: &[String], subject: usize) -> bool {
    names.iter().map(|name| words(name)).filter(|name| name.len() > 1).any(|name| {
        (subject + 1)
            .checked_sub(name.len())
            .is_some_and(|start| start == 0 && said[start..=subject] == name[..])
    })
}

/// What stands behind a name and a colon.
fn scripted<'a>(plain: &'a str, name: &str) -> Option<&'a str> {
    let rest = plain.strip_prefix(name)?.trim_start_matches(['*', '_', ' ']);
    // "Ada (whispering): …"
    let rest = match rest.strip_prefix('(') {
        Some(aside) => aside.split_once(')')?.1.trim_start_matches(['*', '_', ' ']),
        None => rest,
    };
    rest.strip_prefix(':').map(|rest| rest.trim_matches(['*', '_', ' ']))
}

/// Movements that stand before speech: `Ada shakes her head. "No."`
const BEATS: [&str; 26] = [
    "shakes",
    "nods",
    "grins",
    "smiles",
    "laughs",
    "sighs",
    "shrugs",
    "leans",
    "frowns",
    "straightens",
    "clears",
    "snorts",
    "chuckles",
    "spits",
    "smirks",
    "scowls",
    "glares",
    "swallows",
    "shook",
    "nodded",
    "grinned",
    "sighed",
    "shrugged",
    "leaned",
    "turns",
    "looks",
];

/// The quotation that a paragraph attributes to a voice: `"…," Ada says`, `said Ada`, `Ada says, "…"`, `Ada nods. "…"`, `you say`.
fn attributed(paragraph: &str, names: &[String], addressed: bool) -> Option<String> {
    let says = &LISTS.speech.says;
    let pieces: Vec<&str> = paragraph.split('"').collect();
    let you = addressed.then(|| "you".to_owned());
    for (place, piece) in pieces.iter().enumerate().skip(1).step_by(2) {
        // A single word in quotation marks is a name of something.
        if words(piece).len() < 2
            || (words(piece).len() < SPEECH_WORDS_MIN && !piece.trim_end().ends_with([',', '.', '!', '?']))
        {
            continue;
        }
        let tail = words(
            pieces.get(place + 1).copied().unwrap_or_default().split(['.', ';']).next().unwrap_or_default(),
        );
        let lead = last_clause(pieces[place - 1]);
        let spoken = |said: &[String]| {
            let adverbs = said
                .iter()
                .take_while(|word| LISTS.speech.adverbs.contains(*word) || word.ends_with("ly"))
                .count();
            said.get(adverbs).is_some_and(|word| says.contains(word))
        };
        for name in names.iter().chain(&you) {
            let own = words(name);
            let front = |said: &[String]| said.get(..own.len()).is_some_and(|front| front == own);
            let owned = |text: &str| name != "you" && text.contains(&format!("{name}'s "));
            if front(&tail) && spoken(&tail[own.len()..]) && !owned(pieces[place + 1]) {
                return Some((*piece).to_owned());
            }
            // "said Ada"
            if tail.first().is_some_and(|word| says.contains(word) && name != "you")
                && front(&tail[1..])
                && words_are_lower(pieces[place + 1])
            {
                return Some((*piece).to_owned());
            }
            let said = words(lead);
            let at = said.windows(own.len().max(1)).position(|window| window == own);
            let clause = |at: &usize| *at == 0 || (*at == 1 && CLAUSE.contains(&said[0].as_str()));
            let Some(at) = at.filter(|at| clause(at) && !owned(lead)) else { continue };
            let between = &said[at + own.len()..];
            let verb = between.iter().take(3).any(|word| says.contains(word));
            let ends = lead.trim_end();
            // "Ada says to Bo" may be about a question to Ada: the words right before the quotation are hers.
            if verb && between.len() <= 9 && ends.ends_with([',', ':']) {
                return Some((*piece).to_owned());
            }
            let nobody_else = !tail.iter().take(5).any(|word| says.contains(word));
            if between.first().is_some_and(|word| BEATS.contains(&word.as_str()))
                && ends.ends_with(['.', '!'])
                && nobody_else
            {
                return Some((*piece).to_owned());
            }
        }
    }
    None
}

fn words_are_lower(tail: &str) -> bool {
    tail.trim_start().chars().next().is_some_and(char::is_lowercase)
}

/// The last sentence before a quotation, with its own mark.
fn last_clause(text: &str) -> &str {
    let end = text.trim_end_matches([' ', ',', ':', '.', '!']).len();
    let start = text[..end].rfind(['.', '!', '?']).map_or(0, |place| place + 1);
    text[start..].trim_start_matches([' ', '*', '_'])
}
