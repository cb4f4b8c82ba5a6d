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

#[cfg(test)]
mod tests {
    use super::*;

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
