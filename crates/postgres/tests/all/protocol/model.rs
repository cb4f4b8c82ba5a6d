//! Everything that can happen next.
//!
//! Every statement is one step, for each locks the campaign's row before it reads it. Between the steps anything may happen: a worker that
//! is held up is one for which nothing happens for a while, a worker whose machine is gone one for which nothing ever does again, and a
//! take whose answer is lost is one whose worker dies at once. A renewal is on the way for no time: one that comes late only lets a lease
//! last for a while longer, or finds an epoch that is over. What goes wrong is counted, so that the states are finite in number and
//! every way comes to an end.

use stateright::{Model, Property};

use super::database::{Answer, Campaign, Until, append, release, renew, take};
use super::guards::{Guard, Guards};
use super::promises;
use super::state::{Phase, Seen, Sent, State, Worker, Writer};

/// How often a writer sends an append whose answer is lost. The code does so six times; the last of them is what differs.
const ATTEMPTS_MAX: u8 = 2;

/// What happens next. Workers and statements are named by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Take {
        worker: usize,
        key: u8,
    },
    Renew {
        worker: usize,
    },
    /// By the clock of the database.
    LeasePasses {
        key: u8,
    },
    /// A reply has come, and is appended.
    Append {
        worker: usize,
    },
    /// A statement reaches the database.
    Arrive {
        sent: usize,
    },
    Hear {
        worker: usize,
    },
    ConnectionBreaks {
        worker: usize,
    },
    Look {
        worker: usize,
    },
    Finish {
        worker: usize,
    },
    /// Its budget is used up, or somebody has to do something: no worker can go on.
    Pause {
        worker: usize,
    },
    LeaveQueue {
        worker: usize,
    },
    /// The process is killed and started again.
    Die {
        worker: usize,
    },
}

/// The protocol, with some of its guards.
#[derive(Clone, Debug)]
pub struct Protocol {
    pub guards: Guards,
    pub campaigns: u8,
    pub workers: usize,
    pub troubles: u8,
}

/// What a writer is told when it cannot go on.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    NothingWritten,
    Fenced,
    Unknown,
}

impl Protocol {
    fn worker_actions(&self, state: &State, worker: usize, actions: &mut Vec<Action>) {
        match &state.workers[worker] {
            Worker::Idle => {
                let keys = 0..self.campaigns;
                actions.extend(keys.map(|key| Action::Take { worker, key }));
            }
            Worker::PutsAway { .. } => {
                actions.extend([Action::LeaveQueue { worker }, Action::Die { worker }])
            }
            Worker::Plays(writer) => {
                actions.extend([Action::Renew { worker }, Action::Die { worker }]);
                actions.push(match writer.phase {
                    Phase::Pays if self.is_over(writer) => Action::Finish { worker },
                    Phase::Pays => Action::Append { worker },
                    Phase::Waits(Some(_)) => Action::Hear { worker },
                    Phase::Waits(None) => Action::ConnectionBreaks { worker },
                    Phase::Doubts | Phase::Refused => Action::Look { worker },
                });
                match writer.phase {
                    Phase::Waits(Some(_)) => actions.push(Action::ConnectionBreaks { worker }),
                    Phase::Pays if !writer.head.is_end() => actions.push(Action::Pause { worker }),
                    _ => {}
                }
            }
        }
    }

    /// Who has written the last entry knows that it was the last; who has taken a campaign must look.
    fn is_over(&self, writer: &Writer) -> bool {
        let is_own = writer.head.chain.lease == writer.lease;
        writer.head.is_end() && (is_own || self.guards.has(Guard::SeesTheEnd))
    }

    /// Lets something happen, if it can.
    fn happens(&self, state: &mut State, action: Action) -> bool {
        match action {
            Action::Take { worker, key } => return self.take(state, worker, key),
            Action::Renew { worker } => return self.renew(state, worker),
            Action::LeasePasses { key } => return self.lease_passes(state, key),
            Action::ConnectionBreaks { worker } => return self.connection_breaks(state, worker),
            Action::Die { worker } => return state.die(worker),
            Action::Pause { worker } => return self.pause(state, worker),
            Action::Append { worker } => state.append(worker),
            Action::Arrive { sent } => self.arrive(state, sent),
            Action::Hear { worker } => self.hear(state, worker),
            Action::Look { worker } => self.look(state, worker),
            Action::Finish { worker } => state.finish(worker),
            Action::LeaveQueue { worker } => self.leave_queue(state, worker),
        }
        true
    }

    fn take(&self, state: &mut State, worker: usize, key: u8) -> bool {
        let campaign = state.campaign_mut(key);
        if !take(campaign, &self.guards) {
            return false;
        }
        let (lease, epoch, head) = (campaign.newest, campaign.epoch, campaign.head);
        let is_put_away = campaign.is_put_away;
        state.seen.retaken |= is_put_away;
        let phase = Phase::Pays;
        let writer = Writer { key, lease, epoch, head, phase, attempts: 0, has_passed: false };
        state.workers[worker] = Worker::Plays(writer);
        true
    }

    /// A lease of nobody passes sooner or later. That of somebody who renews it passes when something holds them up.
    fn lease_passes(&self, state: &mut State, key: u8) -> bool {
        if state.campaign(key).until != Until::Later || !self.guards.has(Guard::LeasePasses) {
            return false;
        }
        if let Some(holder) = state.holder(key) {
            holder.has_passed = true;
            if !state.trouble() {
                return false;
            }
        }
        state.campaign_mut(key).until = Until::Passed;
        true
    }

    fn renew(&self, state: &mut State, worker: usize) -> bool {
        let Worker::Plays(Writer { key, lease, epoch, .. }) = state.workers[worker] else { return false };
        let campaign = state.campaign_mut(key);
        if !renew(campaign, &self.guards, epoch) {
            return false;
        }
        let is_newest = campaign.newest == lease;
        state.seen.meddled |= !is_newest;
        state.lasts_again(key);
        true
    }

    fn arrive(&self, state: &mut State, sent: usize) {
        match state.sent.remove(sent) {
            Sent::Append { asked, is_awaited } => {
                let answer = append(&mut state.campaigns, &self.guards, asked);
                if answer == Answer::Written {
                    state.lasts_again(asked.key);
                }
                if let Some(writer) = state.writer_of(asked.key, asked.lease).filter(|_| is_awaited) {
                    writer.phase = Phase::Waits(Some(answer));
                }
            }
            Sent::Release { key, lease, epoch } => {
                let campaign = state.campaign_mut(key);
                let is_newest = campaign.newest == lease;
                let released = release(campaign, &self.guards, epoch);
                state.seen.meddled |= released && !is_newest;
            }
        }
    }

    fn hear(&self, state: &mut State, worker: usize) {
        let Worker::Plays(writer) = &mut state.workers[worker] else { return };
        match writer.phase {
            Phase::Waits(Some(Answer::Written)) => writer.is_written(),
            Phase::Waits(Some(Answer::NoRow)) if self.guards.has(Guard::LooksAfterNoRow) => {
                writer.phase = Phase::Refused;
            }
            Phase::Waits(Some(Answer::NoRow)) => self.give_up(state, worker, Told::Fenced),
            _ => self.give_up(state, worker, Told::NothingWritten),
        }
    }

    fn connection_breaks(&self, state: &mut State, worker: usize) -> bool {
        let Worker::Plays(writer) = &mut state.workers[worker] else { return false };
        let (key, lease) = (writer.key, writer.lease);
        match self.guards.has(Guard::NoAnswerIsNoYes) {
            true => writer.phase = Phase::Doubts,
            false => writer.is_written(),
        }
        state.nobody_awaits(key, lease);
        state.trouble()
    }

    /// Reads the campaign's row, in one step: what is found there stays there, and what is not may still come later, whether the answer
    /// takes its time or not.
    fn look(&self, state: &mut State, worker: usize) {
        let Worker::Plays(writer) = &state.workers[worker] else { return };
        let found = state.campaign(writer.key);
        let after = writer.after();
        let is_written = match self.guards.has(Guard::LooksByDigest) {
            true => found.head.chain == after.chain,
            false => found.head.next == after.next,
        };
        let is_mine = found.epoch == writer.epoch;
        let is_before = is_mine && found.head == writer.head;
        let blindly = !self.guards.has(Guard::LooksAfterLoss);
        let told = if is_mine { Told::Unknown } else { Told::Fenced };
        match writer.phase {
            Phase::Doubts if blindly => self.try_again(state, worker),
            // Another lease may be newer by now. What is there is there all the same.
            Phase::Doubts if is_written => state.is_written(worker),
            Phase::Doubts if is_before => self.try_again(state, worker),
            Phase::Refused if is_written && is_mine => state.is_written(worker),
            _ => self.give_up(state, worker, told),
        }
    }

    fn try_again(&self, state: &mut State, worker: usize) {
        match &state.workers[worker] {
            Worker::Plays(writer) if writer.attempts < ATTEMPTS_MAX => state.append(worker),
            _ => self.give_up(state, worker, Told::NothingWritten),
        }
    }

    /// What the worker has in memory is ahead of the journal, so it forgets all of it. The campaign waits for whoever takes it next.
    fn give_up(&self, state: &mut State, worker: usize, told: Told) {
        let Worker::Plays(writer) = state.workers[worker].clone() else { return };
        let campaign = state.campaign(writer.key);
        let is_there = campaign.newest == writer.lease && campaign.holds(writer.after().chain);
        state.seen.denied |= told != Told::Unknown && is_there;
        state.seen.robbed |= told == Told::Fenced && !writer.has_passed;
        let stays = self.guards.has(Guard::OthersStay);
        state.campaign_mut(writer.key).is_queued &= stays;
        state.workers[worker] = Worker::Idle;
        state.give_back(&writer);
    }

    /// Drops what nobody waits for and what changes nothing whenever it arrives, for it states an epoch that is over, and none comes back.
    /// Without this there are six to ten times as many states, and the same is found.
    fn forget(&self, state: &mut State) {
        let guards = &self.guards;
        let is_over = |key: u8, epoch| epoch < state.campaigns[usize::from(key)].epoch;
        state.sent.retain(|sent| match *sent {
            Sent::Append { asked, is_awaited } => {
                is_awaited || !guards.has(Guard::EpochOfAppend) || !is_over(asked.key, asked.epoch)
            }
            Sent::Release { key, epoch, .. } => !guards.has(Guard::EpochOfRelease) || !is_over(key, epoch),
        });
    }

    fn leave_queue(&self, state: &mut State, worker: usize) {
        let Worker::PutsAway { key, epoch } = state.workers[worker] else { return };
        state.workers[worker] = Worker::Idle;
        let is_left = self.guards.has(Guard::OverLeaves);
        let campaign = state.campaign_mut(key);
        if campaign.head.is_end() || campaign.epoch == epoch || !self.guards.has(Guard::EpochOfLeave) {
            campaign.is_put_away = campaign.head.is_end();
            campaign.is_queued &= !is_left;
        }
    }

    /// The pause is an entry like any other, so that only the newest lease writes it. It is one step here: what can become of an entry on
    /// its way is seen with the others.
    fn pause(&self, state: &mut State, worker: usize) -> bool {
        let Worker::Plays(Writer { key, lease, .. }) = state.workers[worker] else { return false };
        let campaign = state.campaign_mut(key);
        if campaign.newest == lease {
            campaign.is_paused = true;
            state.finish(worker);
        } else {
            self.give_up(state, worker, Told::Fenced);
        }
        state.trouble()
    }
}

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            campaigns: (0..self.campaigns).map(Campaign::waiting).collect(),
            workers: vec![Worker::Idle; self.workers],
            sent: Vec::new(),
            troubles: self.troubles,
            seen: Seen::default(),
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.extend((0..self.campaigns).map(|key| Action::LeasePasses { key }));
        for worker in 0..state.workers.len() {
            // Two that are the same do the same.
            if worker == 0 || state.workers[worker] != state.workers[worker - 1] {
                self.worker_actions(state, worker, actions);
            }
        }
        actions.extend((0..state.sent.len()).map(|sent| Action::Arrive { sent }));
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut next = last.clone();
        let happens = self.happens(&mut next, action);
        self.forget(&mut next);
        next.workers.sort();
        next.sent.sort();
        (happens && next != *last).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Protocol>> {
        promises::all()
    }
}
