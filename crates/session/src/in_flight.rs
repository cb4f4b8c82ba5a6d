//! The effect in flight: an event that arrives meanwhile must not start the pending effect twice.

use std::collections::{BTreeMap, BTreeSet};

use twicetold_event::{CallId, Millis, Seat, TimerFired};
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
}

/// What is to be done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// This, by whoever asked: it counts as begun.
    Begin(Effect),
    /// Nothing before something is heard.
    Wait,
    /// Nothing: the campaign is paused or has ended.
    Stop,
}

impl InFlight {
    /// The pending effect that is not in flight yet.
    pub fn next(&mut self, campaign: &Campaign) -> Action {
        let Some(effect) = campaign.plan() else { return Action::Stop };
        let asked = self.asked.take();
        let begins = match effect {
            Effect::CallModel { call, seat, .. } => {
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

    /// Is a seat's model making this very call?
    pub fn makes(&self, seat: Seat, call: CallId) -> bool {
        self.calls.get(&seat) == Some(&call)
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
