//! Replies by their calls; bodies are decoded when a rule or a prompt asks for their words.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use twicetold_dialect::Wire;
use twicetold_event::{CallId, MoveChosen, PersonAnswered, PersonCall};
use twicetold_model::{Finish, Reply, ToolCall, Usage};
use twicetold_projection::Replies;
use twicetold_world::State;

/// Replies kept before those that no prompt can show any more are forgotten: some turns' worth beyond the window.
const PRUNE_ABOVE: usize = 192;

#[derive(Clone, Default)]
pub(crate) struct ReplyBook {
    kept: BTreeMap<CallId, Kept>,
}

#[derive(Clone)]
enum Kept {
    /// A body, the wire by which it came, and what it was decoded to.
    Body(Arc<str>, Arc<Wire>, OnceLock<Option<Reply>>),
    Said(Reply),
}

impl ReplyBook {
    pub(crate) fn receive(&mut self, call: CallId, body: Arc<str>, wire: Arc<Wire>) {
        self.kept.insert(call, Kept::Body(body, wire, OnceLock::new()));
    }

    pub(crate) fn say(&mut self, call: CallId, reply: Reply) {
        self.kept.insert(call, Kept::Said(reply));
    }

    /// Adds the tool call that the engine made of a choice.
    pub(crate) fn make(&mut self, chosen: &MoveChosen) {
        let Some(mut reply) = self.reply(chosen.call).cloned() else { return };
        add_made(&mut reply, chosen);
        self.say(chosen.call, reply);
    }

    /// All that can be read.
    pub(crate) fn decoded(&self) -> Vec<(CallId, Reply)> {
        self.kept.keys().filter_map(|call| Some((*call, self.reply(*call)?.clone()))).collect()
    }

    /// Forgets replies that no prompt can show any more, once there are many.
    pub(crate) fn prune(&mut self, state: &State) {
        if self.kept.len() > PRUNE_ABOVE {
            let shown = state.replies();
            self.kept.retain(|call, _| shown.contains(call));
        }
    }
}

impl Replies for ReplyBook {
    fn reply(&self, call: CallId) -> Option<&Reply> {
        match self.kept.get(&call)? {
            Kept::Said(reply) => Some(reply),
            Kept::Body(body, wire, decoded) => decoded.get_or_init(|| wire.decode(body).ok()).as_ref(),
        }
    }
}

/// Adds the tool call that the engine made of a choice in this reply.
pub fn add_made(reply: &mut Reply, chosen: &MoveChosen) {
    if chosen.complete && !chosen.tool.is_empty() {
        let (name, arguments) = (chosen.tool.clone(), chosen.arguments.clone());
        reply.tool_calls.push(ToolCall { id: String::new(), name, arguments });
    }
}

/// What a person said and did, as a reply.
pub fn said(word: &PersonAnswered) -> Reply {
    let call = |(place, call): (usize, &PersonCall)| ToolCall {
        id: format!("p{place}"),
        name: call.tool.clone(),
        arguments: call.arguments.clone(),
    };
    Reply {
        text: word.text.clone(),
        thinking: String::new(),
        opaque: Vec::new(),
        tool_calls: word.tool_calls.iter().enumerate().map(call).collect(),
        finish: Finish::Stop,
        usage: Usage::default(),
    }
}
