//! Words for people, whatever shows them: what others wrote without tricks, on one line, counted.

/// Text without anything that a terminal would obey: escape sequences, control characters, marks that turn the direction
/// of text around.
pub fn safe(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\n' => Some('\n'),
            '\t' => Some(' '),
            c if turns_direction(c) => None,
            c if c.is_control() => Some('\u{fffd}'),
            c => Some(c),
        })
        .collect()
}

/// A mark that turns the direction of text around.
pub fn turns_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
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
    }

    #[test]
    fn one_thing_is_not_called_several() {
        assert_eq!(counted(1, "turn"), "1 turn");
        assert_eq!(counted(0, "turn"), "0 turns");
        assert_eq!(counted(1, "entry"), "1 entry");
        assert_eq!(counted(2, "entry"), "2 entries");
    }
}
