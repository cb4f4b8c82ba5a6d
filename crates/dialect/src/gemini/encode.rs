//! A request as the body of `generateContent`. The bytes are recorded by digest: they may not change.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use twicetold_model::{Request, ToolCall, ToolChoice, ToolSpec};

use super::{MODELS, NAME};
use crate::acceptable::{acceptable_arguments, acceptable_name, is_object};
use crate::json::{push_extra_fields_but, push_shared_object, push_texts, push_thousandths};
use crate::turns::{Answer, Piece, Turn, conversation, offers_tools};
use crate::{Compat, TokensField, push_json_string};

/// Most texts that end a reply: the vendor refuses more.
const STOPS_MAX: usize = 5;

/// The hottest temperature that the vendor takes, in thousandths.
const TEMPERATURE_MILLI_MAX: u32 = 2_000;

/// The vendor reads a seed of 32 bits with a sign.
const SEED_MAX: u32 = i32::MAX as u32;

/// What stands for a signature that there is none of, the vendor's own word for it in base64: models that sign refuse a history
/// with calls from elsewhere otherwise.
const NO_SIGNATURE: &str = "\"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=\"";

/// Models by the beginnings of their names that do not sign what they think: all before the third generation.
const UNSIGNED: [&str; 3] = ["gemini-1", "gemini-2", "gemma"];

/// A signature alone: it belongs to the call behind it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Signature<'a> {
    #[serde(rename = "thoughtSignature", borrow)]
    thought_signature: &'a RawValue,
}

/// The body of the HTTP request. The model and the wish for pieces stand in the address.
pub(crate) fn encode(request: &Request, compat: &Compat) -> String {
    let told = conversation(request, compat, NAME, compat.tool_messages);
    let mut out =
        String::with_capacity(request.text_bytes() as usize * 9 / 8 + request.messages.len() * 64 + 512);
    out.push('{');
    for (index, text) in told.system.iter().enumerate() {
        out.push_str(if index == 0 { "\"systemInstruction\":{\"parts\":[" } else { "," });
        push_text(&mut out, text);
        out.push_str(if index + 1 == told.system.len() { "}]}," } else { "}" });
    }
    let model = &request.parameters.model;
    let model = model.strip_prefix(MODELS).unwrap_or(model);
    let is_signed = !UNSIGNED.iter().any(|unsigned| model.starts_with(unsigned));
    for (index, turn) in told.turns.iter().enumerate() {
        out.push_str(if index == 0 { "\"contents\":[" } else { "," });
        push_turn(&mut out, turn, is_signed);
    }
    out.push(']');
    if offers_tools(request, compat) {
        push_tools(&mut out, request, compat);
    }
    push_shared_object(&mut out, "generationConfig", &generation_config(request, compat), compat);
    push_extra_fields_but(&mut out, compat, "generationConfig");
    out.push('}');
    out
}

fn push_turn(out: &mut String, turn: &Turn<'_>, is_signed: bool) {
    out.push_str(if turn.is_model {
        "{\"role\":\"model\",\"parts\":["
    } else {
        "{\"role\":\"user\",\"parts\":["
    });
    let start = out.len();
    let between = |out: &mut String| {
        if out.len() > start {
            out.push(',');
        }
    };
    let mut signature: Option<&str> = None;
    let mut has_calls = false;
    for piece in &turn.pieces {
        if let Piece::Call(call) = piece {
            between(out);
            // One signature is enough for calls that are made at once: it comes with the first.
            let none = (is_signed && !has_calls).then_some(NO_SIGNATURE);
            push_call(out, call, signature.take().or(none));
            has_calls = true;
            continue;
        }
        if let Some(signature) = signature.take() {
            between(out);
            push_signature(out, signature);
        }
        match piece {
            Piece::Opaque(body) => match serde_json::from_str::<Signature<'_>>(body) {
                // A derived `Deserialize` would take a list for an object.
                Ok(read) if is_object(body) => signature = Some(read.thought_signature.get()),
                _ if is_object(body) => {
                    between(out);
                    out.push_str(body);
                }
                // A block that is no JSON any more would lose the whole request.
                _ => {}
            },
            Piece::Text(text) => {
                between(out);
                push_text(out, text);
                out.push('}');
            }
            Piece::Result(answer) => {
                between(out);
                push_result(out, answer);
            }
            Piece::Call(_) => {}
        }
    }
    if let Some(signature) = signature {
        between(out);
        push_signature(out, signature);
    }
    out.push_str("]}");
}

/// A part with words that is not closed yet.
fn push_text(out: &mut String, text: &str) {
    out.push_str("{\"text\":");
    push_json_string(out, text);
}

/// A signature without its call, in the form in which the vendor sends one at the end of a stream.
fn push_signature(out: &mut String, signature: &str) {
    out.push_str("{\"text\":\"\",\"thoughtSignature\":");
    out.push_str(signature);
    out.push('}');
}

fn push_call(out: &mut String, call: &ToolCall, signature: Option<&str>) {
    out.push_str("{\"functionCall\":{\"id\":");
    push_json_string(out, &acceptable_name(&call.id));
    out.push_str(",\"name\":");
    push_json_string(out, &name_of(call));
    out.push_str(",\"args\":");
    out.push_str(&acceptable_arguments(&call.arguments));
    out.push('}');
    if let Some(signature) = signature {
        out.push_str(",\"thoughtSignature\":");
        out.push_str(signature);
    }
    out.push('}');
}

fn push_result(out: &mut String, answer: &Answer<'_>) {
    out.push_str("{\"functionResponse\":{\"id\":");
    push_json_string(out, &acceptable_name(&answer.call.id));
    out.push_str(",\"name\":");
    push_json_string(out, &name_of(answer.call));
    out.push_str(if answer.is_missing { ",\"response\":{\"error\":" } else { ",\"response\":{\"output\":" });
    push_json_string(out, answer.content);
    out.push_str("}}}");
}

/// The vendor's names begin with a letter.
fn name_of(call: &ToolCall) -> String {
    let name = acceptable_name(&call.name);
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name
    } else {
        acceptable_name(&format!("x{name}"))
    }
}

/// The schemas go where the vendor takes JSON Schema: its own form of schemas, `parameters`, has types in capitals and refuses whole
/// requests for words that it does not know. A tool without arguments has no schema: the vendor refuses an empty one.
fn push_tools(out: &mut String, request: &Request, compat: &Compat) {
    for (index, tool) in request.tools.iter().enumerate() {
        out.push_str(if index == 0 { ",\"tools\":[{\"functionDeclarations\":[" } else { "," });
        out.push_str("{\"name\":");
        push_json_string(out, &tool.name);
        out.push_str(",\"description\":");
        push_json_string(out, &tool.description);
        if has_arguments(tool) {
            out.push_str(",\"parametersJsonSchema\":");
            out.push_str(&tool.schema);
        }
        out.push('}');
    }
    out.push_str("]}]");
    let mode = match request.parameters.tool_choice {
        // What the vendor does when nothing is said.
        ToolChoice::Auto => return,
        ToolChoice::Required => "ANY",
        ToolChoice::None => "NONE",
    };
    if compat.tool_choice {
        out.push_str(",\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"");
        out.push_str(mode);
        out.push_str("\"}}");
    }
}

fn has_arguments(tool: &ToolSpec) -> bool {
    let schema: Value = serde_json::from_str(&tool.schema).unwrap_or_default();
    schema["properties"].as_object().is_some_and(|properties| !properties.is_empty())
}

fn generation_config(request: &Request, compat: &Compat) -> Vec<(&'static str, String)> {
    let parameters = &request.parameters;
    let mut members = Vec::new();
    if let (Some(milli), true) = (parameters.temperature_milli, compat.temperature) {
        let mut text = String::new();
        push_thousandths(&mut text, milli.min(TEMPERATURE_MILLI_MAX));
        members.push(("temperature", text));
    }
    if let (Some(seed), true) = (parameters.seed, compat.seed) {
        members.push(("seed", (seed & SEED_MAX).to_string()));
    }
    if parameters.tokens_max > 0 && compat.tokens_field != TokensField::None {
        members.push(("maxOutputTokens", parameters.tokens_max.to_string()));
    }
    if !compat.stop.is_empty() {
        let mut text = String::new();
        push_texts(&mut text, "", &compat.stop[..compat.stop.len().min(STOPS_MAX)]);
        members.push(("stopSequences", text));
    }
    if let Some(form) = &request.reply_schema {
        members.push(("responseMimeType", "\"application/json\"".to_owned()));
        members.push(("responseJsonSchema", form.schema.clone()));
    }
    members
}
