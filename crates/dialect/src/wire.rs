//! The wire protocols and the choice between them: all that is written twice for a second protocol stands in this file.

use twicetold_model::{Fault, Reply, Request};

use crate::ended::Estimate;
use crate::{
    Compat, Question, RetryHeaders, ToolCalls, anthropic, chat_completions, gemini, ollama, prompted,
    responses, thinking, window,
};

/// A wire protocol: its requests, replies, faults, addresses and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Protocol {
    /// Chat completions as OpenAI, Ollama, llama.cpp, vLLM, LM Studio and OpenRouter serve them.
    #[default]
    ChatCompletions,
    /// OpenAI's Responses.
    Responses,
    /// Messages as Anthropic serves them.
    Anthropic,
    /// `generateContent` as Google serves it for Gemini.
    Gemini,
    /// Ollama's own protocol, in which a client sets the window.
    Ollama,
    /// The embedded improviser: it reads and writes the bodies of chat completions, and no server is asked.
    Improv,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Protocol; 6] = [
        Protocol::ChatCompletions,
        Protocol::Responses,
        Protocol::Anthropic,
        Protocol::Gemini,
        Protocol::Ollama,
        Protocol::Improv,
    ];

    /// Its name in a charter.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::ChatCompletions => chat_completions::NAME,
            Protocol::Responses => responses::NAME,
            Protocol::Anthropic => anthropic::NAME,
            Protocol::Gemini => gemini::NAME,
            Protocol::Ollama => ollama::NAME,
            Protocol::Improv => "improv",
        }
    }

    /// The wire version that this build speaks. It grows whenever the same request gets other bytes, or the same body another
    /// reply.
    pub fn version(self) -> u32 {
        match self {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::VERSION,
            Protocol::Responses => responses::VERSION,
            Protocol::Anthropic => anthropic::VERSION,
            Protocol::Gemini => gemini::VERSION,
            Protocol::Ollama => ollama::VERSION,
        }
    }

    /// Where requests for a model go, as the end of a URL that begins with an endpoint's base URL.
    pub fn path(self, model: &str, stream: bool) -> String {
        match self {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::PATH.to_owned(),
            Protocol::Responses => responses::PATH.to_owned(),
            Protocol::Anthropic => anthropic::PATH.to_owned(),
            Protocol::Gemini => gemini::path(model, stream),
            Protocol::Ollama => ollama::PATH.to_owned(),
        }
    }

    /// Where a server lists its models, as the end of the same URL.
    pub fn models_path(self) -> &'static str {
        match self {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::MODELS_PATH,
            Protocol::Responses => responses::MODELS_PATH,
            Protocol::Anthropic => anthropic::MODELS_PATH,
            Protocol::Gemini => gemini::MODELS_PATH,
            Protocol::Ollama => ollama::MODELS_PATH,
        }
    }

    /// What to ask a server for the window of a model, in order, until an answer says it ([`crate::window`]).
    pub fn window_questions(self, model: &str) -> Vec<Question> {
        window::questions(self, model)
    }

    /// The fields of a request that the protocol decides on: no configuration may set them.
    fn own_fields(self) -> &'static [&'static str] {
        match self {
            Protocol::ChatCompletions | Protocol::Improv => &chat_completions::OWN_FIELDS,
            Protocol::Responses => &responses::OWN_FIELDS,
            Protocol::Anthropic => &anthropic::OWN_FIELDS,
            Protocol::Gemini => &gemini::OWN_FIELDS,
            Protocol::Ollama => &ollama::OWN_FIELDS,
        }
    }

    /// The headers that the protocol adds to every request, names in lower case; among them the key, if there is one.
    pub fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        match self {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::headers(key),
            Protocol::Responses => responses::headers(key),
            Protocol::Anthropic => anthropic::headers(key),
            Protocol::Gemini => gemini::headers(key),
            Protocol::Ollama => ollama::headers(key),
        }
    }

    /// The whole body that a streamed answer amounts to: [`Wire::decode`] reads it as it reads an answer that was not
    /// streamed. The same stream gives the same bytes. An answer that is no stream comes back as it is.
    ///
    /// # Errors
    /// `Truncated` when the stream ends before the reply does, `Unreadable` when an event is not one of the protocol.
    pub fn assemble(self, stream: &str) -> Result<String, Fault> {
        match self {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::assemble(stream),
            Protocol::Responses => responses::assemble(stream),
            Protocol::Anthropic => anthropic::assemble(stream),
            Protocol::Gemini => gemini::assemble(stream),
            Protocol::Ollama => ollama::assemble(stream),
        }
    }

    /// What an answer with a status other than 2xx means.
    pub fn classify(self, status: u16, headers: &RetryHeaders<'_>, body: &str) -> Fault {
        match self {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::classify(status, headers, body),
            Protocol::Responses => responses::classify(status, headers, body),
            Protocol::Anthropic => anthropic::classify(status, headers, body),
            Protocol::Gemini => gemini::classify(status, headers, body),
            Protocol::Ollama => ollama::classify(status, headers, body),
        }
    }

    /// The body of an answer that says `text` and makes the calls, each a name and its raw arguments, which need not be
    /// JSON. The same input gives the same bytes.
    pub fn reply_body(self, text: &str, calls: &[(&str, &str)]) -> String {
        match self {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::reply_body(text, calls),
            Protocol::Responses => responses::reply_body(text, calls),
            Protocol::Anthropic => anthropic::reply_body(text, calls),
            Protocol::Gemini => gemini::reply_body(text, calls),
            Protocol::Ollama => ollama::reply_body(text, calls),
        }
    }
}

/// How a seat's model is spoken to: the protocol, and what its server supports of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wire {
    /// The protocol.
    pub protocol: Protocol,
    /// What the server supports.
    pub compat: Compat,
}

impl Wire {
    /// The wire that a charter names.
    ///
    /// # Errors
    /// A sentence that names the field, for whoever wrote the configuration: this build does not know the protocol, does
    /// not speak this version of it, or `compat` asks for what cannot be sent.
    pub fn new(protocol: &str, version: u32, compat: Compat) -> Result<Wire, String> {
        let Some(known) = Protocol::ALL.into_iter().find(|known| known.name() == protocol) else {
            let names = Protocol::ALL.map(Protocol::name).join(", ");
            return Err(format!("protocol: {protocol:?} is none of {names}"));
        };
        if version != known.version() {
            let own = known.version();
            return Err(format!("wire: this build speaks version {own} of {protocol}, not {version}"));
        }
        compat.check(known.own_fields()).map_err(|why| format!("compat: {why}"))?;
        Ok(Wire { protocol: known, compat })
    }

    /// The body of the HTTP request, always the same bytes for the same input.
    pub fn encode(&self, request: &Request) -> String {
        let told =
            (self.compat.tool_calls != ToolCalls::Native).then(|| prompted::told(request, &self.compat));
        let request = told.as_ref().unwrap_or(request);
        match self.protocol {
            Protocol::ChatCompletions | Protocol::Improv => chat_completions::encode(request, &self.compat),
            Protocol::Responses => responses::encode(request, &self.compat),
            Protocol::Anthropic => anthropic::encode(request, &self.compat),
            Protocol::Gemini => gemini::encode(request, &self.compat),
            Protocol::Ollama => ollama::encode(request, &self.compat),
        }
    }

    /// The words of an answer that is still coming, without what it thinks and calls; nothing where they cannot be known yet. Of a
    /// streamed answer, all that came so far, from its beginning.
    pub fn draft(&self, stream: &str) -> Option<String> {
        let body = self.protocol.body_so_far(stream, Estimate::default())?;
        let reply = self.decode(&body).ok()?;
        self.words(&reply)
    }

    /// Of what a reply says so far, what is for everybody's ears.
    fn words(&self, reply: &Reply) -> Option<String> {
        // A call that is written as text is none of the words, and is not known for one before it ends.
        let words = match self.compat.tool_calls {
            ToolCalls::Prompted => before_calls(&reply.text),
            // Only a reply that is nothing but calls has any there.
            ToolCalls::Native if prompted::may_begin(&reply.text) => "",
            ToolCalls::Structured | ToolCalls::Guided if reply.text.trim_start().starts_with('{') => "",
            _ => &reply.text,
        };
        Some(words.trim().to_owned()).filter(|words| !words.is_empty())
    }

    /// Reads the body of an answer with status 200, always the same for the same body and the same wire (of whose compat
    /// it needs to know in what form the model was told to call tools).
    ///
    /// # Errors
    /// `Unreadable` when it is not JSON of the protocol, `NoChoices` when it holds no reply, and what the server says
    /// when it reports an error in spite of the 200: `RateLimited`, `Unauthorized`, `ContextTooLong` or `ErrorInBody`.
    pub fn decode(&self, body: &str) -> Result<Reply, Fault> {
        let reply = self.read(self.reply(body)?);
        // A model that does not call as the protocol says is told its own replies as words: nothing goes back beside them.
        let opaque = if self.compat.tool_calls == ToolCalls::Native { reply.opaque } else { Vec::new() };
        Ok(Reply { opaque, ..reply })
    }

    /// A reply as the protocol says it.
    pub(crate) fn reply(&self, body: &str) -> Result<Reply, Fault> {
        match self.protocol {
            Protocol::ChatCompletions | Protocol::Improv => {
                chat_completions::decode(body, self.compat.thinking_field)
            }
            Protocol::Responses => responses::decode(body),
            Protocol::Anthropic => anthropic::decode(body),
            Protocol::Gemini => gemini::decode(body),
            Protocol::Ollama => ollama::decode(body),
        }
    }

    /// Does the server refuse a call in the history where what the model thought before it is missing? It goes back only in its own
    /// turn, so that calls of former turns must not be in the history as calls.
    pub fn needs_thinking_beside_calls(&self) -> bool {
        let has_calls = self.compat.tool_calls == ToolCalls::Native && self.compat.tool_messages;
        has_calls
            && match self.protocol {
                Protocol::ChatCompletions => self.compat.thinking_field.is_demanded(),
                Protocol::Anthropic => anthropic::thinks(&self.compat),
                // Gemini has a word for a signature that there is none of; the others take a call without.
                Protocol::Responses | Protocol::Gemini | Protocol::Ollama | Protocol::Improv => false,
            }
    }

    /// Finds thinking, and calls in the form that the model was told, among the words of a reply. Within an object thinking is part of
    /// a text, and is taken out of that one.
    fn read(&self, reply: Reply) -> Reply {
        let is_object = matches!(self.compat.tool_calls, ToolCalls::Structured | ToolCalls::Guided);
        let whole = if is_object { prompted::found(&reply, &self.compat) } else { None };
        let read = whole.unwrap_or_else(|| {
            let reply = without_thinking(reply);
            prompted::found(&reply, &self.compat).unwrap_or(reply)
        });
        without_thinking(read)
    }
}

/// The words before the first line that a call may begin with.
fn before_calls(text: &str) -> &str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if prompted::leads_to_call(line) {
            break;
        }
        at += line.len();
    }
    &text[..at]
}

/// Moves thinking from the words of a reply to its own place. An object that holds the words may hold thinking among them too.
fn without_thinking(mut reply: Reply) -> Reply {
    if let Some((words, more)) = thinking::split(&reply.text) {
        reply.text = words;
        let thought = [reply.thinking.as_str(), more.as_str()];
        let thought: Vec<&str> = thought.into_iter().filter(|thought| !thought.is_empty()).collect();
        reply.thinking = thought.join("\n\n");
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wire_is_known_by_the_name_and_the_version_of_its_protocol() {
        for protocol in Protocol::ALL {
            let wire = Wire::new(protocol.name(), protocol.version(), Compat::default());
            assert_eq!(wire.map(|wire| wire.protocol), Ok(protocol));
        }
        let error = |protocol, version| Wire::new(protocol, version, Compat::default()).unwrap_err();
        let names = Protocol::ALL.map(Protocol::name).join(", ");
        assert_eq!(error("smoke", 1), format!("protocol: \"smoke\" is none of {names}"));
        assert_eq!(
            error("chat-completions", 2),
            "wire: this build speaks version 1 of chat-completions, not 2"
        );
        let compat = Compat { extra_fields: [("model".into(), "1".into())].into(), ..Compat::default() };
        assert!(Wire::new("improv", 1, compat).unwrap_err().starts_with("compat: extra_fields"));
    }
}
