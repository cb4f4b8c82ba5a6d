//! Finds things and places in prose, and what is sought.

const BEFORE: [&str; 15] = [
    "on", "in", "under", "behind", "beside", "against", "over", "inside", "near", "by", "along", "across",
    "beneath", "above", "through",
];
const STOPS: &[&str] = &[
    "the",
    "a",
    "an",
    "of",
    "in",
    "on",
    "at",
    "with",
    "and",
    "to",
    "from",
    "by",
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "that",
    "which",
    "who",
    "where",
    "when",
    "while",
    "as",
    "or",
    "but",
    "if",
    "for",
    "not",
    "it",
    "they",
    "he",
    "she",
    "you",
    "under",
    "behind",
    "beside",
    "over",
    "than",
    "so",
    "before",
    "after",
    "out",
    "up",
    "down",
    "nobody",
    "same",
    "next",
    "first",
    "last",
    "other",
    "three",
    "two",
    "twice",
    "until",
    "without",
    "into",
    "again",
    "like",
    "because",
    "waiting",
    "what",
    "how",
    "this",
    "we",
    "everybody",
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
    "panic",
    "hurry",
    "width",
    "nun",
    "clerk",
    "grandmother",
    "man",
    "woman",
    "boy",
    "girl",
    "midwife",
    "drunk",
    "ratcatcher",
    "bargeman",
    "piper",
    "juggler",
    "knife-grinder",
    "wet-nurse",
    "pair",
    "goat",
    "bundle",
    "rack",
    "pile",
    "stack",
    "string",
    "coil",
    "crate",
    "weight",
    "hook",
    "tray",
    "spot",
    "shade",
    "book",
    "dust",
    "step",
    "spring",
    "water",
    "harvest",
    "year",
    "list",
    "stop",
    "light",
    "bill",
    "church",
    "christening",
    "funeral",
    "wedding",
    "mouth",
    "house",
    "street",
    "fun",
    "middle",
    "crook",
    "clock",
    "quarter",
    "pot",
    "breakfast",
    "doorway",
    "lock",
    "point",
    "fever",
    "cat",
    "good",
    "trunk",
    "candle",
    "sleep",
    "tune",
    "sky",
    "sun",
    "river",
    "ruin",
    "case",
    "one",
    "gap",
    "price",
    "start",
    "opposite",
    "queue",
    "job",
    "back",
    "second",
    "third",
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
            let plain = !bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
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
        // "The reeds says" would be wrong.
        let single = !last.ends_with('s') || last.ends_with("ss");
        let fits =
            last.len() > 2 && single && !VAGUE.contains(last) && !last.ends_with("ly") && noun.len() <= 3;
        if fits && !found.contains(&thing) && found.len() < 24 {
            found.push(thing);
        }
    }
    found
}

/// What is sought, as a noun phrase out of an objective like "Find the bell before dusk".
pub(super) fn quarry(objective: &str) -> Option<String> {
    let article = ["the ", "a ", "an "]
        .iter()
        .filter_map(|article| objective.find(&format!(" {article}")).map(|at| at + 1))
        .min();
    let owner = objective.find("'s ").and_then(|at| objective[..at].rfind(' ')).map(|at| at + 1);
    let at = [article, owner].into_iter().flatten().min()?;
    if at > 24 {
        return None;
    }
    let rest = objective.get(at..)?;
    let stops = [
        " and ",
        " before ",
        " by ",
        " without ",
        " from ",
        " to ",
        " back",
        " so ",
        " that ",
        " until ",
        " when ",
        " where ",
        ",",
        ".",
        ";",
        ":",
    ];
    let end = stops.iter().filter_map(|stop| rest.find(stop)).min().unwrap_or(rest.len());
    let phrase = rest.get(..end)?.trim();
    (2..=8).contains(&phrase.split(' ').count()).then(|| phrase.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(quarry("Bring Hanno's ferry back before the bell.").as_deref(), Some("Hanno's ferry"));
        assert_eq!(quarry("Survive"), None);
    }
}
