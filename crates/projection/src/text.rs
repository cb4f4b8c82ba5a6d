//! Where the words of replies come from: a projection never decodes a body itself.

use twicetold_event::{CallId, Text};
use twicetold_model::Reply;

/// Decoded replies by their calls.
pub trait Replies {
    /// The reply of a call, if it is known and could be decoded.
    fn reply(&self, call: CallId) -> Option<&Reply>;
}

/// The words that a text stands for; empty when the reply is not there, which `verify` reports.
pub fn words<'a>(replies: &'a dyn Replies, text: &'a Text) -> &'a str {
    match text {
        Text::Written(words) => words,
        Text::Reply { call, start, end } => {
            let words = replies.reply(*call).map_or("", |reply| reply.text.as_str());
            words.get(*start as usize..*end as usize).unwrap_or("")
        }
    }
}
