//! Promise: any one byte of an exported journal changed, and verification, replay and import name the entry, blob or header.

use std::fs;

use twicetold_event::{Input, Number, ResumeAsked};
use twicetold_improv::improvise_chaos;
use twicetold_journal::{Export, open_source, verify, write_export};
use twicetold_session::replay;
use twicetold_tests::reply_body;
use twicetold_tests::{Game, Played, Records};

/// A short campaign: every byte of its export is tried.
fn export() -> Vec<u8> {
    let game = Game::new(41)
        .with("encounters/gone-before-dusk.toml", "messages_max = 44", "messages_max = 2")
        .with("limits.toml", "session_zero_rounds_max = 12 ", "session_zero_rounds_max = 1 ");
    let played = game.answered(&mut |_, _| reply_body("So be it.", &[]));
    let mut bytes = Vec::new();
    write_export(played.source(), &mut bytes).expect("a whole journal is exported");
    bytes
}

/// A long campaign, with every vice, as far as some two hundred entries.
fn long() -> Vec<u8> {
    let game = Game::of("the-weir-book", 4);
    let (session, memory, mut first) = game.session();
    let mut played = Played { session, memory, transcript: Vec::new(), events: Vec::new(), calls: 0 };
    let mut until = 0;
    while played.source().head().entries < 190 {
        until += 50;
        played.until(first.clone(), Some(Number(until)), &mut |_, body| improvise_chaos(body));
        first = Input::ResumeAsked(ResumeAsked { interrupted: None });
    }
    let mut bytes = Vec::new();
    write_export(played.source(), &mut bytes).expect("a whole journal is exported");
    bytes
}

fn names_a_part(message: &str) -> bool {
    ["entry #", "blob ", "header", "end", "journal", "magic"].iter().any(|part| message.contains(part))
}

#[allow(clippy::disallowed_methods, reason = "asked for by the recipe")]
fn all_flips() -> bool {
    std::env::var("TWICETOLD_FLIPS").is_ok_and(|flips| flips == "all")
}

#[test]
fn any_flipped_byte_is_named() {
    let whole = export();
    assert!(Export::read(whole.clone()).is_ok());
    let all = all_flips();
    // Every byte of the entries' part; of the blobs, which are most of the file, every thirteenth. The recipe asks for all bits.
    let mut named = 0;
    for place in (0..whole.len())
        .filter(|place| all || *place < 400 || place % 13 == 0 || *place > whole.len() - 12_000)
    {
        for bit in (0..8).filter(|bit| all || *bit == place % 8) {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << bit;
            let found = Export::read(damaged).and_then(|export| verify(&export).map(drop));
            let message = found.expect_err("a changed byte is damage").to_string();
            assert!(names_a_part(&message), "byte {place}, bit {bit}: {message}");
            named += 1;
        }
    }
    assert!(named > 1_000);
    println!("{named} flips in {} bytes, each named", whole.len());
}

/// A campaign of nearly two hundred entries, with each of them missing, there twice, or before its predecessor: once with the
/// header that it had, and once with seals, counts and the end made to fit by whoever did it.
#[test]
fn every_entry_of_a_campaign_that_is_deleted_doubled_or_swapped_is_named() {
    let records = Records::read(&long());
    let entries = records.entries();
    assert!(entries.len() > 180);
    for (index, place) in entries.iter().copied().enumerate() {
        let mut changes = vec![("missing", records.without(place)), ("doubled", records.doubled(place))];
        if let Some(next) = entries.get(index + 1) {
            changes.push(("swapped", records.swapped(place, *next)));
        }
        for (how, changed) in changes {
            for fitted in [false, true] {
                let bytes = if fitted { changed.fitted() } else { changed.clone() }.bytes();
                let found = Export::read(bytes).and_then(|export| verify(&export).map(drop));
                // Without its last entries a journal is a whole one: only the header, or a note, knows of more.
                if fitted && how == "missing" && index + 1 == entries.len() {
                    continue;
                }
                let message = found.expect_err("it was changed").to_string();
                assert!(names_a_part(&message), "entry {index} {how}, fitted: {fitted}: {message}");
            }
        }
    }
}

#[test]
fn a_damaged_file_is_neither_replayed_nor_imported() {
    let folder = tempfile::tempdir().unwrap();
    let whole = export();
    let path = folder.path().join("damaged.twicetold");
    for place in (0..whole.len()).step_by(whole.len() / 40) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x20;
        fs::write(&path, &damaged).unwrap();
        let destination = folder.path().join("imported.redb");
        let imported =
            twicetold_journal::import(&path, &destination).expect_err("damage is not imported").to_string();
        assert!(names_a_part(&imported), "{imported}");
        assert!(!destination.exists());
        match open_source(&path) {
            Err(error) => assert!(
                names_a_part(&error.to_string()) || error.to_string().contains("not a campaign"),
                "{error}"
            ),
            Ok(source) => {
                let error = replay(source.as_ref(), None).err().expect("damage is not replayed").to_string();
                assert!(names_a_part(&error), "{error}");
            }
        }
    }
}

/// Seals, counts, lists of digests and the chain are all right; what the blob says is not what its digest says.
#[test]
fn another_content_under_a_blobs_digest_is_named_and_not_imported() {
    let folder = tempfile::tempdir().unwrap();
    let (path, destination) = (folder.path().join("forged.twicetold"), folder.path().join("imported.redb"));
    let mut records = Records::read(&export());
    let place = records.blobs()[3];
    let payload = records.payload(place);
    payload[0] = 0;
    payload.truncate(33);
    payload.extend_from_slice(b"Nobody ever said this.");
    fs::write(&path, records.fitted().bytes()).unwrap();
    let source = open_source(&path).expect("nothing that is read at once is wrong");
    let named = verify(source.as_ref()).expect_err("the content is another").to_string();
    assert!(named.contains("blob 3") && named.contains("its content was changed"), "{named}");
    let imported =
        twicetold_journal::import(&path, &destination).expect_err("it is not imported").to_string();
    assert!(imported.contains("blob 3"), "{imported}");
    assert!(!destination.exists());
}

#[test]
fn a_truncated_file_is_named_at_every_kind_of_place() {
    let whole = export();
    for length in (0..whole.len()).step_by(997) {
        let error = Export::read(whole[..length].to_vec()).err().expect("a cut file is damage").to_string();
        assert!(names_a_part(&error), "length {length}: {error}");
    }
}
