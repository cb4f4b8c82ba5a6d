//! JSON written straight into a buffer.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::Compat;

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

/// Appends a number behind the words that come before it.
pub(crate) fn push_number(out: &mut String, before: &str, number: u32) {
    out.push_str(before);
    out.push_str(&number.to_string());
}

/// 700 as `0.7`, without a float in between.
pub(crate) fn push_thousandths(out: &mut String, milli: u32) {
    push_number(out, "", milli / 1000);
    if !milli.is_multiple_of(1000) {
        let fraction = format!("{:03}", milli % 1000);
        out.push('.');
        out.push_str(fraction.trim_end_matches('0'));
    }
}

/// Appends a list of texts behind the words that come before it; nothing where there are none.
pub(crate) fn push_texts(out: &mut String, before: &str, texts: &[String]) {
    for (index, text) in texts.iter().enumerate() {
        out.push_str(if index == 0 { before } else { "," });
        out.push_str(if index == 0 { "[" } else { "" });
        push_json_string(out, text);
    }
    out.push_str(if texts.is_empty() { "" } else { "]" });
}

/// Appends the further fields that configuration asks for.
pub(crate) fn push_extra_fields(out: &mut String, compat: &Compat) {
    push_extra_fields_but(out, compat, "");
}

/// Appends the further fields that configuration asks for, except the one that [`push_shared_object`] wrote.
pub(crate) fn push_extra_fields_but(out: &mut String, compat: &Compat, shared: &str) {
    for (name, text) in compat.extra_fields.iter().filter(|(name, _)| *name != shared) {
        out.push(',');
        push_json_string(out, name);
        out.push(':');
        out.push_str(text);
    }
}

/// Appends a field whose object holds members that the request decides on, each a name and its JSON, and further ones that
/// configuration asks for. Where both name a member, the request's stays. Nothing where there are none.
pub(crate) fn push_shared_object(out: &mut String, name: &str, own: &[(&str, String)], compat: &Compat) {
    let extra = compat.extra_fields.get(name).map(String::as_str);
    let members = extra.and_then(|text| serde_json::from_str::<BTreeMap<String, &RawValue>>(text).ok());
    let further = members.unwrap_or_default();
    let further = further.iter().filter(|(name, _)| own.iter().all(|(own, _)| own != name));
    let members: Vec<(&str, &str)> = own
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .chain(further.map(|(name, text)| (name.as_str(), text.get())))
        .collect();
    if members.is_empty() {
        return;
    }
    out.push(',');
    push_json_string(out, name);
    for (index, (name, text)) in members.into_iter().enumerate() {
        out.push_str(if index == 0 { ":{" } else { "," });
        push_json_string(out, name);
        out.push(':');
        out.push_str(text);
    }
    out.push('}');
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
