//! The request behind an event: who was asked, who answered, and what the request was made of.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{
    CallId, Entry, Event, EventName, Input, Item, Number, Place, Purpose, Seat, Source as SpanSource, Span,
};
use twicetold_model::Usage;

use super::{Explainer, trace};
use crate::LoadError;
use crate::rebuild::rebuild_in;

/// A request and what it was made of.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RequestWhy {
    /// The number that decided it.
    pub number: u64,
    /// The seat that was asked.
    pub seat: Seat,
    /// What for.
    #[serde(skip)]
    pub purpose: Purpose,
    /// The number of the reply; none where nothing answered.
    #[serde(skip)]
    pub reply: Option<u64>,
    /// The model; empty where a person answered.
    pub model: String,
    /// The person who answered; none where a model did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The model's settings: temperature in thousandths, seed, most tokens; nothing and 0 where a person answered.
    pub settings: (Option<u32>, Option<u32>, u32),
    /// Estimated tokens.
    pub tokens: u32,
    /// Tokens as the server counted them; none where its reply does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The recorded digest.
    pub digest: String,
    /// Was the request rebuilt with that very digest?
    pub exact: bool,
    /// Its pieces of text that come from events, in order of the prompt.
    pub spans: Vec<SpanWhy>,
    /// Bytes that come from the charter: templates, by their files.
    pub templates: Vec<(String, usize)>,
    /// Bytes that show the state at the request.
    pub state_bytes: usize,
}

/// A campaign and the number there.
pub type Carried = (String, u64);

/// A piece of a prompt with the event behind it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SpanWhy {
    /// The event.
    pub number: u64,
    /// What kind of event.
    #[schemars(with = "EventName")]
    pub event: &'static str,
    /// Its words in the prompt.
    pub text: String,
    /// How much its event has in common with what came of the request: a BM25 score in thousandths; 0 is nothing.
    pub weight: u32,
    /// Where in its words the sentence begins that has most in common with it, in bytes.
    pub nearest_at: usize,
    /// The campaign that the party brought it from, and the number there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carried: Option<Carried>,
}

impl RequestWhy {
    /// Its pieces, one of each event: those that have most in common with what came of the request first, then the newest. What has
    /// nothing in common is left out.
    pub fn nearest(&self) -> Vec<&SpanWhy> {
        let mut nearest: Vec<&SpanWhy> = self.spans.iter().filter(|span| span.weight > 0).collect();
        nearest.sort_by_key(|span| (Reverse(span.weight), Reverse(span.number), Reverse(span.text.len())));
        nearest.dedup_by_key(|span| span.number);
        nearest
    }

    /// Who answered, or was to answer.
    pub fn answerer(&self) -> String {
        match self.person.as_deref() {
            None => format!("model {}", self.model),
            Some("") => "answered by a person".to_owned(),
            Some(person) => format!("answered by a person ({person})"),
        }
    }

    /// The settings as people write them; what is not sent is left to the server. Nothing where a person answered.
    pub fn settings(&self) -> String {
        if self.person.is_some() {
            return String::new();
        }
        let (temperature, seed, most) = self.settings;
        let temperature = temperature.map(|milli| {
            let text = format!("{}.{:03}", milli / 1_000, milli % 1_000);
            format!("temperature {}", text.trim_end_matches('0').trim_end_matches('.'))
        });
        let seed = seed.map(|seed| format!("seed {seed}"));
        let most = format!("at most {most} tokens to answer");
        [most].into_iter().chain(temperature).chain(seed).collect::<Vec<_>>().join(", ")
    }
}

impl Explainer<'_> {
    /// The request of a call; none when there is no such call.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn request(&self, call: CallId) -> Result<Option<RequestWhy>, LoadError> {
        // All that came of one reply is asked about in a row.
        if let Some((_, why)) = self.asked.borrow().as_ref().filter(|(known, _)| *known == call) {
            return Ok(Some(why.clone()));
        }
        let why = self.rebuilt(call)?;
        *self.asked.borrow_mut() = why.clone().map(|why| (call, why));
        Ok(why)
    }

    fn rebuilt(&self, call: CallId) -> Result<Option<RequestWhy>, LoadError> {
        let Some(rebuilt) = rebuild_in(&self.cursor, call)? else { return Ok(None) };
        let parameters = &rebuilt.request.parameters;
        let answer = self.cursor.answer(call)?;
        let (mut person, mut usage) = (None, None);
        if let Some(entry) = answer.as_deref() {
            match &entry.input {
                Input::PersonAnswered(_) => person = Some(self.person(entry, rebuilt.requested.seat)?),
                Input::ModelReplied(word) => {
                    usage = Some(word.usage).filter(|usage| *usage != Usage::default())
                }
                _ => {}
            }
        }
        // A request may have been made for a model before somebody sat down: its settings are not theirs.
        let (model, settings) = match person {
            Some(_) => (String::new(), (None, None, 0)),
            None => (
                parameters.model.clone(),
                (parameters.temperature_milli, parameters.seed, parameters.tokens_max),
            ),
        };
        let mut why = RequestWhy {
            number: rebuilt.number.0,
            seat: rebuilt.requested.seat,
            purpose: rebuilt.requested.purpose,
            reply: answer.map(|entry| entry.header.first.0),
            model,
            person,
            settings,
            tokens: rebuilt.requested.tokens,
            usage,
            digest: rebuilt.requested.digest.to_string(),
            exact: rebuilt.is_exact(),
            spans: Vec::new(),
            templates: Vec::new(),
            state_bytes: 0,
        };
        // Values of one event that stand side by side are one piece.
        let mut before = None;
        for part in &rebuilt.parts {
            let Item::Span(Span { source, place, .. }) = &part.item else {
                before = None;
                continue;
            };
            let is_more = before.replace(*source) == Some(*source);
            match source {
                SpanSource::Charter => {
                    let path = match place {
                        Place::Blob(id, _) => self.file(*id, rebuilt.number)?,
                        _ => trace::REFEREE.to_owned(),
                    };
                    match why.templates.iter_mut().find(|(known, _)| *known == path) {
                        Some((_, bytes)) => *bytes += part.text.len(),
                        None => why.templates.push((path, part.text.len())),
                    }
                }
                SpanSource::State => why.state_bytes += part.text.len(),
                SpanSource::Event(_) if is_more && let Some(span) = why.spans.last_mut() => {
                    span.text += &part.text;
                }
                SpanSource::Event(number) => {
                    let (event, carried) = self.origin(*number)?;
                    why.spans.push(SpanWhy {
                        number: number.0,
                        event,
                        text: part.text.clone(),
                        weight: 0,
                        nearest_at: 0,
                        carried,
                    });
                }
            }
        }
        Ok(Some(why))
    }

    /// What kind of event a number is, and where a party brought it from.
    pub(super) fn origin(&self, number: Number) -> Result<(&'static str, Option<Carried>), LoadError> {
        let Some(entry) = self.cursor.entry(number)? else { return Ok(("unknown", None)) };
        let Some((_, event)) = entry.numbered().find(|(at, _)| *at == number) else {
            return Ok((entry.input.name(), None));
        };
        // The events after the party's name what was carried, each with its number at home.
        let carried = entry.numbered().find_map(|(at, event)| match event {
            Event::PartyCarried(word) => {
                let place = number.0.checked_sub(at.0 + 1).and_then(|place| usize::try_from(place).ok())?;
                let home = word.sources.get(place)?;
                Some((word.campaign.to_string(), home.0))
            }
            _ => None,
        });
        Ok((event.name(), carried))
    }

    /// The name of the person who sat on a seat when this entry was written.
    fn person(&self, entry: &Entry, seat: Seat) -> Result<String, LoadError> {
        let is_meant = |event: &Event| matches!(event, Event::SeatTaken(word) if word.seat == seat);
        let taken = self.cursor.last(entry.header.first, is_meant)?;
        let name = taken.and_then(|(number, entry)| {
            entry.numbered().find(|(at, _)| *at == number).and_then(|(_, event)| match event {
                Event::SeatTaken(word) => Some(word.person.clone()),
                _ => None,
            })
        });
        Ok(name.unwrap_or_default())
    }
}
