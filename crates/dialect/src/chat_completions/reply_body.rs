//! The body of a chat completion, made from what it says.

use std::fmt::Write;

use crate::push_json_string;

/// A chat completion that says `text` and makes the calls, each a name and its raw arguments, which need not be JSON.
/// The same input gives the same bytes: ids count up, the time is zero, tokens are a quarter of the bytes.
pub(crate) fn reply_body(text: &str, calls: &[(&str, &str)]) -> String {
    let mut out = String::from(
        "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":0,\"model\":\"scripted\",\
         \"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":",
    );
    push_json_string(&mut out, text);
    for (index, (name, arguments)) in calls.iter().enumerate() {
        out.push_str(if index == 0 { ",\"tool_calls\":[" } else { "," });
        push_call(&mut out, index + 1, name, arguments);
    }
    let finish = if calls.is_empty() { "}" } else { "]}" };
    out.push_str(finish);
    let finish_reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    let bytes =
        text.len() + calls.iter().map(|(name, arguments)| name.len() + arguments.len()).sum::<usize>();
    let tokens = bytes / 4;
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        ",\"finish_reason\":\"{finish_reason}\"}}],\
         \"usage\":{{\"prompt_tokens\":0,\"completion_tokens\":{tokens},\"total_tokens\":{tokens}}}}}"
    );
    out
}

fn push_call(out: &mut String, number: usize, name: &str, arguments: &str) {
    // Writing to a String cannot fail.
    let _ = write!(out, "{{\"id\":\"call_{number}\",\"type\":\"function\",\"function\":{{\"name\":");
    push_json_string(out, name);
    out.push_str(",\"arguments\":");
    push_json_string(out, arguments);
    out.push_str("}}");
}

#[cfg(test)]
mod tests {
    use twicetold_model::{Finish, ToolCall};

    use super::reply_body;
    use crate::Wire;

    #[test]
    fn a_body_is_decoded_to_what_it_was_made_from() {
        let body =
            reply_body("I \"roll\".\n", &[("roll_dice", r#"{"dice":"1d20"}"#), ("move_to", "{broken")]);
        let reply = Wire::default().decode(&body).unwrap();
        let call = |id: &str, name: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        };
        assert_eq!(reply.text, "I \"roll\".\n");
        let expected =
            [call("call_1", "roll_dice", r#"{"dice":"1d20"}"#), call("call_2", "move_to", "{broken")];
        assert_eq!(reply.tool_calls, expected);
        assert_eq!((reply.finish, reply.usage.output_tokens), (Finish::ToolCalls, 12));
    }

    #[test]
    fn words_alone_have_these_bytes() {
        let expected = r#"{"id":"chatcmpl-1","object":"chat.completion","created":0,"model":"scripted","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}],"usage":{"prompt_tokens":0,"completion_tokens":1,"total_tokens":1}}"#;
        assert_eq!(reply_body("Hello.", &[]), expected);
    }
}
