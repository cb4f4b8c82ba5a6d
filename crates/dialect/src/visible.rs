//! Text from outside made safe to show: shortened, with nothing in it that a terminal would obey.

use twicetold_model::is_invisible;

/// The first `characters_max` characters of `text`, with `…` where more followed. Control characters and those that
/// turn the direction of writing are shown as escapes, so a message can neither colour nor rearrange a terminal.
pub fn visible(text: &str, characters_max: usize) -> String {
    let mut characters = text.chars();
    let mut out = String::new();
    for character in characters.by_ref().take(characters_max) {
        if character.is_control() || is_invisible(character) {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    if characters.next().is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(visible("a\u{1b}[31m\nb\0", 100), "a\\u{1b}[31m\\nb\\u{0}");
        assert_eq!(visible("ab\u{202e}dc", 100), "ab\\u{202e}dc");
    }

    #[test]
    fn the_limit_counts_characters_and_says_that_more_followed() {
        assert_eq!(visible("éééé", 4), "éééé");
        assert_eq!(visible("éééé", 3), "ééé…");
        assert_eq!(visible("", 0), "");
    }
}
