//! One moment, played by a model to the end of its turn, with the referee as judge.

use std::sync::Arc;
use std::time::Duration;

use twicetold_dialect::sent_digest;
use twicetold_event::{AmendmentAsked, CallId, Event, Input, Millis, Seat, Text, TimerFired, TurnEnd};
use twicetold_model::{Fault, Usage};
use twicetold_provider::Provider;
use twicetold_referee::{Campaign, Effect, answered, failed, wire};
use twicetold_world::Life;
use twicetold_world::setup::SeatSetup;

use super::{Counts, Moment, Role, seats_of};
use crate::{Error, Kind, now};

/// Most calls of one moment, with those that failed: a turn has eight replies at most, and a summary one.
const CALLS_MAX: usize = 12;

/// A model that is tried, and what every call of it leads to.
pub struct Trial<'a> {
    provider: &'a dyn Provider,
    model: SeatSetup,
}

impl<'a> Trial<'a> {
    /// A model, in the mode that its compat says.
    ///
    /// # Errors
    /// It cannot be spoken to like this.
    pub fn new(provider: &'a dyn Provider, model: SeatSetup) -> Result<Trial<'a>, Error> {
        wire(&model).map_err(|what| Error::new(Kind::Usage, what, ""))?;
        Ok(Trial { provider, model })
    }

    /// Plays a moment. `goes_on` is told what each call used and says whether another may be made; without that the moment is left where it
    /// is, and nothing is counted. With the counts comes the fault at which the campaign was paused, if it was: such a moment says nothing of
    /// the model.
    ///
    /// # Errors
    /// The campaign takes no such model.
    pub async fn play(
        &self,
        moment: &Moment,
        goes_on: &mut dyn FnMut(&Usage) -> bool,
    ) -> Result<(Counts, Option<Fault>), Error> {
        let mut played = Played::begin(moment, &self.model)?;
        for _ in 0..CALLS_MAX {
            let Some((call, asked)) = played.pending() else { break };
            let Some(body) = asked else {
                played.wait(call).await;
                continue;
            };
            let begun = now();
            let answer = self.provider.complete(&body).await;
            let took = now().0.saturating_sub(begun.0);
            let usage = played.take(call, &body, answer, took);
            let may = goes_on(&usage);
            if played.is_over {
                break;
            }
            if !may {
                return Ok((Counts::default(), None));
            }
        }
        Ok(played.counted())
    }
}

/// Tokens of the first request of a moment, estimated.
pub(super) fn tokens(moment: &Moment, model: &SeatSetup) -> u32 {
    Played::begin(moment, model).map_or(0, |played| played.asked)
}

/// A moment that is being played.
struct Played {
    campaign: Campaign,
    role: Role,
    seat: Seat,
    /// Tokens of the first request, estimated.
    asked: u32,
    /// Has the turn ended?
    is_over: bool,
    counts: Counts,
    /// The last fault, until a call is answered.
    fault: Option<Fault>,
}

impl Played {
    /// The model takes its seat, as at any `resume` with another model: its request is rendered anew.
    fn begin(moment: &Moment, model: &SeatSetup) -> Result<Played, Error> {
        let mut campaign = moment.campaign.clone();
        let broken = |what: String| Error::new(Kind::Failed, what, "");
        let seats = seats_of(campaign.state().setup().seats.players, model);
        let content = toml::to_string(&seats).map_err(|error| broken(error.to_string()))?;
        let asked = Input::AmendmentAsked(AmendmentAsked { path: "seats.toml".into(), content });
        let step = campaign.step(campaign.state().at(), &asked);
        let tokens = step.events.iter().find_map(|event| match event {
            Event::ModelCallRequested(word) => Some(word.tokens),
            _ => None,
        });
        let state = campaign.state();
        let seat = state.calls().pending.as_ref().map(|pending| pending.seat);
        match seat.filter(|_| state.setup().seats == seats) {
            Some(seat) => Ok(Played {
                campaign,
                role: moment.role,
                seat,
                asked: tokens.unwrap_or_default(),
                is_over: false,
                counts: Counts::default(),
                fault: None,
            }),
            None => Err(broken("the campaign cannot be played with this model".into())),
        }
    }

    /// The call that is pending, with its body; without one where it has to wait.
    fn pending(&self) -> Option<(CallId, Option<Arc<str>>)> {
        match self.campaign.plan()? {
            Effect::CallModel { call, seat, .. } => {
                let request = self.campaign.pending_request()?;
                Some((call, Some(Arc::from(self.campaign.wire(seat).encode(&request)))))
            }
            Effect::SetTimer { call, .. } => Some((call, None)),
            Effect::AskPerson { .. } => None,
        }
    }

    /// Waits as long as the referee says, which its limits bound, before the call is made again.
    async fn wait(&mut self, call: CallId) {
        let Some(Effect::SetTimer { due, .. }) = self.campaign.plan() else { return };
        let waits = due.0.saturating_sub(self.campaign.state().at().0);
        tokio::time::sleep(Duration::from_millis(waits)).await;
        self.campaign.step(due, &Input::TimerFired(TimerFired { call, due }));
    }

    /// Takes in what came of a call, as the table does.
    fn take(&mut self, call: CallId, body: &str, answer: Result<String, Fault>, took_ms: u64) -> Usage {
        let (sent, wire) = (sent_digest(body), self.campaign.wire(self.seat));
        let request = self.campaign.pending_request().unwrap_or_default();
        let input = match answer {
            Ok(reply) => answered(&wire, &request, call, sent, reply),
            Err(fault) => failed(call, sent, fault, ""),
        };
        let mut usage = Usage::default();
        match &input {
            Input::ModelReplied(word) => {
                usage = word.usage;
                self.counts.answered(&usage, took_ms);
                self.fault = None;
            }
            Input::ModelFailed(word) => {
                self.counts.faults += 1;
                self.fault = Some(word.fault.clone());
            }
            _ => {}
        }
        let at = Millis(self.campaign.state().at().0 + 1);
        let events = self.campaign.step(at, &input).events;
        events.iter().for_each(|event| self.judge(event));
        // The memory agent is asked once; what follows is another turn.
        self.is_over |= self.role == Role::Memory && self.fault.is_none();
        usage
    }

    /// What the referee decided, as long as it is about this turn.
    fn judge(&mut self, event: &Event) {
        let counts = &mut self.counts;
        let own_words = |text: &Text| matches!(text, Text::Reply { .. });
        match event {
            _ if self.is_over => {}
            Event::ToolAccepted(_) => {
                counts.tool_calls += 1;
                counts.accepted += 1;
                counts.used = 1;
            }
            Event::ToolRejected(_) => counts.tool_calls += 1,
            Event::MessageSpoken(word) if own_words(&word.text) => counts.used = 1,
            Event::SummaryWritten(word) if !word.fallback => counts.used = 1,
            Event::DialogueSummarised(word) if !word.fallback => counts.used = 1,
            Event::NpcProfiled(_) => counts.used = 1,
            Event::CallAbandoned(_) => self.is_over |= self.role == Role::Memory,
            Event::TurnEnded(word) => {
                if matches!(word.why, TurnEnd::Spoken | TurnEnd::Tool) {
                    counts.used = 1;
                }
                self.is_over = true;
            }
            _ => {}
        }
    }

    fn counted(self) -> (Counts, Option<Fault>) {
        // A call that the referee gave up costs the model its turn. Where it paused instead, the server is in trouble.
        if *self.campaign.state().life() != Life::Running && self.fault.is_some() {
            return (Counts { faults: self.counts.faults, ..Counts::default() }, self.fault);
        }
        let calling = u64::from(self.counts.tool_calls > 0);
        (Counts { moments: 1, calling, ..self.counts }, None)
    }
}
