//! A request as the body of the Messages protocol. The bytes are recorded by digest: they may not change.

use serde_json::Value;
use twicetold_model::{Parameters, ReplySchema, Request, ToolChoice};

use super::NAME;
use super::held::held;
use crate::acceptable::{acceptable_arguments, acceptable_name, is_object};
use crate::json::{push_extra_fields_but, push_number, push_shared_object, push_texts, push_thousandths};
use crate::turns::{Piece, Turn, conversation, offers_tools};
use crate::{Compat, TokensField, push_json_string};

/// Most tokens to write where a request sets no bound: the vendor demands one. Every model that is served takes this many, and a
/// turn at a table is far shorter, with what is thought for it.
const TOKENS_MAX: u32 = 8_192;

/// The hottest temperature that the vendor takes, in thousandths.
const TEMPERATURE_MILLI_MAX: u32 = 1_000;

/// Up to here the server may keep what it has read. At most four blocks may be marked: the tools, the instructions and two of
/// the conversation. A prompt that is too short is not kept, and nobody says so.
const MARK: &str = ",\"cache_control\":{\"type\":\"ephemeral\"}";

/// Turns of the user whose end is marked: the last one, for the next request of this turn, and the one before, which the
/// request before marked as its last.
const TURNS_MARKED: usize = 2;

/// The body of the HTTP request.
///
/// What configuration keeps out of the history, calls and results, are words in it; so they are where no tools are sent, for the
/// vendor takes calls only beside tools.
pub(crate) fn encode(request: &Request, compat: &Compat) -> String {
    let parameters = &request.parameters;
    let has_tools = offers_tools(request, compat);
    let told = conversation(request, compat, NAME, has_tools && compat.tool_messages);
    let mut out =
        String::with_capacity(request.text_bytes() as usize * 9 / 8 + request.messages.len() * 96 + 512);
    out.push_str("{\"model\":");
    push_json_string(&mut out, &parameters.model);
    if has_tools {
        push_tools(&mut out, request);
    }
    for (index, text) in told.system.iter().enumerate() {
        out.push_str(if index == 0 { ",\"system\":[" } else { "," });
        push_text(&mut out, text);
        out.push_str(if index + 1 == told.system.len() { MARK } else { "" });
        out.push_str(if index + 1 == told.system.len() { "}]" } else { "}" });
    }
    let users = told.turns.iter().filter(|turn| !turn.is_model).count();
    let mut user = 0;
    for (index, turn) in told.turns.iter().enumerate() {
        out.push_str(if index == 0 { ",\"messages\":[" } else { "," });
        user += usize::from(!turn.is_model);
        let is_marked = !turn.is_model && user + TURNS_MARKED > users;
        push_turn(&mut out, turn, is_marked, index + 1 == told.turns.len());
    }
    out.push(']');
    if has_tools {
        push_choice(&mut out, parameters, compat);
    }
    push_parameters(&mut out, parameters, compat);
    let form = request.reply_schema.as_ref().filter(|form| may_be_left_out(&form.schema) <= OPTIONAL_MAX);
    let form = form.map(|form| ("format", format_of(form)));
    push_shared_object(&mut out, "output_config", form.as_slice(), compat);
    if compat.stream {
        out.push_str(",\"stream\":true");
    }
    push_extra_fields_but(&mut out, compat, "output_config");
    out.push('}');
    out
}

/// The vendor refuses forms in which more may be left out. Such a form is only told in the instructions.
const OPTIONAL_MAX: usize = 24;

/// How many properties of a schema may be left out, at all depths.
fn may_be_left_out(schema: &str) -> usize {
    fn count(schema: &Value) -> usize {
        let required = schema["required"].as_array().map_or(0, Vec::len);
        let own = schema["properties"]
            .as_object()
            .map_or(0, |properties| properties.len().saturating_sub(required));
        let inner = match schema {
            Value::Object(members) => members.values().map(count).sum::<usize>(),
            Value::Array(items) => items.iter().map(count).sum(),
            _ => 0,
        };
        own + inner
    }
    serde_json::from_str(schema).map_or(0, |schema| count(&schema))
}

fn push_tools(out: &mut String, request: &Request) {
    for (index, tool) in request.tools.iter().enumerate() {
        out.push_str(if index == 0 { ",\"tools\":[{\"name\":" } else { ",{\"name\":" });
        push_json_string(out, &tool.name);
        out.push_str(",\"description\":");
        push_json_string(out, &tool.description);
        out.push_str(",\"input_schema\":");
        out.push_str(&tool.schema);
        out.push_str(if index + 1 == request.tools.len() { MARK } else { "" });
        out.push('}');
    }
    out.push(']');
}

/// Several calls are what the vendor allows when nothing is said.
fn push_choice(out: &mut String, parameters: &Parameters, compat: &Compat) {
    let choice = match parameters.tool_choice {
        ToolChoice::None if compat.tool_choice => {
            out.push_str(",\"tool_choice\":{\"type\":\"none\"}");
            return;
        }
        ToolChoice::Required if compat.tool_choice => "any",
        _ => "auto",
    };
    let only_one = compat.parallel_tool_calls && !parameters.parallel_tool_calls;
    if choice == "auto" && !only_one {
        return;
    }
    out.push_str(",\"tool_choice\":{\"type\":\"");
    out.push_str(choice);
    out.push_str(if only_one { "\",\"disable_parallel_tool_use\":true}" } else { "\"}" });
}

fn push_turn(out: &mut String, turn: &Turn<'_>, is_marked: bool, is_last: bool) {
    out.push_str(if turn.is_model { "{\"role\":\"assistant\"" } else { "{\"role\":\"user\"" });
    // What was thought may not be the end of a message.
    let is_said = |piece: &Piece<'_>| !matches!(piece, Piece::Opaque(_));
    let length = turn.pieces.iter().rposition(is_said).map_or(0, |last| last + 1);
    // A block that is no JSON any more would lose the whole request.
    let is_kept = |piece: &&Piece<'_>| !matches!(piece, Piece::Opaque(body) if !is_object(body));
    out.push_str(",\"content\":[");
    let start = out.len();
    let mut pieces = turn.pieces[..length].iter().filter(is_kept).peekable();
    while let Some(piece) = pieces.next() {
        if out.len() > start {
            out.push(',');
        }
        let is_end = pieces.peek().is_none();
        match piece {
            Piece::Opaque(body) => {
                out.push_str(body);
                continue;
            }
            // Where the model is to go on, the vendor refuses a blank behind its words.
            Piece::Text(text) if turn.is_model && is_last && is_end => push_text(out, text.trim_end()),
            Piece::Text(text) => push_text(out, text),
            Piece::Call(call) => {
                out.push_str("{\"type\":\"tool_use\",\"id\":");
                push_json_string(out, &acceptable_name(&call.id));
                out.push_str(",\"name\":");
                push_json_string(out, &acceptable_name(&call.name));
                out.push_str(",\"input\":");
                out.push_str(&acceptable_arguments(&call.arguments));
            }
            Piece::Result(answer) => {
                out.push_str("{\"type\":\"tool_result\",\"tool_use_id\":");
                push_json_string(out, &acceptable_name(&answer.call.id));
                if !answer.content.trim().is_empty() {
                    out.push_str(",\"content\":");
                    push_json_string(out, answer.content);
                }
                out.push_str(if answer.is_missing { ",\"is_error\":true" } else { "" });
            }
        }
        out.push_str(if is_marked && is_end { MARK } else { "" });
        out.push('}');
    }
    out.push_str("]}");
}

/// A block of text that is not closed yet.
fn push_text(out: &mut String, text: &str) {
    out.push_str("{\"type\":\"text\",\"text\":");
    push_json_string(out, text);
}

/// The vendor knows no seed.
fn push_parameters(out: &mut String, parameters: &Parameters, compat: &Compat) {
    let bound = match (parameters.tokens_max, compat.tokens_field) {
        (0, _) | (_, TokensField::None) => TOKENS_MAX,
        (bound, _) => bound,
    };
    push_number(out, ",\"max_tokens\":", bound);
    if let (Some(milli), true) = (parameters.temperature_milli, compat.temperature) {
        out.push_str(",\"temperature\":");
        push_thousandths(out, milli.min(TEMPERATURE_MILLI_MAX));
    }
    // The vendor refuses a text of blanks here.
    let stop: Vec<String> = compat.stop.iter().filter(|stop| !stop.trim().is_empty()).cloned().collect();
    push_texts(out, ",\"stop_sequences\":", &stop);
}

fn format_of(form: &ReplySchema) -> String {
    format!("{{\"type\":\"json_schema\",\"schema\":{}}}", held(&form.schema))
}
