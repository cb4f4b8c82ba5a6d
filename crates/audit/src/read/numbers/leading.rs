//! The number that a telling begins with.

use super::{NUMBER_MAX, tokens};

/// Words before a number with which a telling begins: "and that's a".
const LEAD_WORDS: usize = 4;

/// The number that a telling begins with, as one does who repeats what the dice showed: "Nineteen, and", "That's a four!"
pub(crate) fn leading(text: &str) -> Option<i64> {
    let said = tokens(text);
    let lead = ["a", "an", "that", "it", "is", "it's", "that's", "and", "well", "so", "only", "just"];
    let front =
        said.iter().take(LEAD_WORDS).take_while(|token| token.is(&lead) || token.is(&[",", "—"])).count();
    let number = said.get(front)?.number.filter(|number| (0..=NUMBER_MAX).contains(number))?;
    let next = said.get(front + 1);
    // "Two men come out" counts something else.
    let judged = ["success", "successes", "hits", "where", "against", "over", "under", "and"];
    next.is_none_or(|next| next.is_mark() && !next.is(&["/", "%", "-"]) || next.is(&judged)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_telling_may_begin_with_what_was_rolled() {
        assert_eq!(leading("Nineteen, and the door is yours."), Some(19));
        assert_eq!(leading("And that's a four! Poor hat."), Some(4));
        assert_eq!(leading("*Three successes.* More than enough."), Some(3));
        assert_eq!(leading("Two men come out of the barn."), None);
        assert_eq!(leading("The ninth stair creaks."), None);
    }
}
