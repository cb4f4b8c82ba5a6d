//! Which pieces of a prompt have most in common with what came of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use unicode_segmentation::UnicodeSegmentation;

use super::SpanWhy;

/// BM25's constants as Robertson and Zaragoza give them (The Probabilistic Relevance Framework, 2009): how soon a repeated word counts
/// no more, and how much a long piece is discounted.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;

/// So many letters make a word: "compare", "compared" and "comparing" are one.
const LETTERS: usize = 6;
/// Shorter words are articles and pronouns, and names of two letters.
const LETTERS_MIN: usize = 3;

/// Weighs every piece by the words that it shares with `about`, rare ones more than frequent ones, and finds the sentence that shares
/// the most. The pieces of one event are one document, and have one weight.
#[expect(
    clippy::float_arithmetic,
    reason = "an order for readers: it is never recorded, and nothing is decided by it"
)]
pub(super) fn rank(spans: &mut [SpanWhy], about: &str) {
    let wanted: BTreeSet<String> = words(about).collect();
    let mut documents: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for span in spans.iter() {
        documents.entry(span.number).or_default().extend(words(&span.text));
    }
    let count = documents.len() as f64;
    let average = documents.values().map(Vec::len).sum::<usize>() as f64 / count.max(1.0);
    let rarity = |word: &String| {
        let holding = documents.values().filter(|words| words.contains(word)).count() as f64;
        (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln()
    };
    let rarities: BTreeMap<&String, f64> = wanted.iter().map(|word| (word, rarity(word))).collect();
    let weight = |words: &[String]| {
        let length = SATURATION * (1.0 - LENGTH + LENGTH * words.len() as f64 / average.max(1.0));
        let shared = rarities.iter().map(|(word, rarity)| {
            let times = words.iter().filter(|other| other == word).count() as f64;
            rarity * times * (SATURATION + 1.0) / (times + length)
        });
        (shared.sum::<f64>() * 1_000.0).round() as u32
    };
    for span in spans {
        span.weight = documents.get(&span.number).map_or(0, |words| weight(words));
        let sentences = span.text.split_sentence_bound_indices();
        let weighed = sentences.map(|(at, text)| (weight(&words(text).collect::<Vec<_>>()), Reverse(at)));
        span.nearest_at = weighed.max().map_or(0, |(_, Reverse(at))| at);
    }
}

/// Where the sentence of a text begins that has the most words of `about`; the beginning where none has any.
pub(super) fn nearest(text: &str, about: &str) -> usize {
    let wanted: BTreeSet<String> = words(about).collect();
    let shared =
        |sentence: &str| words(sentence).filter(|word| wanted.contains(word)).collect::<BTreeSet<_>>().len();
    let weighed = text.split_sentence_bound_indices().map(|(at, sentence)| (shared(sentence), Reverse(at)));
    weighed.max().map_or(0, |(_, Reverse(at))| at)
}

/// Words of four letters and more that say nothing of what a text is about, to so many letters as words are compared by.
const EMPTY: &[&str] = &[
    "about", "after", "again", "against", "anybod", "been", "before", "check", "does", "enough", "everyb",
    "everyt", "from", "have", "into", "more", "nobody", "nothin", "once", "only", "over", "some", "somebo",
    "someth", "such", "succes", "than", "that", "their", "them", "then", "there", "they", "this", "until",
    "were", "what", "when", "where", "which", "while", "will", "with", "would", "your",
];

/// How many telling words two texts have in common. Words of `without` do not count.
pub(super) fn in_common(one: &str, other: &str, without: &str) -> usize {
    let left_out: BTreeSet<String> = words(without).collect();
    let counts = |word: &String| {
        word.len() > LETTERS_MIN && !EMPTY.contains(&word.as_str()) && !left_out.contains(word)
    };
    let known: BTreeSet<String> = words(other).filter(counts).collect();
    words(one).filter(|word| known.contains(word)).collect::<BTreeSet<_>>().len()
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= LETTERS_MIN);
    words.map(|word| word.chars().flat_map(char::to_lowercase).take(LETTERS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(number: u64, text: &str) -> SpanWhy {
        SpanWhy {
            number,
            event: "MessageSpoken",
            text: text.to_owned(),
            weight: 0,
            nearest_at: 0,
            carried: None,
        }
    }

    #[test]
    fn what_shares_rare_words_weighs_more_than_what_shares_frequent_ones() {
        let mut spans = [
            span(1, "The ferry is late again, says the ferryman."),
            span(2, "The ferry leaves. Compare the wage book with the tally, he says."),
            span(3, "The ferry is here."),
            span(4, "HP 9"),
            span(2, "And so it goes."),
        ];
        rank(&mut spans, "Comparing the wages by the ferry");
        let starts = spans.each_ref().map(|span| &span.text[span.nearest_at..]);
        assert!(starts[1].starts_with("Compare the wage book"), "{starts:?}");
        assert!(starts[2].starts_with("The ferry") && starts[3] == "HP 9", "{starts:?}");
        let [one, two, three, four, again] = spans.map(|span| span.weight);
        assert!(two > three && three > four, "{two} {three} {four}");
        assert!(two > one, "{two} {one}");
        assert_eq!((four, again), (0, two));
        rank(&mut [], "nothing");
    }
}
