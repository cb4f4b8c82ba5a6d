//! The scores of one campaign, counted entry by entry.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use twicetold_audit::{Recorder, audit};
use twicetold_event::{CutRule, Entry, Event, Input, Seat};
use twicetold_projection::people::{Ledger, Prices, cost, paid, unpriced};
use twicetold_projection::{Replies, words};
use twicetold_world::State;

use super::repeated::Said;
use super::{SCORES, Score};

/// Events of one score that are kept: more than anybody opens, and a few megabytes for all scores of a long campaign.
const SHOWN_MAX: usize = 10_000;

/// The rule of replies that speak for another seat.
const SPOKE_FOR_ANOTHER: &str = "spoke_for_another";

/// An event behind a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Its sequence number.
    pub number: u64,
    /// What it adds, in a few words: the rule and the tool of a rejection, for example.
    pub what: String,
}

/// A score of one campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Value {
    /// The score; nothing where there was nothing to count in.
    pub value: Option<f64>,
    /// The events behind it.
    pub events: Vec<Shown>,
    /// Events that were counted and are not listed.
    pub left_out: u64,
}

/// The scores of a campaign, by name.
pub type Card = BTreeMap<&'static str, Value>;

/// Counts in a campaign.
#[derive(Default)]
pub struct Scorer {
    events: BTreeMap<&'static str, (Vec<Shown>, u64)>,
    counts: BTreeMap<&'static str, u64>,
    prompts: Vec<u64>,
    waited_ms: u64,
    waits: u64,
    player_turns: BTreeMap<Seat, u64>,
    sentences: u64,
    messages: u64,
    said: Said,
    recorder: Recorder,
    ledger: Ledger,
    input_tokens: u64,
    output_tokens: u64,
}

impl Scorer {
    /// One that has counted nothing yet.
    pub fn new() -> Scorer {
        Scorer::default()
    }

    /// The next entry of a campaign, given the campaign after it.
    pub fn entry(&mut self, state: &State, replies: &dyn Replies, entry: &Entry) {
        self.recorder.entry(state, replies, entry);
        self.ledger.entry(state, entry);
        let (first, at) = (entry.header.first.0, entry.header.at);
        match &entry.input {
            Input::ModelReplied(word) => {
                self.input_tokens = self.input_tokens.saturating_add(word.usage.input_tokens);
                self.output_tokens = self.output_tokens.saturating_add(word.usage.output_tokens);
                self.prompts.push(word.usage.input_tokens);
                self.count("calls", first, String::new);
                let read = || word.usage.input_tokens.to_string();
                self.show("prompt", first, read);
                self.show("tokens_in", first, read);
                self.show("tokens_out", first, || word.usage.output_tokens.to_string());
                self.show("money", first, String::new);
                if let Some(since) = self.ledger.asked(word.call).map(|asked| asked.since) {
                    let waited = at.0.saturating_sub(since.0);
                    self.waited_ms = self.waited_ms.saturating_add(waited);
                    self.waits += 1;
                    self.show("seconds", first, || format!("{waited} ms"));
                }
            }
            Input::ModelFailed(word) => {
                self.count("faults", first, || word.fault.kind.describe().to_owned());
            }
            _ => {}
        }
        for (number, event) in entry.numbered() {
            self.event(state, replies, number.0, event);
        }
    }

    fn event(&mut self, state: &State, replies: &dyn Replies, number: u64, event: &Event) {
        match event {
            Event::TurnBegan(word) => {
                self.count("turns", number, || word.seat.slug());
                if matches!(word.seat, Seat::Player(_)) {
                    *self.player_turns.entry(word.seat).or_default() += 1;
                    self.show("spotlight", number, || word.seat.slug());
                }
            }
            Event::ToolAccepted(word) => {
                self.count("tool_calls", number, || word.tool.clone());
                self.count("accepted", number, || word.tool.clone());
            }
            Event::ToolRejected(word) => {
                self.count("tool_calls", number, || word.tool.clone());
                self.count("rejected", number, || format!("{} ({})", word.rule, word.tool));
            }
            Event::ReplyRejected(word) => {
                self.count("unusable", number, || word.rule.clone());
                if word.rule == SPOKE_FOR_ANOTHER {
                    self.count(SPOKE_FOR_ANOTHER, number, || "rejected".to_owned());
                }
            }
            Event::SpeechCut(word) if word.rule == CutRule::SpokeForAnother => {
                self.count(SPOKE_FOR_ANOTHER, number, || format!("cut ({})", word.seat.slug()));
            }
            Event::RulesLookedUp(_)
            | Event::RulesSearched(_)
            | Event::MemoryQueried(_)
            | Event::CampaignQueried(_) => self.count("lookups", number, || event.name().to_owned()),
            Event::GoalRegistered(word) => self.count("goals", number, || word.id.clone()),
            Event::DialogueBegan(_) => self.count("dialogues", number, String::new),
            Event::MessageSpoken(word) => {
                self.messages += 1;
                let (all, again) = self.said.add(words(replies, &word.text));
                self.sentences += all;
                for _ in 0..again {
                    self.count("repeated", number, || word.seat.slug());
                }
            }
            Event::EncounterResolved(_) | Event::EncounterFailed(_) | Event::EncounterUnresolved(_) => {
                self.ended(state, number);
            }
            _ => {}
        }
    }

    /// The encounter that ended by the event of this number.
    fn ended(&mut self, state: &State, number: u64) {
        let Some(end) = state.encounters_over().iter().rev().find(|end| end.ended.0.0 == number) else {
            return;
        };
        let outcome = end.outcome.as_ref().map(|(id, _)| id);
        let how = end.how();
        *self.counts.entry("ended").or_default() += 1;
        self.count(how, number, || match outcome {
            Some(goal) => format!("{}: {goal}", end.id),
            None => end.id.clone(),
        });
    }

    fn count(&mut self, name: &'static str, number: u64, what: impl Fn() -> String) {
        *self.counts.entry(name).or_default() += 1;
        self.show(name, number, what);
    }

    fn show(&mut self, name: &'static str, number: u64, what: impl Fn() -> String) {
        let (events, left_out) = self.events.entry(name).or_default();
        match events.len() < SHOWN_MAX {
            true => events.push(Shown { number, what: what() }),
            false => *left_out += 1,
        }
    }

    /// The scores of the whole campaign. Money is paid by these prices.
    pub fn finish(mut self, state: &State, prices: &Prices) -> Card {
        let report = audit(&std::mem::take(&mut self.recorder).finish(), &[]);
        let mut findings = 0;
        for finding in report.findings() {
            findings += finding.count as u64;
            for number in BTreeSet::from_iter(&finding.numbers) {
                self.show("findings", *number, || finding.detector.to_owned());
            }
        }
        self.counts.insert("findings", findings);
        let money = self.money(state, prices);
        let value = |score: &Score| {
            let value = self.value(state, score.name, money);
            let (events, left_out) = self.events.get(score.name).cloned().unwrap_or_default();
            (score.name, Value { value, events, left_out })
        };
        SCORES.iter().map(value).collect()
    }

    fn value(&self, state: &State, name: &str, money: Option<f64>) -> Option<f64> {
        let count = |name: &str| self.counts.get(name).copied().unwrap_or_default();
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        match name {
            "primary" | "secondary" | "failed" | "unresolved" => share(count(name), count("ended")),
            "accepted" => share(count(name), count("tool_calls")),
            "repeated" => share(count(name), self.sentences),
            "findings" => share(count(name), self.messages).map(|share| 100.0 * share),
            "prompt" => median(&self.prompts),
            "tokens_in" => Some(self.input_tokens as f64),
            "tokens_out" => Some(self.output_tokens as f64),
            "seconds" => share(self.waited_ms, self.waits).map(|each| each / 1_000.0),
            "money" => money,
            "spotlight" => {
                let players = || state.setup().players();
                let turns = |seat: Seat| self.player_turns.get(&seat).copied().unwrap_or_default();
                let least = players().map(turns).min()?;
                share(least * players().count() as u64, players().map(turns).sum())
            }
            _ => Some(count(name) as f64),
        }
    }

    /// What was paid; nothing where a price is not known, or where two currencies were paid.
    fn money(&self, state: &State, prices: &Prices) -> Option<f64> {
        let costs = cost(state, &self.ledger, prices);
        if !unpriced(&costs).is_empty() {
            return None;
        }
        match paid(&costs).as_slice() {
            [] => Some(0.0),
            [one] => one.paid.to_string().parse().ok(),
            _ => None,
        }
    }
}

fn median(values: &[u64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_unstable();
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => Some(values[middle] as f64),
        _ if values.is_empty() => None,
        _ => Some((values[middle - 1] as f64 + values[middle] as f64) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_the_middle_or_between_the_two_middle_ones() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7]), Some(7.0));
        assert_eq!(median(&[9, 1, 5]), Some(5.0));
        assert_eq!(median(&[9, 1, 5, 6]), Some(5.5));
    }
}
