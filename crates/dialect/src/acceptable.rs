//! A model's own calls in a form that servers take back, so that one bad call in a history cannot end a campaign.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::push_json_string;

/// Longest name of a tool that OpenAI takes, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// OpenAI refuses a whole request for one name in its history that is not of this form.
pub(crate) fn acceptable_name(name: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = name.chars().take(NAME_BYTES_MAX).map(allowed).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// llama.cpp answers 500 to every request whose history holds arguments that are not a JSON object.
pub(crate) fn acceptable_arguments(arguments: &str) -> Cow<'_, str> {
    if arguments.trim().is_empty() {
        Cow::Borrowed("{}")
    } else if is_object(arguments) {
        Cow::Borrowed(arguments)
    } else {
        let mut object = String::from("{\"malformed\":");
        push_json_string(&mut object, arguments);
        object.push('}');
        Cow::Owned(object)
    }
}

/// Is it a JSON object that every strict parser reads?
pub(crate) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<Strict>(text).is_ok()
}

/// Reads JSON to its end and keeps nothing. Unlike `IgnoredAny` it goes into every value, so it finds what a strict
/// parser would stumble over: half a surrogate pair, a number out of range, nesting beyond 128 levels.
struct Strict;

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Strict, D::Error> {
        deserializer.deserialize_any(Strict)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Strict;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Strict, E> {
        Ok(Strict)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Strict, A::Error> {
        while items.next_element::<Strict>()?.is_some() {}
        Ok(Strict)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Strict, A::Error> {
        while members.next_entry::<Strict, Strict>()?.is_some() {}
        Ok(Strict)
    }
}
