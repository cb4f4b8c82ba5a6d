//! Text as a person sees it: characters that nobody sees, and those that look like others.
//!
//! The tables are part of the rules: a name that is hidden in a reply is found by them, so a later edition of Unicode changes nothing
//! in a campaign that was played before.

use std::borrow::Cow;

/// Is this a character that nobody sees, or one that turns the direction of the text around it? Those that Unicode calls ignorable,
/// and the two separators that begin a new line nowhere but in some terminals.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Does a new line begin after it, in a terminal, in a text or for a model?
pub fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Line breaks that hardly any text has.
const RARE_BREAKS: [char; 6] = ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// The lines of a text, each with the break behind it.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    // To look for one character is many times faster than to look at each.
    let is_plain = !RARE_BREAKS.into_iter().any(|rare| text.contains(rare));
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = if is_plain { rest.find('\n') } else { rest.find(is_line_break) };
        let end = at.map_or(rest.len(), |at| rest.ceil_char_boundary(at + 1));
        let (line, after) = rest.split_at(end);
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// Joins letters of some scripts and the parts of one emoji: seen by what it does to its neighbours.
pub fn joins(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// Letters of other scripts that look like these.
const LOOK_ALIKES: [(&str, &str); 4] = [
    ("АВЕКМНОРСТХУЅІЈԌаеорсхуѕіјԁһԛԝ", "ABEKMHOPCTXYSIJGaeopcxysijdhqw"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικρτυ", "ABEZHIKMNOPTYXovikptu"),
    ("：꞉∶︰ː׃", "::::::"),
    ("［］〔〕【】＊＿＃", "[][][]*_#"),
];

/// What a character looks like: full-width forms and letters of other scripts as those of ASCII, anything else as it is.
pub fn look(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => ' ',
        _ => LOOK_ALIKES
            .iter()
            .find_map(|(from, to)| {
                let place = from.chars().position(|other| other == c)?;
                to.chars().nth(place)
            })
            .unwrap_or(c),
    }
}

/// A text as it looks, and where each of its bytes lies in the text itself.
pub struct Plain<'t> {
    /// Without what nobody sees, in the characters that it looks like.
    pub text: Cow<'t, str>,
    /// For each byte of `text`, and for its end, the place in the original; none where both are the same.
    places: Option<Vec<usize>>,
}

impl<'t> Plain<'t> {
    /// A text as it looks.
    pub fn of(text: &'t str) -> Plain<'t> {
        if text.is_ascii() {
            return Plain { text: Cow::Borrowed(text), places: None };
        }
        let mut plain = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(text.len() + 1);
        for (at, c) in text.char_indices().filter(|(_, c)| c.is_ascii() || !is_invisible(*c)) {
            let c = if c.is_ascii() { c } else { look(c) };
            plain.push(c);
            places.resize(plain.len(), at);
        }
        places.push(text.len());
        Plain { text: Cow::Owned(plain), places: Some(places) }
    }

    /// The place in the original of a place in the text; its end for what lies behind.
    pub fn place(&self, at: usize) -> usize {
        match &self.places {
            Some(places) => places.get(at).or(places.last()).copied().unwrap_or_default(),
            None => at.min(self.text.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_text_whatever_breaks_them() {
        for text in ["", "\n", "a", "a\n", "a\n\nb", "\u{e9}\n\u{2014}", "a\r\nb\u{85}c\u{2028}d\n", "\r"] {
            let wanted: Vec<&str> = text.split_inclusive(is_line_break).collect();
            assert_eq!(lines(text).collect::<Vec<_>>(), wanted, "{text:?}");
        }
    }

    #[test]
    fn names_that_look_alike_are_alike() {
        for hidden in [
            "\u{200b}Kira:",
            "Kira\u{200b}:",
            "Ki\u{ad}ra\u{feff}:",
            "Ｋｉｒａ：",
            "Кіrа:",
            "K\u{202e}ira\u{2066}:",
            "Kira\u{e0041}:",
        ] {
            assert_eq!(Plain::of(hidden).text, "Kira:", "{hidden:?}");
        }
        assert_eq!(Plain::of("grüßt 東京.").text, "grüßt 東京.");
    }

    #[test]
    fn places_lead_back_to_the_original() {
        let text = "\u{200b}Ｋi\u{200b}ra：x";
        let plain = Plain::of(text);
        assert_eq!(plain.text, "Kira:x");
        assert_eq!(&text[plain.place(5)..], "x");
        assert_eq!(&text[plain.place(0)..], "Ｋi\u{200b}ra：x");
        assert_eq!((plain.place(6), plain.place(60)), (text.len(), text.len()));
        let plain = Plain::of("Kira: x");
        assert_eq!((plain.place(0), plain.place(5), plain.place(7), plain.place(60)), (0, 5, 7, 7));
    }

    #[test]
    fn the_tables_pair_every_letter_with_one() {
        for (from, to) in LOOK_ALIKES {
            assert_eq!(from.chars().count(), to.chars().count(), "{from}");
            assert!(to.is_ascii() && !from.chars().any(|c| c.is_ascii()), "{from} {to}");
        }
    }
}
