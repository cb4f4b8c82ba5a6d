//! Promise: instructions that are kept from one request to the next are those that would be rendered anew, whatever has happened. A campaign
//! that is folded from its journal keeps none.

use std::sync::atomic::{AtomicUsize, Ordering};

use twicetold_event::{Event, Purpose};
use twicetold_referee::Campaign;
use twicetold_session::{charter_of, entries};
use twicetold_tests::{CAMPAIGNS, Game, Played};

/// Compares the first request of every turn in play with the one that the folded campaign renders; returns how many there were.
fn compare(played: &Played) -> usize {
    let (charter, setup) = charter_of(played.source()).unwrap();
    let mut campaign = Campaign::new(charter, setup).unwrap();
    let mut compared = 0;
    for entry in entries(played.source()).unwrap() {
        let entry = entry.unwrap();
        campaign.fold(&entry).unwrap();
        let begins = entry.events.iter().any(|event| matches!(event, Event::TurnBegan(_)));
        for event in entry.events.iter().filter(|_| begins) {
            let Event::ModelCallRequested(word) = event else { continue };
            if word.purpose == Purpose::Play {
                let anew = campaign.pending_request().expect("it is pending");
                assert_eq!(anew.digest(), word.digest, "{} of {}: {:?}", word.call, word.seat, entry.events);
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn instructions_that_were_kept_are_those_that_would_be_rendered_anew() {
    const SEEDS: u64 = 7;
    let (next, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let (campaign, seed) = (CAMPAIGNS.get(place / SEEDS as usize), place as u64 % SEEDS);
                    let Some(campaign) = campaign else { return };
                    let game = Game::of(campaign, 700 + seed);
                    let count = match seed % 2 {
                        0 => compare(&game.improvised()),
                        _ => compare(&game.chaotic()),
                    };
                    compared.fetch_add(count, Ordering::Relaxed);
                }
            });
        }
    });
    let compared = compared.into_inner();
    assert!(compared > 1_000, "only {compared} requests");
}
