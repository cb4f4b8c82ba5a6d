//! Model replies written by hand.

use twicetold_dialect::Protocol;

/// The body of a chat completion that says `text` and makes the calls, each a name and its raw arguments.
pub fn reply_body(text: &str, calls: &[(&str, &str)]) -> String {
    Protocol::ChatCompletions.reply_body(text, calls)
}
