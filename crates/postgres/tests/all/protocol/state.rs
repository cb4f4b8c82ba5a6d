//! Workers, the database, and what is on the way between them, at one moment.

use super::database::{Answer, Append, Campaign, Head, Lease};

/// A worker, which plays one campaign at a time: one that plays sixty-four is sixty-four of these that happen to die together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Worker {
    Idle,
    Plays(Writer),
    /// It has given back what it found to be over or has paused, and is about to take it out of the queue.
    PutsAway {
        key: u8,
        epoch: u8,
    },
}

/// What a worker knows of the campaign that it plays.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Writer {
    pub key: u8,
    pub lease: Lease,
    pub epoch: u8,
    /// What it takes to be durable, and pays for the next reply to.
    pub head: Head,
    pub phase: Phase,
    pub attempts: u8,
    /// Has the lease passed since it was taken or renewed? The worker does not know.
    pub has_passed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// It waits for a model.
    Pays,
    /// It waits for the answer to an append; or the answer is on the way.
    Waits(Option<Answer>),
    /// The answer was lost.
    Doubts,
    /// Its append changed no row.
    Refused,
}

/// A statement that has not reached the database. One that is lost is one that never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sent {
    Append { asked: Append, is_awaited: bool },
    Release { key: u8, lease: Lease, epoch: u8 },
}

/// Everything there is at one moment. Workers are sorted: which of them does something makes no difference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub campaigns: Vec<Campaign>,
    pub workers: Vec<Worker>,
    pub sent: Vec<Sent>,
    /// What may still go wrong.
    pub troubles: u8,
    pub seen: Seen,
}

/// What must never happen and cannot be read off a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seen {
    /// A writer that still held its campaign was told that nothing was written when it was.
    pub denied: bool,
    /// A lease was prolonged or given back by somebody whose lease was an older one.
    pub meddled: bool,
    /// A writer was fenced off while its lease lasted.
    pub robbed: bool,
    /// A campaign was taken after it had been put away.
    pub retaken: bool,
}

impl State {
    pub fn writers(&self) -> impl Iterator<Item = &Writer> {
        self.workers.iter().filter_map(|worker| match worker {
            Worker::Plays(writer) => Some(writer),
            Worker::Idle | Worker::PutsAway { .. } => None,
        })
    }

    pub fn campaign(&self, key: u8) -> &Campaign {
        &self.campaigns[usize::from(key)]
    }

    pub fn campaign_mut(&mut self, key: u8) -> &mut Campaign {
        &mut self.campaigns[usize::from(key)]
    }

    pub fn writer_of(&mut self, key: u8, lease: Lease) -> Option<&mut Writer> {
        let mut writers = self.workers.iter_mut().filter_map(|worker| match worker {
            Worker::Plays(writer) => Some(writer),
            Worker::Idle | Worker::PutsAway { .. } => None,
        });
        writers.find(|writer| (writer.key, writer.lease) == (key, lease))
    }

    /// The campaign's newest lease, if somebody still plays under it.
    pub fn holder(&mut self, key: u8) -> Option<&mut Writer> {
        let newest = self.campaign(key).newest;
        self.writer_of(key, newest)
    }

    /// Its lease ends later than before.
    pub fn lasts_again(&mut self, key: u8) {
        if let Some(holder) = self.holder(key) {
            holder.has_passed = false;
        }
    }

    pub fn nobody_awaits(&mut self, key: u8, lease: Lease) {
        for sent in &mut self.sent {
            if let Sent::Append { asked, is_awaited } = sent
                && (asked.key, asked.lease) == (key, lease)
            {
                *is_awaited = false;
            }
        }
    }

    pub fn append(&mut self, worker: usize) {
        let Worker::Plays(writer) = &mut self.workers[worker] else { return };
        writer.phase = Phase::Waits(None);
        writer.attempts += 1;
        let Writer { key, lease, epoch, head, .. } = *writer;
        let asked = Append { key, lease, epoch, before: head, after: writer.after() };
        self.sent.push(Sent::Append { asked, is_awaited: true });
    }

    pub fn is_written(&mut self, worker: usize) {
        if let Worker::Plays(writer) = &mut self.workers[worker] {
            writer.is_written();
        }
    }

    pub fn finish(&mut self, worker: usize) {
        let Worker::Plays(writer) = self.workers[worker].clone() else { return };
        self.workers[worker] = Worker::PutsAway { key: writer.key, epoch: writer.epoch };
        self.give_back(&writer);
    }

    /// A dropped writer gives its lease back, and does not wait to hear that it did.
    pub fn give_back(&mut self, writer: &Writer) {
        let Writer { key, lease, epoch, .. } = *writer;
        self.sent.push(Sent::Release { key, lease, epoch });
    }

    pub fn die(&mut self, worker: usize) -> bool {
        if let Worker::Plays(Writer { key, lease, .. }) = self.workers[worker] {
            self.nobody_awaits(key, lease);
        }
        self.workers[worker] = Worker::Idle;
        self.trouble()
    }

    /// One thing less may go wrong. Was one left?
    pub fn trouble(&mut self) -> bool {
        let left = self.troubles.checked_sub(1);
        self.troubles = left.unwrap_or(0);
        left.is_some()
    }
}

impl Writer {
    /// What its append leads to.
    pub fn after(&self) -> Head {
        self.head.after(self.lease)
    }

    pub fn is_written(&mut self) {
        self.head = self.after();
        self.phase = Phase::Pays;
        self.attempts = 0;
    }
}
