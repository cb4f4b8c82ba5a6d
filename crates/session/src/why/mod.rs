//! Why: from an effect to the tool call, the reply, the request and the events behind its words. Recorded edges only.
//!
//! It proves what the model was given, what it answered and what the rules made of it; not why the model chose so.

mod asked;
mod goal;
mod ground;
mod ranked;
mod rejected;
mod reply;
mod subject;
mod trace;
mod way;

use std::cell::RefCell;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{
    CallId, CutRule, Entry, Event, EventName, Input, Number, Outcome, Seat, Text, Verdict,
};
use twicetold_journal::Source;
use twicetold_model::Reply;
use twicetold_projection::people::{advice, observed, passed};
use twicetold_projection::{describe, recorded};
use twicetold_referee::Campaign;
use twicetold_referee::replay::event_fields;
use twicetold_world::is_citable;

use crate::cursor::JournalCursor;
use crate::rebuild::rebuild_in;
use crate::{LoadError, Loaded, Rebuilt, entries};

pub use asked::{Carried, RequestWhy, SpanWhy};
pub use goal::{Appearance, EndedWhy, GoalStep, GoalWhy, goal_history, goal_ids, why_goal};
pub use ground::{NeedWhy, OtherWhy, StruckWhy};
pub use rejected::{WhyNot, why_not_goal};
pub use reply::{Became, CallWhy, EffectWhy, ReplyWhy};
pub use subject::Subject;
pub use trace::{Origin, Shown, Trace, TraceStep};

/// Sources that one step further back is taken at: the newest ones, so that a deep answer can still be read.
const SOURCES_MAX: usize = 8;
/// Steps back to the opening that are told: the newest ones, and then the opening itself.
const STEPS_MAX: usize = 400;

/// Why something happened: the chain from its cause back to the opening. Whoever tells of causes dresses this.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Chain {
    /// Its number.
    pub number: u64,
    /// What kind of event.
    #[schemars(with = "EventName")]
    pub event: &'static str,
    /// The turn that it belongs to.
    pub turn: u32,
    /// A text about the event.
    pub text: String,
    /// What made it happen.
    pub cause: Cause,
    /// The request that was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestWhy>,
    /// What led to what, from the request back to the opening: number and what happened.
    pub triggers: Vec<(u64, String)>,
    /// Steps that lie between the last two of them, where there are more than can be told.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: u64,
    /// The same for what the request showed, as far back as was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Chain>,
}

/// Recorded events before a goal that are shown: more would be the story.
const RECORDED_MAX: usize = 4;

/// What made something happen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A tool call that the rules accepted.
    Tool {
        /// The call.
        call: ToolCallWhy,
        /// What the model itself pointed to; none where the tool asks for none.
        #[serde(skip_serializing_if = "Option::is_none")]
        evidence: Option<EvidenceWhy>,
        /// The rules that let it through, with what they observed.
        checks: Vec<(String, String)>,
    },
    /// A tool call, or a whole reply, that the rules rejected.
    Rejected {
        /// The call; a reply that was rejected whole has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        call: Option<ToolCallWhy>,
        /// The rule.
        rule: String,
        /// What it observed.
        observed: String,
        /// What was advised instead.
        advice: String,
        /// The reply that was rejected, cut or passed over without a call; a call says its own.
        #[serde(skip_serializing_if = "Option::is_none")]
        said: Option<SaidWhy>,
    },
    /// Words of a reply.
    Words {
        /// The number of the reply.
        reply: u64,
        /// First byte of the reply's words, and the one after the last.
        bytes: (u32, u32),
    },
    /// The party brought it along.
    Carried {
        /// The campaign that it comes from.
        campaign: String,
        /// The number there.
        number: u64,
    },
    /// The referee decided it when this came.
    Rule {
        /// The number of the input.
        input: u64,
        /// What came.
        what: String,
    },
}

/// A reply, and the words of it that were rejected, or not spoken.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SaidWhy {
    /// The number of the reply.
    pub reply: u64,
    /// Which of its words: from where it was cut on, else all of them.
    pub words: String,
}

/// What a model pointed to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvidenceWhy {
    /// Did all of it happen? Otherwise the call counted without it, the second time it came.
    pub supported: bool,
    /// Each thing that happened, in the model's order.
    pub cited: Vec<CitedWhy>,
    /// Of a goal that shares no word with anything that was cited: what happened, by number, and stood in the same prompt and shares the
    /// most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<(u64, String)>,
    /// What was recorded last in the encounter before it, by number: what checks and words had brought. Of a goal, what shares words with it.
    pub recorded: Vec<(u64, String)>,
}

/// Something that was cited.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CitedWhy {
    /// Its label in the DM's prompts.
    pub label: u32,
    /// The number of what was done or said.
    pub number: u64,
    /// What it was.
    pub text: String,
    /// Of a goal: has it a word in common with the goal, a check that the goal needs or the reason given, names of the party apart?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shares_words: Option<bool>,
}

/// A tool call in its reply.
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
    /// Where the sentence of the words begins that shares the most with what came of the call.
    pub nearest_at: usize,
    /// The byte of the recorded body at which the arguments begin, where it can be told.
    pub byte: Option<usize>,
}

/// Whoever may be asked about a campaign: its journal, and the campaign that was loaded from it.
pub struct Explainer<'s> {
    cursor: JournalCursor<'s>,
    campaign: &'s Campaign,
    steps_max: usize,
    /// The request that was asked about last.
    asked: RefCell<Option<(CallId, RequestWhy)>>,
    texts: RefCell<ranked::Texts>,
}

impl<'s> Explainer<'s> {
    /// For a journal and the campaign that was loaded from it.
    ///
    /// # Errors
    /// The charter cannot be read.
    pub fn new(source: &'s dyn Source, loaded: &'s Loaded) -> Result<Explainer<'s>, LoadError> {
        Explainer::of(source, &loaded.campaign)
    }

    /// The same for a campaign that was folded from the journal to its end.
    ///
    /// # Errors
    /// The charter cannot be read.
    pub fn of(source: &'s dyn Source, campaign: &'s Campaign) -> Result<Explainer<'s>, LoadError> {
        let cursor = JournalCursor::new(source, campaign.amended())?;
        Ok(Explainer {
            cursor,
            campaign,
            steps_max: STEPS_MAX,
            asked: RefCell::default(),
            texts: RefCell::default(),
        })
    }

    /// The journal.
    pub fn source(&self) -> &'s dyn Source {
        self.cursor.source()
    }

    /// The same, with at most so many causes before #0.
    pub fn with_causes_max(self, steps_max: usize) -> Explainer<'s> {
        Explainer { steps_max, ..self }
    }

    /// Why the event with this number happened, and the same for what stood in the prompt, `depth` steps back; none when there is no
    /// such number. The number of an input stands for what first came of it.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn why(&self, number: Number, depth: u32) -> Result<Option<Chain>, LoadError> {
        let Some(entry) = self.cursor.entry(number)? else { return Ok(None) };
        let number = number.max(Number(entry.header.first.0 + 1)).min(Number(entry.header.next().0 - 1));
        let Some((_, event)) = entry.numbered().find(|(at, _)| *at == number) else { return Ok(None) };
        let earlier = self.decided_by(&entry, number, event)?;
        let behind = earlier.as_ref().unwrap_or(&entry);
        let mut cause = self.cause(behind, number, event)?;
        let mut request = behind.input.call().map(|call| self.request(call)).transpose()?.flatten();
        let (turn, text) = (entry.turn_of(number), self.text(event)?);
        if let Some(request) = &mut request {
            let arguments = match &cause {
                Cause::Tool { call, .. } | Cause::Rejected { call: Some(call), .. } => {
                    call.arguments.as_str()
                }
                _ => "",
            };
            let about = format!("{text} {arguments}");
            ranked::rank(&mut request.spans, &about, &mut self.texts.borrow_mut());
        }
        if let Cause::Tool { call, .. } = &mut cause {
            call.nearest_at = ranked::nearest(&call.words, &text);
        }
        let way = self.way(behind)?;
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
        Ok(Some(Chain {
            number: number.0,
            event: event.name(),
            turn,
            text,
            cause,
            request,
            triggers: way.steps,
            left_out: way.left_out,
            sources,
        }))
    }

    /// Every event by which something was rejected, cut or passed over, oldest first: its number and its text, as [`Explainer::why`] gives
    /// it, but without the cause, which takes a hundred times as long.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn rejections(&self) -> Result<Vec<(Number, String)>, LoadError> {
        let mut found = Vec::new();
        for entry in entries(self.source())? {
            for (number, event) in entry?.numbered().filter(|(_, event)| rejected::rejects(event)) {
                found.push((number, self.text(event)?));
            }
        }
        Ok(found)
    }

    /// The request behind an event, rebuilt; none where no model was asked.
    ///
    /// # Errors
    /// The journal is damaged.
    pub fn prompt(&self, number: Number) -> Result<Option<Rebuilt>, LoadError> {
        let Some(entry) = self.cursor.entry(number)? else { return Ok(None) };
        // Of a request itself the prompt is its own; of everything else that which was answered.
        let own = entry.numbered().find(|(at, _)| *at == number).and_then(|(_, event)| match event {
            Event::ModelCallRequested(word) => Some(word.call),
            _ => None,
        });
        match own.or(entry.input.call()) {
            Some(call) => rebuild_in(&self.cursor, call),
            None => Ok(None),
        }
    }

    fn cause(&self, entry: &Entry, number: Number, event: &Event) -> Result<Cause, LoadError> {
        if let Some(mut rejected) = rejected::whole(event) {
            if let Cause::Rejected { said, .. } = &mut rejected {
                *said = self.said(entry, event)?;
            }
            return Ok(rejected);
        }
        if let Some(outcome) = entry.tool_calls().find(|outcome| outcome.holds(number)) {
            let call = self.tool_call(entry, &outcome)?;
            return Ok(match outcome.verdict {
                Verdict::Accepted(word) => {
                    let checks = word.checks.iter().map(|check| (check.rule.clone(), passed(check)));
                    let evidence = self.evidence(entry, &outcome)?;
                    Cause::Tool { call, evidence, checks: checks.collect() }
                }
                Verdict::Rejected(word) => {
                    let (observed, advice) =
                        (observed(&word.rule, &word.values), advice(&word.rule, &word.values));
                    Cause::Rejected {
                        call: Some(call),
                        rule: word.rule.clone(),
                        observed,
                        advice,
                        said: None,
                    }
                }
            });
        }
        if let Some(Text::Reply { call, start, end }) = event.texts().first()
            && let Some(reply) = self.cursor.answer(*call)?
        {
            return Ok(Cause::Words { reply: reply.header.first.0, bytes: (*start, *end) });
        }
        if let (_, Some((campaign, number))) = self.origin(number)? {
            return Ok(Cause::Carried { campaign, number });
        }
        Ok(Cause::Rule { input: entry.header.first.0, what: self.came(entry)? })
    }

    /// The entry of the words by which the next speaker was chosen, where the memory seat was asked in between: its answer let the
    /// table go on and decided nothing.
    fn decided_by(
        &self,
        entry: &Entry,
        number: Number,
        event: &Event,
    ) -> Result<Option<Rc<Entry>>, LoadError> {
        if !matches!(event, Event::SpeakerChosen(_)) || self.answered_by(entry)? != Some(Seat::Memory) {
            return Ok(None);
        }
        let spoken = self.cursor.last(number, |event| matches!(event, Event::MessageSpoken(_)))?;
        Ok(spoken.map(|(_, entry)| entry))
    }

    /// The reply that an event rejects or cuts, and which of its words; none where nobody answered.
    fn said(&self, entry: &Entry, event: &Event) -> Result<Option<SaidWhy>, LoadError> {
        let (call, from, most) = match event {
            Event::SpeechCut(word) => {
                let copied = word.values.get("bytes").filter(|_| word.rule == CutRule::Copied);
                let most = copied.and_then(|bytes| bytes.parse().ok());
                (Some(word.call), word.at as usize, most.unwrap_or(usize::MAX))
            }
            _ => (entry.input.call(), 0, usize::MAX),
        };
        let Some(call) = call else { return Ok(None) };
        let (Some(answer), Some(reply)) = (self.cursor.answer(call)?, self.cursor.reply(call)?) else {
            return Ok(None);
        };
        let to = from.saturating_add(most).min(reply.text.len());
        let words = reply.text.get(from..to).unwrap_or_default().trim().to_owned();
        Ok(Some(SaidWhy { reply: answer.header.first.0, words }))
    }

    /// What the model pointed to with a call.
    fn evidence(&self, entry: &Entry, outcome: &Outcome<'_>) -> Result<Option<EvidenceWhy>, LoadError> {
        let events = entry.numbered().filter(|(number, _)| outcome.holds(*number));
        let mut cites = events.filter_map(|(_, event)| match event {
            Event::EvidenceCited(word) => Some(word),
            _ => None,
        });
        let Some(word) = cites.next() else { return Ok(None) };
        let recorded = self.recorded_before(outcome.number)?;
        let mut cited = Vec::new();
        for one in &word.evidence {
            let Some(answer) = self.cursor.answer(one.call)? else { continue };
            let citable: Vec<_> = answer.numbered().filter(|(_, event)| is_citable(event, true)).collect();
            // Where a reply has several, each has a label of its own.
            let place = match citable.len() {
                ..2 => 0,
                _ => (one.label as usize).saturating_sub(1 + self.citable_before(&answer)?),
            };
            if let Some((number, event)) = citable.get(place) {
                let (label, number, text) = (one.label, number.0, self.text(event)?);
                cited.push(CitedWhy { label, number, text, shares_words: None });
            }
        }
        Ok(Some(EvidenceWhy { supported: word.supported, cited, closest: None, recorded }))
    }

    /// How much of what can be cited happened in the encounter before an entry.
    fn citable_before(&self, entry: &Entry) -> Result<usize, LoadError> {
        let first = entry.header.first;
        let began = |event: &Event| matches!(event, Event::EncounterBegan(_));
        let Some((began, _)) = self.cursor.last(first, began)? else { return Ok(0) };
        let (mut at, mut seat, mut count) = (began, None, 0);
        while at < first {
            let Some(entry) = self.cursor.entry(at)? else { break };
            for (_, event) in entry.numbered().filter(|(number, _)| *number >= began) {
                if let Event::TurnBegan(word) = event {
                    seat = Some(word.seat);
                }
                count += usize::from(is_citable(event, matches!(seat, Some(Seat::Player(_)))));
            }
            at = entry.header.next();
        }
        Ok(count)
    }

    /// What the tools recorded last in the encounter before a number: what checks and words have brought.
    fn recorded_before(&self, number: Number) -> Result<Vec<(u64, String)>, LoadError> {
        let mut recorded = Vec::new();
        let mut end = number;
        while recorded.len() < RECORDED_MAX {
            let before = Number(end.0.saturating_sub(1));
            let Some((at, entry)) = self.cursor.last(before, |event| brought(event).is_some())? else {
                break;
            };
            let Some((_, event)) = entry.numbered().find(|(number, _)| *number == at) else { break };
            if brought(event) != Some(true) {
                break;
            }
            recorded.push((at.0, self.text(event)?));
            end = at;
        }
        recorded.reverse();
        Ok(recorded)
    }

    /// A text about an event: the spoken message, what the table saw, or a sentence if the event is only recorded.
    fn text(&self, event: &Event) -> Result<String, LoadError> {
        if let Some(text) = event.texts().first() {
            return match text {
                Text::Written(text) => Ok(text.clone()),
                Text::Reply { call, start, end } => {
                    let reply = self.cursor.reply(*call)?.map(|reply| reply.text).unwrap_or_default();
                    Ok(reply.get(*start as usize..*end as usize).unwrap_or_default().to_owned())
                }
            };
        }
        let campaign = self.campaign;
        let told = describe(campaign.state(), campaign.replies(), event);
        Ok(told.or_else(|| recorded(event)).unwrap_or_else(|| event.name().to_owned()))
    }

    fn tool_call(&self, entry: &Entry, outcome: &Outcome<'_>) -> Result<ToolCallWhy, LoadError> {
        let (call, index) = outcome.place();
        // A call that a person made stands in no body of a server.
        let body = match &entry.input {
            Input::ModelReplied(word) if word.call == call => word.body.as_str(),
            _ => "",
        };
        let reply = self.cursor.reply(call)?;
        let made = reply.as_ref().and_then(|reply| reply.tool_calls.get(usize::from(index)));
        let (name, arguments) =
            made.map_or((String::new(), String::new()), |made| (made.name.clone(), made.arguments.clone()));
        let byte = place(body, &arguments);
        let words = reply.map_or_else(String::new, |reply: Reply| reply.text);
        Ok(ToolCallWhy { reply: entry.header.first.0, index, name, arguments, words, nearest_at: 0, byte })
    }
}

/// Is it something that play has brought about, or (false) the beginning of what is looked at?
fn brought(event: &Event) -> Option<bool> {
    match event {
        Event::ImportantEventRecorded(_)
        | Event::ItemExchanged(_)
        | Event::ConditionAdded(_)
        | Event::NpcConditionAdded(_)
        | Event::CombatEnded(_) => Some(true),
        Event::EncounterBegan(_) => Some(false),
        _ => None,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
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

/// An event's fields, to look for words in all that it holds.
fn fields(event: &Event) -> String {
    let says = event_fields(event).into_iter().filter(|(_, value)| !value.is_empty());
    says.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join(", ")
}
