//! Whose words a text writes: "…," says Ada; Ada nods. "…"; Ada: "…"; and whose acts, where a sentence goes on without a name.

use crate::cues::{LISTS, is_base, stem};
use crate::limits::SPEECH_WORDS_MIN;
use crate::text::{place_of, words};

/// Words after which a new clause begins.
pub(crate) const CLAUSE: [&str; 22] = [
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
    "before",
    "after",
    "until",
    "where",
];
/// Words behind which somebody else is the subject.
const OTHERS: [&str; 13] = [
    "which",
    "who",
    "whose",
    "whom",
    "where",
    "while",
    "until",
    "when",
    "as",
    "because",
    "if",
    "whenever",
    "whereupon",
];
/// Words behind which somebody else is the subject where a pronoun follows: "before *he* turns", but "before the king".
const OTHERS_WITH: [&str; 5] = ["that", "so", "before", "after", "than"];
/// Words that say where something happens, before a subject.
const PLACES: [&str; 17] = [
    "beside", "behind", "across", "above", "below", "under", "near", "in", "at", "on", "from", "by", "with",
    "for", "to", "of", "outside",
];
/// Words for what somebody says: "Ada's answer is short: …".
const UTTERANCES: [&str; 14] = [
    "voice", "answer", "reply", "whisper", "shout", "cry", "words", "response", "retort", "mutter", "murmur",
    "scream", "growl", "laugh",
];
/// What says something without speaking.
const WRITINGS: [&str; 24] = [
    "letter",
    "sign",
    "note",
    "book",
    "page",
    "inscription",
    "plaque",
    "card",
    "poster",
    "song",
    "clock",
    "machine",
    "screen",
    "label",
    "map",
    "paper",
    "message",
    "board",
    "tape",
    "radio",
    "rule",
    "list",
    "plan",
    "other",
];
/// Words by which a clause goes on with the same subject.
const GOES_ON: [&str; 4] = ["and", "then", "but", "or"];
/// Whoever was named last.
pub(crate) const PRONOUNS: [&str; 3] = ["he", "she", "they"];
/// Words between a verb of speech and the quotation: "to Bo, in a low voice".
const BEHIND_VERB: usize = 7;

/// What stands behind a name and a colon.
pub(crate) fn scripted<'a>(plain: &'a str, name: &str) -> Option<&'a str> {
    let rest = plain.strip_prefix(name)?.trim_start_matches(['*', '_', ' ']);
    // "Ada (whispering): …"
    let rest = match rest.strip_prefix('(') {
        Some(aside) => aside.split_once(')')?.1.trim_start_matches(['*', '_', ' ']),
        None => rest,
    };
    rest.strip_prefix(':').map(|rest| rest.trim_matches(['*', '_', ' ']))
}

/// What stands behind a name that is the subject of a clause, and not called, owned or spoken of.
pub(crate) fn behind_subject<'a>(clause: &'a str, name: &str) -> Option<&'a str> {
    let at = place_of(clause, name)?;
    let (before, after) = (&clause[..at], &clause[at + name.len()..]);
    let after = match after.strip_prefix("'s ").or_else(|| after.strip_prefix("’s ")) {
        // "Ada's had enough", but "Ada's sword".
        Some(rest) => {
            Some(rest).filter(|rest| words(rest).first().is_some_and(|first| is_participle(first)))?
        }
        None => after,
    };
    let mut lead = words(before);
    lead.pop_if(|word| word == "the");
    let marked = before.trim_end().trim_end_matches(['*', '_']).trim_end();
    let marked = marked.ends_with([',', ';', '—', ':', '"', '–', '.', '!', '?']);
    let begins =
        lead.last().is_none_or(|word| CLAUSE.contains(&word.as_str()) || (is_adverb(word) && word != "at"));
    // "Beside you Ada says", but "for Ada".
    let placed = (2..=4).contains(&lead.len())
        && PLACES.contains(&lead[0].as_str())
        && !lead.last().is_some_and(|word| PLACES.contains(&word.as_str()));
    if !(begins || marked || placed) {
        return None;
    }
    // "turns after Ada and grabs": whoever is gone after is no subject.
    let object = lead.len() > 1
        && lead.last().is_some_and(|word| ["after", "before", "with", "until"].contains(&word.as_str()));
    if object && words(after).first().is_some_and(|word| word == "and" || word == "or") {
        return None;
    }
    match after.trim_start().chars().next() {
        Some(',') if lead.is_empty() || begins => apposed(after),
        Some(',' | ';' | '!' | '?' | ':' | '.' | ')' | '…' | '-' | '\'' | '’') => None,
        _ => Some(after),
    }
}

/// What stands behind a remark on the subject: "Ada, without a word, *signs*". With somebody else in it, it was somebody called by name.
fn apposed(after: &str) -> Option<&str> {
    let (remark, rest) = after.trim_start().strip_prefix(',')?.split_once(',')?;
    let remark = words(remark);
    let others = ["you", "your", "i", "we", "he", "she", "they", "it", "there", "please", "and"];
    let plain = (1..=5).contains(&remark.len()) && !remark.iter().any(|word| others.contains(&word.as_str()));
    let verb = words(rest).into_iter().next()?;
    (plain && verb.len() > 2 && !is_base(&verb) && !verb.ends_with("ing")).then_some(rest)
}

/// What may follow "has" and "is" where they are written as `'s`.
fn is_participle(word: &str) -> bool {
    let short = [
        "had", "been", "got", "gone", "not", "already", "just", "no", "about", "now", "done", "had", "run",
        "come",
    ];
    short.contains(&word)
        || word.ends_with("ed")
        || word.ends_with("ing")
        || (word.ends_with('n') && !is_base(word))
}

/// Does a clause that has a subject still have it at its word number `at`? "turns, lifts the lamp and *says*".
pub(crate) fn goes_on(said: &[String], at: usize) -> bool {
    let adverbs = said[..at].iter().rev().take_while(|word| is_adverb(word)).count();
    let Some(before) = at.checked_sub(adverbs + 1) else { return true };
    GOES_ON.contains(&said[before].as_str()) && !has_another(&said[..before])
}

/// Does somebody else become the subject in these words?
fn has_another(said: &[String]) -> bool {
    said.iter().enumerate().any(|(at, word)| {
        let next = said.get(at + 1).map_or("", String::as_str);
        OTHERS.contains(&word.as_str())
            || (OTHERS_WITH.contains(&word.as_str())
                && ["he", "she", "they", "it", "you", "i", "we"].contains(&next))
    })
}

fn is_adverb(word: &str) -> bool {
    LISTS.speech.adverbs.contains(word) || (word.ends_with("ly") && word.len() > 4)
}

/// Is it a verb of speech?
fn speaks(word: &str) -> bool {
    LISTS.speech.says.contains(word) || (word.ends_with("ing") && LISTS.speech.says.contains(&stem(word)))
}

/// The quotation that a paragraph attributes to a voice: `"…," Ada says`, `said Ada`, `Ada turns and says, "…"`, `Ada nods. "…"`,
/// `you say`. `strange` tells whether a clause speaks of anybody whom no player plays.
pub(crate) fn attributed(
    paragraph: &str,
    names: &[String],
    addressed: bool,
    strange: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let pieces: Vec<&str> = paragraph.split('"').collect();
    let you = addressed.then(|| "you".to_owned());
    for (place, piece) in pieces.iter().enumerate().skip(1).step_by(2) {
        // A word or two in quotation marks are a name of something, unless they are called out.
        let few = words(piece).len();
        if few < SPEECH_WORDS_MIN && !piece.trim_end().ends_with([',', '.', '!', '?']) {
            continue;
        }
        let behind = pieces.get(place + 1).copied().unwrap_or_default();
        let tail = words(behind.split(['.', ';']).next().unwrap_or_default());
        let told = names.iter().chain(&you).any(|name| {
            let leads = match name.as_str() {
                "you" => is_lead_of_you(last_clause(pieces[place - 1])),
                name if is_utterance(last_clause(pieces[place - 1]), name) => true,
                name => {
                    lead(&pieces[..place], name, strange).is_some_and(|lead| is_lead(&lead, &tail, strange))
                }
            };
            (leads && few > 1) || (few > 0 && is_tail(behind, &tail, name))
        });
        if told {
            return Some((*piece).to_owned());
        }
    }
    None
}

/// `… " Ada says quietly`, and `" said Ada`.
fn is_tail(behind: &str, tail: &[String], name: &str) -> bool {
    let own = words(name);
    let front = |said: &[String]| said.get(..own.len()).is_some_and(|front| front == own);
    let spoken = |said: &[String]| {
        let adverbs = said.iter().take_while(|word| is_adverb(word)).count();
        // "Ada turns to the door and says"
        let later = said.iter().take(12).position(|word| speaks(word) && !is_base(word));
        said.get(adverbs).is_some_and(|word| speaks(word))
            || later.is_some_and(|at| name != "you" && goes_on(said, at) && at > adverbs)
    };
    let owned =
        name != "you" && (behind.contains(&format!("{name}'s ")) || behind.contains(&format!("{name}’s ")));
    (front(tail) && !owned && spoken(&tail[own.len()..]))
        || (tail.first().is_some_and(|word| speaks(word) && name != "you")
            && front(&tail[1..])
            && behind.trim_start_matches(['*', '_', ' ']).starts_with(char::is_lowercase))
}

/// `Ada's answer is short: "…`
fn is_utterance(lead: &str, name: &str) -> bool {
    let opens = lead.trim_end().ends_with([',', ':', '.']);
    let owned = [format!("{name}'s "), format!("{name}’s ")];
    let rest = owned.iter().find_map(|owned| lead.split_once(owned.as_str())).map(|(_, rest)| words(rest));
    opens && rest.is_some_and(|rest| rest.iter().take(3).any(|word| UTTERANCES.contains(&word.as_str())))
}

/// `You say: "…`
fn is_lead_of_you(lead: &str) -> bool {
    let said = words(lead);
    let at = said
        .iter()
        .position(|word| word == "you")
        .filter(|at| *at == 0 || (*at == 1 && CLAUSE.contains(&said[0].as_str())));
    at.is_some_and(|at| {
        let between = &said[at + 1..];
        let verb = between.iter().rposition(|word| speaks(word));
        verb.is_some_and(|verb| (verb < 3 || goes_on(between, verb)) && between.len() - verb <= BEHIND_VERB)
            && lead.trim_end().ends_with([',', ':'])
    })
}

/// A clause before a quotation, of which somebody is the subject.
struct Lead<'a> {
    /// What stands behind the subject.
    after: &'a str,
    /// Is it a clause of its own, and none that says when something happened?
    main: bool,
}

/// The clause before a quotation, if this name is its subject, or a pronoun that stands for it.
fn lead<'a>(before: &[&'a str], name: &str, strange: &dyn Fn(&str) -> bool) -> Option<Lead<'a>> {
    let text = before.last()?;
    let clause = last_clause(text);
    let first = words(clause).into_iter().next()?;
    let main = !OTHERS.contains(&first.as_str());
    if let Some(after) = behind_subject(clause, name) {
        return Some(Lead { after, main });
    }
    let (pronoun, after) = clause.split_once(' ')?;
    if !PRONOUNS.contains(&pronoun.to_lowercase().as_str()) {
        return None;
    }
    // "Ada has had enough. She says": whoever was the subject before it.
    let front = &text[..text.len() - clause.len()];
    let earlier =
        if front.trim().is_empty() { before.len().checked_sub(3).map(|at| before[at])? } else { front };
    let known = behind_subject(last_clause(earlier.trim_end()), name)?;
    (!strange(known)).then_some(Lead { after, main })
}

/// Does the clause before a quotation say or show that its subject speaks?
fn is_lead(lead: &Lead<'_>, tail: &[String], strange: &dyn Fn(&str) -> bool) -> bool {
    let between = words(lead.after);
    let Some(first) = between.first() else { return false };
    let ends = lead.after.trim_end().trim_end_matches(['*', '_', ' ']);
    let opens = ends.ends_with([',', ':']) || ends.ends_with(char::is_alphanumeric);
    let sensed = LISTS.speech.senses.hold(&between);
    // "a plate that says", "the guard, who asks"
    let relative =
        |pair: &[String]| (OTHERS.contains(&pair[0].as_str()) || pair[0] == "that") && speaks(&pair[1]);
    if between.windows(2).any(relative) {
        return false;
    }
    if let Some(at) = between.iter().rposition(|word| speaks(word))
        && opens
        && between.len() - at <= BEHIND_VERB
        && (between[at].ends_with("ing") || !is_base(&between[at]))
        && (goes_on(&between, at) || (between[at].ends_with("ing") && !sensed))
    {
        return true;
    }
    let auxiliary = ["has", "had", "is", "was", "have"];
    // "Ada drops the die down her suit, says, …"
    let row =
        lead.after.trim_end().trim_end_matches([',', ':']).rsplit_once(',').map(|(_, last)| words(last));
    if let Some([verb]) =
        row.as_deref().map(|last| if last.len() > 1 && is_adverb(&last[0]) { &last[1..] } else { last })
        && opens
        && speaks(verb)
        && !is_base(verb)
        && !is_base(first)
        && lead.main
    {
        return true;
    }
    let verb = between
        .iter()
        .filter(|word| !is_adverb(word))
        .find(|word| !auxiliary.contains(&word.as_str()))
        .unwrap_or(first);
    let finite = !is_base(verb) || verb.ends_with("n't") || auxiliary.contains(&first.as_str());
    let acts = finite && !verb.ends_with("ing") && !sensed && !LISTS.speech.passive.contains(verb);
    let other = tail.iter().take(5).any(|word| speaks(word));
    let by_them = tail.first().is_some_and(|word| PRONOUNS.contains(&word.as_str()))
        && tail.iter().take(4).any(|word| speaks(word));
    // "Ada grips the rail: …", "Ada lights the fuse with a giggle, …"
    if acts && lead.main && ends.ends_with([':', ',']) && (!other || by_them) {
        return true;
    }
    // "Ada lowers the lamp. "…," she says"
    if acts && by_them && !strange(&without_owners(lead.after)) {
        return true;
    }
    // "Ada shrugs. …"
    LISTS.speech.beats.all(&between).any(|found| found.start == 0 || goes_on(&between, found.start))
        && ends.ends_with(['.', '!', ','])
        && (!other || (by_them && !strange(lead.after)))
}

/// A clause without those who only own something in it: "claps the boy's shoulder".
fn without_owners(clause: &str) -> String {
    let kept = clause.split(' ').filter(|word| !word.ends_with("'s") && !word.ends_with("’s"));
    kept.collect::<Vec<_>>().join(" ")
}

/// The quotation that a sentence leads to which begins with somebody's name and a comma, and goes on with what they do and say: "Ada, she
/// takes fright and she says, …"; "Ada, *as I saw myself,* bows and says, …". Whoever is only called by name is no subject.
pub(crate) fn told_of(paragraph: &str, names: &[String]) -> Option<String> {
    let pieces: Vec<&str> = paragraph.split('"').collect();
    let found = pieces.iter().enumerate().skip(1).step_by(2).find(|(place, piece)| {
        let lead = last_clause(pieces[place - 1]);
        words(piece).len() >= SPEECH_WORDS_MIN
            && lead.trim_end().ends_with([',', ':'])
            && names.iter().any(|name| tells_of(lead, name))
    });
    found.map(|(_, piece)| (*piece).to_owned())
}

fn tells_of(lead: &str, name: &str) -> bool {
    let Some(at) = place_of(lead, name) else { return false };
    let front = words(&lead[..at]);
    let Some(rest) = lead[at + name.len()..].strip_prefix(',') else { return false };
    // An aside of whoever tells it.
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('*').and_then(|aside| aside.split_once('*')).map_or(rest, |(_, rest)| rest);
    let said = words(rest);
    let finite = |word: &String| word.ends_with('s') && !is_base(word);
    let Some(first) = said.first() else { return false };
    let subject = PRONOUNS.contains(&first.as_str());
    let verb =
        said.iter().rposition(|word| speaks(word)).filter(|at| said.len() - at <= BEHIND_VERB && *at > 2);
    verb.is_some_and(|verb| {
        let before = said[verb - 1].as_str();
        front.iter().all(|word| CLAUSE.contains(&word.as_str()))
            && (subject || finite(first) && !PLACES.contains(&first.as_str()))
            && (PRONOUNS.contains(&before) && subject || GOES_ON.contains(&before))
            && !has_another(&said[..verb])
    })
}

/// The words that a paragraph puts into the mouth of somebody whom no player plays: `"…," says the guard`, `The oldest of them bows and
/// says, "…"`. What was said at another time is a report.
pub(crate) fn voiced(paragraph: &str, strange: &dyn Fn(&str) -> bool) -> Option<String> {
    let pieces: Vec<&str> = paragraph.split('"').collect();
    let present = |word: &String| speaks(word) && word.ends_with('s') && !is_base(word);
    let article = |word: &str| ["the", "a", "an", "one", "its", "their", "his", "her"].contains(&word);
    for (place, piece) in pieces.iter().enumerate().skip(1).step_by(2) {
        if words(piece).len() < SPEECH_WORDS_MIN {
            continue;
        }
        let behind = pieces.get(place + 1).copied().unwrap_or_default();
        let behind = behind.split(['.', ';', ',']).next().unwrap_or_default();
        let tail = words(behind);
        let own =
            |said: &[String]| said.iter().any(|word| ["i", "my", "me", "we", "our"].contains(&word.as_str()));
        // "says the guard", "the guard says"
        let verb = tail.iter().take(5).position(present);
        let by_tail = verb.is_some_and(|verb| {
            let subject = if verb == 0 { &tail[1..] } else { &tail[..verb] };
            // A voice in somebody's ear may be the player's own.
            let voice = subject.get(1).is_some_and(|word| UTTERANCES.contains(&word.as_str()));
            // "the ferryman answers": whoever speaks is a person, and a page is none.
            let person = subject.len() <= 3
                && ["the", "a", "an"].contains(&subject.first().map_or("", String::as_str))
                && subject.last().is_some_and(|noun| behind.contains(noun.as_str()))
                && !subject.iter().any(|word| WRITINGS.contains(&word.as_str()));
            subject.first().is_some_and(|word| article(word))
                && !voice
                && (person || strange(&subject.join(" ")))
        });
        let clause = last_clause(pieces[place - 1]);
        let said = words(clause);
        let by_lead = said.first().is_some_and(|word| article(word))
            && clause.trim_end().ends_with([',', ':'])
            && said.iter().rposition(present).is_some_and(|at| {
                said.len() - at <= BEHIND_VERB && at > 0 && (goes_on(&said, at) || at <= 3)
            });
        if (by_tail && !own(&tail)) || (by_lead && !own(&said)) {
            return Some((*piece).to_owned());
        }
    }
    None
}

/// The last sentence before a quotation, with its own mark.
fn last_clause(text: &str) -> &str {
    let end = text.trim_end_matches([' ', ',', ':', '.', '!', '*', '_']).len();
    let start = text[..end].rfind(['.', '!', '?']).map_or(0, |place| place + 1);
    text[start..].trim_start_matches([' ', '*', '_'])
}
