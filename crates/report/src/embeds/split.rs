//! Text for Discord: shown as it is, never as markup or as a mention, and in pieces that are not too long.

use unicode_segmentation::UnicodeSegmentation;

/// UTF-16 units of a text.
pub(super) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The text in pieces of at most `most` units, cut after a line or a word where there is one, else between characters as people see
/// them. What Discord would read as markup is escaped. Pieces of nothing but space are left out: Discord refuses them.
pub(super) fn chunks(text: &str, most: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = Piece::default();
    let mut line_begins = true;
    for shown in text.graphemes(true) {
        let escaped = escape(shown, line_begins);
        for part in parts(&escaped, most) {
            if piece.units + units(part) > most {
                let rest = piece.cut();
                pieces.push(std::mem::replace(&mut piece, Piece::of(rest)).text);
            }
            piece.push(part);
        }
        line_begins = shown == "\n" || shown == "\r\n" || (line_begins && shown.trim().is_empty());
    }
    pieces.push(piece.text);
    pieces.iter().map(|piece| piece.trim().to_owned()).filter(|piece| !piece.is_empty()).collect()
}

/// The beginning of a text in at most `most` units, with a mark where something is missing. `markup` says that Discord would read it.
pub(super) fn first(text: &str, most: usize, markup: bool) -> String {
    let shown: Vec<String> = match markup {
        true => chunks(text, usize::MAX),
        // A name is shown as it is; only a mention in it would still look like one.
        false => vec![text.trim().replace('@', "@\u{200b}")],
    };
    let whole = shown.concat();
    if units(&whole) <= most {
        return whole;
    }
    let room = most.saturating_sub(1);
    let (mut kept, mut length) = (String::new(), 0);
    for shown in whole.graphemes(true) {
        length += units(shown);
        if length > room {
            break;
        }
        kept += shown;
    }
    // What would have been escaped is behind the cut: the mark that escapes it goes too.
    let backslashes = kept.len() - kept.trim_end_matches('\\').len();
    if markup && backslashes % 2 == 1 {
        kept.pop();
    }
    format!("{}…", kept.trim_end())
}

/// A character that is longer than a whole piece is cut into code points: that cannot be helped.
fn parts(escaped: &str, most: usize) -> Vec<&str> {
    match units(escaped) > most {
        true => escaped.split_inclusive(|_: char| true).collect(),
        false => vec![escaped],
    }
}

/// A character as Discord shows it and does not obey it.
fn escape(shown: &str, line_begins: bool) -> String {
    let Some(letter) = shown.chars().next() else { return String::new() };
    match letter {
        // A space of no width parts what would be `@everyone`.
        '@' => format!("@\u{200b}{}", &shown[1..]),
        '\\' | '*' | '_' | '~' | '`' | '|' | '<' | '>' | '[' | ']' => format!("\\{shown}"),
        '#' | '-' | '+' if line_begins => format!("\\{shown}"),
        _ => shown.to_owned(),
    }
}

/// A piece that grows, with the last place at which it may be cut.
#[derive(Default)]
struct Piece {
    text: String,
    units: usize,
    /// After a line, and after a word.
    line: usize,
    word: usize,
}

impl Piece {
    fn of(text: String) -> Piece {
        Piece { units: units(&text), text, line: 0, word: 0 }
    }

    fn push(&mut self, part: &str) {
        self.text += part;
        self.units += units(part);
        if part.ends_with('\n') {
            self.line = self.text.len();
        }
        if part.ends_with(char::is_whitespace) {
            self.word = self.text.len();
        }
    }

    /// Cuts it at its best place and gives what is behind. A place in its first half would waste a message.
    fn cut(&mut self) -> String {
        let half = self.text.len() / 2;
        let place = [self.line, self.word].into_iter().find(|place| *place > half);
        place.map_or_else(String::new, |place| self.text.split_off(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hold_the_whole_text_and_end_after_words() {
        let text = "one two three four five six seven";
        let pieces = chunks(text, 12);
        assert!(pieces.iter().all(|piece| units(piece) <= 12), "{pieces:?}");
        assert_eq!(pieces.join(" "), text);
    }

    #[test]
    fn a_character_is_not_cut_where_it_can_be_helped() {
        let flag = "\u{1f1e9}\u{1f1ea}";
        for piece in chunks(&flag.repeat(9), 10) {
            assert_eq!(piece.replace(flag, ""), "");
        }
        let tower = format!("a{}", "\u{301}".repeat(50));
        assert!(chunks(&tower, 10).iter().all(|piece| units(piece) <= 10));
    }

    #[test]
    fn markup_and_mentions_are_shown_and_not_obeyed() {
        assert_eq!(
            chunks("*a* @everyone <@1>\n# b - c", 99),
            ["\\*a\\* @\u{200b}everyone \\<@\u{200b}1\\>\n\\# b - c"]
        );
        assert_eq!(first("**", 3, true), "\\*…");
        assert!(chunks(" \n ", 9).is_empty());
    }
}
