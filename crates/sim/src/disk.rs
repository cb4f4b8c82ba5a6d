//! A store that fails: the real journal in memory, under a wrapper that loses, fences, delays and forgets to acknowledge.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use twicetold_event::{BlobId, Millis, Number};
use twicetold_journal::{
    AppendError, Blob, Blobs, Entries, Head, Journal, Memory, OpenError, Source, Store, StoreError, check,
};
use twicetold_model::Digest;

use crate::draws::Draws;
use crate::limits::FAULTS_MAX;
use crate::schedule::{Flaw, Schedule};

/// The disk under a campaign. It outlives the processes that write to it.
#[derive(Clone)]
pub(crate) struct Disk(Arc<Mutex<Platter>>);

struct Platter {
    memory: Memory,
    journal: Option<Journal>,
    draws: Draws,
    one_in: u64,
    faults_left: u32,
    lies: bool,
    /// What a lying store has acknowledged and not kept.
    unkept: Option<(Vec<u8>, Vec<Blob>)>,
    /// Milliseconds that appends took and nobody has waited for yet.
    taken_ms: u64,
    last_fault: Option<&'static str>,
}

/// What happens to one append.
enum Fault {
    /// The disk is full for a moment: nothing is written, and that is known.
    Full,
    /// The power fails before the entry is there.
    LostBefore,
    /// The entry is there, and whoever wrote it never hears of it.
    Unacknowledged,
    /// Another process has taken the pen.
    Fenced,
    /// It takes long.
    Slow(u64),
}

impl Disk {
    /// An empty disk.
    pub(crate) fn new(schedule: &Schedule) -> Disk {
        Disk(Arc::new(Mutex::new(Platter {
            memory: Memory::new(),
            journal: None,
            draws: Draws::of(schedule.seed, "disk"),
            one_in: schedule.disk_faults,
            faults_left: FAULTS_MAX,
            lies: schedule.flaw == Some(Flaw::AcknowledgesBeforeItKeeps),
            unkept: None,
            taken_ms: 0,
            last_fault: None,
        })))
    }

    fn platter(&self) -> MutexGuard<'_, Platter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens the campaign for a new process; whatever an earlier one had open is gone with it.
    pub(crate) fn open(&self) -> Result<Box<dyn Store>, OpenError> {
        let mut platter = self.platter();
        platter.unkept = None;
        platter.journal = None;
        let journal = platter.memory.open()?;
        platter.journal = Some(journal);
        drop(platter);
        Ok(Box::new(SimulatedStore(self.clone())))
    }

    /// What lies on the disk from a number on: the truth, whatever a store says.
    pub(crate) fn entries(&self, from: Number) -> Result<Vec<Vec<u8>>, StoreError> {
        self.platter().open()?.entries(from)?.collect()
    }

    /// The time that appends took since somebody last asked.
    pub(crate) fn taken_ms(&self) -> u64 {
        std::mem::take(&mut self.platter().taken_ms)
    }

    /// The fault that the last append met, if any.
    pub(crate) fn last_fault(&self) -> Option<&'static str> {
        self.platter().last_fault.take()
    }
}

impl Platter {
    fn open(&self) -> Result<&Journal, StoreError> {
        self.journal.as_ref().ok_or(StoreError::GivenUp)
    }

    fn fault(&mut self) -> Option<Fault> {
        if self.faults_left == 0 || !self.draws.one_in(self.one_in) {
            return None;
        }
        self.faults_left -= 1;
        Some(match self.draws.below(6) {
            0 => Fault::Full,
            1 => Fault::LostBefore,
            2 | 3 => Fault::Unacknowledged,
            4 => Fault::Fenced,
            _ => Fault::Slow(self.draws.between(100, 300_000)),
        })
    }

    fn keep(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        match self.journal.as_mut() {
            Some(journal) => journal.append(entry, blobs),
            None => Err(AppendError::Unknown(StoreError::GivenUp)),
        }
    }

    fn append(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        self.taken_ms += 1;
        self.last_fault = None;
        if self.lies {
            return self.acknowledge(entry, blobs);
        }
        match self.fault() {
            None => self.keep(entry, blobs),
            Some(Fault::Full) => {
                self.last_fault = Some("the disk is full: not written");
                Err(AppendError::NotWritten(StoreError::Full))
            }
            Some(Fault::LostBefore) => {
                self.last_fault = Some("power failed before the entry was there");
                self.journal = None;
                Err(AppendError::Unknown(StoreError::GivenUp))
            }
            Some(Fault::Unacknowledged) => {
                self.last_fault = Some("the entry is there, unacknowledged");
                self.keep(entry, blobs)?;
                self.journal = None;
                Err(AppendError::Unknown(StoreError::GivenUp))
            }
            Some(Fault::Fenced) => {
                self.last_fault = Some("another writer took the pen");
                self.fenced(entry, blobs)
            }
            Some(Fault::Slow(milliseconds)) => {
                self.last_fault = Some("a slow append");
                self.taken_ms += milliseconds;
                self.keep(entry, blobs)
            }
        }
    }

    /// The journal itself must refuse the entry of a writer whose epoch is over.
    fn fenced(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        self.journal = None;
        match self.memory.open() {
            Ok(mut other) => other.append(entry, blobs),
            Err(error) => Err(AppendError::Unknown(StoreError::Damaged(error.to_string()))),
        }
    }

    /// One entry behind: what was said to be durable is written with the next append.
    fn acknowledge(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        if let Some((entry, blobs)) = self.unkept.take() {
            self.keep(&entry, &blobs)?;
        }
        let head = self.open().map_err(AppendError::Unknown)?.head();
        let (header, body) = check(&head, entry)?;
        self.unkept = Some((entry.to_vec(), blobs.to_vec()));
        Ok(head.after(&header, &body))
    }
}

/// What a process sees of the disk.
struct SimulatedStore(Disk);

impl Source for SimulatedStore {
    fn head(&self) -> Head {
        self.0.platter().journal.as_ref().map_or(Head::EMPTY, Source::head)
    }

    fn entries(&self, from: Number) -> Result<Entries<'_>, StoreError> {
        Ok(Box::new(self.0.entries(from)?.into_iter().map(Ok)))
    }

    fn entry_holding(&self, number: Number) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.platter().open()?.entry_holding(number)
    }

    fn blobs(&self) -> Result<Blobs<'_>, StoreError> {
        let blobs: Vec<_> = self.0.platter().open()?.blobs()?.collect();
        Ok(Box::new(blobs.into_iter()))
    }

    fn blob(&self, id: BlobId) -> Result<Option<Blob>, StoreError> {
        self.0.platter().open()?.blob(id)
    }

    fn blob_digests(&self) -> Result<Vec<Digest>, StoreError> {
        self.0.platter().open()?.blob_digests()
    }
}

impl Store for SimulatedStore {
    fn epoch(&self) -> u32 {
        self.0.platter().journal.as_ref().map_or(0, Store::epoch)
    }

    fn append(&mut self, entry: &[u8], blobs: &[Blob]) -> Result<Head, AppendError> {
        self.0.platter().append(entry, blobs)
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        match self.0.platter().journal.take() {
            Some(journal) => Box::new(journal).close(),
            None => Err(StoreError::GivenUp),
        }
    }
}

/// The moment that a clock shows after appends took their time.
pub(crate) fn later(clock: Millis, milliseconds: u64) -> Millis {
    Millis(clock.0.saturating_add(milliseconds))
}
