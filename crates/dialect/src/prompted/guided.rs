//! A choice, or the words of one thing, as one JSON object that a server holds to a schema.

use serde_json::{Map, Value};
use twicetold_model::ToolCall;

use super::structured::{said, unfenced};

/// The name under which a reply of a model that is guided holds what is not spoken of it: the whole object, as the arguments of a call.
pub const CHOICE: &str = "choose";

/// The member that is spoken.
const WORDS: &str = "words";

/// The words, and what was chosen; nothing when the text is not such an object.
pub(super) fn read(text: &str) -> Option<(String, Vec<ToolCall>)> {
    let json = unfenced(text.trim());
    if !json.starts_with('{') {
        return None;
    }
    match serde_json::from_str::<Map<String, Value>>(json) {
        Ok(members) => {
            let words = members.get(WORDS).and_then(Value::as_str);
            let chosen = (members.len() > usize::from(words.is_some())).then(|| ToolCall {
                id: String::new(),
                name: CHOICE.into(),
                arguments: json.to_owned(),
            });
            Some((words.unwrap_or_default().to_owned(), chosen.into_iter().collect()))
        }
        // What was said before the cut is said; a choice that was cut is none.
        Err(error) if error.is_eof() => Some((said(json, WORDS).unwrap_or_default(), Vec::new())),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<(String, usize)> {
        read(text).map(|(words, calls)| (words, calls.len()))
    }

    #[test]
    fn words_are_spoken_and_everything_else_is_a_choice() {
        for (text, words, calls) in [
            (r#"{"words": "The door \"sings\"."}"#, "The door \"sings\".", 0),
            (r#"{"words": "Farewell.", "over": "yes"}"#, "Farewell.", 1),
            (r#"{"intent": "to get in", "do": "pick the lock"}"#, "", 1),
            ("```json\n{\"do\": \"go on\"}\n```", "", 1),
            ("{}", "", 0),
        ] {
            assert_eq!(shown(text), Some((words.to_owned(), calls)), "{text}");
        }
        assert_eq!(shown("I wait."), None);
        assert_eq!(shown("{I wait.}"), None);
    }

    #[test]
    fn wherever_it_is_cut_the_words_so_far_are_spoken_and_nothing_is_chosen() {
        let text = r#"{"words": "One \u00e9 two.", "do": "go on"}"#;
        for end in 1..text.len() {
            let (words, calls) = read(&text[..end]).unwrap();
            assert!("One é two.".starts_with(&words) && calls.is_empty(), "{end}: {words}");
        }
    }
}
