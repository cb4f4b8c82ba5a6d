//! Servers that refuse what their vendors refuse: unknown and missing fields, messages out of order, schemas beyond what all take.

mod anthropic;
mod as_chat;
mod chat_completions;
mod gemini;
mod guided;
mod look;
mod ollama;
mod responses;
mod schema;
mod server;
mod thoughts;

use serde_json::Value;
use twicetold_dialect::Protocol;

use look::{Checked, Look};

pub use as_chat::as_chat;
pub use server::{Model, StrictServer};

/// Would the vendor take this body?
///
/// # Errors
/// The place in the body and the rule that it breaks.
pub fn check(protocol: Protocol, body: &Value) -> Result<(), String> {
    let body = Look::new(body);
    match protocol {
        Protocol::ChatCompletions | Protocol::Improv => chat_completions::check(&body),
        Protocol::Responses => responses::check(&body),
        Protocol::Anthropic => anthropic::check(&body),
        Protocol::Gemini => gemini::check(&body),
        Protocol::Ollama => ollama::check(&body),
    }
}

/// Calls that wait for their results, in order.
#[derive(Default)]
struct Open<'a>(Vec<&'a str>);

impl<'a> Open<'a> {
    /// Two calls of one id could not be told apart.
    fn call(&mut self, id: &Look<'a>, name: &'a str) -> Checked {
        id.must(!self.0.contains(&name), "two calls of one id")?;
        self.0.push(name);
        Ok(())
    }

    /// Each result has a call of its own, right before it.
    fn result(&mut self, id: &Look<'_>, name: &str) -> Checked {
        match self.0.iter().position(|open| *open == name) {
            Some(place) => drop(self.0.remove(place)),
            None => return id.refuse("a result without its call"),
        }
        Ok(())
    }

    /// Nothing else may stand between a call and its result.
    fn none(&self, at: &Look<'_>) -> Checked {
        at.must(self.0.is_empty(), &format!("calls without results before it: {:?}", self.0))
    }
}

/// A list of tools, each under a name of its own; at most 128 of them.
fn tools<'a>(tools: &Look<'a>, name: impl Fn(&Look<'a>) -> Checked<&'a str>) -> Checked {
    let mut names = Vec::new();
    for tool in tools.some_items()? {
        let name = name(&tool)?;
        tool.must(!names.contains(&name), "two tools of one name")?;
        names.push(name);
    }
    tools.must(names.len() <= 128, "more than 128 tools")
}
