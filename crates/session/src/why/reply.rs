//! A reply: its words, its tool calls, and what became of each of them.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_dialect::CHOICE;
use twicetold_event::{Event, EventName, Number, Verdict};
use twicetold_model::ToolCall;
use twicetold_projection::people::observed;

use super::{Chain, Explainer};
use crate::LoadError;

/// A reply and what became of everything in it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ReplyWhy {
    /// Why the first thing that came of it happened, with the request behind it and the way back to the opening.
    #[serde(flatten)]
    pub why: Chain,
    /// The number of the reply.
    pub reply: u64,
    /// Its words.
    pub words: String,
    /// What the model thought, as far as the server showed it; nobody at the table was told.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// Its tool calls in order.
    pub calls: Vec<CallWhy>,
    /// What came of it beside them.
    pub rest: Vec<EffectWhy>,
}

/// A tool call of a reply.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CallWhy {
    /// The tool.
    pub name: String,
    /// The raw arguments.
    pub arguments: String,
    /// What became of it.
    #[serde(flatten)]
    pub became: Became,
}

/// What became of a tool call.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    /// The rules let it through.
    Accepted {
        /// Where.
        number: u64,
        /// What it did.
        effects: Vec<EffectWhy>,
    },
    /// A rule rejected it.
    Rejected {
        /// Where.
        number: u64,
        /// The rule.
        rule: String,
        /// What it observed.
        observed: String,
    },
    /// Nobody looked at it: the reply was over before, or could not be used.
    PassedOver {},
}

/// Something that came of a reply.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EffectWhy {
    /// Its number.
    pub number: u64,
    /// What kind of event.
    #[schemars(with = "EventName")]
    pub event: &'static str,
    /// A text about the event.
    pub text: String,
}

impl Explainer<'_> {
    /// The reply that was requested or came at a number, with all that became of it; none when there is none.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn reply(&self, number: Number, depth: u32) -> Result<Option<ReplyWhy>, LoadError> {
        let Some(entry) = self.answer_at(number)? else { return Ok(None) };
        let Some(call) = entry.input.call() else { return Ok(None) };
        let Some(why) = self.why(entry.header.first, depth)? else { return Ok(None) };
        let reply = self.cursor.reply(call)?;
        let (words, thinking, made) =
            reply.map(|said| (said.text, said.thinking, said.tool_calls)).unwrap_or_default();
        let call = |made: ToolCall| CallWhy {
            name: made.name,
            arguments: made.arguments,
            became: Became::PassedOver {},
        };
        let mut calls: Vec<CallWhy> = made.into_iter().map(call).collect();
        let mut rest = Vec::new();
        for (number, event) in entry.numbered() {
            let Some(outcome) = entry.tool_calls().find(|outcome| outcome.holds(number)) else {
                rest.push(self.effect(number, event)?);
                continue;
            };
            let Some(call) = calls.get_mut(usize::from(outcome.place().1)) else { continue };
            match (&mut call.became, outcome.verdict) {
                (Became::Accepted { effects, .. }, _) => effects.push(self.effect(number, event)?),
                (became, Verdict::Accepted(_)) => {
                    *became = Became::Accepted { number: number.0, effects: Vec::new() };
                }
                (became, Verdict::Rejected(word)) => {
                    let (rule, observed) = (word.rule.clone(), observed(&word.rule, &word.values));
                    *became = Became::Rejected { number: number.0, rule, observed };
                }
            }
        }
        // A guided model chooses, and the engine makes the call: the choice is taken where anything came of it.
        let is_refused = entry.numbered().any(|(_, event)| matches!(event, Event::ReplyRejected(_)));
        if let Some((first, _)) = entry.numbered().next().filter(|_| !is_refused) {
            let untaken =
                |call: &&mut CallWhy| call.name == CHOICE && matches!(call.became, Became::PassedOver {});
            for call in calls.iter_mut().filter(untaken) {
                call.became = Became::Accepted { number: first.0, effects: Vec::new() };
            }
        }
        Ok(Some(ReplyWhy { why, reply: entry.header.first.0, words, thinking, calls, rest }))
    }
    fn effect(&self, number: Number, event: &Event) -> Result<EffectWhy, LoadError> {
        Ok(EffectWhy { number: number.0, event: event.name(), text: self.text(event)? })
    }
}
