//! Promise: a program that shares no code with this one, written from the format's page, finds the same in every journal.
//!
//! `tests/verifier/verify.py` needs Python 3 and nothing else; where there is none, nothing is checked here. Packages make it faster.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
use twicetold_event::{Entry, Event, Input};
use twicetold_journal::{Export, verify};
use twicetold_tests::{Home, Records, python, repository, skipped};

/// Python as it is everywhere.
const PLAIN: &str = "python3";

/// Python with what makes the verifier fast, where it can be had.
fn fast() -> &'static str {
    static FAST: OnceLock<Option<String>> = OnceLock::new();
    let what = "what makes the second verifier fast";
    FAST.get_or_init(|| python(env!("CARGO_TARGET_TMPDIR"), "verifier", what)).as_deref().unwrap_or(PLAIN)
}

/// The verifier with these arguments; none without Python.
fn verifier(python: &str, arguments: &[&Path]) -> Option<Output> {
    let script = repository().join("tests/verifier/verify.py");
    let done = Command::new(python).arg(script).args(arguments).output();
    if done.is_err() {
        skipped("the second verifier", "there is no python3");
    }
    done.ok()
}

/// What it says of each of `paths`, and its exit code.
pub(crate) fn reports(options: &[&Path], paths: &[PathBuf]) -> Option<(Vec<Value>, i32)> {
    reports_by(fast(), options, paths)
}

fn reports_by(python: &str, options: &[&Path], paths: &[PathBuf]) -> Option<(Vec<Value>, i32)> {
    let mut arguments = vec![Path::new("--json")];
    arguments.extend(options);
    arguments.extend(paths.iter().map(PathBuf::as_path));
    let done = verifier(python, &arguments)?;
    let said = String::from_utf8_lossy(&done.stdout);
    let reports: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(reports.len(), paths.len(), "{}", String::from_utf8_lossy(&done.stderr));
    Some((reports, done.status.code().expect("it ends by itself")))
}

fn golden() -> Vec<PathBuf> {
    let folders = fs::read_dir(repository().join("replays")).expect("replays/ is there");
    let mut journals: Vec<PathBuf> = folders
        .map(|folder| folder.expect("it can be read").path().join("journal.twicetold"))
        .filter(|journal| journal.is_file())
        .collect();
    journals.sort();
    assert!(journals.len() >= 5, "the golden journals are gone");
    journals
}

#[test]
fn both_find_the_same_in_every_golden_journal() {
    let journals = golden();
    // With nothing but Python: digests and zstd of the packages are those that both compute here.
    let Some((reports, code)) = reports_by(PLAIN, &[], &journals) else { return };
    assert_eq!(code, 0, "{reports:?}");
    let home = Home::new();
    for (journal, theirs) in journals.iter().zip(reports) {
        let ours = home.succeed([Path::new("verify"), journal, Path::new("--json")]);
        let ours: Value = serde_json::from_str(&ours).expect("JSON");
        for field in ["whole", "entries", "numbers", "blobs", "chain", "story"] {
            assert_eq!(ours[field], theirs[field], "{field} of {}", journal.display());
        }
        if theirs["blobs_not_unpacked"] != 0 {
            skipped("the requests", "there is no zstd for Python");
            continue;
        }
        let expected = recorded(journal);
        let found = ["requests", "bodies", "replies"].map(|field| theirs[field].as_u64().unwrap_or_default());
        assert_eq!(found, expected, "requests, bodies and replies of {}", journal.display());
        assert!(expected[0] > 20, "{} has no requests", journal.display());
        assert!(theirs["draws"].as_u64() > Some(1), "nothing is drawn in {}", journal.display());
    }
}

/// How many requests, bodies that were sent, and replies a journal has, of those that somebody waited for.
fn recorded(journal: &Path) -> [u64; 3] {
    let mut records = Records::read(&fs::read(journal).expect("it is there"));
    let mut counts = [0; 3];
    for place in records.entries() {
        let entry = Entry::decode(records.payload(place)).expect("an entry");
        let asked = entry.events.iter().filter(|event| matches!(event, Event::ModelCallRequested(_))).count();
        counts[0] += asked as u64;
        let ignored = entry.events.iter().any(|event| matches!(event, Event::ReplyIgnored(_)));
        match entry.input {
            Input::ModelReplied(_) if !ignored => counts = [counts[0], counts[1] + 1, counts[2] + 1],
            Input::ModelFailed(_) if !ignored => counts[1] += 1,
            _ => {}
        }
    }
    counts
}

/// A journal damaged in many ways: what was done to it, and the bytes.
fn damaged() -> Vec<(String, Vec<u8>)> {
    let whole = fs::read(repository().join("replays/qwen-0.5b/journal.twicetold")).expect("it is there");
    let mut all = Vec::new();
    for place in (0..whole.len()).step_by(whole.len() / 23) {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        all.push((format!("byte {place} flipped"), bytes));
    }
    all.push(("cut".to_owned(), whole[..whole.len() - 40].to_vec()));
    all.push(("longer".to_owned(), [whole.as_slice(), b"more"].concat()));
    let records = Records::read(&whole);
    assert_eq!(records.fitted().bytes(), whole, "sealed again it is what it was");
    let (entries, blobs) = (records.entries(), records.blobs());
    for index in [0, 20, entries.len() - 2] {
        let place = entries[index];
        let moved = [
            ("deleted", records.without(place)),
            ("doubled", records.doubled(place)),
            ("swapped", records.swapped(place, entries[index + 1])),
        ];
        for (how, changed) in &moved {
            all.push((format!("entry {index} {how}"), changed.bytes()));
        }
        let mut changes = Vec::from(moved);
        // One bit of each thing that an entry says of itself, and of its body.
        for at in [0, 1, 17, 25, 29, 57, 61, 93, 125, 131, 140] {
            let mut changed = records.clone();
            changed.payload(place)[at] ^= 1;
            changes.push(("changed in itself", changed));
        }
        for (how, changed) in changes {
            all.push((format!("entry {index} {how}, and the rest made to fit"), changed.fitted().bytes()));
        }
    }
    for place in [blobs[0], blobs[blobs.len() / 2]] {
        let mut changed = records.clone();
        changed.payload(place)[1] ^= 1;
        all.push(("a blob with another digest".to_owned(), changed.fitted().bytes()));
        all.push(("a blob deleted".to_owned(), records.without(place).fitted().bytes()));
        all.push(("a blob doubled".to_owned(), records.doubled(place).fitted().bytes()));
    }
    all
}

#[test]
fn both_refuse_every_damaged_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let damaged = damaged();
    let name = |index: usize| folder.path().join(format!("{index}.twicetold"));
    for (index, (_, bytes)) in damaged.iter().enumerate() {
        fs::write(name(index), bytes).expect("room for it");
    }
    let paths: Vec<PathBuf> = (0..damaged.len()).map(name).collect();
    let Some((reports, code)) = reports(&[], &paths) else { return };
    assert_eq!(code, 4);
    for ((how, bytes), theirs) in damaged.into_iter().zip(reports) {
        let ours = Export::read(bytes).and_then(|export| verify(&export)).map(drop);
        assert!(ours.is_err(), "{how}: the program takes it for whole");
        assert_eq!(theirs["whole"], false, "{how}: the verifier takes it for whole");
        let named = theirs["damage"].as_str().expect("it says what is damaged");
        let parts = ["entry #", "blob ", "header", "end"];
        assert!(parts.iter().any(|part| named.starts_with(part)), "{how}: {named}");
    }
}

#[test]
fn it_reads_every_word_strictly() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole =
        fs::read(repository().join("replays/qwen-1.5b-guided/journal.twicetold")).expect("it is there");
    let records = Records::read(&whole);
    let last = *records.entries().last().expect("it has entries");
    // An event more at the end: its frame, and what the verifier says of it.
    let frames: [(&str, &[u8]); 6] = [
        ("no word with the type number 999 and the version 1", b"\xe7\x03\x01\x00\x00\x00\x00"),
        ("no word with the type number 102 and the version 9", b"\x66\x00\x09\x00\x00\x00\x00"),
        ("1 bytes follow its last field", b"\x66\x00\x01\x01\x00\x00\x00\x07"),
        ("a payload ends early", b"\x6c\x00\x01\x00\x00\x00\x00"),
        ("longer than it needs to be", b"\x6c\x00\x01\x02\x00\x00\x00\x81\x00"),
        ("7 is no variant of Seat", b"\x6a\x00\x01\x01\x00\x00\x00\x07"),
    ];
    let mut paths = Vec::new();
    for (index, (_, frame)) in frames.iter().enumerate() {
        let mut changed = records.clone();
        let payload = changed.payload(last);
        payload.extend_from_slice(frame);
        payload[25] += 1;
        paths.push(folder.path().join(format!("{index}.twicetold")));
        fs::write(&paths[index], changed.chained().fitted().bytes()).expect("room for it");
    }
    let Some((reports, code)) = reports(&[], &paths) else { return };
    assert_eq!(code, 4);
    for ((expected, _), report) in frames.iter().zip(reports) {
        let damage = report["damage"].as_str().unwrap_or_else(|| panic!("{expected}: taken for whole"));
        assert!(damage.starts_with("entry #") && damage.contains(expected), "{expected}: {damage}");
    }
}

#[test]
fn it_compares_journals_with_a_signed_attestation() {
    let home = Home::new();
    home.play(5);
    let (file, journal, other) =
        (home.path("attestation.txt"), home.path("journal.twicetold"), home.path("other.twicetold"));
    home.succeed([Path::new("attest"), Path::new("-o"), &file]);
    home.succeed([Path::new("export"), Path::new("last"), &journal]);
    let records = Records::read(&fs::read(&journal).expect("it was exported"));
    let last = *records.entries().last().expect("it has entries");
    fs::write(&other, records.without(last).fitted().bytes()).expect("room for it");
    let flag = Path::new("--attestation");
    let unlisted = repository().join("replays/dialogues/journal.twicetold");
    let Some((reports, code)) = reports(&[flag, &file], &[journal.clone(), other, unlisted]) else { return };
    assert_eq!(code, 4);
    let strange =
        reports[2]["damage"].as_str().expect("an attestation vouches for the campaigns that it lists");
    assert!(strange.contains("does not list this campaign"), "{strange}");
    let kept = reports[0]["attestation"].as_str().expect("it was compared");
    assert!(kept.contains("as attested"), "{kept}");
    let lost = reports[1]["damage"].as_str().expect("the shorter journal is valid and does not match");
    assert!(lost.contains("history differs from the attestation"), "{lost}");

    let text = fs::read_to_string(&file).expect("it was written");
    for place in (0..text.len()).step_by(37) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] = if bytes[place] == b'0' { b'1' } else { b'0' };
        fs::write(&file, &bytes).expect("room for it");
        let rejected = verifier(fast(), &[flag, &file, &journal]).expect("it was there before");
        assert_eq!(rejected.status.code(), Some(4), "byte {place} of the attestation");
    }
}
