//! The body of an answer, made from what it says.

use std::fmt::Write;

use crate::acceptable::is_object;
use crate::push_json_string;

/// An answer that says `text` and makes the calls, each a name and its raw arguments, which need not be JSON. The same input
/// gives the same bytes: ids count up, tokens are a quarter of the bytes.
pub(crate) fn reply_body(text: &str, calls: &[(&str, &str)]) -> String {
    let mut out = String::from("{\"candidates\":[{\"content\":{\"parts\":[");
    let start = out.len();
    if !text.is_empty() {
        out.push_str("{\"text\":");
        push_json_string(&mut out, text);
        out.push('}');
    }
    for (index, (name, arguments)) in calls.iter().enumerate() {
        out.push_str(if out.len() > start { "," } else { "" });
        // Writing to a String cannot fail.
        let _ = write!(out, "{{\"functionCall\":{{\"id\":\"call_{}\",\"name\":", index + 1);
        push_json_string(&mut out, name);
        out.push_str(",\"args\":");
        if is_object(arguments) {
            out.push_str(arguments);
        } else {
            push_json_string(&mut out, arguments);
        }
        out.push_str("}}");
    }
    let bytes =
        text.len() + calls.iter().map(|(name, arguments)| name.len() + arguments.len()).sum::<usize>();
    let tokens = bytes / 4;
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "],\"role\":\"model\"}},\"finishReason\":\"STOP\",\"index\":0}}],\
         \"usageMetadata\":{{\"promptTokenCount\":0,\"candidatesTokenCount\":{tokens},\"totalTokenCount\":{tokens}}},\
         \"modelVersion\":\"scripted\"}}"
    );
    out
}
