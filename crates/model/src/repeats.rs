//! Texts that say the same over and over, as small models do until a limit stops them.

/// The longest unit that is looked for: two or three sentences.
const UNIT_BYTES_MAX: usize = 400;

/// The unit and its copies are at least so long together. Rules of dashes and refrains are shorter.
const BYTES_MIN: usize = 400;

/// And it stands at least so often: the third time might still be meant.
const COPIES_MIN: usize = 4;

/// Where a text begins to do nothing but repeat itself, up to its end: the first byte after the first copy, or after the sentence that
/// it ends in. The last copy may be cut. `None` for a text that ends with anything else.
pub fn repeats_from(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (1..=UNIT_BYTES_MAX.min(bytes.len() / COPIES_MIN)).find_map(|unit| {
        let same = bytes.iter().rev().zip(bytes.iter().rev().skip(unit)).take_while(|(a, b)| a == b).count();
        let is_loop = same + unit >= BYTES_MIN && same >= (COPIES_MIN - 1) * unit;
        is_loop.then(|| {
            let first = text.ceil_char_boundary(bytes.len() - same);
            if ends_sentence(&text[..first]) { first } else { first + rest_of_sentence(&text[first..], unit) }
        })
    })
}

/// Does a sentence end here?
fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', '…', '\n'])
}

/// How long the rest of a sentence is, where it ends within so many bytes; otherwise nothing is the rest.
fn rest_of_sentence(text: &str, most: usize) -> usize {
    let ends =
        text.char_indices().map(|(at, character)| at + character.len_utf8()).take_while(|end| *end <= most);
    ends.into_iter().find(|end| ends_sentence(&text[..*end])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_found_whatever_its_unit_is_and_wherever_it_was_cut() {
        for unit in ["a", " ", "Ha! ", "Thank you, Kira. ", "\"say\": \"Né\", "] {
            let text = format!("The door is open. {}", unit.repeat(500 / unit.len() + 2));
            for cut in 0..unit.len() {
                let Some(text) = text.get(..text.len() - cut) else { continue };
                let from = repeats_from(text).unwrap_or_else(|| panic!("{unit:?} cut by {cut}"));
                assert!(from <= "The door is open. ".len() + 2 * unit.len(), "{unit:?} from {from}");
            }
        }
        let sentences = "He looks at you. You look at him, and nobody says a word of what both of you know. ";
        assert_eq!(repeats_from(&sentences.repeat(5)), Some(sentences.len()));
    }

    #[test]
    fn refrains_rules_and_three_times_are_no_loops() {
        let sentence = "He looks at you. You look at him, and nobody says a word of what both of you know. ";
        for text in [
            String::new(),
            "No, no, no, no, no!".to_owned(),
            "-".repeat(120),
            sentence.repeat(2) + &sentence[..80],
            sentence.repeat(8) + "Then the bell rings, and it is over.",
        ] {
            assert_eq!(repeats_from(&text), None, "{text}");
        }
    }
}
