//! JSON written straight into a buffer.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::{Compat, push_json_string};

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
