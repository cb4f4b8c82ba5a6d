//! Storage that fails: nothing acknowledged is lost, and what was not written is said to be so.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use redb::StorageBackend;
use redb::backends::InMemoryBackend;
use twicetold_event::Number;
use twicetold_journal::conformance::append_sample;
use twicetold_journal::{AppendError, Head, Journal, OpenError, Source, StoreError, verify};

/// A disk whose operations fail after a while.
#[derive(Clone, Debug, Default)]
struct Disk {
    bytes: Arc<InMemoryBackend>,
    /// Changing operations until the fault; negative for none.
    fuse: Arc<AtomicI64>,
    /// Whether only one operation fails.
    once: Arc<AtomicBool>,
    /// Whether the failing operation is done all the same.
    done: Arc<AtomicBool>,
}

impl Disk {
    fn journal(&self) -> Result<Journal, OpenError> {
        let disk = self.clone();
        Journal::open_with_backend(move || disk.clone())
    }

    fn change(&self, operation: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let left = self.fuse.load(Ordering::Relaxed);
        if left > 0 {
            self.fuse.store(left - 1, Ordering::Relaxed);
        }
        if left != 0 {
            return operation();
        }
        if self.once.load(Ordering::Relaxed) {
            self.fuse.store(-1, Ordering::Relaxed);
        }
        if self.done.load(Ordering::Relaxed) {
            operation()?;
        }
        Err(io::ErrorKind::StorageFull.into())
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.bytes.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.bytes.read(offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.change(|| self.bytes.set_len(len))
    }
    fn sync_data(&self) -> io::Result<()> {
        self.change(|| self.bytes.sync_data())
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.change(|| self.bytes.write(offset, data))
    }
}

/// Entries before the fault: the next ones fill a pack.
const BEFORE: u64 = 61;
const AFTER: u64 = 6;

/// Appends until something fails.
fn play(journal: &mut Journal) -> (Head, Option<AppendError>) {
    for index in BEFORE..BEFORE + AFTER {
        if let Err(error) = append_sample(journal, index) {
            return (journal.head(), Some(error));
        }
    }
    (journal.head(), None)
}

/// Every change of the disk fails in turn; `each` sees what was acknowledged, the error, and the disk, mended.
fn at_every_operation(
    once: bool,
    done: bool,
    mut each: impl FnMut(Head, Option<AppendError>, Option<Journal>, Disk),
) {
    for fuse in 0.. {
        let disk = Disk::default();
        disk.fuse.store(-1, Ordering::Relaxed);
        disk.once.store(once, Ordering::Relaxed);
        disk.done.store(done, Ordering::Relaxed);
        let mut journal = disk.journal().unwrap();
        for index in 0..BEFORE {
            append_sample(&mut journal, index).unwrap();
        }
        disk.fuse.store(fuse, Ordering::Relaxed);
        let (head, error) = play(&mut journal);
        let over = disk.fuse.load(Ordering::Relaxed) > 0;
        // A disk that stays broken is mended only after the program is gone.
        let journal = once.then_some(journal);
        disk.fuse.store(-1, Ordering::Relaxed);
        each(head, error, journal, disk);
        if over {
            return;
        }
    }
}

#[test]
fn a_disk_that_stays_broken_loses_nothing_acknowledged() {
    let mut failures = 0;
    for done in [false, true] {
        at_every_operation(false, done, |acknowledged, error, _, disk| {
            failures += usize::from(error.is_some());
            let again = disk.journal().unwrap();
            let found = again.head();
            assert!(found.entries >= acknowledged.entries, "{error:?}");
            assert!(found.entries <= acknowledged.entries + 1, "at most the entry whose outcome was unknown");
            match error {
                Some(AppendError::NotWritten(_)) => assert_eq!(found, acknowledged),
                Some(AppendError::Unknown(error)) => assert!(matches!(error, StoreError::Full), "{error}"),
                Some(error) => panic!("{error}"),
                None => assert_eq!(found, acknowledged),
            }
            if found.entries > 0 {
                verify(&again).unwrap();
            }
        });
    }
    assert!(failures > 100, "{failures}");
}

#[test]
fn a_single_fault_is_settled_by_looking_again() {
    let (mut acknowledged_after_all, mut not_written) = (0, 0);
    for done in [false, true] {
        at_every_operation(true, done, |head, error, journal, disk| {
            let mut journal = journal.unwrap();
            match error {
                Some(AppendError::NotWritten(StoreError::Full)) => {
                    not_written += 1;
                    assert_eq!(journal.head(), head);
                    append_sample(&mut journal, head.entries).unwrap();
                }
                None => acknowledged_after_all += 1,
                Some(error) => panic!("{error}"),
            }
            let head = journal.head();
            drop(journal);
            let again = disk.journal().unwrap();
            assert_eq!(again.head(), head);
            verify(&again).unwrap();
        });
    }
    // The last flush of a commit may fail after the bytes arrived: then the entry is there and was acknowledged.
    assert!(acknowledged_after_all > 10, "{acknowledged_after_all}");
    assert!(not_written > 100, "{not_written}");
}

#[test]
fn a_journal_with_an_unknown_outcome_answers_nothing_until_it_is_opened_again() {
    let disk = Disk::default();
    disk.fuse.store(-1, Ordering::Relaxed);
    let mut journal = disk.journal().unwrap();
    append_sample(&mut journal, 0).unwrap();
    disk.fuse.store(1, Ordering::Relaxed);
    assert!(matches!(append_sample(&mut journal, 1), Err(AppendError::Unknown(_))));
    disk.fuse.store(-1, Ordering::Relaxed);
    assert!(matches!(append_sample(&mut journal, 1), Err(AppendError::Unknown(StoreError::GivenUp))));
    assert!(matches!(journal.entries(Number(0)).map(drop), Err(StoreError::GivenUp)));
    assert_eq!(disk.journal().unwrap().head().entries, 1);
}
