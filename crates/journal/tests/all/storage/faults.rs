//! Promise: at whichever operation the storage fails, the error says so, nothing acknowledged is lost, and the campaign opens again.

use std::io;

use twicetold_event::Number;
use twicetold_journal::conformance::append_sample;
use twicetold_journal::{AppendError, Head, Journal, OpenError, Source, Store, StoreError, verify};

use super::disk::{Disk, Fault};

/// Entries before the faults: the next ones fill a pack.
const BEFORE: u64 = 61;
const AFTER: u64 = 8;

/// A full disk, a file that may not grow, and a broken disk; and whether the failing operation is done all the same.
const ERRORS: [(io::ErrorKind, bool); 4] = [
    (io::ErrorKind::StorageFull, false),
    (io::ErrorKind::FileTooLarge, false),
    (io::ErrorKind::Other, false),
    (io::ErrorKind::Other, true),
];

/// The bytes of a campaign before the faults.
fn campaign() -> Vec<u8> {
    let disk = Disk::default();
    let mut journal = disk.journal().unwrap();
    for index in 0..BEFORE {
        append_sample(&mut journal, index).unwrap();
    }
    drop(journal);
    disk.bytes()
}

/// Does the error say what the disk said?
fn is_said(error: &StoreError, fault: &Fault) -> bool {
    match fault.error {
        io::ErrorKind::StorageFull | io::ErrorKind::FileTooLarge => matches!(error, StoreError::Full),
        // redb itself remembers a failed write and calls it a disk that failed before.
        _ => matches!(error, StoreError::Io(_)),
    }
}

/// Lets every operation of `work` on a campaign fail in turn, in every way; `each` sees what came of it, and the disk,
/// repaired.
fn at_every_operation<P, R>(
    prepare: impl Fn() -> (Disk, P),
    once: bool,
    work: impl Fn(&Disk, P) -> R,
    mut each: impl FnMut(R, Disk, Fault),
) {
    for (error, done) in ERRORS {
        for after in 0.. {
            let (disk, prepared) = prepare();
            let fault = Fault { after, error, once, done, reads: false };
            disk.fail(fault);
            let came = work(&disk, prepared);
            if !disk.repair() {
                break;
            }
            each(came, disk, fault);
        }
    }
}

/// Appends until something fails.
fn play(journal: &mut Journal) -> (Head, Option<AppendError>) {
    for index in BEFORE..BEFORE + AFTER {
        if let Err(error) = append_sample(journal, index) {
            return (journal.head(), Some(error));
        }
    }
    (journal.head(), None)
}

#[test]
fn a_disk_that_stays_broken_loses_nothing_acknowledged() {
    let bytes = campaign();
    let prepare = || {
        let disk = Disk::of(bytes.clone());
        let journal = disk.journal().unwrap();
        (disk, journal)
    };
    let mut failures = 0;
    let work = |_: &Disk, mut journal| play(&mut journal);
    at_every_operation(prepare, false, work, |(acknowledged, error), disk, fault| {
        failures += usize::from(error.is_some());
        let again = disk.journal().unwrap();
        let found = again.head();
        assert!(found.entries >= acknowledged.entries, "{error:?}");
        assert!(found.entries <= acknowledged.entries + 1, "at most the entry whose outcome was unknown");
        match error {
            Some(AppendError::NotWritten(error)) => {
                assert!(is_said(&error, &fault), "{fault:?}: {error}");
                assert_eq!(found, acknowledged);
            }
            Some(AppendError::Unknown(error)) => assert!(is_said(&error, &fault), "{fault:?}: {error}"),
            Some(error) => panic!("{error}"),
            None => assert_eq!(found, acknowledged),
        }
        verify(&again).unwrap();
    });
    assert!(failures > 200, "{failures}");
}

#[test]
fn a_single_fault_is_settled_by_looking_again() {
    let bytes = campaign();
    let prepare = || {
        let disk = Disk::of(bytes.clone());
        let journal = disk.journal().unwrap();
        (disk, journal)
    };
    let (mut acknowledged_after_all, mut not_written) = (0, 0);
    let work = |_: &Disk, mut journal| (play(&mut journal), journal);
    at_every_operation(prepare, true, work, |((head, error), mut journal), disk, fault| {
        match error {
            Some(AppendError::NotWritten(error)) if is_said(&error, &fault) => {
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
    // The last flush of a commit may fail after the bytes arrived: then the entry is there and was acknowledged.
    assert!(acknowledged_after_all > 10, "{acknowledged_after_all}");
    assert!(not_written > 200, "{not_written}");
}

#[test]
fn a_campaign_that_cannot_be_made_is_an_error() {
    let mut failures = 0;
    for once in [false, true] {
        let work = |disk: &Disk, ()| disk.journal().map(drop);
        at_every_operation(
            || (Disk::default(), ()),
            once,
            work,
            |opened, _, fault| {
                if let Err(error) = opened {
                    failures += 1;
                    let said = matches!(&error, OpenError::Storage { error, .. } if is_said(error, &fault));
                    assert!(said, "{fault:?}: {error}");
                }
            },
        );
    }
    assert!(failures > 30, "{failures}");
}

#[test]
fn a_campaign_that_cannot_be_opened_is_what_it_was() {
    let bytes = campaign();
    let whole = Disk::of(bytes.clone()).journal().unwrap();
    let mut failures = 0;
    for once in [false, true] {
        let work = |disk: &Disk, ()| disk.journal().map(|journal| journal.epoch());
        at_every_operation(
            || (Disk::of(bytes.clone()), ()),
            once,
            work,
            |opened, disk, fault| {
                let again = disk.journal().unwrap();
                assert_eq!(again.head(), whole.head());
                verify(&again).unwrap();
                match opened {
                    // Whatever failed came after the commit that took the epoch.
                    Ok(epoch) => assert!(again.epoch() > epoch, "epoch {epoch} was given out twice"),
                    Err(error) => {
                        failures += 1;
                        let said =
                            matches!(&error, OpenError::Storage { error, .. } if is_said(error, &fault));
                        assert!(said, "{fault:?}: {error}");
                    }
                }
            },
        );
    }
    assert!(failures > 30, "{failures}");
}

#[test]
fn a_campaign_that_cannot_be_closed_is_whole_all_the_same() {
    let bytes = campaign();
    let prepare = || {
        let disk = Disk::of(bytes.clone());
        let mut journal = disk.journal().unwrap();
        play(&mut journal);
        (disk, journal)
    };
    let (_, whole) = prepare();
    let mut failures = 0;
    for once in [false, true] {
        let work = |_: &Disk, journal: Journal| Box::new(journal).close();
        at_every_operation(prepare, once, work, |closed, disk, fault| {
            if let Err(error) = closed {
                failures += 1;
                assert!(is_said(&error, &fault), "{fault:?}: {error}");
            }
            let mut again = disk.journal().unwrap();
            assert_eq!(again.head(), whole.head());
            append_sample(&mut again, whole.head().entries).unwrap();
            verify(&again).unwrap();
        });
    }
    assert!(failures > 30, "{failures}");
}

/// Where locks do not hold, as on some network's disks, a second writer may come while the first is still there.
#[test]
fn a_writer_that_looks_again_after_a_fault_and_finds_a_newer_one_is_fenced() {
    let disk = Disk::of(campaign());
    let mut first = disk.journal().unwrap();
    let second = disk.journal().unwrap();
    let (head, newer) = (second.head(), second.epoch());
    drop(second);
    let fault = Fault { after: 0, error: io::ErrorKind::Other, once: true, done: false, reads: false };
    disk.fail(fault);
    let fenced = append_sample(&mut first, BEFORE);
    assert!(disk.repair());
    assert!(matches!(fenced, Err(AppendError::Fenced { current, .. }) if current == newer), "{fenced:?}");
    assert!(append_sample(&mut first, BEFORE).is_err(), "and it stays so");
    drop(first);
    let again = disk.journal().unwrap();
    assert_eq!(again.head(), head);
    verify(&again).unwrap();
}

#[test]
fn a_read_that_fails_is_an_error_and_changes_nothing() {
    let bytes = campaign();
    let whole = Disk::of(bytes.clone()).journal().unwrap();
    let mut failures = 0;
    for after in 0.. {
        let disk = Disk::of(bytes.clone());
        disk.fail(Fault { after, error: io::ErrorKind::Other, once: false, done: false, reads: true });
        let walked = disk.journal().map_err(|error| error.to_string()).and_then(|mut journal| {
            verify(&journal).map_err(|damage| damage.to_string())?;
            append_sample(&mut journal, BEFORE).map_err(|error| error.to_string())
        });
        if !disk.repair() {
            break;
        }
        failures += 1;
        let again = disk.journal().unwrap();
        assert!(walked.is_err() || again.head().entries == BEFORE + 1);
        assert!(again.head().entries >= whole.head().entries);
        verify(&again).unwrap();
    }
    assert!(failures > 10, "{failures}");
}

#[test]
fn a_journal_with_an_unknown_outcome_answers_nothing_until_it_is_opened_again() {
    let disk = Disk::default();
    let mut journal = disk.journal().unwrap();
    append_sample(&mut journal, 0).unwrap();
    disk.fail(Fault { after: 1, error: io::ErrorKind::StorageFull, once: false, done: false, reads: false });
    assert!(matches!(append_sample(&mut journal, 1), Err(AppendError::Unknown(_))));
    disk.repair();
    assert!(matches!(append_sample(&mut journal, 1), Err(AppendError::Unknown(StoreError::GivenUp))));
    assert!(matches!(journal.entries(Number(0)).map(drop), Err(StoreError::GivenUp)));
    assert_eq!(disk.journal().unwrap().head().entries, 1);
}
