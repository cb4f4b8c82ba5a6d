//! Keys taken out of everything that comes back, before anyone else sees it.

use twicetold_model::is_invisible;

/// What stands where a key was.
const REPLACEMENT: &str = "[key removed]";

/// Shorter keys are placeholders such as `none` or `EMPTY` that local servers want. To replace those words wherever
/// they occur would spoil replies and protect nothing.
const KEY_BYTES_MIN: usize = 6;

/// Most backslashes in a row that may stand before a character of a key: JSON text within JSON text doubles them.
const BACKSLASHES_MAX: usize = 8;

/// Knows one key and removes it, also where it is escaped as JSON (`\/`, `\u002b`), once or within a text of JSON, as in an address
/// (`%2F`), or as base64, alone or within a longer text that was encoded as a whole, such as `Bearer KEY`.
pub(crate) struct Redactor {
    /// The key without backslashes, which the search passes over; behind it its forms in base64.
    forms: Vec<Vec<u8>>,
}

impl Redactor {
    /// Removes `key`, or nothing.
    pub(crate) fn new(key: Option<&str>) -> Redactor {
        let key = key.unwrap_or_default();
        let plain: Vec<u8> = key.bytes().filter(|&byte| byte != b'\\').collect();
        if plain.len() < KEY_BYTES_MIN {
            return Redactor { forms: Vec::new() };
        }
        let mut forms = vec![plain];
        for alphabet in [BASE64, BASE64_OF_ADDRESSES] {
            forms.extend((0..3).map(|shift| in_base64(key.as_bytes(), shift, alphabet)));
        }
        let hex = |upper: bool| {
            key.bytes().map(move |byte| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") })
        };
        forms.extend([true, false].map(|upper| hex(upper).collect::<String>().into_bytes()));
        forms.dedup();
        forms.retain(|form| form.len() >= KEY_BYTES_MIN);
        Redactor { forms }
    }

    /// Does the key stand in this text, from its beginning to its end?
    pub(crate) fn finds(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let is_whole = |end: usize, form: &Vec<u8>, at: usize| end - at >= form.len();
        (0..bytes.len()).any(|at| {
            self.forms
                .iter()
                .any(|form| end_of_match(form, bytes, at).is_some_and(|end| is_whole(end, form, at)))
        })
    }

    /// The text without the key, and without the beginning of the key where the text was cut within it.
    pub(crate) fn redact(&self, text: String) -> String {
        if self.forms.is_empty() {
            return text;
        }
        let bytes = text.as_bytes();
        let mut out = String::new();
        let mut kept = 0;
        let mut at = 0;
        while at < bytes.len() {
            let found = self.forms.iter().find_map(|form| end_of_match(form, bytes, at));
            match found {
                Some(end) => {
                    // A match begins and ends with ASCII, so both cuts lie between characters.
                    out.push_str(&text[kept..at]);
                    out.push_str(REPLACEMENT);
                    (kept, at) = (end, end);
                }
                None => at += 1,
            }
        }
        if kept == 0 {
            return text;
        }
        out.push_str(&text[kept..]);
        out
    }
}

/// Where a form of a key that begins at `at` ends.
fn end_of_match(form: &[u8], bytes: &[u8], at: usize) -> Option<usize> {
    let may_begin = bytes[at] == form[0] || matches!(bytes[at], b'\\' | b'%');
    if !may_begin {
        return None;
    }
    let mut end = at;
    for (index, &expected) in form.iter().enumerate() {
        // What nobody sees is taken out of what is shown, and would leave the key whole.
        while index > 0
            && let Some(length) = invisible(&bytes[end..])
        {
            end += length;
        }
        let rest = &bytes[end..];
        if rest.is_empty() && index >= KEY_BYTES_MIN {
            return Some(end);
        }
        let backslashes = rest.iter().take(BACKSLASHES_MAX).take_while(|&&byte| byte == b'\\').count();
        let rest = &rest[backslashes..];
        let is_code = |digits| code_unit(digits) == Some(u16::from(expected));
        let length = match rest.first() {
            Some(b'u') if backslashes > 0 && is_code(rest.get(1..5)) => 5,
            Some(b'%') if is_code(rest.get(1..3)) => 3,
            // An address that is part of another is escaped once more.
            Some(b'%') if rest.get(1..3) == Some(b"25") && is_code(rest.get(3..5)) => 5,
            Some(&byte) if byte == expected => 1,
            _ => return None,
        };
        end += backslashes + length;
    }
    Some(end)
}

/// How many bytes a character takes that nobody sees, as it is or as JSON escapes it.
fn invisible(bytes: &[u8]) -> Option<usize> {
    let escaped = bytes.iter().take(BACKSLASHES_MAX).take_while(|&&byte| byte == b'\\').count();
    if escaped > 0 && bytes.get(escaped) == Some(&b'u') {
        let unit = code_unit(bytes.get(escaped + 1..escaped + 5))?;
        return char::from_u32(unit.into()).filter(|c| is_invisible(*c)).map(|_| escaped + 5);
    }
    let length = (2..=4)
        .find(|length| bytes.get(..*length).is_some_and(|bytes| std::str::from_utf8(bytes).is_ok()))?;
    let text = std::str::from_utf8(&bytes[..length]).ok()?;
    text.chars().next().filter(|c| c.len_utf8() == length && is_invisible(*c)).map(|_| length)
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_OF_ADDRESSES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The characters of base64 that a key alone decides, where it stands so many bytes behind a place at which a group of three begins.
fn in_base64(key: &[u8], shift: usize, alphabet: &[u8; 64]) -> Vec<u8> {
    let bits = |place: usize| key.get(place / 8).map_or(0, |byte| usize::from(byte >> (7 - place % 8) & 1));
    // Behind one byte the first whole character begins four bits into the key, behind two bytes two bits into it.
    let first = [0, 4, 2][shift];
    let whole = (key.len() * 8 - first) / 6;
    (0..whole)
        .map(|index| alphabet[(0..6).fold(0, |value, bit| value << 1 | bits(first + index * 6 + bit))])
        .collect()
}

fn code_unit(digits: Option<&[u8]>) -> Option<u16> {
    u16::from_str_radix(std::str::from_utf8(digits?).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-a/b+c\"d";

    fn redacted(text: &str) -> String {
        Redactor::new(Some(KEY)).redact(text.to_owned())
    }

    #[test]
    fn the_key_is_removed_in_every_form_that_json_gives_it() {
        for form in [
            KEY,
            r#"sk-a/b+c\"d"#,
            r#"sk-a\/b+c\"d"#,
            r#"sk-a\/b\u002Bc\"d"#,
            r#"\u0073k-a/b+c\u0022d"#,
            r#"sk-a\\\/b+c\\\"d"#,
        ] {
            assert_eq!(redacted(&format!("é{form}é{form}")), "é[key removed]é[key removed]", "{form}");
        }
    }

    #[test]
    fn the_key_is_removed_with_what_nobody_sees_in_it_and_from_hexadecimal_digits() {
        for form in [
            "sk-\u{202e}a/b+c\"d",
            "s\u{feff}\u{200b}k-a/b\u{ad}+c\"d",
            r#"sk-\u202ea/b+c\"d"#,
            r#"sk-\\u200Ba/b+c\"d"#,
            "736b2d612f622b632264",
            "736B2D612F622B632264",
        ] {
            assert_eq!(redacted(&format!("é{form}é")), "é[key removed]é", "{form}");
        }
        assert_eq!(redacted("sk-é\u{202e}a/b"), "sk-é\u{202e}a/b");
    }

    #[test]
    fn the_key_is_removed_from_addresses_and_from_base64_wherever_it_stands_there() {
        for form in [
            "sk-a%2Fb%2Bc%22d",
            "sk-a%2fb%2bc%22d",
            "%73%6B%2D%61%2F%62%2B%63%22%64",
            "sk-a%252Fb%252Bc%2522d",
            // By an encoder of another make.
            "c2stYS9iK2MiZA",
            "c2stYS9iK2MiZA==",
        ] {
            let text = redacted(&format!("é{form}é"));
            let ends = ["é[key removed]é", "é[key removed]==é", "é[key removed]Aé", "é[key removed]A==é"];
            assert!(ends.contains(&text.as_str()), "{form}: {text}");
        }
        // `Bearer KEY`, `user:KEY`, `:KEY`: the key begins at each place of a group.
        for (form, shown) in [
            ("QmVhcmVyIHNrLWEvYitjImQ=", "QmVhcmVyI[key removed]="),
            ("dXNlcjpzay1hL2IrYyJk", "dXNlcj[key removed]"),
            ("OnNrLWEvYitjImQ=", "On[key removed]="),
        ] {
            let text = redacted(form);
            assert!(text.contains("[key removed]") && text.len() <= shown.len() + 3, "{form}: {text}");
        }
        let odd = "key>>>???key";
        for form in ["a2V5Pj4+Pz8/a2V5", "a2V5Pj4-Pz8_a2V5", "a2V5Pj4%2BPz8%2Fa2V5", r"a2V5Pj4+Pz8\/a2V5"] {
            assert_eq!(Redactor::new(Some(odd)).redact(form.to_owned()), "[key removed]", "{form}");
        }
    }

    #[test]
    fn json_stays_json_when_the_key_follows_an_escape() {
        let body = serde_json::to_string(&format!("a\n{KEY}\\{KEY}\t")).unwrap();
        let text: String = serde_json::from_str(&redacted(&body)).unwrap();
        assert_eq!(text, "a\n[key removed][key removed]\t");
    }

    #[test]
    fn what_only_resembles_the_key_stays() {
        for text in ["", "sk-", "sk-a/", "sk-a/b+cd", "\\\\\\\\", "\\u00", "xsk-a/b+c\\", "é"] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn the_beginning_of_a_key_at_the_end_of_a_text_is_removed_too() {
        assert_eq!(redacted("x sk-a/b+c"), "x [key removed]");
        assert_eq!(redacted(r"x sk-a\/b"), "x [key removed]");
    }

    #[test]
    fn a_placeholder_is_no_secret() {
        assert_eq!(Redactor::new(Some("none")).redact("none".into()), "none");
        assert_eq!(Redactor::new(None).redact("sk-x".into()), "sk-x");
    }

    #[test]
    fn a_megabyte_of_backslashes_is_searched_in_passing() {
        let text = "\\".repeat(1_000_000);
        assert_eq!(redacted(&text), text);
    }
}
