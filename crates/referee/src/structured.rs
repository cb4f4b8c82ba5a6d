//! The schema of a reply that holds words and calls in one object: of the tools, only what is legal now.
//!
//! A small model that is told which people, checks and items there are still writes others. Its server cannot be talked into that: the
//! schema is no part of what it reads, so that it may change from one request to the next without costing a cache.

use std::collections::BTreeSet;

use serde_json::Value;
use twicetold_dialect::structured_schema;
use twicetold_event::Seat;
use twicetold_model::{Part, ReplySchema, Request, ToolChoice};
use twicetold_tool::{Legal, Tool, fingerprint, legal, named};
use twicetold_world::State;

/// Most values that one argument is held to; longer lists (the pages of a book of rules) are left to the model, because servers turn
/// every value into rules of a grammar.
const VALUES_MAX: usize = 40;

/// What may be called again after one such call of the turn was accepted: who has attacked, the state knows.
const AGAIN: [&str; 1] = ["attack"];

/// The schema for the reply to this request, as it is complete but for that. It asks for words alone where no call is legal.
pub(crate) fn held(state: &State, seat: Seat, request: &Request) -> ReplySchema {
    let done = done(state, request);
    let listed = request.tools.iter().filter_map(|spec| named(&spec.name));
    let open = listed.filter(|tool| AGAIN.contains(&tool.name) || !done.contains(tool.name));
    let open = open.filter(|_| request.parameters.tool_choice != ToolChoice::None);
    let calls: Vec<(&str, String)> = open.flat_map(|tool| calls(state, seat, tool)).collect();
    let calls = calls.iter().map(|(tool, schema)| (*tool, schema.as_str()));
    structured_schema(calls, request.parameters.parallel_tool_calls)
}

fn calls<'a>(state: &State, seat: Seat, tool: &'static Tool) -> impl Iterator<Item = (&'a str, String)> {
    legal(state, seat, tool).into_iter().map(|Legal { tool, mut schema }| {
        simplify(&mut schema);
        (tool, schema.to_string())
    })
}

/// The tools of whose calls one was accepted in this turn. A small model that reads what came of a call makes it again.
fn done<'a>(state: &State, request: &'a Request) -> BTreeSet<&'a str> {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    let calls = parts.filter_map(|part| match part {
        Part::ToolCall(call) => Some(call),
        _ => None,
    });
    let accepted = |fingerprint| state.turn().tools.contains(&(fingerprint, true));
    let calls = calls.filter(|call| accepted(fingerprint(&call.name, &call.arguments)));
    calls.map(|call| call.name.as_str()).collect()
}

/// Bounds of lengths and numbers are left out: not every server knows them, and a grammar has no room for thousands of characters.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.retain(|keyword, value| match keyword.as_str() {
                "minLength" | "maxLength" | "minItems" | "maxItems" | "minimum" | "maximum" => {
                    !value.is_number()
                }
                "enum" => value.as_array().is_none_or(|values| values.len() <= VALUES_MAX),
                _ => true,
            });
            members.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}
