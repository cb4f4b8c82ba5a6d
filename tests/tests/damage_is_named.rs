//! Promise: any one byte of an exported journal changed, and verification, replay and import name the entry, blob or header.

use std::fs;

use twicetold_journal::{Export, open_source, verify, write_export};
use twicetold_provider::reply_body;
use twicetold_session::replay;
use twicetold_tests::Game;

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

fn names_a_part(message: &str) -> bool {
    ["entry #", "blob ", "header", "end", "journal", "magic"].iter().any(|part| message.contains(part))
}

#[test]
fn any_flipped_byte_is_named() {
    let whole = export();
    assert!(Export::read(whole.clone()).is_ok());
    // Every byte of the entries' part; of the blobs, which are most of the file, every thirteenth.
    let mut named = 0;
    for place in
        (0..whole.len()).filter(|place| *place < 400 || place % 13 == 0 || *place > whole.len() - 12_000)
    {
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << (place % 8);
        let found = Export::read(damaged).and_then(|export| verify(&export).map(drop));
        let message = found.expect_err("a changed byte is damage").to_string();
        assert!(names_a_part(&message), "byte {place}: {message}");
        named += 1;
    }
    assert!(named > 1_000);
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

#[test]
fn a_truncated_file_is_named_at_every_kind_of_place() {
    let whole = export();
    for length in (0..whole.len()).step_by(997) {
        let error = Export::read(whole[..length].to_vec()).err().expect("a cut file is damage").to_string();
        assert!(names_a_part(&error), "length {length}: {error}");
    }
}
