//! Shortening and blanking of text.

use crate::rules::text;

#[test]
fn what_is_short_enough_stays_whole_on_one_line() {
    assert_eq!(text::first_sentences(" One  two.\nThree. ", 15), "One two. Three.");
}

#[test]
fn what_is_too_long_is_shortened_to_whole_sentences() {
    assert_eq!(text::first_sentences("One two. Three four! Five six.", 22), "One two. Three four!");
}

#[test]
fn a_first_sentence_that_is_too_long_is_cut_between_words_and_characters() {
    assert_eq!(text::first_sentences("A very long sentence without an end", 13), "A very long…");
    assert_eq!(text::first_sentences("Ünlängst", 1), "…");
    assert_eq!(text::first_sentences("Ünlängst", 5), "Ünl…");
}

#[test]
fn only_an_open_quotation_ends_with_its_line_and_code_goes_on() {
    assert_eq!(text::unquoted("«A» b `c\nd` e"), "      b   \n   e");
    assert_eq!(text::unquoted("\"a\nb"), "  \nb");
}
