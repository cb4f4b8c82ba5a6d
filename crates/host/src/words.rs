//! Words for people, whatever shows them: what others wrote without tricks, on one line, counted.

use twicetold_model::{is_invisible, joins};

/// Text without anything that a terminal would obey, and without what nobody sees: escape sequences, control characters, marks that
/// turn the direction of text around. What joins the letters of some scripts, or the parts of one emoji, stays between those.
pub fn safe(text: &str) -> String {
    let mut before = ' ';
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            c if joins(c) && !before.is_ascii() => out.push(c),
            c if is_invisible(c) => continue,
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Safe text on one line, cut to about `width` characters.
pub fn short(text: &str, width: usize) -> String {
    let line = safe(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// A count and what is counted: `1 turn`, `2 turns`, `3 entries`.
pub fn counted(count: u64, what: &str) -> String {
    match (count, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {what}s"),
    }
}

/// Letters of what was typed from which on a longer name that holds it is meant.
const PART_MIN: usize = 3;

/// The known name that is most like one that was typed: at most a third of its letters differ, or else of one of its words; or it
/// holds what was typed.
pub fn near<'k>(known: impl IntoIterator<Item = &'k str>, typed: &str) -> Option<&'k str> {
    let plain = |name: &str| name.trim().to_lowercase().replace(['_', ' '], "-");
    let typed = plain(typed);
    let rank = |name: &'k str| {
        let known = plain(name);
        let letters = known.chars().count().max(typed.chars().count());
        let distance = strsim::osa_distance(&known, &typed);
        let is_part = |word: &str| strsim::osa_distance(word, &typed) * 3 <= word.chars().count();
        let holds =
            typed.chars().count() >= PART_MIN && (known.contains(&typed) || known.split('-').any(is_part));
        let differs = distance * 3 > letters;
        (!differs || holds).then_some((differs, distance, name))
    };
    known.into_iter().filter_map(rank).min().map(|(.., name)| name)
}

/// `did you mean "calls"? `, where something is near.
pub fn did_you_mean<'k>(known: impl IntoIterator<Item = &'k str>, typed: &str) -> String {
    near(known, typed).map_or_else(String::new, |near| format!("did you mean {near:?}? "))
}

/// The pieces of a text, each with whether it stood in backticks and is typed. Where one of them has no fellow, all of it is one piece.
pub fn with_code(text: &str) -> Vec<(bool, &str)> {
    let pieces: Vec<&str> = text.split('`').collect();
    match pieces.len() % 2 {
        1 => pieces.into_iter().enumerate().map(|(place, piece)| (place % 2 == 1, piece)).collect(),
        _ => vec![(false, text)],
    }
}

/// A word of a command line as a shell reads it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/.-_~:@\\".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_told_from_the_rest() {
        assert_eq!(
            with_code("`a` b `c`"),
            [(false, ""), (true, "a"), (false, " b "), (true, "c"), (false, "")]
        );
        assert_eq!(with_code("a ` b"), [(false, "a ` b")]);
    }

    #[test]
    fn the_nearest_name_is_meant_and_a_name_that_is_far_is_not() {
        let known = ["ollama", "openai", "Old Hanno", "dynamic_the-truth", "s"];
        for (typed, meant) in [
            ("olama", Some("ollama")),
            ("OPENAI", Some("openai")),
            ("hanno", Some("Old Hanno")),
            ("old_hano", Some("Old Hanno")),
            ("the-truth", Some("dynamic_the-truth")),
            ("hanmo", Some("Old Hanno")),
            ("dnm", None),
            ("llamas3", None),
            ("o", None),
            ("", None),
        ] {
            assert_eq!(near(known, typed), meant, "{typed:?}");
        }
        assert_eq!(did_you_mean(known, "openia"), "did you mean \"openai\"? ");
        assert_eq!(did_you_mean(known, "x"), "");
    }

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        let nasty = "a\u{1b}[31mred\u{1b}]0;title\u{7} b\u{202e}c\u{8}\r\nd\u{9b}31m";
        let shown = safe(nasty);
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        assert!(!shown.contains('\u{202e}'));
        assert!(shown.contains("red") && shown.contains("\nd"));
        assert_eq!(safe("a\u{200b}b\u{61c}c\u{2028}d\u{ad}\u{e0041}\u{200d}e"), "abcde");
        for joined in ["می\u{200c}خواهم", "👩\u{200d}🚀", "❤\u{fe0f}"] {
            assert_eq!(safe(joined), joined);
        }
    }

    #[test]
    fn one_thing_is_not_called_several() {
        assert_eq!(counted(1, "turn"), "1 turn");
        assert_eq!(counted(0, "turn"), "0 turns");
        assert_eq!(counted(1, "entry"), "1 entry");
        assert_eq!(counted(2, "entry"), "2 entries");
    }
}
