//! What came of a streamed answer, ended where it is: to read the words before the rest has come, and to give up an answer that says
//! the same over and over.

use twicetold_model::{Reply, repeats_from};

use crate::{Compat, Protocol, Wire, anthropic, chat_completions, gemini, ollama, responses};

/// Tokens that an ended stream says it took.
#[derive(Clone, Copy, Default)]
pub(crate) struct Estimate {
    pub(crate) prompt: usize,
    pub(crate) reply: usize,
}

/// Most texts in most languages have this many bytes a token or fewer.
const TOKEN_BYTES: usize = 4;

impl Protocol {
    /// Does a streamed answer, of which this came so far, say the same over and over?
    pub fn repeats_itself(self, stream: &str) -> bool {
        let reply = self.body_so_far(stream, Estimate::default()).and_then(|body| self.raw(&body));
        reply.is_some_and(|reply| {
            let calls = reply.tool_calls.iter().map(|call| call.arguments.as_str());
            [reply.text.as_str(), reply.thinking.as_str()]
                .into_iter()
                .chain(calls)
                .any(|text| repeats_from(text).is_some())
        })
    }

    /// The body of a streamed answer that was given up when this had come of it, to a request of `sent` bytes: a reply that was stopped
    /// at its limit. Its tokens are estimated from bytes, and the body says so where the protocol leaves room for it. `None` where
    /// nothing of it can be read.
    pub fn given_up(self, stream: &str, sent: usize) -> Option<String> {
        let reply = self.raw(&self.body_so_far(stream, Estimate::default())?)?;
        let calls: usize = reply.tool_calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
        let said = reply.text.len() + reply.thinking.len() + calls;
        let estimate = Estimate { prompt: sent.div_ceil(TOKEN_BYTES), reply: said.div_ceil(TOKEN_BYTES) };
        self.body_so_far(stream, estimate)
    }

    /// What the events so far amount to, ended as a reply that was stopped at its limit.
    pub(crate) fn body_so_far(self, stream: &str, estimate: Estimate) -> Option<String> {
        // An event is whole when the next line has begun.
        let stream = &stream[..stream.rfind('\n')?];
        let end = match self {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::end(estimate),
            Protocol::Responses => responses::end(stream, estimate),
            Protocol::Anthropic => anthropic::end(estimate),
            Protocol::Gemini => gemini::end(estimate),
            Protocol::Ollama => ollama::end(estimate),
        };
        self.assemble(&format!("{stream}\n\n{end}")).ok()
    }

    /// A reply as the protocol says it, before anything is looked for among its words.
    fn raw(self, body: &str) -> Option<Reply> {
        Wire { protocol: self, compat: Compat::default() }.reply(body).ok()
    }
}
