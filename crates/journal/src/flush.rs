//! One flush a commit, also where other processes read.
//!
//! For readers in other processes redb writes a commit in two phases: the pages, a flush, the header that names them, a flush.
//! Readers do not need the first flush: they see what was written, flushed or not, and a header that names pages which are not
//! flushed yet bears a mark until they are, which sends readers to the commit before. It is needed after a power loss alone, when
//! the header may have arrived without its pages. So it is left out, and a header that still bears the mark is not
//! believed: redb then verifies the checksums of all pages that the header names, and goes back to the commit before if one of
//! them is not what it was. That is how redb commits where nobody else reads, and what was acknowledged is never among
//! the pages that can be missing. A file that has just grown is flushed in any case: a header never tells of more than there is.
//!
//! The places of the bits are those of redb's file format, which has no other meaning for them as long as its magic number stays.

use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend, StorageError};

use crate::StoreError;

/// The byte of flags, behind the magic number.
const FLAGS_AT: u64 = 9;
/// The last writer did not close the file.
const UNCLEAN: u8 = 2;
/// The pages of the newest commit were flushed before the header that names it: redb believes such a header.
const TWO_PHASES: u8 = 4;
/// The newest commit may not be flushed.
const UNFLUSHED: u8 = 8;

/// Nothing is left out.
const ALL: u8 = 0;
/// The next flush is left out.
const NEXT: u8 = 1;
/// A flush was left out, and none has followed it.
const MISSED: u8 = 2;

/// What both sides of a database know of its flushes: the journal above, and the storage below.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flushes(Arc<AtomicU8>);

impl Flushes {
    /// Does one commit in two phases without its first flush.
    pub fn once<T>(&self, commit: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.0.store(NEXT, Ordering::Release);
        let done = commit();
        let state = self.0.swap(ALL, Ordering::AcqRel);
        // A storage that leaves nothing out never changes the state.
        if done.is_ok() && state == MISSED {
            return Err(StoreError::Io(io::Error::other("the commit was not flushed")));
        }
        done
    }

    /// Whether this flush is to be done.
    fn is_due(&self) -> bool {
        let left_out = self.0.compare_exchange(NEXT, MISSED, Ordering::AcqRel, Ordering::Acquire).is_ok();
        !left_out
    }

    fn done(&self) {
        self.0.store(ALL, Ordering::Release);
    }
}

/// A storage of redb's with one flush a commit.
#[derive(Debug)]
pub(crate) struct OneFlush<B> {
    storage: B,
    flushes: Flushes,
    /// Its length has changed, and nothing was written since.
    is_resized: AtomicBool,
}

impl<B: StorageBackend> OneFlush<B> {
    pub fn of(storage: B, flushes: Flushes) -> OneFlush<B> {
        OneFlush { storage, flushes, is_resized: AtomicBool::new(false) }
    }
}

/// A file as such a storage.
pub(crate) fn file(path: &Path, flushes: &Flushes) -> Result<OneFlush<FileBackend>, DatabaseError> {
    let opened: io::Result<File> = OpenOptions::new().read(true).write(true).open(path);
    let file = opened.map_err(|error| DatabaseError::Storage(StorageError::Io(error)))?;
    Ok(OneFlush::of(FileBackend::new(file)?, flushes.clone()))
}

/// What redb is to believe of the bytes of a file from `offset` on.
fn doubt(offset: u64, bytes: &mut [u8]) {
    let place = FLAGS_AT.checked_sub(offset).and_then(|place| usize::try_from(place).ok());
    if let Some(flags) = place.and_then(|place| bytes.get_mut(place))
        && *flags & (UNCLEAN | UNFLUSHED) == UNCLEAN | UNFLUSHED
    {
        *flags &= !TWO_PHASES;
    }
}

impl<B: StorageBackend> StorageBackend for OneFlush<B> {
    fn len(&self) -> io::Result<u64> {
        self.storage.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.storage.read(offset, out)?;
        doubt(offset, out);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.is_resized.store(true, Ordering::Release);
        self.storage.set_len(len)
    }

    fn sync_data(&self) -> io::Result<()> {
        // That is no flush of a commit's pages, and the commit's own are still to come.
        if self.is_resized.swap(false, Ordering::AcqRel) {
            return self.storage.sync_data();
        }
        if self.flushes.is_due() {
            self.storage.sync_data()?;
            self.flushes.done();
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.is_resized.store(false, Ordering::Release);
        self.storage.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.storage.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.storage.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.storage.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.storage.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.storage.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.storage.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.storage.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_header_that_may_not_be_flushed_is_doubted() {
        let believed = |flags: u8| {
            let mut front = [0; 12];
            front[9] = flags;
            doubt(0, &mut front);
            front[9] & TWO_PHASES != 0
        };
        assert!(
            !believed(UNCLEAN | TWO_PHASES | UNFLUSHED) && !believed(1 | UNCLEAN | TWO_PHASES | UNFLUSHED)
        );
        assert!(believed(UNCLEAN | TWO_PHASES) && believed(TWO_PHASES | UNFLUSHED) && believed(TWO_PHASES));
        // Bytes that are not the header's, or only a part of it.
        for (offset, count) in [(0, 9), (10, 20), (4096, 4096)] {
            let mut bytes = vec![0xFF; count];
            doubt(offset, &mut bytes);
            assert!(bytes.iter().all(|byte| *byte == 0xFF));
        }
        let mut part = [0xFF; 4];
        doubt(8, &mut part);
        assert_eq!(part, [0xFF, !TWO_PHASES, 0xFF, 0xFF]);
    }

    #[test]
    fn a_commit_that_ends_without_a_flush_is_an_error_and_the_next_flush_is_done() {
        let flushes = Flushes::default();
        let commit = |count: u32| {
            flushes.once(|| {
                let due = (0..count).filter(|_| flushes.is_due()).map(|_| flushes.done()).count();
                Ok(due)
            })
        };
        assert_eq!(commit(2).unwrap(), 1);
        assert_eq!(commit(3).unwrap(), 2);
        assert!(commit(1).unwrap_err().to_string().contains("the commit was not flushed"));
        assert!(flushes.is_due());
        let failed = flushes.once::<()>(|| Err(StoreError::Full));
        assert!(matches!(failed, Err(StoreError::Full)) && flushes.is_due());
    }
}
