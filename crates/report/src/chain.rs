//! Why an effect is there: the tool call that made it, the reply, the request, the events behind the request. Recorded edges only.
//!
//! The one place of this crate that knows how effects hang together; whoever shows them asks here.

use std::collections::BTreeMap;

use twicetold_event::{CallId, Entry, Event, Input};
use twicetold_projection::people::{advice, observed, passed};

use crate::Telling;

/// Everything of one entry: what came in, and the deeds in it.
pub(crate) struct Step {
    /// The number of the input.
    pub(crate) input: u64,
    /// The call that it answers.
    pub(crate) answers: Option<CallId>,
    /// The tool calls in order, accepted or not.
    pub(crate) deeds: Vec<Deed>,
}

/// A tool call and what became of it.
pub(crate) struct Deed {
    /// The number of the verdict.
    pub(crate) number: u64,
    /// The call whose reply held it.
    pub(crate) call: CallId,
    /// Its place in the reply, counted from 0.
    pub(crate) index: u16,
    pub(crate) tool: String,
    /// The raw arguments.
    pub(crate) arguments: String,
    /// The words beside the call.
    pub(crate) words: String,
    pub(crate) verdict: Verdict,
    /// Numbers of its effects.
    pub(crate) effects: Vec<u64>,
}

/// What the rules made of a tool call.
pub(crate) enum Verdict {
    /// Let through by these rules, each with what it observed.
    Accepted(Vec<(String, String)>),
    /// Rejected.
    Rejected { rule: String, observed: String, advice: String },
}

/// The steps of a journal, by the numbers of their inputs.
pub(crate) fn steps(telling: &Telling) -> BTreeMap<u64, Step> {
    telling.entries.iter().map(|entry| (entry.header.first.0, step(telling, entry))).collect()
}

fn step(telling: &Telling, entry: &Entry) -> Step {
    let mut deeds: Vec<Deed> = Vec::new();
    let mut left = 0;
    for (number, event) in entry.numbered() {
        match event {
            Event::ToolAccepted(word) => {
                let checks = word.checks.iter().map(|check| (check.rule.clone(), passed(check)));
                let verdict = Verdict::Accepted(checks.collect());
                deeds.push(deed(telling, number.0, (word.call, word.index), &word.tool, verdict));
                left = word.effects;
            }
            Event::ToolRejected(word) => {
                let verdict = Verdict::Rejected {
                    rule: word.rule.clone(),
                    observed: observed(&word.rule, &word.values),
                    advice: advice(&word.rule, &word.values),
                };
                deeds.push(deed(telling, number.0, (word.call, word.index), &word.tool, verdict));
                left = 0;
            }
            _ if left > 0 => {
                left -= 1;
                deeds.last_mut().into_iter().for_each(|deed| deed.effects.push(number.0));
            }
            _ => {}
        }
    }
    Step { input: entry.header.first.0, answers: entry.input.call(), deeds }
}

fn deed(telling: &Telling, number: u64, place: (CallId, u16), tool: &str, verdict: Verdict) -> Deed {
    let (call, index) = place;
    let reply = telling.campaign.replies().reply(call);
    let made = reply.and_then(|reply| reply.tool_calls.get(usize::from(index)));
    Deed {
        number,
        call,
        index,
        tool: tool.to_owned(),
        arguments: made.map_or_else(String::new, |made| made.arguments.clone()),
        words: reply.map_or_else(String::new, |reply| reply.text.trim().to_owned()),
        verdict,
        effects: Vec::new(),
    }
}

/// From a call back towards the opening: the number of each step that asked for the one after it, and what it was.
pub(crate) fn triggers(
    telling: &Telling,
    steps: &BTreeMap<u64, Step>,
    call: CallId,
    most: usize,
) -> Vec<(u64, String)> {
    let mut chain = Vec::new();
    let mut wanted = Some(call);
    while let Some(asked) = wanted.filter(|_| chain.len() < most) {
        let Some(call) = telling.calls.get(&asked) else { break };
        let Some((entry, _)) = telling.at(call.number) else { break };
        let first = entry.header.first.0;
        let what = match &entry.input {
            Input::OpeningAsked(_) => "the campaign was opened".to_owned(),
            Input::ModelReplied(_) | Input::PersonAnswered(_) => {
                telling.seat(entry, None).map_or_else(String::new, |seat| format!("{seat} answered"))
            }
            input => input.name().to_owned(),
        };
        chain.push((first, format!("{what}, so {} was asked", call.seat)));
        wanted = steps.get(&first).and_then(|step| step.answers).filter(|answered| *answered < asked);
    }
    chain
}
