//! Where words come from, and whether a fact was shown: the two questions that a damaged effect raises.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{Event, EventName, Input, Item, Number, Place, Seat, Source as SpanSource, Span};

use super::{Explainer, fields};
use crate::rebuild::rebuild_in;
use crate::{LoadError, Part};

/// Steps that words are followed back over; a tale in which they go through more hands is cut there.
const STEPS_MAX: usize = 256;
/// Events of one prompt that are named as holding words: more are a name, and nobody reads them.
const SHOWN_IN_MAX: usize = 12;

/// The way of some words back to where they came up first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Trace {
    /// The words.
    pub words: String,
    /// The events through which they went, from the one that was asked about on.
    pub steps: Vec<TraceStep>,
    /// Where they came up.
    pub origin: Origin,
}

/// One hand that words went through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceStep {
    /// The event that holds them.
    pub number: u64,
    /// What kind of event.
    #[schemars(with = "EventName")]
    pub event: &'static str,
    /// The seat whose answer it came of; none where nobody was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// The request that was answered, which showed them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<u64>,
    /// The events that showed them in that request, in order; of many, the first ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown_in: Vec<u64>,
}

/// Where words came up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A model, or a person, said them without having been shown them.
    Reply {
        /// The number of the reply.
        number: u64,
        /// Whose.
        seat: Seat,
    },
    /// A file of the configuration put them into a prompt.
    File {
        /// The file's path in the charter.
        path: String,
        /// The request that showed them.
        request: u64,
        /// To whom.
        seat: Seat,
    },
    /// The referee wrote them, or they came from outside.
    Input {
        /// The number.
        number: u64,
        /// What came.
        what: String,
    },
    /// The event that was asked about does not hold them.
    Nowhere,
}

/// Was a fact shown to whoever caused an effect?
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shown {
    /// The fact's number.
    pub fact: u64,
    /// The request behind the effect.
    pub request: u64,
    /// Who was asked.
    pub seat: Seat,
    /// Did that request show it?
    pub shown: bool,
    /// The last request to the same seat before that one which did; none: it was never shown to that seat.
    pub last_shown: Option<u64>,
}

/// Whoever writes what stands in no file.
pub(super) const REFEREE: &str = "the referee";

/// Requests back in which a fact is looked for.
const LOOKED_AT_MAX: usize = 64;

impl Explainer<'_> {
    /// Follows words from an event back to where they came up; case is passed over.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn trace(&self, number: Number, words: &str) -> Result<Trace, LoadError> {
        let folded = words.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&folded);
        let mut trace = Trace { words: words.to_owned(), steps: Vec::new(), origin: Origin::Nowhere };
        let mut next = number;
        for _ in 0..STEPS_MAX {
            let Some(entry) = self.cursor.entry(next)? else { break };
            let Some((_, event)) = entry.numbered().find(|(at, _)| *at == next) else { break };
            if !has(&self.text(event)?) && !has(&fields(event)) {
                // An event may be shown with more than it says: what an encounter's file has for it.
                let last = trace.steps.last().and_then(|step| Some((step.seat?, step.request?)));
                if let (Some((seat, request)), Some(path)) = (last, self.file_with(next, &has)?) {
                    trace.origin = Origin::File { path, request, seat };
                }
                break;
            }
            let call = entry.input.call();
            let rebuilt = call.map(|call| rebuild_in(&self.cursor, call)).transpose()?.flatten();
            let seat = rebuilt.as_ref().map(|rebuilt| rebuilt.requested.seat);
            let request = rebuilt.as_ref().map(|rebuilt| rebuilt.number.0);
            let parts = rebuilt.iter().flat_map(|rebuilt| &rebuilt.parts);
            let shown_in = shown_in(parts, &has);
            trace.steps.push(TraceStep { number: next.0, event: event.name(), seat, request, shown_in });
            let input = Origin::Input { number: entry.header.first.0, what: self.came(&entry)? };
            let (Some(call), Some(rebuilt)) = (call, rebuilt) else {
                trace.origin = input;
                break;
            };
            let said = self.cursor.reply(call)?.is_some_and(|reply| {
                let calls = &reply.tool_calls;
                has(&reply.text) || calls.iter().any(|call| has(&call.arguments) || has(&call.name))
            });
            let body = matches!(&entry.input, Input::ModelReplied(word) if has(&word.body));
            if !said && !body {
                trace.origin = input;
                break;
            }
            let (seat, request) = (rebuilt.requested.seat, rebuilt.number);
            match self.earliest(&rebuilt.parts, request, &has)? {
                None => {
                    trace.origin = Origin::Reply { number: entry.header.first.0, seat };
                    break;
                }
                Some(Earlier::File(path)) => {
                    trace.origin = Origin::File { path, request: request.0, seat };
                    break;
                }
                Some(Earlier::Event(number)) => next = number,
            }
        }
        Ok(trace)
    }

    /// The earliest source of words in a prompt; none when it does not show them.
    fn earliest(
        &self,
        parts: &[Part],
        request: Number,
        has: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Earlier>, LoadError> {
        let mut earliest: Option<Number> = None;
        let mut state = false;
        for part in parts.iter().filter(|part| has(&part.text)) {
            let Item::Span(Span { source, place, .. }) = &part.item else { continue };
            match (source, place) {
                (SpanSource::Charter, Place::Blob(id, _)) => {
                    return Ok(Some(Earlier::File(self.file(*id, request)?)));
                }
                (SpanSource::Event(number), _) => {
                    earliest = Some(earliest.map_or(*number, |earliest| earliest.min(*number)));
                }
                _ => state = true,
            }
        }
        if earliest.is_none() && state {
            // What the state shows was made so by the last event before it that says the same.
            let found = self.cursor.last(request, |event| has(&fields(event)))?;
            let Some((number, _)) = found else {
                // An encounter's people and places are shown by the state and stand in its file.
                return Ok(self.file_with(request, has)?.map(Earlier::File));
            };
            earliest = Some(number);
        }
        Ok(earliest.map(Earlier::Event))
    }

    /// The first of the charter's files that has the words: the file of the encounter that is being played before all others,
    /// and those of other encounters last.
    fn file_with(&self, number: Number, has: &dyn Fn(&str) -> bool) -> Result<Option<String>, LoadError> {
        let began = self.cursor.last(number, |event| matches!(event, Event::EncounterBegan(_)))?;
        let played = began.and_then(|(at, entry)| {
            entry.numbered().find(|(number, _)| *number == at).and_then(|(_, event)| match event {
                Event::EncounterBegan(word) => Some(format!("encounters/{}.toml", word.encounter)),
                _ => None,
            })
        });
        let files = self.cursor.setup_at(number).files.iter().filter(|file| has(&file.text));
        let rank = |path: &str| match Some(path) == played.as_deref() {
            true => 0,
            false => 1 + u8::from(path.starts_with("encounters/")),
        };
        Ok(files.min_by_key(|file| rank(&file.path)).map(|file| file.path.clone()))
    }

    /// The path of the charter's file with this content; what is in none of them, the referee wrote.
    pub(super) fn file(&self, id: twicetold_event::BlobId, request: Number) -> Result<String, LoadError> {
        let Some(blob) = self.cursor.source().blob(id)? else { return Ok(REFEREE.to_owned()) };
        let mut files = self.cursor.setup_at(request).files.iter();
        let file = files.find(|file| file.text.as_bytes() == blob.content);
        Ok(file.map_or_else(|| REFEREE.to_owned(), |file| file.path.clone()))
    }

    /// Was the fact with this number shown to whoever caused the effect? None where nobody was asked.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn shown(&self, fact: Number, effect: Number) -> Result<Option<Shown>, LoadError> {
        let Some(entry) = self.cursor.entry(effect)? else { return Ok(None) };
        let Some(call) = entry.input.call() else { return Ok(None) };
        let Some(rebuilt) = rebuild_in(&self.cursor, call)? else { return Ok(None) };
        let seat = rebuilt.requested.seat;
        let shows = |parts: &[Part]| parts.iter().any(|part| is_of(&part.item, fact));
        let mut shown = Shown {
            fact: fact.0,
            request: rebuilt.number.0,
            seat,
            shown: shows(&rebuilt.parts),
            last_shown: None,
        };
        let mut before = rebuilt.number;
        for _ in 0..LOOKED_AT_MAX {
            let is_earlier =
                |event: &Event| matches!(event, Event::ModelCallRequested(word) if word.seat == seat);
            let Some(number) = before.0.checked_sub(1).map(Number).filter(|number| *number > fact) else {
                break;
            };
            let Some((number, entry)) = self.cursor.last(number, is_earlier)? else { break };
            let requested = entry.numbered().find_map(|(at, event)| match event {
                Event::ModelCallRequested(word) if at == number => Some(word),
                _ => None,
            });
            let Some(requested) = requested.filter(|_| number > fact) else { break };
            let items = self.cursor.items(number, requested)?;
            if items.iter().any(|item| is_of(item, fact)) {
                shown.last_shown = Some(number.0);
                break;
            }
            before = number;
        }
        Ok(Some(shown))
    }
}

enum Earlier {
    Event(Number),
    File(String),
}

/// The events whose pieces of a prompt hold words.
fn shown_in<'p>(parts: impl Iterator<Item = &'p Part>, has: &dyn Fn(&str) -> bool) -> Vec<u64> {
    let holding = parts.filter(|part| has(&part.text)).filter_map(|part| match &part.item {
        Item::Span(Span { source: SpanSource::Event(number), .. }) => Some(number.0),
        _ => None,
    });
    holding.collect::<BTreeSet<u64>>().into_iter().take(SHOWN_IN_MAX).collect()
}

fn is_of(item: &Item, fact: Number) -> bool {
    matches!(item, Item::Span(Span { source: SpanSource::Event(number), .. }) if *number == fact)
}
