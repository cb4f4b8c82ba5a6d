//! Orders of initiative, as narrators state them: in a row, as a list, with numbers or without.

use super::People;
use crate::cues::LISTS;
use crate::text::{sentences, words};

/// Those who act in a fight: more are a battle that nobody counts turns in.
const ACTORS_MAX: usize = 24;
/// Words of a name in such an order: "the two wolves by the well".
const NAME_WORDS_MAX: usize = 5;

/// Somebody in an order of initiative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Actor {
    /// As the order calls them, in lower case.
    pub name: String,
    /// Whose character it is, if a player's.
    pub voice: Option<String>,
}

/// The order that a text states, if it states one with two players in it.
pub(crate) fn order(text: &str, people: &People<'_>) -> Option<Vec<Actor>> {
    let mut best: Option<Vec<Actor>> = None;
    let rows: Vec<&str> = text.lines().collect();
    for (place, row) in rows.iter().enumerate() {
        let said = words(row);
        // "Order: Ada, the wolf, Bo." and "Order's Ada, the wolf, Bo."
        let headed =
            |said: &[String]| LISTS.fight.order.hold(said) || said.iter().any(|word| word == "order");
        let parts = sentences(row);
        if !headed(&said) && !parts.iter().any(|part| headed(&words(part))) {
            best = best.or_else(|| parts.iter().find_map(|part| sequence(part, people)));
            continue;
        }
        // In the row itself, behind its heading, in a later sentence of it, or in the rows of a list below.
        let behind = behind(row);
        let sentences = sentences(row);
        let stated = sentences.iter().position(|sentence| headed(&words(sentence)));
        let later = &sentences[stated.unwrap_or(sentences.len())..];
        let list: Vec<&str> = rows[place + 1..]
            .iter()
            .skip_while(|row| row.trim().is_empty())
            .take_while(|row| is_item(row))
            .copied()
            .collect();
        // A heading with its own list says most: "one move a round in this order: Ada, the ogre, Bo."
        let own = sentences.iter().filter(|sentence| sentence.contains(':') && headed(&words(sentence)));
        let found = own
            .map(|sentence| self::behind(sentence))
            .find_map(|list| actors(&pieces(list), people).filter(|found| found.len() > 2))
            .or_else(|| actors(&pieces(behind), people))
            .or_else(|| later.iter().find_map(|sentence| actors(&pieces(self::behind(sentence)), people)))
            .or_else(|| actors(&list, people))
            .or_else(|| actors(&pieces(row), people));
        if best.is_none() {
            best = found;
        }
    }
    best
}

/// An order that a sentence tells without calling it one: "That makes it Ada first, then the Kid, and Bo last".
fn sequence(sentence: &str, people: &People<'_>) -> Option<Vec<Actor>> {
    let said = words(sentence);
    let holds = |word: &str| said.iter().any(|one| one == word);
    let told = holds("first") && (holds("then") || holds("last") || holds("next"))
        || said.iter().filter(|word| *word == "then").count() > 1;
    let scored = ["act", "go", "turns", "turn", "quick", "speed", "fastest", "reflexes", "moves"]
        .iter()
        .any(|word| holds(word))
        && behind(sentence).len() < sentence.len();
    let scores = said.iter().filter(|word| word.parse::<i64>().is_ok_and(|score| score <= 30)).count();
    let all = pieces(behind(sentence));
    // "Everybody takes turns, round by round: Ada, the ogre, Bo".
    let front = sentence.split_once(':').map_or_else(Vec::new, |(front, _)| words(front));
    let turns = front.iter().any(|word| ["turns", "turn", "rounds", "round"].contains(&word.as_str()));
    if sentence.trim_end().ends_with('?')
        || all.len() < 3
        || !(told || turns || scored && scores >= all.len())
    {
        return None;
    }
    let found = actors(&all, people)?;
    (found.len() == all.len()).then_some(found)
}

/// What stands behind a heading; all of it where there is none.
fn behind(row: &str) -> &str {
    row.split_once([':', '—']).map_or(row, |(_, rest)| rest)
}

fn is_item(row: &str) -> bool {
    let plain = row.trim_start_matches([' ', '*', '-', '•', '>', '_', '|']);
    !plain.is_empty() && words(plain).len() <= NAME_WORDS_MAX + 3
}

/// The parts of a row: "Ada 18, the wolves 12 → Bo".
fn pieces(row: &str) -> Vec<&str> {
    let row = row.trim_end_matches(['.', '!', ' ']);
    let end = row.find(['.', '?']).unwrap_or(row.len());
    row[..end]
        .split([',', ';', '→', '>', '|', '/'])
        .flat_map(|piece| piece.split(" then "))
        .flat_map(|piece| piece.split(" and "))
        .flat_map(|piece| piece.split("->"))
        .flat_map(|piece| piece.split(if row.matches(" - ").count() > 1 { " - " } else { "->" }))
        .collect()
}

fn actors(pieces: &[&str], people: &People<'_>) -> Option<Vec<Actor>> {
    let mut found: Vec<(Option<i64>, Actor)> = Vec::new();
    for piece in pieces.iter().filter(|piece| !piece.trim().is_empty()).take(ACTORS_MAX) {
        let plain =
            piece.trim().trim_start_matches(|c: char| c.is_ascii_digit() || ".)#*-•_ >\"[".contains(c));
        let front = plain.split(['(', ':', '–', '—', '[', '=']).next().unwrap_or_default();
        let mut name = words(front);
        // "1. Ada" is her place in the list, "Ada 18" what she rolled.
        let score = words(plain).iter().rev().find_map(|word| word.parse::<i64>().ok());
        name.retain(|word| {
            word.parse::<i64>().is_err()
                && ![
                    "the",
                    "then",
                    "and",
                    "finally",
                    "with",
                    "on",
                    "at",
                    "rolled",
                    "a",
                    "an",
                    "is",
                    "goes",
                    "acts",
                    "followed",
                    "by",
                    "order",
                    "initiative",
                    "are",
                    "up",
                    "it's",
                    "it",
                    "first",
                    "last",
                    "next",
                    "lastly",
                    "makes",
                    "that",
                    "got",
                    "has",
                    "gets",
                    "for",
                    "we",
                    "go",
                    "begins",
                    "starts",
                    "so",
                    "comes",
                    "means",
                    "which",
                    "old",
                    "after",
                    "turn",
                    "this",
                    "round",
                ]
                .contains(&word.as_str())
        });
        // "Drone A" is called so.
        if front.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ').ends_with(" A")
            && !name.is_empty()
        {
            name.push("a".to_owned());
        }
        if name.is_empty() || name.len() > NAME_WORDS_MAX {
            continue;
        }
        // "And round again."
        if name
            .iter()
            .any(|word| ["again", "repeat", "back", "everybody", "everyone"].contains(&word.as_str()))
            || words(front).iter().any(|word| word == "round")
        {
            continue;
        }
        let voice = people.named_in(front).map(str::to_owned);
        let actor = Actor { name: name.join(" "), voice };
        if !found.iter().any(|(_, known)| {
            known.name == actor.name || (known.voice.is_some() && known.voice == actor.voice)
        }) {
            found.push((score.filter(|_| words(plain).len() > 1), actor));
        }
    }
    let players = found.iter().filter(|(_, actor)| actor.voice.is_some()).count();
    if players < 2 || found.len() < 2 {
        return None;
    }
    // With numbers for all, those are the order, however they are listed; places of a list begin with 1 and ascend.
    let scored = found.iter().all(|(score, _)| score.is_some());
    if scored {
        found.sort_by_key(|(score, _)| std::cmp::Reverse(score.unwrap_or(0)));
    }
    Some(found.into_iter().map(|(_, actor)| actor).collect())
}
