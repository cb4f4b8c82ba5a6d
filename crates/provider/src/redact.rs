//! Keys taken out of everything that comes back, before anyone else sees it.

/// What stands where a key was.
const REPLACEMENT: &str = "[key removed]";

/// Shorter keys are placeholders such as `none` or `EMPTY` that local servers want. To replace those words wherever
/// they occur would spoil replies and protect nothing.
const KEY_BYTES_MIN: usize = 6;

/// Most backslashes in a row that may stand before a character of a key: JSON text within JSON text doubles them.
const BACKSLASHES_MAX: usize = 8;

/// Knows one key and removes it, also where it is escaped as JSON (`\/`, `\u002b`), once or within a text of JSON.
pub(crate) struct Redactor {
    /// The key without backslashes, which the search passes over.
    key: Vec<u8>,
}

impl Redactor {
    /// Removes `key`, or nothing.
    pub(crate) fn new(key: Option<&str>) -> Redactor {
        let key: Vec<u8> = key.unwrap_or_default().bytes().filter(|&byte| byte != b'\\').collect();
        Redactor { key: if key.len() < KEY_BYTES_MIN { Vec::new() } else { key } }
    }

    /// The text without the key, and without the beginning of the key where the text was cut within it.
    pub(crate) fn redact(&self, text: String) -> String {
        let Some(&first) = self.key.first() else {
            return text;
        };
        let bytes = text.as_bytes();
        let mut out = String::new();
        let mut kept = 0;
        let mut at = 0;
        while at < bytes.len() {
            let may_begin = bytes[at] == first || bytes[at] == b'\\';
            match self.end_of_match(bytes, at).filter(|_| may_begin) {
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

    /// Where a key that begins at `at` ends.
    fn end_of_match(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let mut end = at;
        for (index, &expected) in self.key.iter().enumerate() {
            let rest = &bytes[end..];
            if rest.is_empty() && index >= KEY_BYTES_MIN {
                return Some(end);
            }
            let backslashes = rest.iter().take(BACKSLASHES_MAX).take_while(|&&byte| byte == b'\\').count();
            let rest = &rest[backslashes..];
            let length = match rest.first() {
                Some(b'u') if backslashes > 0 && code_unit(rest.get(1..5)) == Some(u16::from(expected)) => 5,
                Some(&byte) if byte == expected => 1,
                _ => return None,
            };
            end += backslashes + length;
        }
        Some(end)
    }
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
