//! What somebody has noticed without trying: said once, where it is of use, and taken up by the others.

use super::read::names;
use super::request::{Line, Request};
use super::story::{person_of, scene_again, scene_before};

/// Something that one of the party has noticed in this encounter.
pub(super) struct Clue<'r> {
    pub(super) who: &'r str,
    pub(super) text: &'r str,
}

/// Shorter words point nowhere.
const LETTERS_MIN: usize = 4;
/// Words that stand in every scene.
const COMMON: &[&str] = &[
    "that",
    "this",
    "with",
    "have",
    "from",
    "they",
    "them",
    "there",
    "then",
    "than",
    "into",
    "over",
    "says",
    "said",
    "what",
    "when",
    "whenever",
    "where",
    "which",
    "while",
    "been",
    "were",
    "their",
    "somebody",
    "something",
    "nobody",
    "everybody",
    "looks",
    "look",
    "will",
    "would",
    "does",
    "done",
    "more",
    "most",
    "like",
    "before",
    "behind",
    "after",
    "himself",
    "herself",
    "itself",
    "other",
    "others",
    "stands",
    "three",
    "people",
    "along",
    "down",
    "hand",
];
/// Later in an encounter nobody speaks any more of what was to be seen at its beginning.
const WITHIN: i64 = 8;
/// A longer one is told by the DM, and nobody says it over.
const SAID_BYTES_MAX: usize = 90;
/// So much points to a check: one word of its name that no other has, or two words of what is to be seen.
const POINTS_MIN: usize = 3;

/// Everything that was noticed in this encounter, oldest first.
pub(super) fn clues<'r>(request: &'r Request<'_>) -> Vec<Clue<'r>> {
    let kept = request.tagged("noticed").lines().filter_map(|line| {
        let (who, text) = line.strip_prefix("- ")?.split_once(" noticed: ")?;
        Some(Clue { who, text })
    });
    // What was noticed in an earlier encounter may still stand in the history: more has been told since than in this one.
    let told = usize::try_from(request.state.messages.done).unwrap_or(0) / 2 + 1;
    let since = |at: usize| request.lines.iter().skip(at).filter(|line| line.speaker == "DM").count();
    let heard = request.lines.iter().enumerate().filter_map(|(at, line)| {
        let rest = line.text.strip_prefix("[noticed] ").filter(|_| line.speaker.is_empty())?;
        let (who, text) = rest.split_once("): ")?;
        let (who, _) = who.split_once(" (")?;
        (since(at) <= told).then_some(Clue { who, text })
    });
    kept.chain(heard).collect()
}

/// What has been noticed and nobody has said, by whomever, where the check is tried of which it speaks.
pub(super) fn unsaid<'r>(request: &'r Request<'_>, tried: &str) -> Option<Clue<'r>> {
    if request.state.messages.done > WITHIN {
        return None;
    }
    let is_new = |clue: &Clue<'_>| {
        clue.text.len() <= SAID_BYTES_MAX && !request.lines.iter().any(|line| says(line, clue.text))
    };
    // What decides a goal is no moment for it, unless it is about whoever is there.
    let is_last = request
        .state
        .goals
        .iter()
        .any(|goal| goal.get("needs").rsplit(';').next().is_some_and(|step| step.trim() == tried));
    let person = person_of(request, tried).unwrap_or_default();
    let is_of_them =
        |clue: &Clue<'_>| person.split(' ').any(|part| part.len() >= LETTERS_MIN && names(clue.text, part));
    let mut new = clues(request).into_iter().filter(is_new).filter(|clue| !is_last || is_of_them(clue));
    new.find(|clue| !tried.is_empty() && points_to(request, clue.text) == Some(tried))
}

/// The words of the DM to the party as one of the party says them.
pub(super) fn ours(text: &str) -> String {
    text.replace(" your ", " our ").replace(" you a ", " us a ")
}

fn says(line: &Line, text: &str) -> bool {
    !line.speaker.is_empty() && (line.text.contains(text) || line.text.contains(&ours(text)))
}

/// What the last player to speak has just said of a thing that it noticed.
pub(super) fn just_said<'r>(request: &'r Request<'_>) -> Option<Clue<'r>> {
    let players = |line: &&Line| !line.own && request.state.player(&line.speaker).is_some();
    let last = request.lines.iter().rev().find(players)?;
    clues(request).into_iter().find(|clue| says(last, clue.text))
}

/// Has this player just said it?
pub(super) fn is_said_by(request: &Request<'_>, clue: &Clue<'_>, name: &str) -> bool {
    let by = |line: &&Line| request.state.player(&line.speaker).is_some_and(|one| one.called() == name);
    request.lines.iter().rev().find(by).is_some_and(|line| says(line, clue.text))
}

/// The check of which these words speak, when one of them does.
pub(super) fn points_to<'r>(request: &'r Request<'_>, text: &str) -> Option<&'r str> {
    let checks = &request.state.checks;
    let told: Vec<Vec<String>> = checks
        .iter()
        .map(|check| {
            let name = check.head.as_str();
            let person = person_of(request, name).unwrap_or_default();
            let scenes = [name, person, scene_before(request, name), scene_again(request, name)];
            telling(&scenes.join(" "))
        })
        .collect();
    let words = telling(text);
    let worth = |place: usize, name: &str| -> usize {
        let named = telling(name);
        let of = |word: &String| {
            let elsewhere = told.iter().filter(|words| words.contains(word)).count();
            let here = told.get(place).is_some_and(|words| words.contains(word));
            match (here, elsewhere) {
                (false, _) => 0,
                (true, 1) => 2 + usize::from(named.contains(word)),
                (true, 2) => 1 + usize::from(named.contains(word)),
                (true, _) => 0,
            }
        };
        words.iter().map(of).sum()
    };
    let (_, best) = checks
        .iter()
        .enumerate()
        .map(|(place, check)| (worth(place, &check.head), check))
        .filter(|(worth, _)| *worth >= POINTS_MIN)
        // The first of equals.
        .rev()
        .max_by_key(|(worth, _)| *worth)?;
    Some(best.head.as_str())
}

/// The words of a text by which it can be told from another, each once, without the ending of more than one.
fn telling(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let word = word.to_lowercase();
        if word.chars().count() < LETTERS_MIN || COMMON.contains(&word.as_str()) {
            continue;
        }
        let word = word.strip_suffix('s').unwrap_or(&word).to_owned();
        if !found.contains(&word) {
            found.push(word);
        }
    }
    found
}
