//! Promise: a signed attestation that is stored elsewhere detects a rewritten history, even if its digest chain is valid.

use std::path::Path;

use twicetold_event::body::encode_front;
use twicetold_event::entry::Header;
use twicetold_event::{BlobId, Build, CampaignId, Input, Millis, Number, PauseAsked};
use twicetold_journal::{Journal, Source, Store, branch, conformance, create, open, open_read_only};
use twicetold_session::Session;
use twicetold_tests::{Home, flat, last_line};

#[test]
fn an_attestation_detects_a_rewritten_history_with_a_valid_chain() {
    let home = Home::new();
    home.run(["run", "the-borrowed-boat", "--seed", "3", "--quiet"]).succeeded();
    let attestation = home.path("attestation.txt");
    let attestation = attestation.to_str().unwrap();
    home.run(["attest", "-o", attestation]).succeeded();
    let kept = home.run(["verify", "--attestation", attestation]).succeeded().stdout;
    assert!(kept.contains("unchanged"), "{kept}");

    rewrite(&home);

    let whole = home.run(["verify", "last"]).succeeded().stdout;
    assert!(whole.contains("Intact"), "its own digest chain is valid: {whole}");
    let caught = home.run(["verify", "--attestation", attestation]);
    assert_eq!(caught.code, Some(4), "{}", caught.stdout);
    assert!(caught.stdout.contains("history differs from the attestation"), "{}", caught.stdout);
}

/// Replaces the last third of the only campaign by other entries and computes every digest anew.
fn rewrite(home: &Home) {
    let path = home.campaigns().pop().expect("the campaign's file");
    let forged = path.with_extension("forged");
    let head = {
        let reader = open_read_only(&path).unwrap();
        let until = twicetold_session::entries(&reader)
            .unwrap()
            .map(|entry| entry.unwrap().header.next())
            .find(|next| next.0 > 60)
            .unwrap();
        Box::new(branch(&reader, until, &forged).unwrap()).close().unwrap();
        until
    };
    let mut session = Session::recover(Box::new(open(&forged).unwrap()), Build::new("test")).unwrap();
    let mut clock = 9_000_000_000_000;
    while session.journal().head().next < Number(head.0 + 400) {
        clock += 1;
        let reason = format!("forged {clock}");
        session.commit(Millis(clock), Input::PauseAsked(PauseAsked { reason })).unwrap();
    }
    session.into_store().close().unwrap();
    std::fs::rename(&forged, &path).unwrap();
}

#[test]
fn a_campaign_that_is_attested_when_its_play_stops_is_compared_without_being_asked() {
    let home = Home::new();
    let run = ["run", "the-borrowed-boat", "--seed", "3", "--quiet", "--attest", "kept"];
    home.run(run).succeeded();
    let unchanged = home.run(["verify", "last"]).succeeded().stdout;
    assert!(unchanged.contains("Attested up to #") && unchanged.contains(": unchanged"), "{unchanged}");
    let kept = std::fs::read_dir(home.path("kept")).unwrap().next().unwrap().unwrap().path();
    let signed = std::fs::read(&kept).unwrap();

    rewrite(&home);
    let caught = home.run(["verify", "last"]);
    assert_eq!(caught.code, Some(4), "{}", caught.stdout);
    assert!(flat(&caught.stdout).contains("history differs from the attestation"), "{}", caught.stdout);
    let json = last_line(&home.run(["verify", "last", "--json"]).stdout);
    assert_eq!(json["attestation"]["verdict"], "rewritten");
    // Going on would attest the rewritten history.
    home.run(["resume", "last", "--attest", "kept"]).failed(4, &["history differs from the attestation"]);
    assert_eq!(std::fs::read(&kept).unwrap(), signed);

    // An attestation that is gone, or of somebody else's key, hides a history as well.
    let home_of_another = Home::new();
    home_of_another.run(run).succeeded();
    let other = String::from_utf8(home_of_another.succeed(["attest"]).into_bytes()).unwrap();
    std::fs::write(&kept, other).unwrap();
    home.run(["verify", "last"]).failed(4, &["does not attest the campaign"]);
    std::fs::remove_file(&kept).unwrap();
    home.run(["verify", "last"]).failed(7, &["is not there"]);
}

#[test]
fn a_campaign_that_is_over_and_was_not_attested_is_when_it_is_resumed() {
    let home = Home::new();
    home.run(["run", "the-borrowed-boat", "--seed", "3", "--quiet"]).succeeded();
    home.run(["resume", "last", "--attest", "kept"]).failed(2, &["is over"]);
    assert!(home.succeed(["verify", "last"]).contains("Attested up to #"));
}

#[test]
fn an_attestation_follows_a_campaign_that_goes_on() {
    let home = Home::new();
    home.run(["run", "the-borrowed-boat", "--seed", "3", "--quiet"]).succeeded();
    home.run(["fork", "last", "--at", "119"]).succeeded();
    let last = || last_line(&home.succeed(["verify", "last", "--json"]));
    assert_eq!(last()["attestation"], serde_json::Value::Null, "nothing was attested");
    home.run(["resume", "last", "--quiet", "--attest", "kept"]).succeeded();
    let attested = last();
    assert_eq!(attested["attestation"]["next"], attested["numbers"]);
    assert_eq!(attested["attestation"]["verdict"], "unchanged");
    // A folder that cannot be used is told of before anything is played.
    home.write("file", "");
    home.run(["run", "--attest", "file/folder"])
        .failed(2, &["the folder file/folder for attestations cannot be used"]);
    assert_eq!(home.campaigns().len(), 2);
}

/// Entries of the small campaigns below, each of which is rewritten from another one on.
const ENTRIES: u64 = 16;

/// Appends an entry with the request to pause the campaign.
fn pause(journal: &mut Journal, campaign: CampaignId, reason: &str) {
    let mut body = Vec::new();
    encode_front(&mut body, BlobId(0), &[]);
    let reason = PauseAsked { reason: reason.to_owned() };
    Input::from(reason).encode(&mut body);
    let header = Header { campaign, ..conformance::header(&journal.head(), journal.epoch(), 1) };
    journal.append(&conformance::build(&header, &body), &[]).unwrap();
}

/// Writes a campaign that equals its namesakes up to one entry.
fn written(path: &Path, campaign: CampaignId, same: u64, entries: u64) {
    let mut journal = create(path).unwrap();
    for index in 0..entries {
        let other = if index < same { "" } else { ", they say now" };
        pause(&mut journal, campaign, &format!("{index}{other}"));
    }
}

#[test]
fn an_attestation_detects_a_tail_that_is_rewritten_from_any_entry_on() {
    let home = Home::new();
    let folder = home.path("data/campaigns");
    std::fs::create_dir_all(&folder).unwrap();
    // Campaign n is rewritten from entry n on. The next to last only grows, and the last stays unchanged.
    let campaigns: Vec<CampaignId> =
        (0..ENTRIES as u8 + 2).map(|number| CampaignId([number + 1; 16])).collect();
    let path = |campaign: &CampaignId| folder.join(format!("{campaign}.redb"));
    for campaign in &campaigns {
        written(&path(campaign), *campaign, ENTRIES, ENTRIES);
    }
    let attestation = home.path("attestation.txt");
    let attestation = attestation.to_str().unwrap();
    home.run(["attest", "-o", attestation]).succeeded();
    for (from, campaign) in (0..=ENTRIES).zip(&campaigns) {
        std::fs::remove_file(path(campaign)).unwrap();
        written(&path(campaign), *campaign, from, ENTRIES + 2);
    }
    let compared = home.run(["verify", "--attestation", attestation, "--json"]);
    assert_eq!(compared.code, Some(4), "{}", compared.stdout);
    let report: serde_json::Value = serde_json::from_str(&compared.stdout).unwrap();
    let rows = report["campaigns"].as_array().unwrap();
    assert_eq!(rows.len(), campaigns.len());
    for (from, campaign) in (0..).zip(&campaigns) {
        let row = rows.iter().find(|row| row["campaign"] == campaign.to_string()).unwrap();
        let expected = if from < ENTRIES { "rewritten" } else { "unchanged" };
        assert_eq!(row["verdict"], expected, "rewritten from entry {from} on");
        // Its own digest chain is valid.
        home.run(["verify".as_ref(), path(campaign).as_os_str()]).succeeded();
    }
}

#[test]
fn an_attestation_with_one_changed_byte_is_rejected() {
    let home = Home::new();
    home.run(["run", "the-borrowed-boat", "--seed", "4", "--quiet"]).succeeded();
    let text = home.run(["attest"]).succeeded().stdout;
    let path = home.path("attestation.txt");
    for place in (0..text.len()).step_by(31) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] = if bytes[place] == b'0' { b'1' } else { b'0' };
        std::fs::write(&path, &bytes).unwrap();
        let rejected = home.run(["verify", "--attestation", path.to_str().unwrap()]);
        assert_eq!(rejected.code, Some(4), "byte {place}: {}", rejected.stdout);
    }
}

#[test]
fn what_cannot_be_read_keeps_no_other_campaign_from_being_attested() {
    let home = Home::new();
    home.play(1);
    home.play(2);
    let broken = home.campaigns().remove(0);
    std::fs::write(&broken, "no journal").expect("it can be written");
    home.run(["attest", "-o", "attestation.txt"]).failed(4, &["not a campaign"]);
    let text = std::fs::read_to_string(home.path("attestation.txt")).expect("it was written");
    assert_eq!(text.lines().filter(|line| line.starts_with("campaign ")).count(), 1, "{text}");
    home.run(["attest", "-o", "-", "--json"]).failed(2, &["--json needs a file"]);
    home.run(["export", "last", "-"]).failed(2, &["a journal is no text"]);
    assert!(!home.path("-").exists());
}

#[test]
fn a_missing_campaign_of_an_attestation_sets_the_exit_code() {
    let home = Home::new();
    home.play(4);
    home.play(5);
    let attestation = home.path("attestation.txt");
    let attestation = attestation.to_str().unwrap();
    home.run(["attest", "-o", attestation]).succeeded();
    home.run(["verify", "--attestation", attestation]).succeeded();
    // An emptied or overwritten file is damaged, not missing.
    let (file, whole) = (&home.campaigns()[0], std::fs::read(&home.campaigns()[0]).unwrap());
    for wiped in [Vec::new(), whole[..4_096].to_vec(), vec![7; whole.len()]] {
        std::fs::write(file, wiped).unwrap();
        home.run(["verify", "--attestation", attestation]).failed(4, &[]);
    }
    std::fs::remove_file(file).unwrap();
    let compared = home.run(["verify", "--attestation", attestation]);
    assert_eq!(compared.code, Some(7), "{}", compared.stdout);
    assert!(compared.stdout.contains("missing"), "{}", compared.stdout);
    assert!(compared.stdout.contains("1 campaign of the attestation was not found"), "{}", compared.stdout);
    assert!(compared.stdout.contains("unchanged"), "{}", compared.stdout);
}
