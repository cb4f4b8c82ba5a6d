//! What a branch changed, where it first shows, and, where it shows nowhere, why.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{Entry, Event, ForkAsked, Input};
use twicetold_model::Digest;
use twicetold_referee::Campaign;

/// What a branch changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Branched {
    /// The change, as its journal says it.
    pub what: String,
    /// The first number on the branch at which it was used: a replaced draw, or a request that is another one.
    pub used_at: Option<u64>,
    /// Why nothing came of it; empty where something did.
    pub why_nothing: Vec<Nothing>,
}

/// Why nothing came of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum Nothing {
    /// Nothing was changed.
    NothingChanged,
    /// Nobody played the branch after it was made.
    NotPlayed,
    /// The campaign has not drawn so often.
    NeverDrawn {
        /// The stream.
        stream: String,
        /// The draw that was replaced, counted from 0.
        counter: u32,
        /// How many draws of the stream there were.
        drawn: u32,
    },
    /// The draw was made, and it changed no outcome.
    SameOutcome {
        /// The stream.
        stream: String,
        /// The draw.
        counter: u32,
    },
    /// No request was another one, and no rule came to another result.
    Unused,
    /// Requests were others, or were made again, and all that was told and recorded came out the same.
    SameAnswers {
        /// How many.
        requests: u64,
    },
}

/// What is needed of each side to say so.
#[derive(Default)]
pub struct Used {
    /// Digests of all requests.
    known: BTreeSet<Digest>,
    /// Numbers and digests of requests after the parting.
    requests: Vec<(u64, Digest)>,
    /// For each stream, the entries at which it had been drawn from so often.
    drawn: BTreeMap<String, Vec<(u32, u64)>>,
    /// Did anything happen but that the branch was made, paused and resumed?
    played: bool,
}

impl Used {
    /// Adds an entry. `parted`: where the campaigns part, or after it; `campaign` stands after the entry.
    pub fn add(&mut self, campaign: &Campaign, entry: &Entry, parted: bool) {
        for (number, event) in entry.numbered() {
            if let Event::ModelCallRequested(word) = event {
                self.known.insert(word.digest);
                self.requests.extend(parted.then_some((number.0, word.digest)));
            }
        }
        if !parted {
            return;
        }
        self.played |= entry.input.is_story();
        let state = campaign.state();
        for stream in state.streams() {
            let (count, at) = (state.dice_counter(stream), entry.header.first.0);
            match self.drawn.get_mut(stream) {
                Some(steps) if steps.last().is_some_and(|(known, _)| *known == count) => {}
                Some(steps) => steps.push((count, at)),
                None => drop(self.drawn.insert(stream.to_owned(), vec![(count, at)])),
            }
        }
    }

    /// The entry with a draw.
    fn drawn_at(&self, stream: &str, counter: u32) -> Option<u64> {
        self.drawn.get(stream)?.iter().find(|(count, _)| *count > counter).map(|(_, at)| *at)
    }
}

/// What an entry changed that begins a branch. `same`: nothing is told or recorded otherwise.
pub fn change(
    entry: &Entry,
    same: bool,
    (end, used): (&Campaign, &Used),
    (other, others): (&Campaign, &Used),
) -> Option<Branched> {
    let Input::ForkAsked(asked) = &entry.input else { return None };
    let changed = &other.state().setup().draws;
    let draws: Vec<&(String, u32)> = end
        .state()
        .setup()
        .draws
        .iter()
        .filter(|(place, faces)| changed.get(*place) != Some(*faces))
        .map(|(place, _)| place)
        .collect();
    let differing: Vec<u64> = used
        .requests
        .iter()
        .filter(|(_, digest)| !others.known.contains(digest))
        .map(|(number, _)| *number)
        .collect();
    let first_draw = draws.iter().filter_map(|(stream, counter)| used.drawn_at(stream, *counter)).min();
    let used_at = first_draw.into_iter().chain(differing.first().copied()).min();
    let why_nothing = match same || !used.played {
        true => nothing(asked, used, &draws, differing.len() as u64),
        false => Vec::new(),
    };
    Some(Branched { what: what(asked), used_at, why_nothing })
}

fn nothing(asked: &ForkAsked, used: &Used, draws: &[&(String, u32)], requests: u64) -> Vec<Nothing> {
    if !used.played {
        return vec![Nothing::NotPlayed];
    }
    if asked.note.is_empty() && !asked.resample {
        return vec![Nothing::NothingChanged];
    }
    if draws.is_empty() {
        let asked_again = if asked.resample { used.requests.len() as u64 } else { 0 };
        return vec![match requests.max(asked_again) {
            0 => Nothing::Unused,
            requests => Nothing::SameAnswers { requests },
        }];
    }
    let each = draws.iter().map(|(stream, counter)| {
        let (stream, counter) = (stream.clone(), *counter);
        match used.drawn_at(&stream, counter) {
            Some(_) => Nothing::SameOutcome { stream, counter },
            None => {
                let drawn =
                    used.drawn.get(&stream).and_then(|steps| steps.last()).map_or(0, |(count, _)| *count);
                Nothing::NeverDrawn { stream, counter, drawn }
            }
        }
    });
    each.collect()
}

/// What a branching asked to be different.
fn what(asked: &ForkAsked) -> String {
    match (asked.note.as_str(), asked.resample) {
        ("", true) => "models are called again".to_owned(),
        ("", false) => "nothing".to_owned(),
        (note, _) => note.to_owned(),
    }
}
