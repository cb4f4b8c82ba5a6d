//! Promise: tables for analysts show a campaign as it was last, whoever writes them, and hold whatever a model said.

use twicetold_event::CampaignId;
use twicetold_journal::Shelf;
use twicetold_journal::conformance::append_sample;
use twicetold_postgres::views::{CampaignRow, OutcomeRow, Rows};
use twicetold_tests::postgres::server;

use super::conforming::connected;

#[test]
fn an_older_state_of_a_campaign_does_not_follow_a_later_one() {
    let Some(address) = server().map(|server| server.database()) else { return };
    let shelf = connected(&address);
    let mut store = shelf.create(CampaignId([7; 16])).unwrap();
    append_sample(&mut *store, 0).unwrap();
    let views = shelf.views().unwrap();
    let behind = views.behind().unwrap();
    let key = behind[0].key;
    let rows = |numbers, summary: &str| {
        let campaign = CampaignRow { campaign: key, id: "7".repeat(32), numbers, ..CampaignRow::default() };
        let outcome = OutcomeRow {
            campaign: key,
            number: 1,
            encounter: "one".to_owned(),
            outcome: "primary",
            goal: None,
            messages: 1,
            summary: summary.to_owned(),
        };
        Rows { campaign, outcomes: vec![outcome], ..Rows::default() }
    };
    let shown = || server().unwrap().sql(&address, "SELECT summary FROM twicetold_views.outcomes");
    assert!(views.write(&rows(500, "a \0 later one")).unwrap());
    assert!(!views.write(&rows(400, "an older one")).unwrap());
    assert_eq!(shown(), "a \u{fffd} later one");
    assert!(views.behind().unwrap().is_empty());
    drop(store);
    while shelf.remove(CampaignId([7; 16])).is_err() {
        // A lease that was given back a moment ago may not have arrived yet.
        std::thread::yield_now();
    }
    assert_eq!(views.forget().unwrap(), 1);
    assert!(!views.write(&rows(600, "one that is gone")).unwrap());
    assert_eq!(shown(), "");
}
