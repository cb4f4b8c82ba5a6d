//! Which pieces of a prompt have most in common with what came of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

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
pub(super) fn rank(spans: &mut [SpanWhy], about: &str, texts: &mut Texts) {
    let wanted = Wanted::of(about, texts);
    let cut: Vec<Rc<Vec<Sentence>>> = spans.iter().map(|span| texts.cut(&span.text)).collect();
    let mut documents: BTreeMap<u64, Counted> = BTreeMap::new();
    for (span, sentences) in spans.iter().zip(&cut) {
        let document = documents.entry(span.number).or_insert_with(|| wanted.none());
        sentences.iter().for_each(|(_, words)| wanted.count(words, document));
    }
    let count = documents.len() as f64;
    let average = documents.values().map(|one| one.words).sum::<usize>() as f64 / count.max(1.0);
    let rarity = |word: usize| {
        let holding = documents.values().filter(|one| one.times[word] > 0).count() as f64;
        (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln()
    };
    let rarities: Vec<f64> = (0..wanted.places.len()).map(rarity).collect();
    let weight = |counted: &Counted| {
        let length = SATURATION * (1.0 - LENGTH + LENGTH * counted.words as f64 / average.max(1.0));
        let shared = rarities.iter().zip(&counted.times).map(|(rarity, times)| {
            let times = f64::from(*times);
            rarity * times * (SATURATION + 1.0) / (times + length)
        });
        (shared.sum::<f64>() * 1_000.0).round() as u32
    };
    for (span, sentences) in spans.iter_mut().zip(cut) {
        span.weight = documents.get(&span.number).map_or(0, weight);
        let weighed = sentences.iter().map(|(at, words)| {
            let mut counted = wanted.none();
            wanted.count(words, &mut counted);
            (weight(&counted), Reverse(*at))
        });
        span.nearest_at = weighed.max().map_or(0, |(_, Reverse(at))| at);
    }
}

/// Where a sentence begins, and its words by their numbers.
type Sentence = (usize, Vec<u32>);

/// So many bytes of texts are kept as their words: the pieces of an evening's prompts, most of which stand in the next prompt again.
const TEXTS_BYTES_MAX: usize = 1024 * 1024;

/// Texts that were cut into sentences and words before.
#[derive(Default)]
pub(super) struct Texts {
    numbers: BTreeMap<String, u32>,
    cut: BTreeMap<String, Rc<Vec<Sentence>>>,
    bytes: usize,
}

impl Texts {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(word.to_owned(), number);
        number
    }

    fn cut(&mut self, text: &str) -> Rc<Vec<Sentence>> {
        if let Some(known) = self.cut.get(text) {
            return known.clone();
        }
        // No word goes on from one sentence into the next.
        let mut sentences = Vec::new();
        for (at, sentence) in text.split_sentence_bound_indices() {
            let mut words = Vec::new();
            each_word(sentence, |word| words.push(self.number(word)));
            sentences.push((at, words));
        }
        let sentences = Rc::new(sentences);
        self.bytes += text.len();
        self.cut.insert(text.to_owned(), sentences.clone());
        sentences
    }
}

/// The words that are looked for: the place of each number, in order of the numbers.
struct Wanted {
    places: Vec<(u32, usize)>,
}

/// How many words a text has, and how often each of those that are looked for.
struct Counted {
    words: usize,
    times: Vec<u32>,
}

impl Wanted {
    fn of(about: &str, texts: &mut Texts) -> Wanted {
        if texts.bytes > TEXTS_BYTES_MAX {
            *texts = Texts::default();
        }
        let numbered = words(about).into_iter().enumerate();
        let mut places: Vec<(u32, usize)> =
            numbered.map(|(place, word)| (texts.number(&word), place)).collect();
        places.sort_unstable();
        Wanted { places }
    }

    fn none(&self) -> Counted {
        Counted { words: 0, times: vec![0; self.places.len()] }
    }

    fn count(&self, sentence: &[u32], counted: &mut Counted) {
        counted.words += sentence.len();
        for word in sentence {
            if let Ok(found) = self.places.binary_search_by_key(word, |(number, _)| *number) {
                counted.times[self.places[found].1] += 1;
            }
        }
    }
}

/// Where the sentence of a text begins that has the most words of `about`; the beginning where none has any.
pub(super) fn nearest(text: &str, about: &str) -> usize {
    let wanted = words(about);
    let shared = |sentence: &str| words(sentence).intersection(&wanted).count();
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
    let left_out = words(without);
    let counts = |word: &str| word.len() > LETTERS_MIN && !EMPTY.contains(&word) && !left_out.contains(word);
    words(one).intersection(&words(other)).filter(|word| counts(word)).count()
}

/// The words of a text, as they are compared.
fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let mut compared = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.chars().take(LETTERS_MIN).count() < LETTERS_MIN {
            continue;
        }
        compared.clear();
        compared.extend(word.chars().flat_map(char::to_lowercase).take(LETTERS));
        take(&compared);
    }
}

/// Each of them once, in order.
fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    each_word(text, |word| {
        if !words.contains(word) {
            words.insert(word.to_owned());
        }
    });
    words
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
        rank(&mut spans, "Comparing the wages by the ferry", &mut Texts::default());
        let starts = spans.each_ref().map(|span| &span.text[span.nearest_at..]);
        assert!(starts[1].starts_with("Compare the wage book"), "{starts:?}");
        assert!(starts[2].starts_with("The ferry") && starts[3] == "HP 9", "{starts:?}");
        let [one, two, three, four, again] = spans.map(|span| span.weight);
        assert!(two > three && three > four, "{two} {three} {four}");
        assert!(two > one, "{two} {one}");
        assert_eq!((four, again), (0, two));
        rank(&mut [], "nothing", &mut Texts::default());
    }
}
