//! A campaign in memory: the same tables, checks and commits as in a file, without a disk.

use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, io};

use redb::backends::InMemoryBackend;
use redb::{BackendError, Database, StorageBackend};

use crate::flush::{Flushes, OneFlush};
use crate::journal::{Begin, builder, open_guarded};
use crate::{Journal, OpenError};

/// The bytes of one campaign. They outlive the journals that are opened on them, one at a time, as a file does.
#[derive(Clone, Default)]
pub struct Memory {
    bytes: Arc<InMemoryBackend>,
    locked: Arc<AtomicBool>,
}

impl Memory {
    /// No bytes yet.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// These bytes.
    pub(crate) fn holding(bytes: &[u8]) -> io::Result<Memory> {
        let memory = Memory::new();
        memory.bytes.set_len(bytes.len() as u64)?;
        memory.bytes.write(0, bytes)?;
        Ok(memory)
    }

    /// The database in these bytes, repaired where its last writer was killed.
    pub(crate) fn database(&self) -> Result<Database, Begin> {
        let opening = Opening { memory: self.clone(), holds: AtomicBool::new(false) };
        open_guarded(|| builder().create_with_backend(OneFlush::of(opening, Flushes::default())))
    }

    /// Opens the campaign for writing and takes a new fencing epoch; the first time it is empty. Locked while another
    /// journal on the same bytes is open.
    pub fn open(&self) -> Result<Journal, OpenError> {
        let memory = self.clone();
        Journal::open_alone(move || Opening { memory: memory.clone(), holds: AtomicBool::new(false) })
    }
}

/// One opening of the bytes: it holds the lock or it does not.
struct Opening {
    memory: Memory,
    holds: AtomicBool,
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.memory.bytes.fmt(f)
    }
}

impl StorageBackend for Opening {
    fn len(&self) -> Result<u64, io::Error> {
        self.memory.bytes.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        self.memory.bytes.read(offset, out)
    }

    fn set_len(&self, len: u64) -> Result<(), io::Error> {
        self.memory.bytes.set_len(len)
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        self.memory.bytes.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        self.memory.bytes.write(offset, data)
    }

    fn close(&self) -> Result<(), io::Error> {
        if self.holds.swap(false, Ordering::AcqRel) {
            self.memory.locked.store(false, Ordering::Release);
        }
        Ok(())
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        // Only the lock over everything: redb asks for it when parts are not to be had.
        if !matches!((start, end), (Bound::Unbounded | Bound::Included(0), Bound::Unbounded)) {
            return Err(BackendError::Unsupported);
        }
        let taken = !self.memory.locked.swap(true, Ordering::AcqRel);
        if taken {
            self.holds.store(true, Ordering::Release);
        }
        Ok(taken)
    }
}
