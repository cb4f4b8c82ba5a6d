//! Calls by marks: the forms that models were trained on where the name of the tool, and often each argument, stands between marks instead
//! of in JSON. A server whose parser is another model's, or none, leaves them among the words.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use twicetold_model::ToolCall;

use super::written::is_too_deep;

/// Between a name and the object of its arguments.
const SEPARATORS: [&str; 3] = ["[ARGS]", "<|tool_call_argument_begin|>", "<｜tool▁sep｜>"];

/// Around a name behind which parameters or an object follow.
const NAMED: [(&str, &str); 2] = [("<function=", ">"), ("<invoke name=\"", "\">")];

/// What ends a call with parameters: without it the reply was cut, and something is missing.
const ENDS: [&str; 3] = ["</function>", "</invoke>", "</tool_call>"];

/// Around the name and the value of a parameter: what begins the name, what stands between both, what ends the value.
const PARAMETERS: [(&str, &str, &str); 3] = [
    ("<parameter=", ">", "</parameter>"),
    ("<parameter name=\"", "\">", "</parameter>"),
    ("<arg_key>", "</arg_key>", "</arg_value>"),
];
const ARG_VALUE: &str = "<arg_value>";

/// The call by marks that a text begins with, and how many bytes it has.
pub(super) fn call(text: &str) -> Option<(ToolCall, usize)> {
    let named = NAMED.iter().find_map(|(open, close)| text.strip_prefix(open)?.split_once(close));
    let (name, arguments, left) = match named {
        Some((written, left)) => {
            let (name, rest) = name(written)?;
            let (arguments, left) = match left.trim_start() {
                left if left.starts_with('{') => object(left)?,
                left => parameters(left)?,
            };
            (name, arguments, ended(left).filter(|_| rest.is_empty())?)
        }
        None => {
            let (name, left) = name(text)?;
            match SEPARATORS.iter().find_map(|mark| left.strip_prefix(mark)) {
                Some(left) => {
                    let (arguments, left) = object(left.trim_start())?;
                    (name, arguments, left)
                }
                None => {
                    let (arguments, left) = parameters(left).filter(|(_, rest)| rest.len() < left.len())?;
                    (name, arguments, ended(left)?)
                }
            }
        }
    };
    Some((ToolCall { id: String::new(), name: name.to_owned(), arguments }, text.len() - left.len()))
}

/// The name that a text begins with, without a number that counts the calls, and what follows behind white space.
fn name(text: &str) -> Option<(&str, &str)> {
    let is_of_it = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    let left = text.trim_start_matches(is_of_it);
    let name = &text[..text.len() - left.len()];
    let counted =
        left.strip_prefix(':').map(|left| left.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    is_name.then(|| (name, counted.unwrap_or(left).trim_start()))
}

/// The JSON of the object that a text begins with, and what follows.
fn object(text: &str) -> Option<(String, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let object = values.next()?.ok()?.get();
    let is_object = object.starts_with('{') && !is_too_deep(object);
    is_object.then(|| (object.to_owned(), &text[values.byte_offset()..]))
}

/// The parameters that a text begins with, as an object of texts, and what follows. Two of one name are none.
fn parameters(text: &str) -> Option<(String, &str)> {
    let (mut found, mut left) = (BTreeMap::new(), text.trim_start());
    while let Some((name, value, rest)) = parameter(left) {
        if found.insert(name, value).is_some() {
            return None;
        }
        left = rest.trim_start();
    }
    Some((serde_json::to_string(&found).ok()?, left))
}

fn parameter(text: &str) -> Option<(&str, &str, &str)> {
    let (begun, between, end) = PARAMETERS.iter().find(|(begun, ..)| text.starts_with(begun))?;
    let (name, left) = text[begun.len()..].split_once(between)?;
    let left = if *begun == "<arg_key>" { left.trim_start().strip_prefix(ARG_VALUE)? } else { left };
    let (value, left) = left.split_once(end)?;
    Some((name.trim(), value.trim(), left))
}

/// What follows the end of a call.
fn ended(text: &str) -> Option<&str> {
    ENDS.iter().find_map(|end| text.trim_start().strip_prefix(end))
}
