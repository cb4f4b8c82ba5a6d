//! The complete menu: every tool call that is legal now, as JSON Schemas that the state narrows.
//!
//! A tool has one schema for each way of calling it: where arguments depend on each other, it has several, because a choice between
//! schemas is not taken by every server. A call is on the menu when a schema validator finds it valid, with no other properties than
//! those listed; [`canonical`] writes a call as the menu has it.
//!
//! Laws, tested over random campaigns (`tests/tests/all/menu.rs`): what is on the menu is accepted, and what is accepted is on the menu.
//! Four things no schema of the common part can say: bytes (a text of many letters beyond ASCII may be too long, and so may a whole
//! call), how dice and the id of a goal are written, which words a search finds, and that nobody fights twice in one combat or bears
//! the name of somebody else.
//!
//! Labels of evidence are required where the rule asks for them; a label that nothing has is accepted the second time, and does not count.
//! Whether a call that ends something was told aloud is no matter of its arguments: the referee asks for that.

mod form;
mod names;

use serde_json::Value;
use twicetold_event::Seat;
use twicetold_world::State;

pub(crate) use form::{
    Field, Form, at_least, at_most, call, integer, list, number, one_of, texts, truth, variants,
};
pub(crate) use names::{
    abilities, ability_name, bare, character_name, character_names, checks, given, npc_id, npc_ids, remark,
    sayable, things, words,
};

use crate::{TOOLS, Tool};

/// A way in which a tool can be called now.
#[derive(Clone, Debug, PartialEq)]
pub struct Legal {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments, as a JSON Schema.
    pub schema: Value,
}

/// Every call that this seat can make now. A tool that is offered, but of which no call would be accepted, is not on it.
pub fn menu(state: &State, seat: Seat) -> Vec<Legal> {
    TOOLS.iter().flat_map(|tool| legal(state, seat, tool)).collect()
}

/// The part of the menu that is about one tool.
pub fn legal(state: &State, seat: Seat, tool: &'static Tool) -> Vec<Legal> {
    if !tool.is_offered(state, seat) {
        return Vec::new();
    }
    let schemas = tool.legal(state, seat).into_iter().filter_map(Form::schema);
    schemas.map(|schema| Legal { tool: tool.name, schema }).collect()
}

/// The calls that a call amounts to, as the menu has them: people, things and pages under the one name that is listed, texts trimmed,
/// without what changes nothing. A call of several independent parts becomes one call for each of them, in order: each is on the menu
/// that the parts before it leave. Nothing when the arguments cannot be read.
pub fn canonical(state: &State, seat: Seat, tool: &str, arguments: &str) -> Option<Vec<Value>> {
    crate::named(tool)?.canonical(state, seat, arguments)
}
