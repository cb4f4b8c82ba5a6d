//! The body of a message, made from what it says.

use std::fmt::Write;

use crate::acceptable::is_object;
use crate::push_json_string;

/// A message that says `text` and makes the calls, each a name and its raw arguments, which need not be JSON. The same input
/// gives the same bytes: ids count up, tokens are a quarter of the bytes.
pub(crate) fn reply_body(text: &str, calls: &[(&str, &str)]) -> String {
    let mut out = String::from(
        "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"scripted\",\"content\":[",
    );
    let start = out.len();
    if !text.is_empty() {
        out.push_str("{\"type\":\"text\",\"text\":");
        push_json_string(&mut out, text);
        out.push('}');
    }
    for (index, (name, arguments)) in calls.iter().enumerate() {
        out.push_str(if out.len() > start { "," } else { "" });
        // Writing to a String cannot fail.
        let _ = write!(out, "{{\"type\":\"tool_use\",\"id\":\"toolu_{}\",\"name\":", index + 1);
        push_json_string(&mut out, name);
        out.push_str(",\"input\":");
        if is_object(arguments) {
            out.push_str(arguments);
        } else {
            push_json_string(&mut out, arguments);
        }
        out.push('}');
    }
    let stop_reason = if calls.is_empty() { "end_turn" } else { "tool_use" };
    let bytes =
        text.len() + calls.iter().map(|(name, arguments)| name.len() + arguments.len()).sum::<usize>();
    let tokens = bytes / 4;
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "],\"stop_reason\":\"{stop_reason}\",\"stop_sequence\":null,\
         \"usage\":{{\"input_tokens\":0,\"output_tokens\":{tokens}}}}}"
    );
    out
}
