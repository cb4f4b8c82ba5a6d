//! Where the words of replies come from: a projection never decodes a body itself.

use twicetold_event::{Audience, CallId, Source, Text, Values};
use twicetold_model::Reply;
use twicetold_world::State;

use crate::template::{Facts, render};

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

/// What the charter's text of this key says of the values: for what the program adds to the campaign's own documents.
pub fn written(state: &State, key: &str, values: &Values) -> String {
    let facts = Facts::new(Source::State, Audience::All).observed(values);
    render(&state.setup().texts, key, &facts).into_iter().map(|line| line.text).collect()
}
