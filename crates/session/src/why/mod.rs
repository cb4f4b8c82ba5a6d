//! Why: from an effect to the tool call, the reply, the request and the events behind its words. Recorded edges only.
//!
//! It proves what the model was given, what it answered and what the rules made of it; not why the model chose so.

mod goal;
mod refused;
mod subject;
mod trace;

use serde::Serialize;
use twicetold_event::{CallId, Entry, Event, Input, Item, Number, Place, Source as SpanSource, Span, Text};
use twicetold_journal::Source;
use twicetold_model::Reply;
use twicetold_projection::describe;

use crate::rebuild::rebuild_in;
use crate::walk::Walk;
use crate::{LoadError, Loaded, Rebuilt};

pub use goal::{Appearance, GoalStep, GoalWhy, goal_history, goal_ids, why_goal};
pub use refused::{WhyNot, why_not_goal};
pub use subject::Subject;
pub use trace::{Origin, Shown, Trace, TraceStep};

/// Sources that one step further back is taken at: the newest ones, so that a deep answer can still be read.
const SOURCES_MAX: usize = 8;
/// Steps back to the opening that are kept; the last of them is the opening.
const TRIGGERS_MAX: usize = 400;

/// Why something happened.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// Its number.
    pub number: u64,
    /// What kind of event.
    pub event: &'static str,
    /// The turn that it belongs to.
    pub turn: u32,
    /// What happened, in words.
    pub text: String,
    /// What made it happen.
    pub cause: Cause,
    /// The request that was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestWhy>,
    /// What led to what, from the request back to the opening: number and what happened.
    pub triggers: Vec<(u64, String)>,
    /// The same for what the request showed, as far back as was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Why>,
}

/// What made something happen.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A tool call that the rules let through.
    Tool {
        /// The call.
        call: ToolCallWhy,
        /// The rules that let it through, with what they observed.
        checks: Vec<(String, String)>,
    },
    /// A tool call, or a whole reply, that the rules did not let through.
    Refused {
        /// The call; a reply that was rejected whole has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        call: Option<ToolCallWhy>,
        /// The rule.
        rule: String,
        /// What it observed.
        observed: String,
        /// What was advised instead.
        advice: String,
    },
    /// Words of a reply.
    Words {
        /// The number of the reply.
        reply: u64,
        /// First byte of the reply's words, and the one after the last.
        bytes: (u32, u32),
    },
    /// The referee decided it when this came.
    Rule {
        /// The number of the input.
        input: u64,
        /// What came.
        what: String,
    },
}

/// A tool call in its reply.
#[derive(Clone, Debug, Serialize)]
pub struct ToolCallWhy {
    /// The number of the reply.
    pub reply: u64,
    /// Which of the reply's calls, counted from 0.
    pub index: u16,
    /// The tool.
    pub name: String,
    /// The raw arguments.
    pub arguments: String,
    /// The words beside the call.
    pub words: String,
    /// The byte of the recorded body at which the arguments begin, where it can be told.
    pub byte: Option<usize>,
}

/// A request and what it was made of.
#[derive(Clone, Debug, Serialize)]
pub struct RequestWhy {
    /// The number that decided it.
    pub number: u64,
    /// The seat that was asked.
    pub seat: String,
    /// The model; empty where a person was asked.
    pub model: String,
    /// Its settings: temperature in thousandths, seed, most tokens.
    pub settings: (Option<u32>, Option<u32>, u32),
    /// Estimated tokens.
    pub tokens: u32,
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
#[derive(Clone, Debug, Serialize)]
pub struct SpanWhy {
    /// The event.
    pub number: u64,
    /// What kind of event.
    pub event: &'static str,
    /// Its words in the prompt.
    pub text: String,
    /// The campaign that the party brought it from, and the number there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carried: Option<Carried>,
}

/// Whoever may be asked about a campaign: its journal, and the campaign that was loaded from it.
pub struct Asker<'s> {
    walk: Walk<'s>,
    loaded: &'s Loaded,
}

impl<'s> Asker<'s> {
    /// For a journal and the campaign that was loaded from it.
    ///
    /// # Errors
    /// The charter cannot be read.
    pub fn new(source: &'s dyn Source, loaded: &'s Loaded) -> Result<Asker<'s>, LoadError> {
        Ok(Asker { walk: Walk::new(source, loaded.campaign.amended())?, loaded })
    }

    /// Why the event with this number happened, and the same for what stood in the prompt, `depth` steps back; none when there is no
    /// such number. The number of an input stands for what first came of it.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn why(&self, number: Number, depth: u32) -> Result<Option<Why>, LoadError> {
        let Some(entry) = self.walk.entry(number)? else { return Ok(None) };
        let number = number.max(Number(entry.header.first.0 + 1)).min(Number(entry.header.next().0 - 1));
        let Some((_, event)) = entry.numbered().find(|(at, _)| *at == number) else { return Ok(None) };
        let cause = self.cause(&entry, number, event)?;
        let answered = entry.input.call();
        let (request, triggers) = match answered {
            Some(call) => (self.request(call)?, self.triggers(call)?),
            None => (None, vec![(entry.header.first.0, self.came(&entry)?)]),
        };
        let mut sources = Vec::new();
        if depth > 1
            && let Some(request) = &request
        {
            let mut numbers: Vec<u64> = request.spans.iter().map(|span| span.number).collect();
            numbers.sort_unstable_by(|one, other| other.cmp(one));
            numbers.dedup();
            for number in numbers.into_iter().take(SOURCES_MAX) {
                sources.extend(self.why(Number(number), depth - 1)?);
            }
        }
        let (turn, text) = (entry.header.turn, self.text(event)?);
        Ok(Some(Why { number: number.0, event: event.name(), turn, text, cause, request, triggers, sources }))
    }

    /// The request behind an event, rebuilt; none where no model was asked.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn prompt(&self, number: Number) -> Result<Option<Rebuilt>, LoadError> {
        let Some(entry) = self.walk.entry(number)? else { return Ok(None) };
        // Of a request itself the prompt is its own; of everything else that which was answered.
        let own = entry.numbered().find(|(at, _)| *at == number).and_then(|(_, event)| match event {
            Event::ModelCallRequested(word) => Some(word.call),
            _ => None,
        });
        match own.or(entry.input.call()) {
            Some(call) => rebuild_in(&self.walk, call),
            None => Ok(None),
        }
    }

    fn cause(&self, entry: &Entry, number: Number, event: &Event) -> Result<Cause, LoadError> {
        if let Event::ToolRefused(word) = event {
            let call = self.tool_call(entry, word.call, word.index)?;
            let (rule, observed, advice) = (word.rule.clone(), word.observed.clone(), word.advice.clone());
            return Ok(Cause::Refused { call: Some(call), rule, observed, advice });
        }
        if let Event::ReplyRejected(word) = event {
            let (rule, advice) = (word.rule.clone(), word.advice.clone());
            return Ok(Cause::Refused { call: None, rule, observed: String::new(), advice });
        }
        let accepted = entry.numbered().filter_map(|(at, event)| match event {
            Event::ToolAccepted(word) if at <= number && number.0 <= at.0 + u64::from(word.effects) => {
                Some(word)
            }
            _ => None,
        });
        if let Some(word) = accepted.last() {
            let call = self.tool_call(entry, word.call, word.index)?;
            let checks = word.checks.iter().map(|check| (check.rule.clone(), check.observed.clone()));
            return Ok(Cause::Tool { call, checks: checks.collect() });
        }
        if let Some(Text::Reply { call, start, end }) = words(event)
            && let Some(reply) = self.walk.answer(*call)?
        {
            return Ok(Cause::Words { reply: reply.header.first.0, bytes: (*start, *end) });
        }
        Ok(Cause::Rule { input: entry.header.first.0, what: self.came(entry)? })
    }

    /// What happened, in words: those that were spoken, what the table saw, or the fields themselves.
    fn text(&self, event: &Event) -> Result<String, LoadError> {
        if let Some(text) = words(event) {
            return match text {
                Text::Written(text) => Ok(text.clone()),
                Text::Reply { call, start, end } => {
                    let reply = self.walk.reply(*call)?.map(|reply| reply.text).unwrap_or_default();
                    Ok(reply.get(*start as usize..*end as usize).unwrap_or_default().to_owned())
                }
            };
        }
        let campaign = &self.loaded.campaign;
        let told = describe(campaign.state(), campaign.replies(), event);
        Ok(told.unwrap_or_else(|| fields(event)))
    }

    fn request(&self, call: CallId) -> Result<Option<RequestWhy>, LoadError> {
        let Some(rebuilt) = rebuild_in(&self.walk, call)? else { return Ok(None) };
        let parameters = &rebuilt.request.parameters;
        let mut why = RequestWhy {
            number: rebuilt.number.0,
            seat: rebuilt.requested.seat.to_string(),
            model: parameters.model.clone(),
            settings: (parameters.temperature_milli, parameters.seed, parameters.tokens_max),
            tokens: rebuilt.requested.tokens,
            digest: rebuilt.requested.digest.to_string(),
            exact: rebuilt.is_exact(),
            spans: Vec::new(),
            templates: Vec::new(),
            state_bytes: 0,
        };
        for part in &rebuilt.parts {
            let Item::Span(Span { source, place, .. }) = &part.item else { continue };
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
                SpanSource::Event(number) => {
                    let (event, carried) = self.origin(*number)?;
                    why.spans.push(SpanWhy { number: number.0, event, text: part.text.clone(), carried });
                }
            }
        }
        Ok(Some(why))
    }

    /// What kind of event a number is, and where a party brought it from.
    fn origin(&self, number: Number) -> Result<(&'static str, Option<Carried>), LoadError> {
        let Some(entry) = self.walk.entry(number)? else { return Ok(("unknown", None)) };
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

    /// From a call back to the opening: the step that asked for it, what that step answered, and so on.
    fn triggers(&self, call: CallId) -> Result<Vec<(u64, String)>, LoadError> {
        let mut chain = Vec::new();
        let mut wanted = Some(call);
        while let Some(call) = wanted
            && chain.len() < TRIGGERS_MAX
        {
            let Some((number, word)) = self.walk.request(call)? else { break };
            let Some(entry) = self.walk.entry(number)? else { break };
            let first = entry.header.first.0;
            chain.push((first, format!("{}, so {} was asked", self.came(&entry)?, word.seat)));
            wanted = entry.input.call().filter(|before| *before < call);
        }
        Ok(chain)
    }

    /// What an entry's input was, in words.
    fn came(&self, entry: &Entry) -> Result<String, LoadError> {
        let speaker = entry.events.iter().find_map(|event| match event {
            Event::MessageSpoken(word) => Some(word.seat.to_string()),
            _ => None,
        });
        Ok(match (&entry.input, speaker) {
            (Input::OpeningAsked(_), _) => "the campaign was opened".to_owned(),
            (Input::ModelReplied(_) | Input::PersonAnswered(_), Some(speaker)) => {
                format!("{speaker} answered")
            }
            (Input::ModelReplied(_), None) => "a model answered with tool calls or a summary".to_owned(),
            (Input::PersonAnswered(_), None) => "a person answered".to_owned(),
            (Input::ForkAsked(_), _) => "a branch began".to_owned(),
            (Input::ResumeAsked(_), _) => "the campaign was resumed".to_owned(),
            (Input::TimerFired(_), _) => "it was time to try again".to_owned(),
            (Input::ModelFailed(_), _) => "a call failed".to_owned(),
            (input, _) => input.name().to_owned(),
        })
    }

    fn tool_call(&self, entry: &Entry, call: CallId, index: u16) -> Result<ToolCallWhy, LoadError> {
        // A call that a person made stands in no body of a server.
        let body = match &entry.input {
            Input::ModelReplied(word) if word.call == call => word.body.as_str(),
            _ => "",
        };
        let reply = self.walk.reply(call)?;
        let made = reply.as_ref().and_then(|reply| reply.tool_calls.get(usize::from(index)));
        let (name, arguments) =
            made.map_or((String::new(), String::new()), |made| (made.name.clone(), made.arguments.clone()));
        let byte = place(body, &arguments);
        let words = reply.map_or_else(String::new, |reply: Reply| reply.text);
        Ok(ToolCallWhy { reply: entry.header.first.0, index, name, arguments, words, byte })
    }
}

/// The byte of a body at which arguments begin: they stand in it as a JSON string, or within one.
fn place(body: &str, arguments: &str) -> Option<usize> {
    if arguments.is_empty() || body.is_empty() {
        return None;
    }
    let mut quoted = String::new();
    twicetold_dialect::push_json_string(&mut quoted, arguments);
    body.find(&quoted)
        .or_else(|| body.find(&quoted[1..quoted.len() - 1]))
        .or_else(|| body.find(arguments.get(..24).unwrap_or(arguments)))
}

/// The words that an event consists of.
fn words(event: &Event) -> Option<&Text> {
    match event {
        Event::MessageSpoken(word) => Some(&word.text),
        Event::SummaryWritten(word) => Some(&word.text),
        Event::PartyDocumentUpdated(word) => Some(&word.text),
        Event::DialogueSummarised(word) => Some(&word.text),
        Event::FactLearned(word) => Some(&word.text),
        _ => None,
    }
}

/// A value without the marks of JSON; what is a row of bytes as its beginning in hexadecimal digits.
fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(items) if items.len() >= 16 && items.iter().all(is_byte) => {
            let bytes = items.iter().take(6).filter_map(serde_json::Value::as_u64);
            bytes.map(|byte| format!("{byte:02x}")).collect()
        }
        serde_json::Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join("; "),
        serde_json::Value::Object(fields) => match (fields.get("key"), fields.get("value")) {
            (Some(key), Some(value)) if fields.len() == 2 => format!("{} is {}", plain(key), plain(value)),
            _ => {
                let shown = fields.iter().map(|(name, value)| format!("{name} {}", plain(value)));
                shown.collect::<Vec<_>>().join(", ")
            }
        },
        other => other.to_string(),
    }
}

fn is_byte(value: &serde_json::Value) -> bool {
    value.as_u64().is_some_and(|number| number < 256)
}

/// An event's fields, for one that nobody at the table is told of.
fn fields(event: &Event) -> String {
    match serde_json::to_value(event) {
        Ok(serde_json::Value::Object(fields)) => {
            let shown = |(name, value): (&String, &serde_json::Value)| format!("{name}: {}", plain(value));
            let says = |(_, value): &(&String, &serde_json::Value)| {
                !value.is_null()
                    && value.as_str() != Some("")
                    && value.as_array().is_none_or(|list| !list.is_empty())
            };
            fields.iter().filter(says).map(shown).collect::<Vec<_>>().join(", ")
        }
        _ => event.name().to_owned(),
    }
}
