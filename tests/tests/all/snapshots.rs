//! Promise: a snapshot saves time and nothing else: what comes out of one is what a whole fold gives, and one that does not
//! fit is passed over.

use twicetold_event::{AmendmentAsked, Build, CampaignId, Entry, ForkAsked, Input, Millis, PauseAsked};
use twicetold_journal::{Export, Head, Source, branch};
use twicetold_referee::replay::Replayer;
use twicetold_referee::{Campaign, SNAPSHOT_LAYOUT};
use twicetold_session::{Session, charter_of, entries, load, load_with, recall, snapshot};
use twicetold_tests::{Game, Home, golden, repository};
use twicetold_world::setup::Setup;

fn all(source: &dyn Source) -> Vec<Entry> {
    entries(source).unwrap().map(|entry| entry.unwrap()).collect()
}

/// The campaign folded to the end of these entries, and the head there.
fn folded(source: &dyn Source, entries: &[Entry]) -> (Campaign, Head) {
    let (charter, setup) = charter_of(source).unwrap();
    let mut campaign = Campaign::new(charter, setup).unwrap();
    let mut head = Head::EMPTY;
    for entry in entries {
        campaign.fold(entry).unwrap();
        head = Head {
            next: entry.header.next(),
            chain: entry.header.chain(),
            at: entry.header.at,
            blobs: head.blobs + entry.blobs.len() as u32,
            entries: head.entries + 1,
            epoch: entry.header.epoch,
            campaign: Some(entry.header.campaign),
        };
    }
    (campaign, head)
}

#[test]
fn a_campaign_goes_on_from_a_snapshot_as_it_went_on_without_one() {
    let played = Game::of("the-weir-book", 31).chaotic();
    let entries = all(played.source());
    for cut in (1..entries.len()).step_by(61) {
        let (mut campaign, head) = folded(played.source(), &entries[..cut]);
        let bytes = campaign.to_snapshot().expect("a state can be written down");
        let (charter, setup) = charter_of(played.source()).unwrap();
        let mut blobs = played.source().blob_digests().unwrap();
        blobs.truncate(head.blobs as usize);
        let mut restored = Campaign::from_snapshot(charter, setup, &blobs, &bytes).expect("and read again");
        recall(played.source(), &mut restored);
        // Every event and every request after it is decided as it was: dice, windows, numbers of blobs and all.
        let mut replayer = Replayer::new(restored);
        for entry in &entries[cut..] {
            replayer.replay(entry).unwrap_or_else(|at| panic!("after {cut} entries: {at:?}"));
        }
        assert_eq!(replayer.campaign().story(), played.session.campaign().story());

        let kept = snapshot(&mut campaign, &head, Millis(5)).unwrap();
        let mut whole = load(played.source()).unwrap().campaign;
        let mut with = load_with(played.source(), Some(&kept)).unwrap();
        assert_eq!(with.opened, Millis(5), "the snapshot was taken up, not passed over");
        assert_eq!(with.campaign.to_snapshot(), whole.to_snapshot(), "after {cut} entries");
    }
}

#[test]
fn a_snapshot_that_is_damaged_or_of_another_history_is_passed_over() {
    let played = Game::new(32).improvised();
    let entries = all(played.source());
    let (mut campaign, head) = folded(played.source(), &entries[..30]);
    let kept = snapshot(&mut campaign, &head, Millis(5)).unwrap();
    let digest = load(played.source()).unwrap().campaign.state().digest();
    let passed_over = |bytes: &[u8], source: &dyn Source| {
        let loaded = load_with(source, Some(bytes)).unwrap();
        loaded.opened != Millis(5) && loaded.campaign.state().digest() == digest
    };
    assert!(!passed_over(&kept, played.source()));
    for byte in (0..kept.len()).step_by(kept.len() / 40) {
        let mut damaged = kept.clone();
        damaged[byte] ^= 4;
        assert!(passed_over(&damaged, played.source()), "byte {byte}");
    }
    assert!(passed_over(&kept[..kept.len() / 2], played.source()) && passed_over(b"", played.source()));
    let (mut other, _) = folded(played.source(), &entries[..29]);
    let lies = snapshot(&mut other, &head, Millis(5)).unwrap();
    assert!(passed_over(&lies, played.source()), "the numbers of the campaign and of the head differ");
    let another = Head { chain: twicetold_model::Digest::ZERO, ..head };
    let lies = snapshot(&mut campaign, &another, Millis(5)).unwrap();
    assert!(passed_over(&lies, played.source()), "the journal does not follow from it");
}

fn template(setup: &Setup) -> String {
    setup.files.iter().find(|file| file.path == "prompts/dm-play.md").unwrap().text.to_string()
}

#[test]
fn what_was_amended_before_a_snapshot_is_amended_after_it() {
    let parent = Game::new(33).improvised();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("branch.redb");
    let at = all(parent.source())[20].header.next();
    let store = branch(parent.source(), at, &path).unwrap();
    let session = Session::recover(Box::new(store), Build::new("test")).unwrap();
    let mut session = session.renamed(CampaignId([9; 16]));
    let prompt = template(session.campaign().state().setup());
    let content = format!("{prompt}\nSpeak of the weather.");
    let amendments = vec![AmendmentAsked { path: "prompts/dm-play.md".into(), content }];
    let (parent, note) = (CampaignId([1; 16]), String::new());
    let asked = ForkAsked { parent, at, seed: Some(99), amendments, resample: false, note };
    session.commit(Millis(9_000_000), Input::ForkAsked(asked)).unwrap();
    let kept = session.snapshot().unwrap();
    session.commit(Millis(9_000_001), Input::PauseAsked(PauseAsked { reason: "enough".into() })).unwrap();
    let loaded = load_with(session.journal(), Some(&kept)).unwrap();
    let setup = loaded.campaign.state().setup();
    assert_eq!(loaded.opened, Millis(9_000_000), "the snapshot was taken up, not passed over");
    assert!(setup.seed == 99 && template(setup).ends_with("weather."));
    let mut whole = load(session.journal()).unwrap().campaign;
    let mut with = loaded.campaign;
    assert_eq!(with.to_snapshot(), whole.to_snapshot());
}

/// A golden journal always folds to the same state. When its bytes change, an older snapshot would be read wrongly: count
/// `SNAPSHOT_LAYOUT` up and write the golden file anew.
#[test]
fn another_shape_of_the_state_is_another_layout() {
    let journal = repository().join("replays/combat-and-vices/journal.twicetold");
    let mut campaign = load(&Export::open(&journal).unwrap()).unwrap().campaign;
    let bytes = campaign.to_snapshot().unwrap();
    let digest = twicetold_model::Digest::of("test", &bytes).to_string();
    golden(&journal.with_file_name("snapshot.txt"), &format!("layout {SNAPSHOT_LAYOUT}\n{digest:.16}\n"));
}

#[test]
fn rebuild_throws_a_lying_snapshot_away_and_makes_a_true_one() {
    let home = Home::new();
    home.succeed(["run", "the-weir-book", "--model", "improv:chaos", "--seed", "4", "--quiet"]);
    let file = std::fs::read_dir(home.path("data/views")).unwrap().next().unwrap().unwrap().path();
    let (kept, party) = (std::fs::read(&file).unwrap(), home.succeed(["show", "last", "memory"]));
    assert!(home.succeed(["rebuild"]).contains("snapshot made"));
    assert_eq!(std::fs::read(&file).unwrap(), kept, "a fold gives what the end of the play gave");
    std::fs::write(&file, b"nonsense").unwrap();
    assert_eq!(home.succeed(["show", "last", "memory"]), party);
    home.succeed(["rebuild", "last"]);
    assert_eq!(std::fs::read(&file).unwrap(), kept);
    let id = file.file_stem().unwrap().to_str().unwrap().to_owned();
    home.succeed(["rm", "--yes", &id]);
    assert!(!file.exists(), "nothing is left of a campaign that was removed");
}
