//! The body of an answer of Ollama, made from what it says.

use std::fmt::Write;

use crate::acceptable::is_object;
use crate::push_json_string;

/// An answer that says `text` and makes the calls, each a name and its raw arguments: an object where they are one, otherwise a
/// text. The same input gives the same bytes: ids count up, the time is zero, tokens are a quarter of the bytes.
pub(crate) fn reply_body(text: &str, calls: &[(&str, &str)]) -> String {
    let mut out = String::from(
        "{\"model\":\"scripted\",\"created_at\":\"1970-01-01T00:00:00Z\",\
         \"message\":{\"role\":\"assistant\",\"content\":",
    );
    push_json_string(&mut out, text);
    for (index, (name, arguments)) in calls.iter().enumerate() {
        out.push_str(if index == 0 { ",\"tool_calls\":[" } else { "," });
        // Writing to a String cannot fail.
        let _ = write!(out, "{{\"id\":\"call_{}\",\"function\":{{\"name\":", index + 1);
        push_json_string(&mut out, name);
        out.push_str(",\"arguments\":");
        match is_object(arguments) {
            true => out.push_str(arguments.trim()),
            false => push_json_string(&mut out, arguments),
        }
        out.push_str("}}");
    }
    out.push_str(if calls.is_empty() { "}" } else { "]}" });
    let tokens = said_bytes(text, calls) / 4;
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        ",\"done_reason\":\"stop\",\"done\":true,\"prompt_eval_count\":0,\"eval_count\":{tokens}}}"
    );
    out
}

fn said_bytes(text: &str, calls: &[(&str, &str)]) -> usize {
    text.len() + calls.iter().map(|(name, arguments)| name.len() + arguments.len()).sum::<usize>()
}
