//! A promise, a quest or a clue of which nobody has spoken for long.

use std::collections::BTreeSet;

use super::finding;
use crate::cues::{LISTS, stem};
use crate::limits::{DORMANT_TURNS_MIN, DORMANT_TURNS_MIN_FOREIGN, PROMISE_WORDS_MIN};
use crate::read::{People, is_title, objectives};
use crate::text::{is_common, is_telling, marked, sentences, words};
use crate::{Finding, Kind, Line, NoteKind, Severity, Transcript, Verdict};

/// How questions begin.
const ASKS: [&str; 14] =
    ["will", "would", "can", "could", "do", "did", "does", "have", "what", "who", "why", "how", "so", "and"];
/// Words of a promise that say that it is one, and not what.
const OWN: &str = "promise swear vow word honour honor owe pledge debt oath solemnly back repay quest consider done count depend never always";

/// Words of a promise with which it is known by itself.
const PLEDGE_WORDS: usize = 3;
/// Sentences in which somebody asks for it.
const ASKED_SENTENCES: usize = 3;
/// Turns after a promise that are still its scene: thanks, and a farewell.
const SCENE_TURNS: u32 = 2;
/// Words of time, which a promise shares with everything else.
const TIMES: &str = "tonight tomorrow today morning evening night dawn noon dusk week month hour minute monday tuesday wednesday thursday friday \
saturday sunday later soon until hundred thousand three four five";

pub(super) fn look(transcript: &Transcript) -> Verdict {
    let mut findings = Vec::new();
    let empty = Vec::new();
    let notes = transcript.notes.as_ref().unwrap_or(&empty);
    for note in notes {
        let what = match note.kind {
            NoteKind::Quest => "a quest",
            NoteKind::Clue => "a clue",
            _ => continue,
        };
        let done = notes.iter().any(|done| done.kind == NoteKind::QuestDone && done.text == note.text);
        if !done {
            findings.extend(dormant(transcript, (note.number, note.turn), &note.text, what));
        }
    }
    if transcript.foreign {
        findings.extend(pledges(transcript).iter().filter_map(|pledge| forgotten(transcript, pledge)));
        return Verdict::Looked(findings);
    }
    for line in transcript.play().filter(|line| transcript.kind(&line.voice) != Kind::Other) {
        let all = sentences(&line.text);
        for (place, sentence) in all.iter().enumerate() {
            let said = words(sentence);
            // Whoever asks for a promise has not given one: "Will you swear it?" But "I swear it, you hear?"
            let asks = sentence.trim_end_matches(['"', '”', '’', '\'', '*']).ends_with('?')
                && said.first().is_some_and(|word| ASKS.contains(&word.as_str()));
            if asks || !LISTS.story.promise.say(&said) {
                continue;
            }
            let more = all.get(place + 1).filter(|_| keys(sentence).len() < PROMISE_WORDS_MIN);
            let before = place
                .checked_sub(1)
                .and_then(|at| all.get(at))
                .filter(|_| more.is_none() && keys(sentence).len() < PROMISE_WORDS_MIN);
            let text =
                [before, Some(sentence), more].into_iter().flatten().copied().collect::<Vec<_>>().join(" ");
            findings.extend(dormant(transcript, (line.number, line.turn), &text, "a promise"));
            break;
        }
    }
    Verdict::Looked(findings)
}

/// Something that was promised or due, in another program's transcript.
struct Pledge {
    number: u64,
    turn: u32,
    text: String,
    /// Stems of the words by which it is known.
    keys: BTreeSet<String>,
    /// Those of them that are about nothing else: one alone tells that somebody speaks of it.
    core: BTreeSet<String>,
    /// Names among them.
    names: BTreeSet<String>,
}

fn pledges(transcript: &Transcript) -> Vec<Pledge> {
    let lines: Vec<&Line> =
        transcript.play().filter(|line| transcript.kind(&line.voice) != Kind::Other).collect();
    let known = Known::of(transcript);
    let mut found: Vec<Pledge> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let quoted = quotations(&line.text);
        let asked =
            lines[..at].iter().rev().take(2).find(|line| transcript.kind(&line.voice) == Kind::Narrator);
        let asked = asked.map(|line| quotations(&line.text)).unwrap_or_default();
        let asked = sentences(&asked);
        let asked = asked[asked.len().saturating_sub(ASKED_SENTENCES)..].join(" ");
        let plays = transcript.kind(&line.voice) == Kind::Player;
        let all = sentences(&line.text);
        let spoken = sentences(&quoted);
        // What a player's character says, and not how.
        let is_spoken = plays
            && spoken
                .iter()
                .any(|sentence| is_promise(sentence) || is_pledge(sentence) || known.is_offered(sentence));
        let all = if is_spoken { spoken } else { all };
        let Some(place) = all.iter().position(|sentence| {
            is_promise(sentence)
                || (is_spoken && !asked.is_empty() && is_pledge(sentence) && !known.names_player(sentence))
                || (is_spoken && known.is_offered(sentence))
        }) else {
            continue;
        };
        // With few words of its own it is known by those beside it, and then by what was asked for.
        let near = |by: usize| all[place.saturating_sub(by)..all.len().min(place + by + 1)].join(" ");
        let mut text = all[place].to_owned();
        for by in 1..=2 {
            if known.keys(&text, line.number).len() < PLEDGE_WORDS {
                text = near(by);
            }
        }
        let mut whole = text.clone();
        if plays && known.keys(&text, line.number).len() < PLEDGE_WORDS {
            whole = format!("{asked} {whole}");
        }
        let keys = known.keys(&whole, line.number);
        let own = known.keys(&text, line.number).len();
        let least = if own < PROMISE_WORDS_MIN { PLEDGE_WORDS } else { PROMISE_WORDS_MIN };
        // One scene has one promise: what is said of it right after is the same.
        let again = found.last().is_some_and(|last| last.turn + SCENE_TURNS >= line.turn);
        if keys.len() >= least && !again {
            let core = known.core(&text, &whole, line.number).intersection(&keys).cloned().collect();
            let names = words(&whole)
                .iter()
                .filter(|word| known.is_name(&whole, word))
                .map(|word| stem(word))
                .collect();
            found.push(Pledge { number: line.number, turn: line.turn, text, keys, core, names });
        }
    }
    found
}

/// Does a sentence promise something in so many words? Whoever asks for a promise has not given one.
fn is_promise(sentence: &str) -> bool {
    let said = words(sentence);
    let asks = sentence.trim_end_matches(['"', '”', '’', '\'', '*']).ends_with('?')
        && said.first().is_some_and(|word| ASKS.contains(&word.as_str()));
    !asks && LISTS.story.promise.say(&said)
}

/// Does somebody tell another what they will do for them, and by when?
fn is_pledge(sentence: &str) -> bool {
    let said = words(sentence);
    !sentence.ends_with('?') && LISTS.story.pledge.say(&said) && LISTS.story.term.hold(&said)
}

/// Is somebody called by a name, and not by what they are?
fn is_named(called: &str) -> bool {
    called.starts_with(char::is_uppercase) && !called.contains(' ') && !is_title(called)
}

/// All that stands between quotation marks.
fn quotations(text: &str) -> String {
    let text = marked(text);
    text.lines().flat_map(|row| row.split('"').skip(1).step_by(2)).collect::<Vec<_>>().join(" ")
}

/// What everybody at a table knows: words that tell no promise from the rest of the story.
struct Known<'t> {
    transcript: &'t Transcript,
    names: BTreeSet<String>,
    /// What is to be done in the story, with the number of the line that states it.
    aims: Vec<(u64, BTreeSet<String>)>,
    lower: BTreeSet<String>,
    own: BTreeSet<String>,
}

impl<'t> Known<'t> {
    fn of(transcript: &'t Transcript) -> Known<'t> {
        let people = People::of(transcript);
        let names = people.players().flat_map(|(_, names)| names).flat_map(|name| words(name)).collect();
        let aims = objectives(transcript);
        let aims = aims
            .into_iter()
            .map(|aim| (aim.number, words(&aim.text).iter().map(|word| stem(word)).collect()))
            .collect();
        let small = transcript.lines.iter().flat_map(|line| line.text.split(|c: char| !c.is_alphanumeric()));
        let small = small.filter(|word| word.chars().next().is_some_and(char::is_lowercase));
        let lower = small.map(str::to_owned).collect();
        let own = OWN.split(' ').chain(TIMES.split(' ')).map(stem).collect();
        Known { transcript, names, aims, lower, own }
    }

    /// Does somebody who is called by name or title hear what will be done for them, some time or on some condition?
    fn is_offered(&self, sentence: &str) -> bool {
        let said = words(sentence);
        let will = LISTS.story.pledge.all(&said).find(|found| !found.negated);
        let Some(will) = will.filter(|_| !sentence.trim_end().ends_with('?') && !self.names_player(sentence))
        else {
            return false;
        };
        let to_them = said[will.end..].iter().any(|word| ["you", "your", "yours"].contains(&word.as_str()));
        // "Hide us and I'll", "if you lend it", "when I come back": it is not for now.
        let bound = will.start > 1 && said[will.start - 1] == "and"
            || said[..will.start].iter().any(|word| ["if", "when", "once"].contains(&word.as_str()))
            || LISTS.story.term.hold(&said);
        to_them && bound && self.calls(sentence).is_some()
    }

    /// Whom a sentence calls: "Marta, …", "…, madam, …".
    fn calls<'s>(&self, sentence: &'s str) -> Option<&'s str> {
        let mut pieces = sentence.split(',').map(|piece| piece.trim_matches(|c: char| !c.is_alphanumeric()));
        let first = pieces.next()?;
        let parts = words(first);
        let capital = first.split(' ').all(|word| word.starts_with(char::is_uppercase));
        let named = sentence.contains(',')
            && parts.len() <= 2
            && capital
            && !parts.iter().any(|word| is_common(word));
        let titled = pieces.find(|piece| {
            let said = words(piece);
            said.len() == 1 && (is_title(piece) || LISTS.speech.persons.hold(&said))
        });
        Some(first).filter(|_| named).or(titled)
    }

    fn names_player(&self, sentence: &str) -> bool {
        words(sentence).iter().any(|word| self.names.contains(word))
    }

    fn keys(&self, text: &str, number: u64) -> BTreeSet<String> {
        let aimed =
            |key: &String| self.aims.iter().any(|(stated, words)| *stated != number && words.contains(key));
        // "On my father's beard": what somebody swears by is not what they promise.
        let said = words(text);
        let sworn =
            LISTS.story.sworn_by.all(&said).flat_map(|found| found.start..found.end).collect::<BTreeSet<_>>();
        let told =
            said.iter().enumerate().filter(|(at, word)| !sworn.contains(at) && !self.names.contains(*word));
        // Whoever is called is not what is promised.
        let called: BTreeSet<String> = sentences(text)
            .into_iter()
            .filter_map(|one| self.calls(one).filter(|called| self.is_offered(one) || is_named(called)))
            .flat_map(words)
            .collect();
        let told = told.filter(|(_, word)| !called.contains(*word));
        let told = told.filter(|(_, word)| {
            (is_telling(word) || self.is_name(text, word)) && word.chars().all(char::is_alphabetic)
        });
        told.map(|(_, word)| stem(word)).filter(|key| !self.own.contains(key) && !aimed(key)).collect()
    }

    /// Is it written with a capital here, and never without one?
    fn is_name(&self, text: &str, word: &str) -> bool {
        let capital =
            |part: &str| part.chars().next().is_some_and(char::is_uppercase) && part.to_lowercase() == word;
        word.chars().count() > 2
            && !is_common(word)
            && !self.lower.contains(word)
            && text.split(|c: char| !c.is_alphanumeric()).any(capital)
    }

    /// Names, and things that are somebody's: "Mistress Orne", "this ring", "your pillow". What was spoken of long before is none.
    fn core(&self, text: &str, whole: &str, number: u64) -> BTreeSet<String> {
        let said = words(whole);
        let owners = ["this", "my", "your", "his", "her", "their", "our", "these"];
        // What the other asked for is "this ring"; what else is theirs has nothing to do with it.
        let own = words(text);
        let spoken_of = |pair: &&[String]| {
            owners.contains(&pair[0].as_str()) && (pair[0].starts_with("th") || own.contains(&pair[1]))
        };
        let owned = said.windows(2).filter(spoken_of).map(|pair| pair[1].clone());
        let persons = |word: &String| LISTS.speech.persons.hold(std::slice::from_ref(word));
        let things = owned.filter(|word| !persons(word));
        let named = said.iter().filter(|word| self.is_name(whole, word)).cloned();
        let earlier =
            self.transcript.lines.iter().filter(|line| line.number < number).rev().skip(SCENE_TURNS as usize);
        let earlier: BTreeSet<String> =
            earlier.flat_map(|line| words(&line.text)).map(|word| stem(&word)).collect();
        things.chain(named).map(|word| stem(&word)).filter(|key| !earlier.contains(key)).collect()
    }
}

/// Is it a name, or the thing that was spoken of, and not another one? "The ring", but not "camels in a ring".
fn is_that(said: &[String], key: &str, names: &BTreeSet<String>) -> bool {
    let others = ["a", "an", "your", "another", "every", "each", "any", "no"];
    let before = said.iter().zip(std::iter::once("").chain(said.iter().map(String::as_str)));
    let mut own = before.filter(|(word, _)| stem(word) == key);
    names.contains(key) || own.any(|(_, before)| !others.contains(&before))
}

/// A finding when nobody speaks of a promise any more once its scene is over.
fn forgotten(transcript: &Transcript, pledge: &Pledge) -> Option<Finding> {
    let left = transcript.last_turn().saturating_sub(pledge.turn);
    if left < DORMANT_TURNS_MIN_FOREIGN {
        return None;
    }
    let speaks = |text: &str| {
        let mut all = BTreeSet::new();
        let near = sentences(text).into_iter().any(|sentence| {
            let said = words(sentence);
            let shared: BTreeSet<String> =
                said.iter().map(|word| stem(word)).filter(|stem| pledge.keys.contains(stem)).collect();
            let told = shared.len() >= 2
                || shared.intersection(&pledge.core).any(|key| is_that(&said, key, &pledge.names))
                || (!shared.is_empty() && LISTS.story.kept.hold(&said));
            all.extend(shared);
            told
        });
        near || all.len() >= 3 || LISTS.story.honoured.hold(&words(text))
    };
    let later = transcript.lines.iter().filter(|line| line.turn > pledge.turn + SCENE_TURNS);
    let notes = transcript.notes.iter().flatten().filter(|note| note.turn > pledge.turn);
    if later.into_iter().any(|line| speaks(&line.text)) || notes.into_iter().any(|note| speaks(&note.text)) {
        return None;
    }
    let why =
        format!("a promise from turn {}: nobody has mentioned it in the last {left} turns", pledge.turn);
    Some(finding("dormant", (Severity::Info, 60), [pledge.number], &pledge.text, why))
}

/// Stems of the words by which a text is known.
fn keys(text: &str) -> BTreeSet<String> {
    let own: BTreeSet<String> = OWN.split(' ').map(stem).collect();
    words(text)
        .into_iter()
        .filter(|word| is_telling(word))
        .map(|word| stem(&word))
        .filter(|word| !own.contains(word))
        .collect()
}

/// A finding when nothing after `(number, turn)` speaks of the text for long, to the end.
fn dormant(transcript: &Transcript, (number, turn): (u64, u32), text: &str, what: &str) -> Option<Finding> {
    let keys = keys(text);
    if keys.len() < PROMISE_WORDS_MIN {
        return None;
    }
    // Two of the words, or one beside a word of keeping promises, tell that somebody speaks of it.
    let speaks = |text: &str| {
        let said = words(text);
        let stems: BTreeSet<String> = said.iter().map(|word| stem(word)).collect();
        let shared = stems.intersection(&keys).count();
        shared >= 2 || (shared == 1 && LISTS.story.kept.hold(&said))
    };
    let lines = transcript.lines.iter().filter(|line| line.number > number && speaks(&line.text));
    let last = lines.map(|line| line.turn).max();
    let notes = transcript.notes.iter().flatten().filter(|note| note.number > number && speaks(&note.text));
    let last = last.max(notes.map(|note| note.turn).max());
    let silent = transcript.last_turn().saturating_sub(last.unwrap_or(turn));
    if silent < DORMANT_TURNS_MIN {
        return None;
    }
    let why = format!("{what} from turn {turn}: nobody has mentioned it in the last {silent} turns");
    Some(finding("dormant", (Severity::Info, 60), [number], text, why))
}
