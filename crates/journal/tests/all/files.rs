//! Files that are missing, foreign, locked, cut or changed.

use std::fs;
use std::path::Path;

use redb::{Database, TableDefinition};
use twicetold_event::Number;
use twicetold_journal::conformance::{append_sample, entry, prose};
use twicetold_journal::{
    FileKind, Head, OpenError, Source, Store, StoreError, create, open, open_read_only, open_source, sniff,
    verify, write_export,
};

fn campaign(path: &Path, entries: u64) -> Head {
    let mut journal = create(path).unwrap();
    for index in 0..entries {
        append_sample(&mut journal, index).unwrap();
    }
    let head = journal.head();
    Box::new(journal).close().unwrap();
    head
}

#[test]
fn what_is_not_a_campaign_is_said_to_be_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.redb");
    assert!(matches!(open(&path), Err(OpenError::Missing(_))));
    assert!(matches!(open_read_only(&path), Err(OpenError::Missing(_))));
    assert!(matches!(create(&folder.path().join("none/x.redb")), Err(OpenError::Missing(_))));
    for bytes in [&b""[..], b"hello", b"TWICETOLD JOURNAL 9\n"] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(sniff(&path).unwrap(), FileKind::Neither);
        assert!(matches!(open(&path), Err(OpenError::NotACampaign { .. })));
        assert!(matches!(open_source(&path).map(drop), Err(OpenError::NotACampaign { .. })));
        assert_eq!(fs::read(&path).unwrap(), bytes, "a foreign file is left as it is");
    }
}

#[test]
fn a_redb_file_with_other_tables_is_not_a_campaign() {
    let folder = tempfile::tempdir().unwrap();
    for (place, name) in ["numbers", "meta"].into_iter().enumerate() {
        let path = folder.path().join(format!("{place}.redb"));
        let foreign = Database::create(&path).unwrap();
        let transaction = foreign.begin_write().unwrap();
        transaction.open_table(TableDefinition::<u64, u64>::new(name)).unwrap().insert(1, 2).unwrap();
        transaction.commit().unwrap();
        drop(foreign);
        let refused = open(&path).map(drop);
        assert!(matches!(refused, Err(OpenError::NotACampaign { .. })), "{refused:?}");
        let refused = open_read_only(&path).map(drop);
        assert!(matches!(refused, Err(OpenError::NotACampaign { .. })), "{refused:?}");
    }
}

#[test]
fn a_file_whose_head_is_not_that_of_its_last_entry_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.redb");
    campaign(&path, 3);
    let database = Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    let entries = TableDefinition::<u64, &[u8]>::new("entries");
    transaction.open_table(entries).unwrap().pop_last().unwrap();
    transaction.commit().unwrap();
    drop(database);
    let is_damaged = |error| matches!(error, OpenError::Storage { error: StoreError::Damaged(_), .. });
    assert!(open(&path).is_err_and(is_damaged));
    assert!(open_read_only(&path).is_err_and(is_damaged));
}

#[test]
fn a_file_of_a_later_layout_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.redb");
    campaign(&path, 3);
    let database = Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    let meta = TableDefinition::<&str, &[u8]>::new("meta");
    transaction.open_table(meta).unwrap().insert("layout", [9].as_slice()).unwrap();
    transaction.commit().unwrap();
    drop(database);
    for refused in [open(&path).map(drop), open_read_only(&path).map(drop)] {
        assert!(refused.unwrap_err().to_string().contains("use a newer build"));
    }
}

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.redb");
    let mut first = create(&path).unwrap();
    append_sample(&mut first, 0).unwrap();
    let Err(OpenError::Locked { by, .. }) = open(&path) else { panic!("one writer at a time") };
    assert_eq!(by, format!("process {}", std::process::id()));
    drop(first);
    append_sample(&mut open(&path).unwrap(), 1).unwrap();
}

#[test]
fn a_reader_keeps_its_moment_until_it_is_told_to_move_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.redb");
    let mut journal = create(&path).unwrap();
    append_sample(&mut journal, 0).unwrap();
    let mut reader = open_read_only(&path).unwrap();
    let before = reader.head();
    for index in 1..200 {
        append_sample(&mut journal, index).unwrap();
    }
    assert_eq!((reader.head(), verify(&reader).unwrap().entries), (before, 1));
    assert_eq!(reader.refresh().unwrap(), journal.head());
    assert_eq!(verify(&reader).unwrap().entries, 200);
    // The writer may close and another may open it: the reader stands still.
    Box::new(journal).close().unwrap();
    let mut journal = open(&path).unwrap();
    append_sample(&mut journal, 200).unwrap();
    assert_eq!(verify(&reader).unwrap().entries, 200);
}

#[test]
fn a_campaign_of_small_entries_stays_small() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.redb");
    let mut journal = create(&path).unwrap();
    let mut plain = 0;
    for index in 0..2_000 {
        let text = prose(index, 900);
        let bytes = entry(&journal.head(), journal.epoch(), &[text.as_bytes(), b"event"], &[]);
        plain += bytes.len() as u64;
        journal.append(&bytes, &[]).unwrap();
    }
    Box::new(journal).close().unwrap();
    let size = fs::metadata(&path).unwrap().len();
    assert!(size < plain, "{size} bytes of file for {plain} bytes of entries");
}

/// Opens and verifies `path` in every way; whether it came out whole, and never a panic.
fn judge(path: &Path) -> Result<Head, String> {
    let reader = open_read_only(path).map_err(|error| error.to_string())?;
    verify(&reader).map_err(|damage| damage.to_string())?;
    write_export(&reader, &mut Vec::new()).map_err(|error| error.to_string())?;
    for number in (0..reader.head().next.0).step_by(9) {
        reader.entry_holding(Number(number)).map_err(|error| error.to_string())?;
    }
    let head = reader.head();
    drop(reader);
    let mut journal = open(path).map_err(|error| error.to_string())?;
    append_sample(&mut journal, 99).map_err(|error| error.to_string())?;
    Ok(head)
}

#[test]
fn a_changed_file_is_an_error_or_reads_as_it_was_but_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole.redb"), folder.path().join("broken.redb"));
    let head = campaign(&whole, 100);
    let bytes = fs::read(&whole).unwrap();
    // What redb asserts about damaged pages is caught; its words are in the test's captured output.
    let mut state = 7_u64;
    let mut reported = 0;
    for round in 0..400 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let place = (state >> 16) as usize % bytes.len();
        let mut changed = bytes.clone();
        // Headers and pages' fronts are small: aim at them half of the time.
        let place = if round % 2 == 0 { place } else { place / 4096 * 4096 + place % 64 };
        changed[place] ^= 1 << (state >> 61);
        fs::write(&broken, &changed).unwrap();
        match judge(&broken) {
            Ok(found) => assert_eq!(found, head, "byte {place}"),
            Err(_) => reported += 1,
        }
    }
    assert!(reported > 50, "{reported}");
}

#[test]
fn a_writer_never_goes_on_with_a_changed_file() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole.redb"), folder.path().join("broken.redb"));
    campaign(&whole, 100);
    let bytes = fs::read(&whole).unwrap();
    let mut refused = 0;
    for place in (0..bytes.len()).step_by(bytes.len() / 80 + 1) {
        let mut changed = bytes.clone();
        changed[place] ^= 1 << (place % 8);
        fs::write(&broken, &changed).unwrap();
        match open(&broken) {
            // Nothing lies there: no page, or the older one of the two commits.
            Ok(journal) => drop(verify(&journal).unwrap_or_else(|damage| panic!("byte {place}: {damage}"))),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_cut_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole.redb"), folder.path().join("broken.redb"));
    campaign(&whole, 100);
    let bytes = fs::read(&whole).unwrap();
    for eighth in 0..64 {
        fs::write(&broken, &bytes[..bytes.len() * eighth / 64]).unwrap();
        let judged = judge(&broken);
        assert!(judged.is_err(), "{eighth} of 64");
    }
}
