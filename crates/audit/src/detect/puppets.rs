//! One seat puts words into another's mouth, or decides for it.

use std::collections::BTreeSet;

use super::finding;
use crate::cues::{LISTS, is_base, stem};
use crate::limits::{ANNOUNCED_LINES, SPEECH_WORDS_MIN};
use crate::read::{CLAUSE, PRONOUNS, People, attributed, behind_subject, goes_on, scripted, told_of, voiced};
use crate::text::{is_common, is_telling, marked, place_of, sentences, unquoted, words};
use crate::{Channel, Kind, Line, Severity, Transcript, Verdict};

/// Words of a player's line that tells what others do: fewer are a cry.
const OTHERS_WORDS_MIN: usize = 12;
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
            if let Some(piece) = attributed(plain, names, addressed, &|clause| self.people.is_strange(clause))
                && !self.is_cited(name, &piece)
            {
                return Some((plain.to_owned(), "says what they say"));
            }
        }
        let told = text.lines().filter(|_| self.transcript.foreign).find_map(|paragraph| {
            let plain = paragraph.trim_start_matches(['*', '_', '#', '>', '-', ' ']);
            told_of(plain, names).filter(|piece| !self.is_cited(name, piece)).map(|_| plain.to_owned())
        });
        if let Some(plain) = told {
            return Some((plain, "says what they say"));
        }
        let text = unquoted(&self.line.text);
        let mut carried = false;
        sentences(&text).into_iter().find_map(|sentence| {
            let addressed = self.by_narrator() && self.addressed(sentence) == Some(name);
            let decided = self.decision(sentence, names, (addressed, carried));
            // The next sentence may call them by a pronoun alone.
            let begins = words(sentence).first().is_some_and(|first| PRONOUNS.contains(&first.as_str()));
            carried = (begins && carried)
                || names.iter().any(|name| {
                    behind_subject(sentence, name).is_some_and(|after| !self.people.is_strange(after))
                });
            let decided = decided?;
            if [true, false].into_iter().any(|success| self.transcript.is_written(success, sentence)) {
                return None;
            }
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
        if let Some(told) = self.acts_for_others().filter(|_| self.transcript.foreign) {
            return Some(told);
        }
        let text = marked(&self.line.text);
        text.lines().find_map(|paragraph| {
            let plain = paragraph.trim_start_matches(['*', '_', '#', '>', '-', ' ', '[', '(']);
            // A player tells what was said before, and quotes it; what they let somebody say now is the narrator's.
            if self.transcript.foreign
                && voiced(plain, &|clause| self.people.is_strange(clause))
                    .is_some_and(|said| !self.was_said(&said))
            {
                return Some(plain.to_owned());
            }
            let said = names.iter().find_map(|name| scripted(plain, name))?;
            // Whoever has a question for the narrator begins it so too.
            let asks = said.trim_end().ends_with('?')
                || words(said).iter().any(|word| word == "i" || word == "please" || word == "can");
            (words(said).len() >= SPEECH_WORDS_MIN && !asks).then(|| plain.to_owned())
        })
    }

    /// A player's line in which nothing is their own: it tells what somebody does whom the narrator has brought in, as it happens.
    fn acts_for_others(&self) -> Option<String> {
        let text = unquoted(&self.line.text);
        let said = words(&text);
        let own = [
            "i", "i'm", "i'll", "i've", "i'd", "my", "me", "we", "us", "our", "let's", "you", "your",
            "you're",
        ];
        if said.len() < OTHERS_WORDS_MIN
            || text.contains('?')
            || said.iter().any(|word| {
                own.contains(&word.as_str()) || LISTS.speech.says.contains(word) && word.ends_with("ed")
            })
            || LISTS.outcome.supposed.hold(&said)
            || self.people.players().any(|(voice, _)| self.people.is_named(voice, &text))
        {
            return None;
        }
        let all = sentences(&text);
        let name = all
            .first()?
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .filter(|name| name.chars().count() > 2)?;
        let brought = |line: &&Line| {
            self.transcript.kind(&line.voice) == Kind::Narrator && place_of(&line.text, name).is_some()
        };
        // Whoever tells of them in other lines too plays them.
        let plays = |line: &&Line| {
            line.voice == self.line.voice
                && line.number != self.line.number
                && place_of(&line.text, name).is_some()
        };
        let narrated = self.before.iter().any(|line| brought(&line))
            && !self.transcript.lines.iter().any(|line| plays(&line));
        let acts = |sentence: &&&str| {
            let said = words(sentence);
            let subject = said
                .first()
                .is_some_and(|first| *first == name.to_lowercase() || PRONOUNS.contains(&first.as_str()));
            subject
                && said.get(1).is_some_and(|verb| {
                    verb.ends_with('s') && !is_base(verb) && !["is", "has", "was"].contains(&verb.as_str())
                })
        };
        let proper = name.starts_with(char::is_uppercase) && !is_common(&name.to_lowercase());
        (proper && narrated && all.iter().filter(acts).count() > 1).then(|| all[0].to_owned())
    }

    /// Did anybody say so before?
    fn was_said(&self, said: &str) -> bool {
        let wanted = words(said).join(" ");
        self.before.iter().any(|line| words(&line.text).join(" ").contains(&wanted))
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
    fn decision(
        &self,
        sentence: &str,
        names: &[String],
        (addressed, carried): (bool, bool),
    ) -> Option<Decision> {
        let words = words(sentence);
        if sentence.trim_end().ends_with('?') || LISTS.outcome.supposed.hold(&words) {
            return None;
        }
        let speech = &LISTS.speech;
        let strong = self.by_narrator();
        let mut weak = None;
        for found in speech.decides.all(&words).chain(speech.decisive.all(&words)) {
            let verb = &words[found.start];
            // "Ada then signs", "Ada has already decided".
            let between = words[..found.start]
                .iter()
                .rev()
                .take_while(|word| speech.adverbs.contains(*word) || AUXILIARIES.contains(&word.as_str()));
            let subject = found.start.checked_sub(1 + between.count().min(3));
            let Some(subject) = subject else { continue };
            let lead = subject.checked_sub(1).map(|at| words[at].as_str());
            let clause = lead.is_none_or(|lead| CLAUSE.contains(&lead))
                || sentence_has_comma_before(sentence, &words[subject]);
            let named = names
                .iter()
                .any(|name| name.to_lowercase() == words[subject] && place_of(sentence, name).is_some())
                || full_name_ends(names, &words, subject);
            let bold = speech.decisive.all(&words).any(|other| other.start == found.start);
            // "As you kneel": it goes without saying, and is no decision of the narrator's.
            let aside = lead.is_some_and(|lead| {
                ["as", "when", "while", "once", "before", "after", "until"].contains(&lead)
            });
            let you = addressed && words[subject] == "you" && clause && !aside;
            // "You, Ada, decide": the verb is that of "you".
            let called = strong && named && lead == Some("you") && is_base(verb);
            let is_subject = (named && clause && !is_base(verb)) || you || called;
            // "Ada shrugs, turns and signs the pact": the verb has no subject of its own.
            let is_later = !is_base(verb)
                && (self.goes_on(sentence, &words, names, found.start)
                    || (bold && carried && begins(&words, found.start)));
            if !is_subject && !is_later {
                continue;
            }
            // What a player asks of another, or says that they do meanwhile, is a plan.
            let planned = !strong && lead.is_some_and(|lead| PLANS.contains(&lead));
            let verb = stem(verb);
            if bold && !planned {
                return Some(Decision { verb, bold: true });
            }
            // "As Ada told you at the beginning" looks back.
            let recalled = words.first().is_some_and(|first| first == "as");
            if !you && !planned && !recalled && (!is_later || strong) && weak.is_none() {
                weak = Some(Decision { verb, bold: !strong });
            }
        }
        weak
    }

    /// Is the verb at `at` one of a row whose subject is one of these names?
    fn goes_on(&self, sentence: &str, said: &[String], names: &[String], at: usize) -> bool {
        names.iter().any(|name| {
            let Some(after) = behind_subject(sentence, name) else { return false };
            let behind = words(after);
            let Some(place) = (at + behind.len()).checked_sub(said.len()) else { return false };
            let by = place.checked_sub(1).map(|before| behind[before].as_str());
            // "Ada says, and she throws": the pronoun is hers where nobody else is spoken of.
            let pronoun = by.is_some_and(|by| PRONOUNS.contains(&by))
                && goes_on(&behind, place - 1)
                && !self.people.is_strange(after);
            place == 0 || goes_on(&behind, place) || pronoun
        })
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
        if decided.bold {
            return false;
        }
        if !self.transcript.foreign {
            return self.before.iter().rev().take(ANNOUNCED_LINES + 3).any(|line| line.voice == name);
        }
        // In the end a narrator tells what becomes of everybody.
        LISTS.story.closing.hold(&words(&self.line.text)) || self.is_in_exchange(name)
    }

    /// Has that player spoken since the narrator last answered, or does nobody else answer them yet?
    fn is_in_exchange(&self, name: &str) -> bool {
        let kind = |line: &Line| self.transcript.kind(&line.voice);
        let since = self.before.iter().rev().skip_while(|line| kind(line) != Kind::Player);
        let spoken: Vec<&Line> = since.take_while(|line| kind(line) != Kind::Narrator).collect();
        spoken.is_empty() || spoken.iter().any(|line| line.voice == name)
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

/// Words between a subject and what it has done.
const AUXILIARIES: [&str; 5] = ["has", "had", "have", "already", "meanwhile"];
/// Words by which a player plans with another, and tells nothing that these do.
const PLANS: [&str; 13] = [
    "while", "when", "as", "if", "so", "that", "until", "once", "where", "before", "after", "because", "let",
];

/// Does a sentence begin with a pronoun that is the subject of the verb at `at`?
fn begins(said: &[String], at: usize) -> bool {
    said.first().is_some_and(|first| PRONOUNS.contains(&first.as_str()))
        && (at == 1 || (at == 2 && LISTS.speech.adverbs.contains(&said[1])) || goes_on(said, at))
}

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
