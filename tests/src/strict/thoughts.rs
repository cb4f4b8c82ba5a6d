//! What the models of each vendor think before they answer, and what their servers want back of it.

use serde_json::{Map, Value, json};
use twicetold_dialect::Protocol;

/// The vendor's word for a signature that there is none of.
const NO_SIGNATURE: &str = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=";

/// What one server's model thought in the turn that is being played.
#[derive(Default)]
pub(super) struct Thoughts {
    given: Vec<String>,
    /// Calls of former turns that have the word for a signature that there is none of.
    unsigned: usize,
}

impl Thoughts {
    /// The reply with a thought before what it says, under a mark of its own; a protocol that shows thoughts only beside calls shows
    /// no other.
    pub(super) fn think(&mut self, protocol: Protocol, reply: &str, mark: &str) -> String {
        let mut reply: Value = serde_json::from_str(reply).unwrap_or_default();
        let mut is_given = true;
        match protocol {
            Protocol::Anthropic => {
                let block = json!({"type": "thinking", "thinking": "", "signature": mark});
                reply["content"]
                    .as_array_mut()
                    .into_iter()
                    .for_each(|content| content.insert(0, block.clone()));
            }
            Protocol::Gemini => {
                let parts = reply["candidates"][0]["content"]["parts"].as_array_mut();
                let call = parts.into_iter().flatten().find(|part| part.get("functionCall").is_some());
                let signed = call.and_then(Value::as_object_mut);
                is_given = signed.is_some();
                signed
                    .map(|call: &mut Map<String, Value>| call.insert("thoughtSignature".into(), mark.into()));
            }
            Protocol::Responses => {
                let item =
                    json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": mark});
                reply["output"].as_array_mut().into_iter().for_each(|output| output.insert(0, item.clone()));
            }
            Protocol::ChatCompletions | Protocol::Improv => {
                reply["choices"][0]["message"]["reasoning_content"] = mark.into();
            }
            Protocol::Ollama => reply["message"]["thinking"] = mark.into(),
        }
        self.given.extend(is_given.then(|| mark.to_owned()));
        reply.to_string()
    }

    /// What is wrong with a request: each thought of the turn must be in it where it stood, and none of any other.
    pub(super) fn check(&mut self, protocol: Protocol, request: &Value, goes_on: bool) -> Result<(), String> {
        let unsigned = request.to_string().matches(NO_SIGNATURE).count();
        if !goes_on {
            self.given.clear();
            self.unsigned = unsigned;
        }
        let sent = sent_back(protocol, request);
        // A signature belongs to its call: that of a reply that was rejected is not in the history.
        let is_whole = match protocol {
            Protocol::Gemini => {
                let mut given = self.given.iter();
                sent.iter().all(|sent| given.any(|given| given == sent)) && unsigned == self.unsigned
            }
            _ => sent == self.given,
        };
        if is_whole {
            return Ok(());
        }
        Err(format!("thoughts {sent:?} come back, and not {:?}", self.given))
    }
}

/// The marks of the thoughts in a request, in order.
fn sent_back(protocol: Protocol, request: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let of_messages = |name: &str| -> Vec<Value> {
        list(&request["messages"]).iter().map(|message| message[name].clone()).collect()
    };
    let marks: Vec<Value> = match protocol {
        Protocol::Anthropic => {
            // Before all that the message says.
            list(&request["messages"])
                .iter()
                .map(|message| message["content"][0]["signature"].clone())
                .collect()
        }
        Protocol::Gemini => {
            let parts = list(&request["contents"]).into_iter().flat_map(|content| list(&content["parts"]));
            let calls = parts.filter(|part| part.get("functionCall").is_some());
            calls.map(|part| part["thoughtSignature"].clone()).filter(|mark| *mark != NO_SIGNATURE).collect()
        }
        Protocol::Responses => {
            list(&request["input"]).iter().map(|item| item["encrypted_content"].clone()).collect()
        }
        Protocol::ChatCompletions | Protocol::Improv => of_messages("reasoning_content"),
        Protocol::Ollama => of_messages("thinking"),
    };
    marks.iter().filter_map(|mark| Some(mark.as_str()?.to_owned())).collect()
}
