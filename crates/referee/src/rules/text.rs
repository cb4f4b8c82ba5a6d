//! Reading and shortening of text.

/// The text with everything inside quotation marks, code or fences blanked out, byte for byte.
pub(super) fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut close: Option<char> = None;
    for c in text.chars() {
        let blank = close.is_some();
        match close {
            Some(wanted) if c == wanted => close = None,
            // A quotation that is never closed ends with its line.
            Some('"' | '”' | '»') if c == '\n' => close = None,
            Some(_) => {}
            None => {
                close = match c {
                    '"' => Some('"'),
                    '“' => Some('”'),
                    '«' => Some('»'),
                    '`' => Some('`'),
                    _ => None,
                }
            }
        }
        if blank || close.is_some() {
            out.extend(std::iter::repeat_n(if c == '\n' { '\n' } else { ' ' }, c.len_utf8()));
        } else {
            out.push(c);
        }
    }
    out
}

/// Whole sentences from the front, at most `bytes` of them; a longer first sentence is cut.
pub(super) fn first_sentences(text: &str, bytes: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.len() <= bytes {
        return flat;
    }
    let cut = &flat[..flat.floor_char_boundary(bytes)];
    match cut.rfind(['.', '!', '?']) {
        Some(end) => cut[..=end].to_owned(),
        None => format!("{}…", cut.rfind(' ').map_or(cut, |space| &cut[..space])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_and_code_are_blanked_byte_for_byte() {
        let text = "a \"PITCH COMPLETE\" b `PITCH COMPLETE` “PITCH COMPLETE” PITCH COMPLETE";
        let blanked = unquoted(text);
        assert_eq!(blanked.len(), text.len());
        assert_eq!(blanked.matches("PITCH COMPLETE").count(), 1);
        assert_eq!(unquoted("say \"it\nPITCH COMPLETE").matches("PITCH COMPLETE").count(), 1);
    }
}
