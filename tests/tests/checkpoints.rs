//! Promise: whoever rewrites a history, chain and all, is found out by a signed note that was kept elsewhere.

use twicetold_event::{Build, Input, Millis, Number, ParkAsked};
use twicetold_journal::{branch, open, open_read_only};
use twicetold_session::Session;
use twicetold_tests::Home;

#[test]
fn a_rewritten_history_is_whole_and_yet_another_than_the_notes() {
    let home = Home::new();
    home.run(["run", "the-borrowed-boat", "--seed", "3", "--quiet"]).succeeded();
    let note = home.path("note.txt");
    let note = note.to_str().unwrap();
    home.run(["checkpoint", "-o", note]).succeeded();
    let kept = home.run(["verify", "--checkpoint", note]).succeeded().stdout;
    assert!(kept.contains("as it was"), "{kept}");

    // The last third is forgotten, and something else happens: every digest is computed anew.
    let path = home.campaigns().pop().expect("the campaign's file");
    let forged = path.with_extension("forged");
    let head = {
        let reader = open_read_only(&path).unwrap();
        let until = twicetold_session::entries(&reader)
            .unwrap()
            .map(|entry| entry.unwrap().header.next())
            .find(|next| next.0 > 60)
            .unwrap();
        branch(&reader, until, &forged).unwrap();
        until
    };
    let mut session = Session::recover(Box::new(open(&forged).unwrap()), Build::new("test")).unwrap();
    let mut clock = 9_000_000_000_000;
    while session.journal().head().next < Number(head.0 + 400) {
        clock += 1;
        let reason = format!("forged {clock}");
        session.commit(Millis(clock), Input::ParkAsked(ParkAsked { reason })).unwrap();
    }
    session.into_store().close().unwrap();
    std::fs::rename(&forged, &path).unwrap();

    let whole = home.run(["verify", "last"]).succeeded().stdout;
    assert!(whole.contains("Whole"), "its own chain says nothing: {whole}");
    let caught = home.run(["verify", "--checkpoint", note]);
    assert_eq!(caught.code, Some(4), "{}", caught.stdout);
    assert!(caught.stdout.contains("another history than the note's"), "{}", caught.stdout);
}

#[test]
fn a_note_of_which_one_byte_was_changed_is_no_note() {
    let home = Home::new();
    home.run(["run", "the-borrowed-boat", "--seed", "4", "--quiet"]).succeeded();
    let text = home.run(["checkpoint"]).succeeded().stdout;
    let path = home.path("note.txt");
    for place in (0..text.len()).step_by(31) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] = if bytes[place] == b'0' { b'1' } else { b'0' };
        std::fs::write(&path, &bytes).unwrap();
        let refused = home.run(["verify", "--checkpoint", path.to_str().unwrap()]);
        assert_eq!(refused.code, Some(4), "byte {place}: {}", refused.stdout);
    }
}
