//! A conversation in which two take turns, for vendors who refuse any other order: one turn of the user, one of the model, and so on.

use std::borrow::Cow;

use twicetold_model::{Message, Part, Request, Role, ToolCall, ToolChoice, ToolResult};

use crate::pieces::{told_calls, told_result};
use crate::{Compat, SystemRole};

/// What the user says where a conversation would begin with the model or hold nothing: vendors refuse both.
const OPENING: &str = "Begin.";

/// The result of a call that has none. Vendors refuse a call without a result, and with it every later request.
const NO_RESULT: &str = "No result is known.";

/// A piece of a turn.
pub(crate) enum Piece<'a> {
    /// Words, never blank.
    Text(Cow<'a, str>),
    /// A call of the model's.
    Call(&'a ToolCall),
    /// The result of a call of the turn before.
    Result(Answer<'a>),
    /// A block of the vendor's own, as JSON text.
    Opaque(&'a str),
}

/// The result of a call.
pub(crate) struct Answer<'a> {
    pub(crate) call: &'a ToolCall,
    /// What the model is told.
    pub(crate) content: &'a str,
    /// Is there no result in truth?
    pub(crate) is_missing: bool,
}

/// What one of the two says before the other goes on.
#[derive(Default)]
pub(crate) struct Turn<'a> {
    pub(crate) is_model: bool,
    pub(crate) pieces: Vec<Piece<'a>>,
}

/// Instructions, and turns that alternate and begin with the user's.
pub(crate) struct Conversation<'a> {
    pub(crate) system: Vec<String>,
    pub(crate) turns: Vec<Turn<'a>>,
}

/// Are tools sent? Without a choice that servers take, words only is made sure of by leaving the tools out.
pub(crate) fn offers_tools(request: &Request, compat: &Compat) -> bool {
    let forbidden = request.parameters.tool_choice == ToolChoice::None;
    !request.tools.is_empty() && compat.tools && (compat.tool_choice || !forbidden)
}

/// The messages of a request in turns. Neighbours of one role become one turn. Each call has its result at the beginning of the next
/// turn; a result without its call is told as text, and so are all where `with_calls` is false. Instructions in the midst of a
/// conversation are the user's words at their place: moved to the others they would change what came before. Of the blocks of
/// vendors only those of `vendor` are kept, beside something that is said.
pub(crate) fn conversation<'a>(
    request: &'a Request,
    compat: &Compat,
    vendor: &str,
    with_calls: bool,
) -> Conversation<'a> {
    let mut told = Conversation { system: Vec::new(), turns: Vec::new() };
    let mut results: Vec<Vec<&ToolResult>> = Vec::new();
    for message in &request.messages {
        let (said, answers) = pieces_of(message, vendor, with_calls);
        if !answers.is_empty() {
            told.add(false, Vec::new());
            results.resize_with(told.turns.len(), Vec::new);
            results.last_mut().into_iter().for_each(|last| last.extend(&answers));
        }
        if !said.iter().any(|piece| !matches!(piece, Piece::Opaque(_))) {
            continue;
        }
        let is_system = message.role == Role::System && compat.system_role != SystemRole::User;
        let calls = message.parts.iter().any(|part| matches!(part, Part::ToolCall(_)));
        if is_system && !calls && told.turns.is_empty() {
            told.system.extend(said.into_iter().filter_map(|piece| match piece {
                Piece::Text(text) => Some(text.into_owned()),
                _ => None,
            }));
            continue;
        }
        told.add(calls || message.role == Role::Assistant, said);
    }
    if told.turns.last().is_some_and(|turn| turn.pieces.iter().any(|piece| matches!(piece, Piece::Call(_)))) {
        told.add(false, Vec::new());
    }
    results.resize_with(told.turns.len(), Vec::new);
    told.answer(&results);
    if told.turns.first().is_none_or(|turn| turn.is_model) {
        let pieces = vec![Piece::Text(Cow::Borrowed(OPENING))];
        told.turns.insert(0, Turn { is_model: false, pieces });
    }
    told
}

impl<'a> Conversation<'a> {
    fn add(&mut self, is_model: bool, pieces: Vec<Piece<'a>>) {
        match self.turns.last_mut() {
            Some(last) if last.is_model == is_model => last.pieces.extend(pieces),
            _ => self.turns.push(Turn { is_model, pieces }),
        }
    }

    /// Puts the results of each turn where they belong.
    fn answer(&mut self, results: &[Vec<&'a ToolResult>]) {
        let mut calls: Vec<&'a ToolCall> = Vec::new();
        for (turn, results) in self.turns.iter_mut().zip(results) {
            let mut left: Vec<&'a ToolResult> = results.clone();
            let mut pieces = Vec::new();
            for call in calls.drain(..) {
                let place = left.iter().position(|result| result.id == call.id);
                let content = place.map_or(NO_RESULT, |place| &left.remove(place).content);
                pieces.push(Piece::Result(Answer { call, content, is_missing: place.is_none() }));
            }
            pieces.extend(left.into_iter().map(|result| Piece::Text(Cow::Owned(told_result(result)))));
            pieces.append(&mut turn.pieces);
            turn.pieces = pieces;
            calls.extend(turn.pieces.iter().filter_map(|piece| match piece {
                Piece::Call(call) => Some(*call),
                _ => None,
            }));
        }
    }
}

/// The pieces of a message, and apart from them its results.
fn pieces_of<'a>(
    message: &'a Message,
    vendor: &str,
    with_calls: bool,
) -> (Vec<Piece<'a>>, Vec<&'a ToolResult>) {
    let (mut pieces, mut results) = (Vec::new(), Vec::new());
    for part in &message.parts {
        match part {
            Part::Text(text) => say(&mut pieces, Cow::Borrowed(text), "\n\n"),
            Part::ToolCall(call) if with_calls => pieces.push(Piece::Call(call)),
            Part::ToolCall(call) => say(&mut pieces, Cow::Owned(told_calls(String::new(), &[call])), "\n"),
            Part::ToolResult(result) => results.push(result),
            Part::Opaque { vendor: of, body } if of == vendor && with_calls => {
                pieces.push(Piece::Opaque(body))
            }
            Part::Opaque { .. } => {}
        }
    }
    (pieces, results)
}

/// Adds words to what is said, behind `between` where the last piece is words too. Blank words, which vendors refuse, are left out.
fn say<'a>(pieces: &mut Vec<Piece<'a>>, more: Cow<'a, str>, between: &str) {
    match pieces.last_mut() {
        _ if more.trim().is_empty() => {}
        Some(Piece::Text(text)) => text.to_mut().extend([between, &more]),
        _ => pieces.push(Piece::Text(more)),
    }
}
