//! An export is whole or names what is not; an import is whole or not there.

use std::path::Path;
use std::{fs, thread};

use twicetold_event::{BlobId, Number};
use twicetold_journal::conformance::{append_sample, entry, prose};
use twicetold_journal::{
    Blob, Damage, EXPORT_MAGIC, Export, FileKind, ImportError, Journal, Memory, OpenError, Part, Source,
    Store, create, import, open, open_read_only, open_source, sniff, verify, verify_with, write_export,
};

fn journal(entries: u64) -> Journal {
    let mut journal = Memory::new().open().unwrap();
    for index in 0..entries {
        append_sample(&mut journal, index).unwrap();
    }
    journal
}

fn export(entries: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_export(&journal(entries), &mut bytes).unwrap();
    bytes
}

/// Each record's place in `bytes` and the thing that it is.
fn records(bytes: &[u8]) -> Vec<(std::ops::Range<usize>, Part)> {
    let source = Export::read(bytes.to_vec()).unwrap();
    let firsts: Vec<u64> = (0..source.head().next.0)
        .filter(|number| source.place(Part::Entry(Number(*number))).is_some())
        .collect();
    let (mut entry, mut blob, mut at) = (0, 0, EXPORT_MAGIC.len());
    let mut records = Vec::new();
    while at < bytes.len() {
        let length = u32::from_le_bytes(bytes[at + 1..at + 5].try_into().unwrap()) as usize;
        let part = match bytes[at] {
            1 => Part::Header,
            2 => Part::Blob(BlobId(blob)),
            3 => Part::Entry(Number(firsts[entry])),
            _ => Part::End,
        };
        blob += u32::from(bytes[at] == 2);
        entry += usize::from(bytes[at] == 3);
        records.push((at..at + 5 + length + 32, part));
        at += 5 + length + 32;
    }
    records
}

/// Reads and verifies, as `verify` on an export does.
fn judge(bytes: Vec<u8>) -> Result<(), Damage> {
    verify(&Export::read(bytes)?).map(drop)
}

#[test]
fn an_export_reads_like_the_journal_that_it_was_made_from() {
    let journal = journal(100);
    let mut bytes = Vec::new();
    assert_eq!(write_export(&journal, &mut bytes).unwrap(), journal.head());
    let export = Export::read(bytes).unwrap();
    assert_eq!(export.head(), journal.head());
    assert_eq!(verify(&export).unwrap(), verify(&journal).unwrap());
    for number in (0..=journal.head().next.0).map(Number) {
        assert_eq!(export.entry_holding(number).unwrap(), journal.entry_holding(number).unwrap(), "{number}");
        let first = |source: &dyn Source| source.entries(number).unwrap().next().transpose().unwrap();
        assert_eq!(first(&export), first(&journal), "{number}");
    }
    for id in (0..=journal.head().blobs).map(BlobId) {
        assert_eq!(export.blob(id).unwrap(), journal.blob(id).unwrap());
    }
    assert_eq!(export.blob_digests().unwrap(), journal.blob_digests().unwrap());
}

#[test]
fn two_exports_of_one_journal_are_the_same_bytes() {
    assert_eq!(export(20), export(20));
}

#[test]
fn any_flipped_bit_is_reported_and_named() {
    let mut bytes = export(9);
    let records = records(&bytes);
    assert_eq!(records.len(), 17, "a header, nine entries, six blobs, an end");
    for place in 0..bytes.len() {
        let expected =
            records.iter().find(|(range, _)| range.contains(&place)).map_or(Part::Header, |(_, part)| *part);
        for bit in 0..8 {
            bytes[place] ^= 1 << bit;
            let damage = judge(bytes.clone()).expect_err("a flip is damage");
            assert_eq!(damage.part, expected, "byte {place} bit {bit}: {damage}");
            assert!(damage.byte.is_some_and(|byte| byte <= place as u64), "{damage}");
            bytes[place] ^= 1 << bit;
        }
        bytes[place] = !bytes[place];
        assert_eq!(judge(bytes.clone()).unwrap_err().part, expected, "byte {place}");
        bytes[place] = !bytes[place];
    }
    assert_eq!(judge(bytes), Ok(()));
}

/// A journal of small entries, some with a blob: few bytes for many records.
fn small(entries: u64) -> Vec<u8> {
    let mut journal = Memory::new().open().unwrap();
    for index in 0..entries {
        let text = prose(index, 20 + index as usize % 60);
        let blobs = Vec::from_iter((index % 5 == 0).then(|| Blob::new(prose(index + 500, 90))));
        let bytes = entry(&journal.head(), journal.epoch(), &[text.as_bytes()], &blobs);
        journal.append(&bytes, &blobs).unwrap();
    }
    let mut bytes = Vec::new();
    write_export(&journal, &mut bytes).unwrap();
    bytes
}

/// Whether all eight bits of every byte are flipped, and not one that differs from byte to byte.
#[allow(clippy::disallowed_methods, reason = "asked for by the recipe")]
fn all_bits() -> bool {
    std::env::var("TWICETOLD_FLIPS").is_ok_and(|flips| flips == "all")
}

#[test]
fn a_flipped_bit_in_every_byte_of_two_hundred_entries_is_named() {
    let whole = small(200);
    let records = records(&whole);
    let all_bits = all_bits();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let flips: usize = thread::scope(|scope| {
        let share = |first| {
            let (whole, records) = (&whole, &records);
            scope.spawn(move || {
                let mut flips = 0;
                for place in (first..whole.len()).step_by(threads) {
                    let inside = records.partition_point(|(range, _)| range.end <= place);
                    let front = place < EXPORT_MAGIC.len();
                    let expected = if front { Part::Header } else { records[inside].1 };
                    let seeded = (place * 0x9E37_79B1) >> 7 & 7;
                    for bit in (0..8).filter(|bit| all_bits || *bit == seeded) {
                        let mut bytes = whole.clone();
                        bytes[place] ^= 1 << bit;
                        let damage = judge(bytes).expect_err("a flip is damage");
                        assert_eq!(damage.part, expected, "byte {place} bit {bit}: {damage}");
                        flips += 1;
                    }
                }
                flips
            })
        };
        let shares: Vec<_> = (0..threads).map(share).collect();
        shares.into_iter().map(|share| share.join().expect("every flip is named")).sum()
    });
    assert_eq!(flips, whole.len() * if all_bits { 8 } else { 1 });
    println!("{flips} flips in {} records, each named", records.len());
}

#[test]
fn each_of_two_hundred_entries_deleted_doubled_or_swapped_with_its_neighbour_is_named() {
    let whole = small(200);
    let records = records(&whole);
    let entries: Vec<usize> =
        (0..records.len()).filter(|place| matches!(records[*place].1, Part::Entry(_))).collect();
    assert_eq!(entries.len(), 200);
    let of = |place: usize| &whole[records[place].0.clone()];
    let changed = |from: usize, until: usize, middle: &[&[u8]]| {
        let (before, after) = (&whole[..records[from].0.start], &whole[records[until].0.end..]);
        judge([before, &middle.concat(), after].concat()).expect_err("it was changed").part
    };
    for (index, place) in entries.iter().copied().enumerate() {
        let part = records[place].1;
        assert_eq!(changed(place, place, &[]), part, "without {part}");
        // Where the next entry has to come, this one comes again; after the last one nothing has to.
        let next = entries.get(index + 1).map_or(Part::End, |next| records[*next].1);
        assert_eq!(changed(place, place, &[of(place), of(place)]), next, "{part} twice");
        if let Some(next) = entries.get(index + 1).copied() {
            let between = &whole[records[place].0.end..records[next].0.start];
            assert_eq!(
                changed(place, next, &[of(next), between, of(place)]),
                part,
                "{part} after the next one"
            );
        }
    }
}

#[test]
fn any_truncation_is_reported_at_the_record_that_it_cuts() {
    let bytes = export(9);
    let records = records(&bytes);
    for length in 0..bytes.len() {
        let damage = judge(bytes[..length].to_vec()).expect_err("a cut is damage");
        let cut = records.iter().find(|(range, _)| range.contains(&length));
        let (range, part) = cut.cloned().unwrap_or((0..0, Part::Header));
        // Cut between two records, nothing is left of the next one: it may have been an entry or one of its blobs.
        let entry = |part: Part| matches!(part, Part::Entry(_)) && range.start == length;
        assert!(damage.part == part || entry(damage.part), "length {length}: {damage}, expected {part}");
    }
}

#[test]
fn a_deleted_doubled_or_moved_record_is_named() {
    let bytes = export(9);
    let records = records(&bytes);
    let build = |order: &[usize]| {
        let mut out = EXPORT_MAGIC.to_vec();
        for place in order {
            out.extend_from_slice(&bytes[records[*place].0.clone()]);
        }
        out
    };
    let all: Vec<usize> = (0..records.len()).collect();
    for place in all.clone() {
        let mut without = all.clone();
        without.remove(place);
        let damage = judge(build(&without)).expect_err("a record is missing");
        assert_eq!(damage.part, records[place].1, "without {}: {damage}", records[place].1);
        let mut twice = all.clone();
        twice.insert(place, place);
        let damage = judge(build(&twice)).expect_err("a record is doubled");
        let next = records.get(place + 1).map_or(Part::End, |(_, part)| *part);
        // The second of two is not what should come next; of a blob the place after its last is the odd one.
        let blob = matches!(damage.part, Part::Blob(_)) && matches!(records[place].1, Part::Blob(_));
        let entry = matches!(damage.part, Part::Entry(_)) && matches!(next, Part::Blob(_));
        assert!(damage.part == next || blob || entry, "{} twice: {damage}", records[place].1);
        for other in place + 1..records.len() {
            let mut moved = all.clone();
            moved.swap(place, other);
            let damage = judge(build(&moved)).expect_err("records are swapped");
            assert!(damage.byte.is_some(), "{damage}");
        }
    }
    assert_eq!(judge(build(&all)), Ok(()));
}

#[test]
fn whatever_is_appended_is_noticed() {
    let bytes = export(4);
    for extra in [&b"\0"[..], b"\n", &bytes, &bytes[EXPORT_MAGIC.len()..]] {
        let damage = judge([bytes.as_slice(), extra].concat()).unwrap_err();
        assert_eq!(damage.part, Part::End, "{damage}");
    }
}

#[test]
fn records_of_another_export_do_not_fit() {
    let (ours, theirs) = (export(9), export(10));
    let (our_records, their_records) = (records(&ours), records(&theirs));
    let last = our_records.len() - 1;
    // Written again by a later writer: as many records and numbers, but another chain.
    let memory = Memory::new();
    drop(memory.open().unwrap());
    let mut again = memory.open().unwrap();
    for index in 0..9 {
        append_sample(&mut again, index).unwrap();
    }
    let mut twin = Vec::new();
    write_export(&again, &mut twin).unwrap();
    let mut mixed = ours.clone();
    mixed.splice(our_records[0].0.clone(), twin[records(&twin)[0].0.clone()].iter().copied());
    assert_eq!(judge(mixed).unwrap_err().part, Part::Header);
    for (place, their_place) in [(0, 0), (last, their_records.len() - 1)] {
        let mut mixed = ours.clone();
        mixed.splice(
            our_records[place].0.clone(),
            theirs[their_records[their_place].0.clone()].iter().copied(),
        );
        assert!(judge(mixed).is_err(), "{}", our_records[place].1);
    }
}

#[test]
fn damage_is_told_with_its_place() {
    let mut bytes = export(9);
    let (range, part) = records(&bytes)[11].clone();
    bytes[range.start + 20] ^= 1;
    let told = judge(bytes).unwrap_err().to_string();
    assert!(told.starts_with(&format!("{part} (byte {})", range.start)), "{told}");
}

#[test]
fn an_empty_journal_is_neither_verified_nor_exported() {
    let journal = journal(0);
    assert!(verify(&journal).unwrap_err().why.contains("nothing to verify"));
    assert!(write_export(&journal, &mut Vec::new()).is_err());
}

#[test]
fn a_fold_runs_along_and_can_object() {
    let journal = journal(9);
    let mut frames = 0;
    verify_with(&journal, |header, body| {
        frames += u64::from(header.count) + body.blobs.len() as u64;
        Ok(())
    })
    .unwrap();
    assert_eq!(frames, journal.head().next.0 + 6);
    let damage = verify_with(&journal, |header, _| match header.first {
        Number(0) => Ok(()),
        _ => Err("its words are not known".into()),
    });
    assert_eq!(damage.unwrap_err().to_string(), "entry #1: its words are not known");
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn an_imported_campaign_is_the_exported_one_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (file, campaign) = (folder.path().join("tale.journal"), folder.path().join("tale.redb"));
    fs::write(&file, export(700)).unwrap();
    assert_eq!((sniff(&file).unwrap(), open_source(&file).is_ok()), (FileKind::Export, true));
    let head = import(&file, &campaign).unwrap();
    assert_eq!(names(folder.path()), ["tale.journal", "tale.redb"]);
    assert_eq!(sniff(&campaign).unwrap(), FileKind::Campaign);
    let reader = open_read_only(&campaign).unwrap();
    assert_eq!(reader.head(), head);
    let mut again = Vec::new();
    write_export(&reader, &mut again).unwrap();
    assert_eq!(again, fs::read(&file).unwrap());
    drop(reader);
    let mut journal = open(&campaign).unwrap();
    append_sample(&mut journal, 700).unwrap();
    assert_eq!(verify(&journal).unwrap().entries, 701);
}

#[test]
fn an_import_replaces_nothing_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (file, campaign) = (folder.path().join("tale.journal"), folder.path().join("tale.redb"));
    let mut bytes = export(9);
    fs::write(&file, &bytes).unwrap();
    fs::write(&campaign, b"precious").unwrap();
    assert!(matches!(import(&file, &campaign), Err(ImportError::Open(OpenError::Exists(_)))));
    assert!(matches!(create(&campaign), Err(OpenError::Exists(_))));
    assert_eq!(fs::read(&campaign).unwrap(), b"precious");
    fs::remove_file(&campaign).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let refused = import(&file, &campaign).unwrap_err().to_string();
    assert!(refused.contains("is damaged: "), "{refused}");
    assert_eq!(names(folder.path()), ["tale.journal"]);
}
