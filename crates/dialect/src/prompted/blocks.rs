//! How calls are to be written among the words: as fenced blocks of JSON. How they are read is [`super::written`]'s.

use crate::push_json_string;

/// How a call is to be written.
pub(super) fn form(several: bool) -> String {
    let most = if several {
        "A reply may hold several such blocks, one for each call."
    } else {
        "A reply may hold one such block."
    };
    format!(
        "You can use tools. To use one, write a block of exactly this form, on lines of its own:\n\n\
         ```json\n{{\"tool\": \"name of the tool\", \"arguments\": {{}}}}\n```\n\n\
         Everything outside of the block is what you say. Nothing happens by saying that you use a tool: only the block \
         counts. The result comes in the next message; do not make it up. {most}"
    )
}

/// Words and calls as the model should have written them.
pub(super) fn reply(text: &str, calls: &[(&str, &str)]) -> String {
    let mut out = text.to_owned();
    for (name, arguments) in calls {
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str("```json\n{\"tool\": ");
        push_json_string(&mut out, name);
        out.push_str(", \"arguments\": ");
        out.push_str(arguments);
        out.push_str("}\n```");
    }
    out
}
