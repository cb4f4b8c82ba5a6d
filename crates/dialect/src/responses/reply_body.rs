//! The body of a response, made from what it says. It holds all that the vendor's own client asks for.

use std::fmt::Write;

use crate::push_json_string;

/// A response that says `text` and makes the calls, each a name and its raw arguments, which need not be JSON. The same input
/// gives the same bytes: ids count up, the time is zero, tokens are a quarter of the bytes.
pub(crate) fn reply_body(text: &str, calls: &[(&str, &str)]) -> String {
    let mut out = String::from(
        "{\"id\":\"resp_1\",\"object\":\"response\",\"created_at\":0,\"status\":\"completed\",\"model\":\"scripted\",\
         \"parallel_tool_calls\":true,\"tool_choice\":\"auto\",\"tools\":[],\
         \"output\":[{\"id\":\"msg_1\",\"type\":\"message\",\"status\":\"completed\",\"role\":\"assistant\",\
         \"content\":[{\"type\":\"output_text\",\"annotations\":[],\"text\":",
    );
    push_json_string(&mut out, text);
    out.push_str("}]}");
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let number = index + 1;
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            ",{{\"id\":\"fc_{number}\",\"type\":\"function_call\",\"status\":\"completed\",\
             \"call_id\":\"call_{number}\",\"name\":"
        );
        push_json_string(&mut out, name);
        out.push_str(",\"arguments\":");
        push_json_string(&mut out, arguments);
        out.push('}');
    }
    let bytes =
        text.len() + calls.iter().map(|(name, arguments)| name.len() + arguments.len()).sum::<usize>();
    let tokens = bytes / 4;
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "],\"usage\":{{\"input_tokens\":0,\"input_tokens_details\":{{\"cached_tokens\":0,\"cache_write_tokens\":0}},\
         \"output_tokens\":{tokens},\"output_tokens_details\":{{\"reasoning_tokens\":0}},\"total_tokens\":{tokens}}}}}"
    );
    out
}
