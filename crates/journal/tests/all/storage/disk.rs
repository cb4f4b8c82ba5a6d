//! A disk in memory that writes down every change, fails when it is told to, and the images that a crash may leave of it.

use std::io;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::{BackendError, StorageBackend};
use twicetold_journal::{Journal, OpenError};

/// What a disk writes whole or not at all, in bytes.
const SECTOR: usize = 512;

/// What was asked of a disk.
#[derive(Clone, Debug)]
pub enum Change {
    Write { at: usize, bytes: Vec<u8> },
    Resize(usize),
    Sync,
}

/// The bytes as the program sees them, and every change since it began.
#[derive(Clone, Debug, Default)]
pub struct Disk(Arc<Mutex<Recorded>>);

#[derive(Debug, Default)]
struct Recorded {
    bytes: Vec<u8>,
    changes: Vec<Change>,
    fault: Option<Fault>,
    failed: bool,
}

/// How a disk fails.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// So many operations succeed before.
    pub after: u64,
    /// What the failing ones report.
    pub error: io::ErrorKind,
    /// Whether only one operation fails; else all that follow do.
    pub once: bool,
    /// Whether the failing operation is done all the same.
    pub done: bool,
    /// Whether reads fail, and not changes.
    pub reads: bool,
}

impl Disk {
    /// A disk that holds `bytes` durably.
    pub fn of(bytes: Vec<u8>) -> Disk {
        Disk(Arc::new(Mutex::new(Recorded { bytes, ..Recorded::default() })))
    }

    /// From now on it fails like this.
    pub fn fail(&self, fault: Fault) {
        let mut recorded = self.lock();
        (recorded.fault, recorded.failed) = (Some(fault), false);
    }

    /// It fails no more. Says whether it did.
    pub fn repair(&self) -> bool {
        let mut recorded = self.lock();
        recorded.fault = None;
        recorded.failed
    }

    /// What is on it now.
    pub fn bytes(&self) -> Vec<u8> {
        self.lock().bytes.clone()
    }

    /// Opens the journal on it as a file is opened.
    pub fn journal(&self) -> Result<Journal, OpenError> {
        let disk = self.clone();
        Journal::open_with_backend(move || disk.clone())
    }

    /// How many changes there were.
    pub fn changes(&self) -> usize {
        self.lock().changes.len()
    }

    /// All changes, in order.
    pub fn into_changes(self) -> Vec<Change> {
        std::mem::take(&mut self.lock().changes)
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        // A panic that the journal turned into an error leaves the bytes as they are.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: Change) -> io::Result<()> {
        let mut recorded = self.lock();
        let failure = recorded.failure(false);
        if failure.is_none_or(|fault| fault.done) {
            apply(&mut recorded.bytes, &change, |_| true);
            recorded.changes.push(change);
        }
        failure.map_or(Ok(()), |fault| Err(fault.error.into()))
    }
}

impl Recorded {
    /// The fault that meets an operation, if one does.
    fn failure(&mut self, reads: bool) -> Option<Fault> {
        let fault = self.fault.as_mut().filter(|fault| fault.reads == reads)?;
        if fault.after > 0 {
            fault.after -= 1;
            return None;
        }
        let fault = *fault;
        self.failed = true;
        if fault.once {
            self.fault = None;
        }
        Some(fault)
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.lock().bytes.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut recorded = self.lock();
        if let Some(fault) = recorded.failure(true) {
            return Err(fault.error.into());
        }
        let offset = usize::try_from(offset).map_err(io::Error::other)?;
        let found = recorded.bytes.get(offset..offset + out.len());
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.change(Change::Resize(usize::try_from(len).map_err(io::Error::other)?))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.change(Change::Sync)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let at = usize::try_from(offset).map_err(io::Error::other)?;
        self.change(Change::Write { at, bytes: data.to_vec() })
    }

    // Nobody else has this disk: every lock is free.
    fn try_lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(true)
    }

    fn try_lock_shared_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(true)
    }

    fn lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn lock_shared_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn unlock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn query_lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(false)
    }
}

/// Applies the sectors of a change that `arrives` says yes to; a resize is one sector.
fn apply(bytes: &mut Vec<u8>, change: &Change, mut arrives: impl FnMut(usize) -> bool) {
    match change {
        Change::Sync => {}
        Change::Resize(length) => {
            if arrives(0) {
                bytes.resize(*length, 0);
            }
        }
        Change::Write { at, bytes: data } => {
            let mut from = *at;
            let end = at + data.len();
            while from < end {
                let until = ((from / SECTOR + 1) * SECTOR).min(end);
                if arrives(from / SECTOR) {
                    if bytes.len() < until {
                        bytes.resize(until, 0);
                    }
                    bytes[from..until].copy_from_slice(&data[from - at..until - at]);
                }
                from = until;
            }
        }
    }
}

/// Whether a disk means it when it says that bytes are durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Honesty {
    Honest,
    /// From this change on a sync does nothing.
    LiesFrom(usize),
}

/// Walks along a disk's changes and says what a crash at a place may leave.
pub struct Crash<'a> {
    changes: &'a [Change],
    honesty: Honesty,
    /// What is durable: all changes before `synced`.
    durable: Vec<u8>,
    synced: usize,
}

impl<'a> Crash<'a> {
    /// A disk that began with `bytes`.
    pub fn new(bytes: Vec<u8>, changes: &'a [Change], honesty: Honesty) -> Crash<'a> {
        Crash { changes, honesty, durable: bytes, synced: 0 }
    }

    /// An image after a crash when `done` changes had been asked for; `done` never goes back. Of the changes that no sync
    /// followed each is kept, lost or torn, as `draws` say.
    pub fn image(&mut self, done: usize, draws: &mut Draws) -> Vec<u8> {
        self.sync_until(done);
        let mut image = self.durable.clone();
        // Of eight changes so many are kept whole, and so many torn: from all lost to all kept.
        let (kept, torn) = match draws.below(6) {
            0 => (0, 0),
            1 => (0, 8),
            2 => (7, 1),
            3 => (1, 1),
            4 => (8, 0),
            _ => (4, 2),
        };
        for change in &self.changes[self.synced..done] {
            let fate = draws.below(8);
            if fate < kept {
                apply(&mut image, change, |_| true);
            } else if fate < kept + torn {
                apply(&mut image, change, |_| draws.below(2) == 0);
            }
        }
        image
    }

    fn sync_until(&mut self, done: usize) {
        for place in self.synced..done {
            let lies = matches!(self.honesty, Honesty::LiesFrom(from) if place >= from);
            if matches!(self.changes[place], Change::Sync) && !lies {
                for change in &self.changes[self.synced..place] {
                    apply(&mut self.durable, change, |_| true);
                }
                self.synced = place + 1;
            }
        }
    }
}

/// Draws numbers below a bound, the same ones for the same seed.
pub struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Draws {
        Draws(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound.max(1)
    }
}
