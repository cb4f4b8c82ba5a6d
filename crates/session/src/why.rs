//! Why: from an effect to the tool call, the reply, the request and the events behind its words. Recorded edges only.
//!
//! It proves what the model was given, what it answered and what the rules made of it; not why the model chose so.

use std::collections::BTreeMap;

use serde::Serialize;
use twicetold_dialect::Protocol;
use twicetold_event::{CallId, Check, Event, Input, Item, Number, Seat, Source as SpanSource, Span};
use twicetold_journal::Source;

use crate::{LoadError, Rebuilt, entries, rebuild};

/// Why a goal exists.
#[derive(Clone, Debug, Serialize)]
pub struct GoalWhy {
    /// Its id.
    pub goal: String,
    /// When it is reached.
    pub label: String,
    /// Primary or secondary.
    pub primary: bool,
    /// How it came to be.
    pub origin: GoalOrigin,
    /// The number at which the encounter was resolved by it.
    pub resolved: Option<u64>,
}

/// How a goal came to be.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalOrigin {
    /// It is one of the encounter's own, in the charter since the opening.
    Specification {
        /// The number at which the encounter began.
        encounter_began: u64,
    },
    /// It was registered by a tool call.
    Registered(Box<Registered>),
}

/// The chain behind a registered goal.
#[derive(Clone, Debug, Serialize)]
pub struct Registered {
    /// The number of the registration.
    pub number: u64,
    /// The reason that the model gave.
    pub reason: String,
    /// The rules that let it through, with what they observed.
    pub checks: Vec<(String, String)>,
    /// The tool call.
    pub tool_call: ToolCallWhy,
    /// The request that the reply answers.
    pub request: RequestWhy,
    /// What led to what, from the request back to the opening: number and what happened.
    pub triggers: Vec<(u64, String)>,
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
    /// The model.
    pub model: String,
    /// Estimated tokens.
    pub tokens: u32,
    /// The recorded digest.
    pub digest: String,
    /// Was the request rebuilt with that very digest?
    pub exact: bool,
    /// Its pieces of text that come from events, in order of the prompt.
    pub spans: Vec<SpanWhy>,
    /// Bytes that come from the charter: templates.
    pub charter_bytes: usize,
    /// Bytes that show the state at the request.
    pub state_bytes: usize,
}

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
    pub carried: Option<(String, u64)>,
}

/// The chain behind a goal and the request that it ends in; `None` when there is no such goal.
///
/// # Errors
/// The journal is damaged.
pub fn why_goal(source: &dyn Source, name: &str) -> Result<Option<(GoalWhy, Option<Rebuilt>)>, LoadError> {
    let mut trace = Trace::read(source, name)?;
    let Some((id, label, primary, found)) = trace.goal.take() else { return Ok(None) };
    let resolved = trace.resolved.get(&id).copied();
    let (origin, rebuilt) = match found {
        Found::Specification(number) => (GoalOrigin::Specification { encounter_began: number.0 }, None),
        Found::Registered { number, reason, call, index, checks } => {
            let Some(rebuilt) = rebuild(source, call)? else { return Ok(None) };
            let request = request_why(&rebuilt, &trace);
            let tool_call = tool_call_why(source, &trace.replies, &rebuilt, index)?;
            let triggers = triggers(&trace.steps, call);
            let checks = checks.into_iter().map(|check| (check.rule, check.observed)).collect();
            let registered = Registered { number: number.0, reason, checks, tool_call, request, triggers };
            (GoalOrigin::Registered(Box::new(registered)), Some(rebuilt))
        }
    };
    Ok(Some((GoalWhy { goal: id, label, primary, origin, resolved }, rebuilt)))
}

/// The ids of all goals that a campaign has known, for the one who mistyped.
///
/// # Errors
/// The journal is damaged.
pub fn goal_ids(source: &dyn Source) -> Result<Vec<String>, LoadError> {
    let (_, setup) = crate::charter_of(source)?;
    let mut ids: Vec<String> = Vec::new();
    for entry in entries(source)? {
        for event in entry?.events {
            match event {
                Event::GoalRegistered(word) => ids.push(word.id),
                Event::EncounterBegan(word) => {
                    let spec = setup.encounters.iter().find(|spec| spec.id == word.encounter);
                    ids.extend(spec.into_iter().flat_map(|spec| &spec.goals).map(|goal| goal.id.clone()));
                }
                _ => {}
            }
        }
    }
    Ok(ids)
}

enum Found {
    Specification(Number),
    Registered { number: Number, reason: String, call: CallId, index: u16, checks: Vec<Check> },
}

/// One walk over the journal: what `why` needs of it.
#[derive(Default)]
struct Trace {
    goal: Option<(String, String, bool, Found)>,
    resolved: BTreeMap<String, u64>,
    names: BTreeMap<u64, &'static str>,
    carried: BTreeMap<u64, (String, u64)>,
    replies: BTreeMap<CallId, Number>,
    steps: Vec<StepTrace>,
}

/// An entry in the chain of what led to what.
struct StepTrace {
    first: Number,
    input: String,
    answers: Option<CallId>,
    requests: Option<(CallId, Seat)>,
}

impl Trace {
    fn read(source: &dyn Source, name: &str) -> Result<Trace, LoadError> {
        let (_, setup) = crate::charter_of(source)?;
        let wanted = |id: &str| id == name || id.strip_prefix("dynamic_") == Some(name);
        let mut trace = Trace::default();
        for entry in entries(source)? {
            let entry = entry?;
            if let Input::ModelReplied(word) = &entry.input {
                // What came twice was looked at once.
                trace.replies.entry(word.call).or_insert(entry.header.first);
            }
            let mut accepted = None;
            for (number, event) in entry.numbered() {
                trace.names.insert(number.0, event.name());
                match event {
                    Event::ToolAccepted(word) => accepted = Some(word),
                    Event::PartyCarried(word) => {
                        let numbers = (1..).map(|place| number.plus(place).0);
                        let from = word.sources.iter().map(|source| (word.campaign.to_string(), source.0));
                        trace.carried.extend(numbers.zip(from));
                    }
                    Event::GoalRegistered(word) if wanted(&word.id) => {
                        let Some(accepted) = accepted else { continue };
                        let found = Found::Registered {
                            number,
                            reason: word.reason.clone(),
                            call: accepted.call,
                            index: accepted.index,
                            checks: accepted.checks.clone(),
                        };
                        trace.goal = Some((word.id.clone(), word.label.clone(), word.primary, found));
                    }
                    Event::EncounterBegan(word) if trace.goal.is_none() => {
                        let spec = setup.encounters.iter().find(|spec| spec.id == word.encounter);
                        let goal = spec.and_then(|spec| spec.goals.iter().find(|goal| wanted(&goal.id)));
                        trace.goal = goal.map(|goal| {
                            let label = word.draws.iter().fold(goal.label.clone(), |label, draw| {
                                label.replace(&format!("{{{{{}}}}}", draw.key), &draw.value)
                            });
                            (goal.id.clone(), label, goal.primary, Found::Specification(number))
                        });
                    }
                    Event::EncounterResolved(word) => {
                        trace.resolved.insert(word.outcome.clone(), number.0);
                    }
                    _ => {}
                }
            }
            trace.steps.push(step_trace(&entry));
        }
        Ok(trace)
    }
}

fn step_trace(entry: &twicetold_event::Entry) -> StepTrace {
    let requests = entry.events.iter().find_map(|event| match event {
        Event::ModelCallRequested(word) => Some((word.call, word.seat)),
        _ => None,
    });
    let speaker = entry.events.iter().find_map(|event| match event {
        Event::MessageSpoken(word) => Some(word.seat.to_string()),
        _ => None,
    });
    let input = match (&entry.input, speaker) {
        (Input::OpeningAsked(_), _) => "the campaign was opened".to_owned(),
        (Input::ModelReplied(_), Some(speaker)) => format!("{speaker} answered"),
        (Input::ModelReplied(_), None) => "a model answered with tool calls or a summary".to_owned(),
        (input, _) => input.name().to_owned(),
    };
    StepTrace { first: entry.header.first, input, answers: entry.input.call(), requests }
}

/// From a call back to the opening: the step that asked for it, what that step answered, and so on.
fn triggers(steps: &[StepTrace], call: CallId) -> Vec<(u64, String)> {
    let mut chain = Vec::new();
    let mut wanted = Some(call);
    for step in steps.iter().rev() {
        let Some(call) = wanted else { break };
        let Some((_, seat)) = step.requests.filter(|(requested, _)| *requested == call) else { continue };
        chain.push((step.first.0, format!("{}, so {seat} was asked", step.input)));
        wanted = step.answers;
    }
    chain
}

fn tool_call_why(
    source: &dyn Source,
    replies: &BTreeMap<CallId, Number>,
    rebuilt: &Rebuilt,
    index: u16,
) -> Result<ToolCallWhy, LoadError> {
    let requested = &rebuilt.requested;
    let number = replies.get(&requested.call).copied().unwrap_or_default();
    let bytes = source.entry_holding(number)?.unwrap_or_default();
    let entry = twicetold_event::Entry::decode(&bytes)
        .map_err(|why| LoadError::Entry { number, why: why.to_string() })?;
    let body = match entry.input {
        Input::ModelReplied(word) => word.body,
        _ => String::new(),
    };
    let quirks = twicetold_referee::quirks(&crate::charter_of(source)?.1)?;
    let quirks = quirks.get(&requested.seat);
    let reply = quirks.and_then(|quirks| Protocol::OpenAiChat.decode(&body, quirks).ok());
    let made = reply.as_ref().and_then(|reply| reply.tool_calls.get(usize::from(index)));
    let (name, arguments) =
        made.map_or((String::new(), String::new()), |made| (made.name.clone(), made.arguments.clone()));
    // The arguments stand in the body as a JSON string, or within one: look for them as such.
    let mut quoted = String::new();
    twicetold_dialect::push_json_string(&mut quoted, &arguments);
    let byte = body
        .find(&quoted)
        .or_else(|| body.find(&quoted[1..quoted.len() - 1]).filter(|_| !arguments.is_empty()));
    let byte = byte.or_else(|| body.find(arguments.get(..24).unwrap_or(&arguments)));
    let words = reply.map_or_else(String::new, |reply| reply.text);
    Ok(ToolCallWhy { reply: number.0, index, name, arguments, words, byte })
}

fn request_why(rebuilt: &Rebuilt, trace: &Trace) -> RequestWhy {
    let mut why = RequestWhy {
        number: rebuilt.number.0,
        seat: rebuilt.requested.seat.to_string(),
        model: rebuilt.request.parameters.model.clone(),
        tokens: rebuilt.requested.tokens,
        digest: rebuilt.requested.digest.to_string(),
        exact: rebuilt.is_exact(),
        spans: Vec::new(),
        charter_bytes: 0,
        state_bytes: 0,
    };
    for part in &rebuilt.parts {
        let Item::Span(Span { source, .. }) = &part.item else { continue };
        match source {
            SpanSource::Charter => why.charter_bytes += part.text.len(),
            SpanSource::State => why.state_bytes += part.text.len(),
            SpanSource::Event(number) => why.spans.push(SpanWhy {
                number: number.0,
                event: trace.names.get(&number.0).copied().unwrap_or("unknown"),
                text: part.text.clone(),
                carried: trace.carried.get(&number.0).cloned(),
            }),
        }
    }
    why
}
