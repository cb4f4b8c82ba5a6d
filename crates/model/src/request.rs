//! What is asked of a model: messages, the tools on offer, the parameters.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Digest, Digester};

/// Who a message is from, in the words of the wire protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Instructions.
    System,
    /// What the model is told: here, everything that others said and did.
    User,
    /// What the model itself answered before.
    Assistant,
    /// The results of the model's tool calls.
    Tool,
}

/// A call of a tool by a model, as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// In a request: our per-seat counter, [`ToolCall::own_id`]. In a reply: the vendor's id, which we never use again.
    pub id: String,
    /// The tool's name, perhaps of a tool that does not exist.
    pub name: String,
    /// The raw argument text, perhaps not JSON at all.
    pub arguments: String,
}

impl ToolCall {
    /// The id of a seat's call number `number` in its requests: nine letters and digits below a hundred million calls, which is the
    /// only form that Mistral's servers take.
    pub fn own_id(number: u32) -> String {
        format!("c{number:08}")
    }
}

/// The answer to a [`ToolCall`] in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// The id of the call that this answers.
    pub id: String,
    /// What the model is told.
    pub content: String,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Text(String),
    /// A call that the model made earlier.
    ToolCall(ToolCall),
    /// The result of such a call.
    ToolResult(ToolResult),
    /// A vendor's block that must be sent back unchanged, such as a signature of its thinking.
    Opaque {
        /// The protocol that the block belongs to.
        vendor: String,
        /// The block as JSON text.
        body: String,
    },
}

/// One message of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who it is from.
    pub role: Role,
    /// Its pieces, in order.
    pub parts: Vec<Part>,
}

/// A tool as a model sees it. Its texts are shared: each request of a seat has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSpec {
    /// Imperative snake case, unique.
    pub name: Arc<str>,
    /// What it does and when to use it.
    pub description: Arc<str>,
    /// JSON Schema of the arguments, as JSON text.
    pub schema: Arc<str>,
}

/// May, must or must not the model call a tool?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ToolChoice {
    /// The model chooses.
    #[default]
    Auto,
    /// At least one call is wanted.
    Required,
    /// Words only.
    None,
}

/// How the model is asked.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Parameters {
    /// The model's name as its server knows it.
    pub model: String,
    /// Thousandths, so that no float enters a digest. `None`: the server's default.
    pub temperature_milli: Option<u32>,
    /// Within 31 bits, which all servers take. `None`: not sent.
    pub seed: Option<u32>,
    /// Most tokens to write.
    pub tokens_max: u32,
    /// May one reply hold several tool calls?
    pub parallel_tool_calls: bool,
    /// May, must or must not a tool be called?
    pub tool_choice: ToolChoice,
}

/// The form that a server holds the words of a reply to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplySchema {
    /// What servers know it by, in letters.
    pub name: String,
    /// JSON Schema of the reply, as JSON text.
    pub schema: String,
    /// Every member is required and no other allowed, so that servers with a stricter subset of JSON Schema take it too.
    pub strict: bool,
}

/// Everything that a model is asked with, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Request {
    /// The conversation.
    pub messages: Vec<Message>,
    /// The tools on offer.
    pub tools: Vec<ToolSpec>,
    /// What the reply must be, where it must be JSON.
    pub reply_schema: Option<ReplySchema>,
    /// How the model is asked.
    pub parameters: Parameters,
}

impl Request {
    /// The digest over a canonical, length-prefixed encoding: two requests with one digest ask the very same thing.
    pub fn digest(&self) -> Digest {
        let mut digester = Digester::with_capacity("twicetold request 1", self.text_bytes() as usize + 2_048);
        digester.number(self.messages.len() as u64);
        for message in &self.messages {
            digester.number(message.role as u64);
            digester.number(message.parts.len() as u64);
            for part in &message.parts {
                digest_part(&mut digester, part);
            }
        }
        digester.number(self.tools.len() as u64);
        for tool in &self.tools {
            digester.text(&tool.name);
            digester.text(&tool.description);
            digester.text(&tool.schema);
        }
        let parameters = &self.parameters;
        digester.text(&parameters.model);
        digester.optional(parameters.temperature_milli.map(u64::from));
        digester.optional(parameters.seed.map(u64::from));
        digester.number(u64::from(parameters.tokens_max));
        digester.number(u64::from(parameters.parallel_tool_calls));
        digester.number(parameters.tool_choice as u64);
        if let Some(form) = &self.reply_schema {
            digester.text(&form.name);
            digester.text(&form.schema);
            digester.number(u64::from(form.strict));
        }
        digester.finish()
    }

    /// Length of the texts of all messages in bytes.
    pub fn message_bytes(&self) -> u64 {
        let parts = self.messages.iter().flat_map(|message| &message.parts);
        let messages: usize = parts
            .map(|part| match part {
                Part::Text(text) => text.len(),
                Part::ToolCall(call) => call.name.len() + call.arguments.len(),
                Part::ToolResult(result) => result.content.len(),
                Part::Opaque { body, .. } => body.len(),
            })
            .sum();
        messages as u64
    }

    /// Length of all texts in bytes, those of the tools too: what a token estimate is made from.
    pub fn text_bytes(&self) -> u64 {
        let tools: usize =
            self.tools.iter().map(|tool| tool.name.len() + tool.description.len() + tool.schema.len()).sum();
        let form = self.reply_schema.as_ref().map_or(0, |form| form.schema.len());
        self.message_bytes() + (tools + form) as u64
    }
}

fn digest_part(digester: &mut Digester, part: &Part) {
    match part {
        Part::Text(text) => {
            digester.number(0);
            digester.text(text);
        }
        Part::ToolCall(call) => {
            digester.number(1);
            digester.text(&call.id);
            digester.text(&call.name);
            digester.text(&call.arguments);
        }
        Part::ToolResult(result) => {
            digester.number(2);
            digester.text(&result.id);
            digester.text(&result.content);
        }
        Part::Opaque { vendor, body } => {
            digester.number(3);
            digester.text(vendor);
            digester.text(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(texts: &[&str]) -> Request {
        let parts = texts.iter().map(|text| Part::Text((*text).into())).collect();
        Request { messages: vec![Message { role: Role::User, parts }], ..Request::default() }
    }

    #[test]
    fn the_digest_sees_where_one_part_ends_and_the_next_begins() {
        assert_ne!(request(&["ab", "c"]).digest(), request(&["a", "bc"]).digest());
    }

    #[test]
    fn the_digest_of_an_empty_request_never_changes() {
        assert_eq!(format!("{:.16}", Request::default().digest()), "6463eaab060e661b");
    }

    #[test]
    fn every_parameter_is_part_of_the_digest() {
        let base = request(&["hello"]);
        let form = |strict| ReplySchema { name: "reply".into(), schema: "{}".into(), strict };
        let held = |strict| Request { reply_schema: Some(form(strict)), ..base.clone() };
        let mut seen = vec![base.digest(), held(false).digest()];
        assert_ne!(seen[0], seen[1]);
        assert!(!seen.contains(&held(true).digest()));
        let changes: [fn(&mut Parameters); 6] = [
            |p| p.model = "m".into(),
            |p| p.temperature_milli = Some(0),
            |p| p.seed = Some(0),
            |p| p.tokens_max = 1,
            |p| p.parallel_tool_calls = true,
            |p| p.tool_choice = ToolChoice::Required,
        ];
        for change in changes {
            let mut changed = base.clone();
            change(&mut changed.parameters);
            assert!(!seen.contains(&changed.digest()));
            seen.push(changed.digest());
        }
    }
}
