//! The effect in flight: an event that arrives meanwhile must not start the pending effect twice. Beside it, what the memory seat is asked
//! while a turn goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use twicetold_dialect::sent_digest;
use twicetold_event::{CallId, Input, Millis, Seat, TimerFired, body};
use twicetold_model::{Digest, Request};
use twicetold_referee::{Campaign, Effect};

/// All that is under way outside a table. It lives as long as the program: after a crash nothing is under way.
#[derive(Debug, Default)]
pub struct InFlight {
    /// The call that each seat's model is making; a seat makes one at a time.
    calls: BTreeMap<Seat, CallId>,
    /// Timers that will fire.
    timers: BTreeSet<(CallId, Millis)>,
    /// The person who was asked last, while nothing else was pending.
    asked: Option<(CallId, Seat)>,
    /// What was asked ahead, beside a turn.
    ahead: Option<Ahead>,
}

/// A request that was made before the campaign decided it, and what came of it.
#[derive(Debug)]
struct Ahead {
    /// The request, and the bytes that were sent for it.
    request: Digest,
    sent: Digest,
    /// What came of it; nothing while its model is making it. Its call number is replaced when it is taken.
    made: Option<Input>,
}

impl Ahead {
    /// What was kept, if it is whole.
    fn read(kept: &[u8]) -> Option<Ahead> {
        let (seal, sealed) = kept.split_first_chunk::<32>()?;
        if sealed_by(sealed) != Digest(*seal) {
            return None;
        }
        let (request, frame) = sealed.split_first_chunk::<32>()?;
        let Input::ModelReplied(word) = Input::decode(&body::frames(frame).next()?.ok()?).ok()? else {
            return None;
        };
        let sent = word.sent;
        Some(Ahead { request: Digest(*request), sent, made: Some(Input::ModelReplied(word)) })
    }
}

/// What is to be done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// This, by whoever asked: it counts as begun.
    Begin(Effect),
    /// The pending call was made ahead, and this came of it: an input like any other.
    Answered(Input),
    /// Nothing before something is heard.
    Wait,
    /// Nothing: the campaign is paused or has ended.
    Stop,
}

impl InFlight {
    /// With what an earlier process kept of a reply that came ahead ([`InFlight::kept`]). What cannot be read is nothing.
    #[must_use]
    pub fn with_kept(self, kept: &[u8]) -> InFlight {
        InFlight { ahead: Ahead::read(kept), ..self }
    }

    /// The bytes to keep of a reply that came ahead, so that it is not paid again after a crash; none of a failure, or when nothing came.
    pub fn kept(&self) -> Option<Vec<u8>> {
        let Ahead { request, made, .. } = self.ahead.as_ref()?;
        let input = made.as_ref().filter(|made| matches!(made, Input::ModelReplied(_)))?;
        let mut sealed = request.0.to_vec();
        input.encode(&mut sealed);
        Some([&sealed_by(&sealed).0[..], &sealed].concat())
    }

    /// The pending effect that is not in flight yet.
    pub fn next(&mut self, campaign: &Campaign) -> Action {
        let Some(effect) = campaign.plan() else { return Action::Stop };
        let asked = self.asked.take();
        let begins = match effect {
            Effect::CallModel { call, seat, .. } => {
                if self.is_ahead(campaign, seat, call) {
                    return self.take_ahead(call);
                }
                // Also while the seat is busy with another call, which a person has answered meanwhile: by the time that it could
                // make this one, somebody may have answered this one too.
                let free = !self.calls.contains_key(&seat);
                if free {
                    self.calls.insert(seat, call);
                }
                free
            }
            Effect::SetTimer { call, due } => self.timers.insert((call, due)),
            Effect::AskPerson { call, seat } => {
                self.asked = Some((call, seat));
                asked != self.asked
            }
        };
        if begins { Action::Begin(effect) } else { Action::Wait }
    }

    /// What can be asked ahead, beside the pending effect: each request once.
    pub fn begin_ahead(&mut self, campaign: &Campaign) -> Option<(Seat, Arc<Request>)> {
        campaign.plan()?;
        let (seat, _) = campaign.ahead()?;
        if self.calls.contains_key(&seat) || self.ahead.as_ref().is_some_and(|ahead| ahead.made.is_none()) {
            return None;
        }
        let request = campaign.request_ahead()?;
        let digest = request.digest();
        if self.ahead.as_ref().is_some_and(|ahead| ahead.request == digest) {
            return None;
        }
        let sent = sent_digest(&campaign.wire(seat).encode(&request));
        self.ahead = Some(Ahead { request: digest, sent, made: None });
        Some((seat, Arc::new(request)))
    }

    /// What was asked ahead was made, whatever came of it. How long a server wanted to be left alone was counted from now, which nobody knows
    /// when the call is decided: if it still wants that, it says so again.
    pub fn made_ahead(&mut self, mut made: Input) {
        if let Input::ModelFailed(word) = &mut made {
            word.fault.retry_after_ms = None;
        }
        if let Some(ahead) = self.ahead.as_mut() {
            ahead.made = Some(made);
        }
    }

    /// The actor failed that was making it: the call is made anew when it is decided.
    pub fn failed_ahead(&mut self) {
        self.ahead.take_if(|ahead| ahead.made.is_none());
    }

    /// Is something being asked ahead?
    pub fn makes_ahead(&self) -> bool {
        self.ahead.as_ref().is_some_and(|ahead| ahead.made.is_none())
    }

    /// Is a seat's model making this very call, or has it made it ahead?
    pub fn makes(&self, campaign: &Campaign, seat: Seat, call: CallId) -> bool {
        self.calls.get(&seat) == Some(&call) || self.is_ahead(campaign, seat, call)
    }

    /// Was the pending call asked ahead, in the very bytes in which it would be asked now? The charter may have changed meanwhile.
    fn is_ahead(&self, campaign: &Campaign, seat: Seat, call: CallId) -> bool {
        let Some(ahead) = &self.ahead else { return false };
        let pending = campaign.state().calls().pending.as_ref();
        pending.is_some_and(|pending| pending.call == call && pending.digest == ahead.request)
            && campaign
                .pending_request()
                .is_some_and(|request| sent_digest(&campaign.wire(seat).encode(&request)) == ahead.sent)
    }

    fn take_ahead(&mut self, call: CallId) -> Action {
        let Some(mut made) = self.ahead.take_if(|ahead| ahead.made.is_some()).and_then(|ahead| ahead.made)
        else {
            return Action::Wait;
        };
        match &mut made {
            Input::ModelReplied(word) => word.call = call,
            Input::ModelFailed(word) => word.call = call,
            _ => {}
        }
        Action::Answered(made)
    }

    /// A seat's model has made its call, whatever came of it.
    pub fn made(&mut self, seat: Seat) {
        self.calls.remove(&seat);
    }

    /// A timer has fired.
    pub fn fired(&mut self, timer: &TimerFired) {
        self.timers.remove(&(timer.call, timer.due));
    }
}

/// What stands before a reply that is kept: a file that was damaged holds another.
fn sealed_by(sealed: &[u8]) -> Digest {
    Digest::of("twicetold ahead 1", sealed)
}
