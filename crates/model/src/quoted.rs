//! Texts as JSON: most of the bytes of a request, so that they are written in a crate that is compiled for speed.

/// Appends `text` as a JSON string with its quotation marks. Escapes what JSON says must be escaped, and nothing else.
pub fn push_json_string(out: &mut String, text: &str) {
    out.reserve(text.len() + text.len() / 32 + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = first_escaped(rest.as_bytes()) {
        out.push_str(&rest[..at]);
        push_escape(out, rest.as_bytes()[at]);
        // What needs an escape is one byte of ASCII, so both cuts lie between characters.
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

/// Looks at whole blocks without leaving early, which compilers turn into vector instructions.
fn first_escaped(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 32;
    let found = bytes
        .chunks(BLOCK)
        .position(|block| block.iter().fold(false, |any, &byte| any | is_escaped(byte)))?;
    let start = found * BLOCK;
    bytes[start..].iter().position(|&byte| is_escaped(byte)).map(|at| start + at)
}

fn is_escaped(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

fn push_escape(out: &mut String, byte: u8) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        _ => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            out.push_str("\\u00");
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut out = String::new();
        push_json_string(&mut out, text);
        out
    }

    #[test]
    fn every_character_below_256_is_read_back_as_itself() {
        let text: String = (0..256u32).filter_map(char::from_u32).collect();
        for cut in 0..64 {
            let text: String = text.chars().skip(cut).collect();
            assert_eq!(serde_json::from_str::<String>(&written(&text)).unwrap(), text);
        }
    }

    #[test]
    fn only_what_must_be_escaped_is_escaped() {
        assert_eq!(written("a/b é \u{1F409} \u{7f}"), "\"a/b é \u{1F409} \u{7f}\"");
        assert_eq!(written("\"\\\n\r\t\u{0}\u{1b}"), r#""\"\\\n\r\t\u0000\u001b""#);
        assert_eq!(written(""), "\"\"");
    }

    #[test]
    fn an_escape_is_found_at_every_offset_around_a_block() {
        for before in 0..70 {
            let text = format!("{}\"{}", "x".repeat(before), "y".repeat(70 - before));
            assert_eq!(serde_json::from_str::<String>(&written(&text)).unwrap(), text);
        }
    }
}
