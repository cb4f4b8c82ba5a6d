//! How the models of a charter are spoken to, and what comes back as an input.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use twicetold_dialect::{Compat, Wire};
use twicetold_event::{CallId, Input, ModelFailed, ModelReplied, Seat, limits};
use twicetold_model::{Digest, Fault, FaultKind, Reply, Request};
use twicetold_world::setup::{SeatSetup, Setup, SetupError};

use crate::requests::invalid;

/// How the models of all seats are spoken to.
///
/// # Errors
/// A seat of the charter names a wire that this build does not speak.
pub fn wires(setup: &Setup) -> Result<BTreeMap<Seat, Arc<Wire>>, SetupError> {
    let mut wires = BTreeMap::new();
    for seat in setup.players().chain([Seat::Dm, Seat::Memory]) {
        let Some(model) = setup.seats.of(seat) else { continue };
        let wire = wire(model).map_err(|message| invalid("seats.toml", message))?;
        wires.insert(seat, Arc::new(wire));
    }
    Ok(wires)
}

/// How a model is spoken to.
///
/// # Errors
/// A sentence that names the field: this build does not speak such a wire.
pub fn wire(model: &SeatSetup) -> Result<Wire, String> {
    let compat = Compat::deserialize(model.compat.clone());
    let compat = compat.map_err(|error| format!("compat: {}", error.message()))?;
    Wire::new(&model.protocol, model.wire, compat)
}

/// The input that a body is: a reply, or a fault when it cannot be read.
pub fn received(wire: &Wire, call: CallId, sent: Digest, body: String) -> Input {
    match wire.decode(&body) {
        Ok(Reply { usage, finish, .. }) => {
            Input::ModelReplied(ModelReplied { call, sent, body, usage, finish })
        }
        Err(fault) => failed(call, sent, fault, &body),
    }
}

/// More bytes of a prompt for one token than any tokenizer gives: a server that counted fewer tokens did not read all of it.
const BYTES_PER_TOKEN_MAX: u64 = 10;

/// The input that the answer to a request is: [`received`], or a fault where the server's own count of tokens shows that it left out a
/// part of the prompt. Ollama does so without a word. Definitions of tools do not count: some servers are not sent them, and some templates
/// leave them out.
pub fn answered(wire: &Wire, request: &Request, call: CallId, sent: Digest, body: String) -> Input {
    let input = received(wire, call, sent, body);
    let (counted, bytes) = match &input {
        Input::ModelReplied(word) => {
            (word.usage.input_tokens.max(word.usage.cached_tokens), request.message_bytes())
        }
        _ => return input,
    };
    let least = bytes / BYTES_PER_TOKEN_MAX;
    match input {
        Input::ModelReplied(word) if counted > 0 && counted < least => {
            let message = format!(
                "the server counted {counted} tokens in a prompt of at least {least} ({bytes} bytes): it left out a part of the prompt; give \
                 the model a larger context window (Ollama: set OLLAMA_CONTEXT_LENGTH=16384 for the server)"
            );
            failed(
                call,
                sent,
                Fault { status: Some(200), ..Fault::new(FaultKind::ContextTooLong, message) },
                &word.body,
            )
        }
        other => other,
    }
}

/// The input that a fault is, with the beginning of what came.
pub fn failed(call: CallId, sent: Digest, fault: Fault, body: &str) -> Input {
    let body = body[..body.floor_char_boundary(limits::FAULT_TEXT_BYTES_MAX)].to_owned();
    Input::ModelFailed(ModelFailed { call, sent, fault, body })
}

#[cfg(test)]
mod tests {
    use twicetold_model::{Message, Part, Role, ToolSpec};

    use super::*;

    #[test]
    fn a_server_that_counts_too_few_tokens_has_cut_the_prompt() {
        let parts = vec![Part::Text("x".repeat(40_000))];
        let tool = ToolSpec { name: "x".into(), description: "x".repeat(60_000).into(), schema: "{}".into() };
        let messages = vec![Message { role: Role::User, parts }];
        let request = Request { messages, tools: vec![tool], ..Request::default() };
        let kind = |usage: &str| {
            let body = format!(r#"{{"choices":[{{"message":{{"content":"Aye."}}}}]{usage}}}"#);
            match answered(&Wire::default(), &request, CallId(1), Digest([0; 32]), body) {
                Input::ModelFailed(word) => Some((word.fault.kind, word.fault.message)),
                _ => None,
            }
        };
        let (kind_of_cut, message) = kind(r#","usage":{"prompt_tokens":3999}"#).expect("it was cut");
        assert_eq!(kind_of_cut, FaultKind::ContextTooLong);
        assert!(
            message.contains("counted 3999 tokens in a prompt of at least 4000 (40000 bytes)"),
            "{message}"
        );
        for whole in [
            r#","usage":{"prompt_tokens":4000}"#,
            r#","usage":{"prompt_tokens":10000}"#,
            r#","usage":{"prompt_tokens":7,"prompt_tokens_details":{"cached_tokens":9000}}"#,
            r#","usage":{"prompt_tokens":0}"#,
            "",
        ] {
            assert_eq!(kind(whole), None, "{whole}");
        }
    }
}
