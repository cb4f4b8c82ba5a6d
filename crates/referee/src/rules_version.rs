//! A later version of the rules leaves campaigns of the version before as they were.

use std::path::Path;
use std::sync::Arc;

use twicetold_world::setup::{RULES_VERSION, Setup, SetupError, SourceFile};

use crate::Campaign;
use crate::replay::Replayer;
use crate::requests::charter;
use twicetold_event::{Build, CampaignId, Entry, Event, Input, Millis, Number, OpeningAsked, Seat, entry};
use twicetold_model::Digest;

/// The bundled campaign's files for two, without tools.
fn files() -> Vec<SourceFile> {
    fn collect(root: &Path, folder: &Path, files: &mut Vec<SourceFile>) {
        for item in std::fs::read_dir(folder).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                collect(root, &path, files);
            } else {
                let below = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                let text = std::fs::read_to_string(&path).unwrap().into();
                files.push(SourceFile { path: below, text });
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    let mut files = Vec::new();
    collect(&root, &root, &mut files);
    let campaign = files.iter_mut().find(|file| file.path == "campaigns/the-borrowed-boat.toml");
    campaign.unwrap().path = "campaign.toml".into();
    let seat = "protocol = \"improv\"\nwire = 1\nmodel = \"improv\"\ntokens_max = 1000\nparallel_tool_calls = true\nsend_seed = true\ntoken_factor_percent = 100\n";
    let text = format!("players = 2\n[seat.dm]\n{seat}").into();
    files.push(SourceFile { path: "seats.toml".into(), text });
    files
}

fn campaign(rules: u16) -> Campaign {
    let files = files();
    let mut setup = Setup::read(7, RULES_VERSION, files.clone()).unwrap();
    setup.rules_version = rules;
    Campaign::new(charter(7, rules, &files), Arc::new(setup)).unwrap()
}

/// The first entry of a campaign by this version of the rules.
fn opened(rules: u16) -> Entry {
    let mut campaign = campaign(rules);
    let input = Input::from(OpeningAsked { charter: charter(7, rules, &files()) });
    let step = campaign.step(Millis(1), &input);
    let header = entry::Header {
        campaign: CampaignId([7; 16]),
        first: Number(0),
        count: 1 + step.events.len() as u32,
        at: Millis(1),
        build: Build::new("test"),
        turn: 1,
        epoch: 1,
        previous: Digest::ZERO,
        body: Digest::ZERO,
    };
    let blobs = step.blobs.iter().map(|(digest, _)| *digest).collect();
    Entry { header, blobs, input, events: step.events }
}

#[test]
fn a_campaign_is_replayed_by_the_version_of_the_rules_in_its_charter() {
    let first = |entry: &Entry| {
        entry.events.iter().find_map(|event| match event {
            Event::TurnBegan(word) => Some(word.seat),
            _ => None,
        })
    };
    let (old, new) = (opened(1), opened(2));
    assert_eq!((first(&old), first(&new)), (Some(Seat::Dm), Some(Seat::Player(1))));
    let replays = |entry: &Entry, rules| Replayer::new(campaign(rules)).tell(entry).is_ok();
    assert!(replays(&old, 1) && replays(&new, 2));
    assert!(!replays(&old, 2) && !replays(&new, 1));
}

#[test]
fn rules_of_a_newer_build_are_refused() {
    let refused = Setup::read(7, RULES_VERSION + 1, files()).unwrap_err();
    assert_eq!(refused, SetupError::RulesVersion(RULES_VERSION + 1));
    assert!(refused.to_string().contains("use a newer build"));
    assert!(Setup::read(7, 0, files()).is_err(), "a foreign transcript is played by no rules");
}
