//! A later version of the rules leaves campaigns of the version before as they were.

use std::sync::Arc;

use twicetold_world::setup::{RULES_VERSION, Setup, SetupError};

use crate::Campaign;
use crate::replay::Replayer;
use crate::requests::charter;
use crate::rules::tests::files;
use twicetold_event::{Build, CampaignId, Entry, Event, Input, Millis, Number, OpeningAsked, Seat, entry};
use twicetold_model::Digest;

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
    let replays = |entry: &Entry, rules| Replayer::new(campaign(rules)).replay(entry).is_ok();
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
