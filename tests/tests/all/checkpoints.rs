//! Promise: whoever rewrites a history, chain and all, is found out by a signed note that was kept elsewhere.

use std::path::Path;

use twicetold_event::body::encode_front;
use twicetold_event::entry::Header;
use twicetold_event::{BlobId, Build, CampaignId, Input, Millis, Number, ParkAsked};
use twicetold_journal::{Journal, Source, Store, branch, conformance, create, open, open_read_only};
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

/// Entries of the small campaigns below, each of which is rewritten from another one on.
const ENTRIES: u64 = 16;

/// Appends an entry in which somebody asks the campaign to stop.
fn park(journal: &mut Journal, campaign: CampaignId, reason: &str) {
    let mut body = Vec::new();
    encode_front(&mut body, BlobId(0), &[]);
    let reason = ParkAsked { reason: reason.to_owned() };
    Input::from(reason).encode(&mut body);
    let header = Header { campaign, ..conformance::header(&journal.head(), journal.epoch(), 1) };
    journal.append(&conformance::build(&header, &body), &[]).unwrap();
}

/// A campaign that is told in the same way as its namesakes up to one entry.
fn told(path: &Path, campaign: CampaignId, same: u64, entries: u64) {
    let mut journal = create(path).unwrap();
    for index in 0..entries {
        let other = if index < same { "" } else { ", they say now" };
        park(&mut journal, campaign, &format!("{index}{other}"));
    }
}

#[test]
fn a_tail_that_is_rewritten_from_any_entry_on_is_found_by_the_note() {
    let home = Home::new();
    let folder = home.path("data/campaigns");
    std::fs::create_dir_all(&folder).unwrap();
    // Campaign n is rewritten from entry n on. The next to last goes on, and the last stays as it is.
    let campaigns: Vec<CampaignId> =
        (0..ENTRIES as u8 + 2).map(|number| CampaignId([number + 1; 16])).collect();
    let path = |campaign: &CampaignId| folder.join(format!("{campaign}.redb"));
    for campaign in &campaigns {
        told(&path(campaign), *campaign, ENTRIES, ENTRIES);
    }
    let note = home.path("note.txt");
    let note = note.to_str().unwrap();
    home.run(["checkpoint", "-o", note]).succeeded();
    for (from, campaign) in (0..=ENTRIES).zip(&campaigns) {
        std::fs::remove_file(path(campaign)).unwrap();
        told(&path(campaign), *campaign, from, ENTRIES + 2);
    }
    let compared = home.run(["verify", "--checkpoint", note, "--json"]);
    assert_eq!(compared.code, Some(4), "{}", compared.stdout);
    let report: serde_json::Value = serde_json::from_str(&compared.stdout).unwrap();
    let rows = report["campaigns"].as_array().unwrap();
    assert_eq!(rows.len(), campaigns.len());
    for (from, campaign) in (0..).zip(&campaigns) {
        let row = rows.iter().find(|row| row["campaign"] == campaign.to_string()).unwrap();
        let expected = if from < ENTRIES { "another history than the note's" } else { "as it was" };
        assert_eq!(row["verdict"], expected, "rewritten from entry {from} on");
        // Its own chain says nothing of it.
        home.run(["verify".as_ref(), path(campaign).as_os_str()]).succeeded();
    }
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

#[test]
fn a_campaign_of_the_note_that_is_gone_is_noticed_by_scripts_too() {
    let home = Home::new();
    home.play(4);
    home.play(5);
    let note = home.path("note.txt");
    let note = note.to_str().unwrap();
    home.run(["checkpoint", "-o", note]).succeeded();
    home.run(["verify", "--checkpoint", note]).succeeded();
    // What was emptied or overwritten is there, and damaged.
    let (file, whole) = (&home.campaigns()[0], std::fs::read(&home.campaigns()[0]).unwrap());
    for wiped in [Vec::new(), whole[..4_096].to_vec(), vec![7; whole.len()]] {
        std::fs::write(file, wiped).unwrap();
        home.run(["verify", "--checkpoint", note]).failed(4, &[]);
    }
    std::fs::remove_file(file).unwrap();
    let compared = home.run(["verify", "--checkpoint", note]);
    assert_eq!(compared.code, Some(7), "{}", compared.stdout);
    assert!(compared.stdout.contains("not here any more"), "{}", compared.stdout);
    assert!(compared.stdout.contains("1 of the note's campaigns cannot be looked at"), "{}", compared.stdout);
    assert!(compared.stdout.contains("as it was"), "{}", compared.stdout);
}
