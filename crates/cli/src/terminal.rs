//! What may be printed: text of models and files never reaches a terminal raw.

use anstyle::{AnsiColor, Style};

/// Text without anything that a terminal would obey: escape sequences, control characters, marks that turn the direction
/// of text around.
pub fn safe(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\n' => Some('\n'),
            '\t' => Some(' '),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => None,
            c if c.is_control() => Some('\u{fffd}'),
            c => Some(c),
        })
        .collect()
}

/// The same on one line, cut to about `width` characters.
pub fn short(text: &str, width: usize) -> String {
    let line = safe(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// Paragraphs wrapped to the terminal, or to 100 columns where there is none; each line indented.
pub fn paragraphs(text: &str, indent: &str) -> String {
    let width = textwrap::termwidth().clamp(40, 100);
    let options = textwrap::Options::new(width).initial_indent(indent).subsequent_indent(indent);
    let lines = safe(text).lines().map(|line| textwrap::fill(line.trim_end(), &options)).collect::<Vec<_>>();
    lines.join("\n").lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Bold.
pub const BOLD: Style = Style::new().bold();
/// Dim.
pub const DIM: Style = Style::new().dimmed();
/// Headings and goals.
pub const GOLD: Style = AnsiColor::Yellow.on_default().bold();
/// Effects and dice.
pub const EFFECT: Style = AnsiColor::Cyan.on_default();
/// Refusals and faults.
pub const TROUBLE: Style = AnsiColor::Red.on_default();
/// Success.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();

/// The colour of a speaker: the DM's, or one of the players' in turn.
pub fn speaker(index: Option<u8>) -> Style {
    const PLAYERS: [AnsiColor; 5] =
        [AnsiColor::Green, AnsiColor::Blue, AnsiColor::Magenta, AnsiColor::Cyan, AnsiColor::BrightGreen];
    match index {
        None => AnsiColor::Yellow.on_default().bold(),
        Some(index) => PLAYERS[usize::from(index) % PLAYERS.len()].on_default().bold(),
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
}
