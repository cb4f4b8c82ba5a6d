//! A journal as a report reads it: folded once, every line with its number, every call with what it was made of.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;
use twicetold_event::{
    CallId, CampaignId, Entry, Event, Input, Item, Millis, Purpose, Seat, Source as SpanSource, Span,
};
use twicetold_journal::Source;
use twicetold_model::Parameters;
use twicetold_projection::people::{Line, lines};
use twicetold_projection::recorded;
use twicetold_referee::Campaign;
use twicetold_session::{LoadError, Rebuilt, Walk, charter_of, entries, rebuild_in};
use twicetold_world::State;

use crate::text::grouped;

/// Why there is no report.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The journal cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A page could not be written: a bug.
    #[error("the page could not be written: {0}")]
    Page(#[from] askama::Error),
    /// Something could not be written as JSON: a bug.
    #[error("an event could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// A journal that was read.
pub struct Telling {
    pub(crate) campaign: Campaign,
    pub(crate) id: CampaignId,
    pub(crate) opened: Millis,
    pub(crate) entries: Vec<Entry>,
    /// What people are shown of an event, by its number.
    pub(crate) lines: BTreeMap<u64, Line>,
    pub(crate) calls: BTreeMap<CallId, Call>,
    /// The number after the last one.
    pub(crate) next: u64,
}

/// A model call.
pub(crate) struct Call {
    /// The number that asked for it.
    pub(crate) number: u64,
    pub(crate) seat: Seat,
    pub(crate) purpose: Purpose,
    pub(crate) model: String,
    /// What it was asked with beside words: temperature, seed, most tokens.
    pub(crate) settings: String,
    /// Estimated tokens of the request.
    pub(crate) tokens: u32,
    pub(crate) digest: String,
    /// Was the request rebuilt with that very digest?
    pub(crate) exact: bool,
    /// Events that its prompt was made of.
    pub(crate) sources: BTreeSet<u64>,
    /// Bytes that come from the charter, and bytes that show the state.
    pub(crate) bytes: (usize, usize),
    /// The number of the reply, once there is one.
    pub(crate) reply: Option<u64>,
    /// Tokens read and written, as the server counted them.
    pub(crate) spent: (u64, u64),
}

impl Telling {
    /// Reads a journal.
    ///
    /// # Errors
    /// It is damaged, or has no charter that this build can read.
    pub fn read(source: &dyn Source) -> Result<Telling, ReportError> {
        let (charter, setup) = charter_of(source)?;
        let campaign = Campaign::new(charter, setup).map_err(LoadError::from)?;
        let mut telling = Telling {
            campaign,
            id: CampaignId([0; 16]),
            opened: Millis(0),
            entries: Vec::new(),
            lines: BTreeMap::new(),
            calls: BTreeMap::new(),
            next: 0,
        };
        for entry in entries(source)? {
            telling.add(entry?)?;
        }
        let walk = Walk::new(source, telling.campaign.amended())?;
        for call in telling.asked() {
            let Some(rebuilt) = rebuild_in(&walk, call)? else { continue };
            telling.calls.insert(call, Call::of(&rebuilt));
        }
        telling.answers();
        Ok(telling)
    }

    fn add(&mut self, entry: Entry) -> Result<(), LoadError> {
        let header = entry.header;
        let unreadable = |why: String| LoadError::Entry { number: header.first, why };
        self.campaign.fold(&entry).map_err(|why| unreadable(why.to_string()))?;
        // A branch bears its own name from its first own entry on.
        if self.entries.is_empty() || self.id != header.campaign {
            (self.id, self.opened) = (header.campaign, header.at);
        }
        let shown = lines(self.campaign.state(), self.campaign.replies(), &entry);
        self.lines.extend(shown.into_iter().map(|line| (line.number, line)));
        self.next = header.next().0;
        self.entries.push(entry);
        Ok(())
    }

    /// All calls in order.
    pub(crate) fn asked(&self) -> Vec<CallId> {
        let events = self.entries.iter().flat_map(|entry| &entry.events);
        let calls = events.filter_map(|event| match event {
            Event::ModelCallRequested(word) => Some(word.call),
            _ => None,
        });
        calls.collect()
    }

    /// Notes at each call what answered it.
    fn answers(&mut self) {
        for entry in &self.entries {
            let number = entry.header.first.0;
            let Some(call) = entry.input.call().and_then(|call| self.calls.get_mut(&call)) else { continue };
            match &entry.input {
                Input::ModelReplied(word) => {
                    call.reply = call.reply.or(Some(number));
                    call.spent = (word.usage.input_tokens, word.usage.output_tokens);
                }
                Input::PersonAnswered(_) => {
                    call.reply = Some(number);
                    "a person".clone_into(&mut call.model);
                }
                _ => {}
            }
        }
    }

    /// The campaign as it stands at the journal's end.
    pub(crate) fn state(&self) -> &State {
        self.campaign.state()
    }

    /// The entry and the event with this number; no event for the number of an input.
    pub(crate) fn at(&self, number: u64) -> Option<(&Entry, Option<&Event>)> {
        let place = self.entries.partition_point(|entry| entry.header.first.0 <= number).checked_sub(1)?;
        let entry = &self.entries[place];
        let offset = usize::try_from(number - entry.header.first.0).ok()?;
        match offset.checked_sub(1) {
            None => Some((entry, None)),
            Some(event) => Some((entry, Some(entry.events.get(event)?))),
        }
    }

    /// What kind of input or event has this number, and what people are shown of it.
    pub(crate) fn hint(&self, number: u64) -> Option<(&'static str, String)> {
        let (entry, event) = self.at(number)?;
        let Some(event) = event else { return Some((entry.input.name(), self.answered(entry))) };
        let text = match (self.lines.get(&number), event) {
            (Some(line), _) if line.speaker.is_empty() => line.text.clone(),
            (Some(line), _) => format!("{}: {}", line.speaker, line.text),
            (None, Event::TurnBegan(word)) => {
                format!("turn {} of {}", word.turn, self.state().seat_name(word.seat))
            }
            (None, Event::ScenarioSet(word)) => {
                twicetold_projection::words(self.campaign.replies(), &word.public).trim().to_owned()
            }
            (None, Event::NpcRemembered(word)) => word.text.clone(),
            (None, Event::NudgeGiven(word)) => word.text.clone(),
            _ => recorded(event).unwrap_or_default(),
        };
        Some((event.name(), text))
    }

    fn answered(&self, entry: &Entry) -> String {
        let call = entry.input.call().and_then(|call| self.calls.get(&call));
        call.map_or_else(String::new, |call| format!("{} ({})", call.seat, call.model))
    }

    /// The seat that an event is about: its own, or whoever is answered by its entry.
    pub(crate) fn seat(&self, entry: &Entry, event: Option<&Event>) -> Option<Seat> {
        let answered = || entry.input.call().and_then(|call| self.calls.get(&call)).map(|call| call.seat);
        event.and_then(crate::export::seat_of).or_else(answered)
    }
}

impl Call {
    fn of(rebuilt: &Rebuilt) -> Call {
        let requested = &rebuilt.requested;
        let (mut sources, mut bytes) = (BTreeSet::new(), (0, 0));
        for part in &rebuilt.parts {
            let Item::Span(Span { source, .. }) = &part.item else { continue };
            match source {
                SpanSource::Charter => bytes.0 += part.text.len(),
                SpanSource::State => bytes.1 += part.text.len(),
                SpanSource::Event(number) => drop(sources.insert(number.0)),
            }
        }
        Call {
            number: rebuilt.number.0,
            seat: requested.seat,
            purpose: requested.purpose,
            model: rebuilt.request.parameters.model.clone(),
            settings: settings(&rebuilt.request.parameters),
            tokens: requested.tokens,
            digest: requested.digest.to_string(),
            exact: rebuilt.is_exact(),
            sources,
            bytes,
            reply: None,
            spent: (0, 0),
        }
    }
}

/// The settings of a request, as people write them. What is not sent is left to the server.
fn settings(parameters: &Parameters) -> String {
    let temperature = parameters.temperature_milli.map(|milli| {
        let text = format!("{}.{:03}", milli / 1_000, milli % 1_000);
        format!("temperature {}", text.trim_end_matches('0').trim_end_matches('.'))
    });
    let seed = parameters.seed.map(|seed| format!("seed {seed}"));
    let most = format!("at most {} tokens to answer", grouped(u64::from(parameters.tokens_max)));
    temperature.into_iter().chain(seed).chain([most]).collect::<Vec<_>>().join(", ")
}
