//! Finds in other people's prose what a reply can take up: actions, things, names, wants.

/// Who an action is told to or about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Person {
    Second,
    Third,
}

/// Sentences of a text, trimmed, without line breaks.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut letters = line.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let ends = matches!(letter, '.' | '!' | '?');
            let closing = letters.peek().is_some_and(|(_, next)| matches!(next, '"' | '”' | '\'' | ')'));
            let at_end = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
            let after_quote = letter == '"' && line[..at].ends_with(['.', '!', '?']);
            if (ends && at_end && !closing) || (after_quote && at_end) {
                found.push(line[start..at + letter.len_utf8()].trim());
                start = at + letter.len_utf8();
            }
        }
        found.push(line[start..].trim());
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// A text without what stands in quotation marks.
fn outside_quotes(text: &str) -> String {
    text.split(['"', '“', '”']).step_by(2).collect::<Vec<_>>().join(" ")
}

/// The last thing that somebody says aloud in this text, when it is short.
pub(super) fn last_quote(text: &str) -> Option<&str> {
    let quotes: Vec<&str> = text.split(['"', '“', '”']).skip(1).step_by(2).collect();
    let last = quotes
        .iter()
        .rev()
        .map(|quote| sentences(quote))
        .find_map(|parts| parts.into_iter().find(|part| (2..=6).contains(&part.split(' ').count())))?;
    Some(last.trim_end_matches(['.', ',', '!', '?']))
}

const NO_ACTION: &[&str] = &[
    "hope", "add", "nod", "repeat", "wonder", "guess", "shrug", "thought", "owe", "am", "have", "had", "was",
    "know", "think", "remember", "want", "don't", "do", "did", "cannot", "can't", "would", "will", "never",
    "wish", "suppose", "could", "should", "may", "might", "used", "like", "love", "need", "mean", "believe",
    "notice", "feel", "once", "still",
];

/// What the speaker declares to do: the longest phrase after an "I" that tells of a deed, in the first person.
pub(super) fn action(text: &str) -> Option<String> {
    let plain = outside_quotes(text);
    let deeds = sentences(&plain).into_iter().rev().filter_map(deed);
    deeds.max_by_key(|deed| deed.split(' ').count()).map(str::to_owned)
}

/// The words after "I" up to the end of the clause, when they tell of a deed.
fn deed(sentence: &str) -> Option<&str> {
    let bounded = |at: &usize| sentence[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let start = sentence.match_indices("I ").map(|(at, _)| at).find(bounded)?;
    let mut rest = &sentence[start + 2..];
    for opener in ["try to ", "want to ", "will ", "am going to ", "decide to ", "quietly ", "simply "] {
        rest = rest.strip_prefix(opener).unwrap_or(rest);
    }
    let end = rest.find([',', ';', ':', '.', '!', '?', '—', '(']).unwrap_or(rest.len());
    let phrase = rest[..end].trim();
    let first = phrase.split(' ').next().unwrap_or("");
    let plausible = first.chars().all(|c| c.is_ascii_lowercase()) && !NO_ACTION.contains(&first);
    (plausible && (2..=24).contains(&phrase.split(' ').count()) && phrase.len() <= 140).then_some(phrase)
}

/// The deed in which somebody tries this check, else any deed.
pub(super) fn attempt(text: &str, check: &str) -> Option<String> {
    let plain = outside_quotes(text);
    let tried = sentences(&plain).into_iter().filter_map(|sentence| {
        let at = sentence.find(check).filter(|_| check.contains(' '))?;
        deed(&format!("I {}", sentence.get(at..)?)).map(str::to_owned)
    });
    tried.into_iter().next().or_else(|| action(text))
}

/// The action in the second ("your hand") or the third person ("their hand").
pub(super) fn shift(action: &str, person: Person) -> String {
    let second = person == Person::Second;
    let mut after_i = false;
    let shifted = action.split(' ').map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        let new = match bare {
            "I" => {
                if second {
                    "you"
                } else {
                    "they"
                }
            }
            "me" => {
                if second {
                    "you"
                } else {
                    "them"
                }
            }
            "my" => {
                if second {
                    "your"
                } else {
                    "their"
                }
            }
            "mine" => {
                if second {
                    "yours"
                } else {
                    "theirs"
                }
            }
            "myself" => {
                if second {
                    "yourself"
                } else {
                    "themself"
                }
            }
            "I'm" => {
                if second {
                    "you're"
                } else {
                    "they're"
                }
            }
            "I've" => {
                if second {
                    "you've"
                } else {
                    "they've"
                }
            }
            "I'll" => {
                if second {
                    "you'll"
                } else {
                    "they'll"
                }
            }
            "am" => "are",
            "was" if after_i => "were",
            _ => bare,
        };
        after_i = bare == "I";
        if new == bare { word.to_owned() } else { word.replacen(bare, new, 1) }
    });
    shifted.collect::<Vec<_>>().join(" ")
}

const BEFORE: [&str; 15] = [
    "on", "in", "under", "behind", "beside", "against", "over", "inside", "near", "by", "along", "across",
    "beneath", "above", "through",
];
const STOPS: [&str; 47] = [
    "the", "a", "an", "of", "in", "on", "at", "with", "and", "to", "from", "by", "is", "are", "was", "were",
    "has", "have", "that", "which", "who", "where", "when", "while", "as", "or", "but", "if", "for", "not",
    "it", "they", "he", "she", "you", "under", "behind", "beside", "over", "than", "so", "before", "after",
    "out", "up", "down", "nobody",
];
const VAGUE: &[&str] = &[
    "way",
    "end",
    "time",
    "moment",
    "air",
    "morning",
    "party",
    "same",
    "rest",
    "other",
    "first",
    "middle",
    "past",
    "hour",
    "afternoon",
    "matter",
    "minutes",
    "whole",
    "front",
    "last",
    "case",
    "dark",
    "evening",
    "day",
    "night",
    "order",
    "breath",
    "edge",
    "place",
    "sleeve",
    "voice",
    "hand",
    "pocket",
    "face",
    "mirror",
    "shoulder",
    "room",
    "wind",
    "word",
    "mind",
    "half",
    "side",
    "nose",
    "fingers",
    "hands",
    "head",
    "table",
    "floor",
    "thing",
    "business",
    "story",
    "people",
    "crowd",
    "legs",
    "noise",
    "silence",
    "town",
];

/// Concrete things named in this text, each with "the".
pub(super) fn things(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    for (index, pair) in words.windows(2).enumerate() {
        let [before, article] = pair else { continue };
        let before = before.trim_start_matches(|c: char| !c.is_alphabetic());
        if !BEFORE.contains(&before) || !["the", "a", "an"].contains(article) {
            continue;
        }
        let mut noun: Vec<&str> = Vec::new();
        for word in words.iter().skip(index + 2).take(4) {
            let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            let plain = !bare.is_empty() && bare.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            if !plain || STOPS.contains(&bare) {
                break;
            }
            noun.push(bare);
            if bare.len() < word.len() {
                break;
            }
        }
        while noun.len() > 1
            && noun.last().is_some_and(|word| ["ed", "ing", "ly"].iter().any(|end| word.ends_with(end)))
        {
            noun.pop();
        }
        let Some(last) = noun.last() else { continue };
        let thing = format!("the {}", noun.join(" "));
        let fits = last.len() > 2 && !VAGUE.contains(last) && !last.ends_with("ly") && noun.len() <= 3;
        if fits && !found.contains(&thing) && found.len() < 24 {
            found.push(thing);
        }
    }
    found
}

/// The words after `lead` up to the end of the clause, as in "wants the shelf full by dusk".
pub(super) fn clause_after<'t>(text: &'t str, leads: &[&str]) -> Option<&'t str> {
    let (at, lead) = leads.iter().filter_map(|lead| text.find(lead).map(|at| (at, lead))).min()?;
    let rest = text.get(at + lead.len()..)?;
    let end = rest.find([',', ';', '.', '\n', ':']).unwrap_or(rest.len());
    let clause = rest.get(..end)?;
    let end = [" and fears", " and is afraid", " because ", " but "]
        .iter()
        .filter_map(|stop| clause.find(stop))
        .min();
    let clause = clause.get(..end.unwrap_or(clause.len()))?.trim();
    (2..=22).contains(&clause.split_whitespace().count()).then_some(clause)
}

/// What is sought, as a noun phrase out of an objective like "Find the bell before dusk".
pub(super) fn quarry(objective: &str) -> Option<String> {
    let at = ["the ", "a ", "an "]
        .iter()
        .filter_map(|article| objective.find(&format!(" {article}")).map(|at| at + 1))
        .min()?;
    if at > 24 {
        return None;
    }
    let rest = objective.get(at..)?;
    let stops =
        [" and ", " before ", " by ", " without ", " from ", " to ", " back", " so ", ",", ".", ";", ":"];
    let end = stops.iter().filter_map(|stop| rest.find(stop)).min().unwrap_or(rest.len());
    let phrase = rest.get(..end)?.trim();
    (2..=8).contains(&phrase.split(' ').count()).then(|| phrase.to_owned())
}

/// Whether the word stands in the text with no letter beside it.
pub(super) fn names(text: &str, name: &str) -> bool {
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
}

/// The name that friends use: the first word, unless it is a title.
pub(super) fn short(name: &str) -> &str {
    let mut parts = name.split(' ');
    let first = parts.next().unwrap_or(name);
    let title = [
        "The", "Old", "Player", "Captain", "Mother", "Father", "Brother", "Sister", "Mistress", "Master",
        "Big", "Little", "Reeve", "Lady", "Lord", "Sir", "Dame", "Doctor", "Aunt", "Uncle", "Granny",
    ]
    .contains(&first);
    if title { name } else { first }
}

/// A sentence's start in lower case, unless it begins with one of these names or "I".
pub(super) fn lower(text: &str, keep: &[&str]) -> String {
    let first = text.split(' ').next().unwrap_or("");
    let proper = [
        "The",
        "A",
        "An",
        "It",
        "They",
        "Nobody",
        "Somebody",
        "Everybody",
        "Whoever",
        "At",
        "In",
        "No",
        "Some",
    ];
    let kept = keep.iter().any(|name| name.split(' ').any(|word| word == first));
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if proper.contains(&first) && !kept => {
            format!("{}{}", letter.to_lowercase(), letters.as_str())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declared_action_is_found_and_turned_to_the_listener() {
        let said =
            "\"I never liked geese,\" says nobody. I know that goose. I lift my hat to the goose, slowly.";
        let found = action(said).unwrap_or_default();
        assert_eq!(found, "lift my hat to the goose");
        assert_eq!(shift(&found, Person::Second), "lift your hat to the goose");
        assert_eq!(shift(&found, Person::Third), "lift their hat to the goose");
    }

    #[test]
    fn things_are_nouns_with_a_place() {
        let text =
            "Somebody waits behind the fish stall, and on the stone bridge, a boy. In the morning it rains.";
        assert_eq!(things(text), ["the fish stall", "the stone bridge"]);
    }

    #[test]
    fn the_sought_thing_comes_from_the_objective() {
        assert_eq!(
            quarry("Find the pewter flood cup and bring it back to the Weighing House.").as_deref(),
            Some("the pewter flood cup")
        );
        assert_eq!(quarry("Survive"), None);
    }

    #[test]
    fn sentences_end_after_the_closing_quotation_mark() {
        assert_eq!(sentences("\"Go.\" She goes. Why?"), ["\"Go.\"", "She goes.", "Why?"]);
    }

    #[test]
    fn text_of_many_bytes_per_letter_is_safe() {
        for text in ["“é” — I löse ü", "I —", "ß.ß? “", "the 中 on the 中文 I 文"] {
            let _ = (sentences(text), action(text), things(text), last_quote(text), quarry(text));
            let _ = (clause_after(text, &["é"]), names(text, "文"));
        }
    }
}
