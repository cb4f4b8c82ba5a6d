//! A campaign as OpenTelemetry traces, by the semantic conventions for generative AI: turns invoke agents, calls chat, tools are executed,
//! and memory is read and written. All of it is a projection of the journal, so that a trace is the same while a campaign is played and
//! any time afterwards: ids are digests of the campaign's id and a sequence number, and times are those of the entries.
//!
//! Each turn is a trace of its own. A campaign is a conversation, whose id all its spans have.

mod content;
mod span;

use twicetold_event::{
    CallId, CampaignId, Entry, Event, Input, Millis, ModelCallRequested, Number, Outcome, Purpose, Seat,
    Verdict,
};
use twicetold_model::{FaultKind, Finish, Reply, Request, ToolCall, Usage};
use twicetold_referee::{Campaign, add_made, said};

use span::{CLIENT, INTERNAL};
pub use span::{Span, SpanId, TraceId, Value, body};

/// Gives the request of a call, where it can be read.
pub type Requests<'r> = &'r dyn Fn(CallId) -> Option<Request>;

/// Makes spans of entries, one entry after the other from the first one on.
pub struct Projector {
    campaign: CampaignId,
    turn: Option<Turn>,
    asked: Option<Asked>,
}

/// The turn that is played, or the one before where none is.
struct Turn {
    number: Number,
    began: Millis,
    turn: u32,
    seat: Seat,
    usage: Usage,
    is_open: bool,
}

/// The call that is pending, and since when its attempt is made.
struct Asked {
    call: CallId,
    seat: Seat,
    purpose: Purpose,
    since: Millis,
    model: Option<Model>,
}

/// The model of a seat.
#[derive(Clone)]
struct Model {
    name: String,
    provider: String,
    tokens_max: u32,
}

impl Projector {
    /// Spans of the campaign with this id. Those of what a branch shares with its parent have the branch's own id too.
    pub fn new(campaign: CampaignId) -> Projector {
        Projector { campaign, turn: None, asked: None }
    }

    /// The spans that are over with this entry. `view` is the campaign after it. Prompts, replies and arguments are part of them where
    /// `requests` is given.
    pub fn add(&mut self, view: &Campaign, entry: &Entry, requests: Option<Requests>) -> Vec<Span> {
        let mut spans = Vec::new();
        let at = entry.header.at;
        let reply = self.input(view, entry, requests, &mut spans);
        let mut calls = entry.tool_calls().peekable();
        let mut seat = reply.as_ref().map(|(seat, _)| *seat);
        let mut tool: Option<(SpanId, Outcome)> = None;
        for (number, event) in entry.numbered() {
            if let Some(outcome) = calls.next_if(|outcome| outcome.number == number) {
                let call = reply.as_ref().and_then(|(_, reply)| called(reply, &outcome));
                let span = self.tool(&outcome, seat, call, at, requests.is_some());
                tool = Some((span.span_id, outcome));
                spans.push(span);
            }
            let within = tool.as_ref().filter(|(_, outcome)| outcome.holds(number)).map(|(id, _)| *id);
            match event {
                Event::ModelCallRequested(word) => self.asked = Some(asked(view, word, at)),
                Event::TurnBegan(word) => {
                    let (turn, whose, usage) = (word.turn, word.seat, Usage::default());
                    self.turn = Some(Turn { number, began: at, turn, seat: whose, usage, is_open: true });
                    seat = None;
                }
                Event::TurnEnded(_) => spans.extend(self.end_turn(view, at)),
                _ => spans.extend(self.memory(number, event, seat, within, at, requests.is_some())),
            }
        }
        spans
    }

    /// What came in: the span of an attempt that is over, and what was answered at which seat.
    fn input(
        &mut self,
        view: &Campaign,
        entry: &Entry,
        requests: Option<Requests>,
        spans: &mut Vec<Span>,
    ) -> Option<(Seat, Reply)> {
        let at = entry.header.at;
        // A request that is made again, after a wait or an interruption.
        if let (Input::TimerFired(_) | Input::ResumeAsked(_), Some(asked)) = (&entry.input, &mut self.asked) {
            asked.since = at;
        }
        let asked = self.asked.take_if(|asked| Some(asked.call) == entry.input.call())?;
        let seat = asked.seat;
        let reply = answer(view, seat, entry);
        match &entry.input {
            Input::ModelReplied(word) => {
                if let Some(turn) = self.turn.as_mut().filter(|turn| turn.is_open) {
                    turn.usage.input_tokens = turn.usage.input_tokens.saturating_add(word.usage.input_tokens);
                    turn.usage.output_tokens =
                        turn.usage.output_tokens.saturating_add(word.usage.output_tokens);
                }
                let mut span = self.attempt(&asked, entry);
                span.add("gen_ai.response.finish_reasons", vec![Value::from(finish(word.finish))]);
                span.usage(&word.usage);
                if let Some(requests) = requests {
                    content::call(&mut span, requests(asked.call).as_ref(), reply.as_ref());
                }
                spans.push(span);
            }
            Input::ModelFailed(word) => {
                let mut span = self.attempt(&asked, entry);
                span.fails(fault(word.fault.kind), word.fault.kind.describe());
                if let Some(request) = requests.and_then(|requests| requests(asked.call)) {
                    content::call(&mut span, Some(&request), None);
                }
                spans.push(span);
                self.asked = Some(asked);
            }
            Input::PersonAnswered(_) => {}
            _ => self.asked = Some(asked),
        }
        Some((seat, reply?))
    }

    /// One attempt at a call, known by the number of the input that ended it.
    fn attempt(&self, asked: &Asked, entry: &Entry) -> Span {
        let name = asked.model.as_ref().map_or("", |model| &model.name);
        let number = entry.header.first;
        let mut span = self.span(number, &format!("chat {name}"), CLIENT, (asked.since, entry.header.at));
        span.add("gen_ai.operation.name", "chat");
        self.agent(&mut span, Some(asked.seat), asked.model.as_ref());
        if let Some(model) = &asked.model {
            span.add("gen_ai.request.max_tokens", u64::from(model.tokens_max));
        }
        span.add("twicetold.purpose", purpose(asked.purpose));
        span
    }

    fn tool(
        &self,
        outcome: &Outcome,
        seat: Option<Seat>,
        call: Option<&ToolCall>,
        at: Millis,
        content: bool,
    ) -> Span {
        let (reply, index) = outcome.place();
        let mut span =
            self.span(outcome.number, &format!("execute_tool {}", outcome.tool()), INTERNAL, (at, at));
        span.add("gen_ai.operation.name", "execute_tool");
        self.agent(&mut span, seat, None);
        span.add("gen_ai.tool.name", outcome.tool());
        span.add("gen_ai.tool.type", "function");
        // A guided model's calls are made by the engine and have no id of a server's.
        let id = call.map(|call| call.id.as_str()).filter(|id| !id.is_empty());
        span.add("gen_ai.tool.call.id", id.map_or_else(|| format!("{}.{index}", reply.0), str::to_owned));
        if let Verdict::Rejected(word) = outcome.verdict {
            span.fails(&word.rule, "rejected by a rule");
        }
        if let Some(call) = call.filter(|_| content) {
            span.add("gen_ai.tool.call.arguments", call.arguments.as_str());
        }
        span
    }

    /// What was asked of the memory, or written into it.
    fn memory(
        &self,
        number: Number,
        event: &Event,
        seat: Option<Seat>,
        within: Option<SpanId>,
        at: Millis,
        content: bool,
    ) -> Option<Span> {
        let (operation, count) = match event {
            Event::MemoryQueried(word) => ("search_memory", word.answer.len()),
            Event::ImportantEventRecorded(_) | Event::SummaryWritten(_) | Event::DialogueSummarised(_) => {
                ("create_memory", 1)
            }
            _ => return None,
        };
        let mut span = self.span(number, operation, INTERNAL, (at, at));
        span.parent_span_id = within.or(span.parent_span_id);
        span.add("gen_ai.operation.name", operation);
        self.agent(&mut span, seat, None);
        span.add("gen_ai.memory.record.count", count as u64);
        if let Event::MemoryQueried(word) = event
            && content
        {
            span.add("gen_ai.memory.query.text", word.text.as_str());
        }
        Some(span)
    }

    fn end_turn(&mut self, view: &Campaign, at: Millis) -> Option<Span> {
        let turn = self.turn.as_mut().filter(|turn| turn.is_open)?;
        turn.is_open = false;
        let turn = self.turn.as_ref()?;
        let (seat, usage) = (turn.seat, turn.usage);
        let mut span =
            self.span(turn.number, &format!("invoke_agent {}", seat.slug()), INTERNAL, (turn.began, at));
        span.parent_span_id = None;
        span.add("gen_ai.operation.name", "invoke_agent");
        self.agent(&mut span, Some(seat), model(view, seat).as_ref());
        span.add("twicetold.turn", u64::from(turn.turn));
        span.usage(&usage);
        Some(span)
    }

    /// A span within the turn that is played; without one, a trace of its own.
    fn span(&self, number: Number, name: &str, kind: u8, (start, end): (Millis, Millis)) -> Span {
        let turn = self.turn.as_ref().map(|turn| turn.number);
        let mut span = Span::new(
            TraceId::of(self.campaign, turn.unwrap_or(number)),
            SpanId::of(self.campaign, number),
            turn.map(|turn| SpanId::of(self.campaign, turn)),
            name,
            kind,
            (start, end),
        );
        span.add("gen_ai.conversation.id", self.campaign.to_string());
        span.add("twicetold.sequence_number", number.0);
        span
    }

    fn agent(&self, span: &mut Span, seat: Option<Seat>, model: Option<&Model>) {
        let seat = seat.or_else(|| self.turn.as_ref().map(|turn| turn.seat));
        if let Some(seat) = seat {
            span.add("gen_ai.agent.name", seat.slug());
        }
        if let Some(model) = model {
            span.add("gen_ai.provider.name", model.provider.as_str());
            span.add("gen_ai.request.model", model.name.as_str());
        }
    }
}

/// What a call was answered, with the calls that the engine made of choices. The campaign may have forgotten it: no prompt shows it.
fn answer(view: &Campaign, seat: Seat, entry: &Entry) -> Option<Reply> {
    let mut reply = match &entry.input {
        Input::ModelReplied(word) => view.wire(seat).decode(&word.body).ok()?,
        Input::PersonAnswered(word) => said(word),
        _ => return None,
    };
    for event in &entry.events {
        if let Event::MoveChosen(chosen) = event {
            add_made(&mut reply, chosen);
        }
    }
    Some(reply)
}

fn asked(view: &Campaign, word: &ModelCallRequested, at: Millis) -> Asked {
    let (call, seat, purpose) = (word.call, word.seat, word.purpose);
    Asked { call, seat, purpose, since: at, model: model(view, seat) }
}

fn model(view: &Campaign, seat: Seat) -> Option<Model> {
    let model = view.state().setup().seats.of(seat)?;
    // The conventions want the name of the protocol's vendor; whose server it is stands in no journal.
    let provider = match model.protocol.as_str() {
        "chat-completions" | "responses" => "openai",
        "anthropic-messages" => "anthropic",
        "gemini" => "gcp.gemini",
        "improv" => "twicetold.improv",
        other => other,
    };
    Some(Model { name: model.model.clone(), provider: provider.to_owned(), tokens_max: model.tokens_max })
}

/// The call of a reply that was decided.
fn called<'r>(reply: &'r Reply, outcome: &Outcome) -> Option<&'r ToolCall> {
    reply.tool_calls.get(usize::from(outcome.place().1)).filter(|call| call.name.starts_with(outcome.tool()))
}

/// As the conventions name it.
pub(crate) fn finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::ToolCalls => "tool_call",
        Finish::Length => "length",
        Finish::Filtered => "content_filter",
        Finish::Other => "other",
    }
}

fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::SessionZero => "session_zero",
        Purpose::Play => "play",
        Purpose::Summary { .. } => "summary",
        Purpose::Dialogue => "dialogue",
        Purpose::DialogueSummary { .. } => "dialogue_summary",
        Purpose::Profile { .. } => "profile",
    }
}

/// `error.type` of a call that failed.
fn fault(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Unreachable => "unreachable",
        FaultKind::Timeout => "timeout",
        FaultKind::Truncated => "truncated",
        FaultKind::TooLarge => "too_large",
        FaultKind::Unauthorized => "unauthorized",
        FaultKind::RateLimited => "rate_limited",
        FaultKind::Server => "server",
        FaultKind::Refused => "refused",
        FaultKind::ContextTooLong => "context_too_long",
        FaultKind::Unreadable => "unreadable",
        FaultKind::ErrorInBody => "error_in_body",
        FaultKind::NoChoices => "no_choices",
        FaultKind::OutOfScript => "out_of_script",
        FaultKind::Crashed => "crashed",
        FaultKind::OutOfCredit => "out_of_credit",
        FaultKind::CallsUnread => "calls_unread",
        FaultKind::Unusable => "unusable",
    }
}
