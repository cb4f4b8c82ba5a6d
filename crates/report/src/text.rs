//! Text on its way to people: cut between characters as they see them, and without what would upset a page.

use twicetold_projection::people;
use unicode_segmentation::UnicodeSegmentation;

/// Text on one line, cut to at most so many characters, the last of which says that something is missing.
pub(crate) fn short(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&line, most)
}

/// Text cut to at most so many characters, the last of which says that something is missing.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let Some((end, _)) = text.grapheme_indices(true).nth(most) else { return text.to_owned() };
    let kept = text[..end].grapheme_indices(true).next_back().map_or(0, |(last, _)| last);
    format!("{}…", text[..kept].trim_end())
}

/// Text without control characters, which HTML does not allow, and without marks that turn the direction of what follows them.
pub(crate) fn clean(text: &str) -> String {
    let kept = text.chars().filter_map(|c| match c {
        '\n' | '\t' => Some(c),
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => None,
        c if c.is_control() => Some('\u{fffd}'),
        c => Some(c),
    });
    kept.collect()
}

/// A number with a thin space between thousands.
pub(crate) fn grouped(number: u64) -> String {
    people::grouped(number, '\u{202f}')
}

/// The day and time of so many milliseconds since 1970, in UTC so that a page is the same wherever it is made.
pub fn day(milliseconds: u64) -> String {
    let stamp = i64::try_from(milliseconds).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    stamp.map_or_else(String::new, |stamp| stamp.strftime("%-d %B %Y, %H:%M UTC").to_string())
}

/// The `[tag]` before a line and the rest of it.
pub(crate) fn tagged(line: &str) -> (&str, &str) {
    let tag = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match tag {
        Some((tag, rest)) if tag.len() <= 24 => (tag, rest.trim_start()),
        _ => ("", line),
    }
}

/// `1 call`, `2 calls`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_falls_between_characters_as_people_see_them() {
        let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
        let text = family.repeat(4);
        assert_eq!(cut(&text, 4), text);
        assert_eq!(cut(&text, 3), format!("{family}{family}…"));
        assert_eq!(cut("abc", 0), "…");
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn a_line_is_parted_from_its_tag() {
        assert_eq!(tagged("[check] Ada: jump"), ("check", "Ada: jump"));
        assert_eq!(tagged("[never closed"), ("", "[never closed"));
    }
}
