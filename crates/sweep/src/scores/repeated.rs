//! Sentences that were said before.

use std::collections::BTreeSet;

use twicetold_model::{Digest, Digester};
use unicode_segmentation::UnicodeSegmentation;

/// Words from which on a sentence counts: "Yes." is said by everybody.
const WORDS_MIN: usize = 4;

/// The sentences of a campaign so far.
#[derive(Default)]
pub(super) struct Said(BTreeSet<Digest>);

impl Said {
    /// Adds what was said: how many sentences count, and how many of them were said before.
    pub(super) fn add(&mut self, text: &str) -> (u64, u64) {
        let (mut all, mut again) = (0, 0);
        for sentence in text.unicode_sentences() {
            let words: Vec<String> = sentence.unicode_words().map(str::to_lowercase).collect();
            if words.len() < WORDS_MIN {
                continue;
            }
            let mut digester = Digester::new("twicetold sweep sentence 1");
            words.iter().for_each(|word| digester.text(word));
            all += 1;
            again += u64::from(!self.0.insert(digester.finish()));
        }
        (all, again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_the_same_whatever_its_marks_and_short_ones_do_not_count() {
        let mut said = Said::default();
        assert_eq!(said.add("The boat is gone. Yes. \"Who took the boat?\""), (2, 0));
        assert_eq!(said.add("the BOAT, is gone! Yes."), (1, 1));
    }
}
