//! Promise: stores and shelves in a database pass what those in files pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use twicetold_event::CampaignId;
use twicetold_journal::conformance::{Place, append_sample, conform, conform_shelf};
use twicetold_journal::{OpenError, Queue, Shelf, Waiting};
use twicetold_postgres::{Address, Passwords, Postgres};
use twicetold_tests::postgres::server;

pub(crate) fn connected(address: &str) -> Postgres {
    let address = Address::read(address, &Passwords::default()).expect("an address");
    Postgres::connect(address, "a test").expect("a database")
}

#[test]
fn stores_conform() {
    let Some(address) = server().map(|server| server.database()) else { return };
    let shelf = Arc::new(connected(&address));
    let count = AtomicU8::new(0);
    conform(&|| -> Place {
        let id = CampaignId([count.fetch_add(1, Ordering::Relaxed); 16]);
        let shelf = shelf.clone();
        Box::new(move || match shelf.open(id) {
            Err(OpenError::Missing(_)) => shelf.create(id),
            other => other,
        })
    });
}

#[test]
fn shelves_conform() {
    let Some(address) = server().map(|server| server.database()) else { return };
    conform_shelf(&connected(&address));
    // And once more, by another process that finds the tables there.
    let again = connected(&address);
    for id in again.list().unwrap() {
        again.remove(id).unwrap();
    }
    conform_shelf(&again);
}

#[test]
fn only_who_took_a_campaign_last_says_what_becomes_of_its_place_in_the_queue() {
    let Some(address) = server().map(|server| server.database()) else { return };
    let shelf = connected(&address);
    let id = CampaignId([7; 16]);
    let mut store = shelf.create(id).unwrap();
    append_sample(&mut *store, 0).unwrap();
    drop(store);
    shelf.put(id).unwrap();
    let take = || loop {
        // A lease that was given back a moment ago may not have arrived yet.
        if let Some((taken, store)) = shelf.take(&[]).unwrap() {
            assert_eq!(taken, id);
            break store;
        }
        std::thread::yield_now();
    };
    assert!(shelf.take(&[id]).unwrap().is_none(), "it is left to others");
    assert_eq!(shelf.waiting(&[id]).unwrap(), Waiting::default());
    let first = take();
    let stale = first.epoch();
    drop(first);
    let second = take();
    shelf.leave(id, Some(stale)).unwrap();
    for _ in 0..5 {
        shelf.failed(id, stale, false, "it was slow to say so").unwrap();
    }
    let one = Waiting { queued: 1, ..Waiting::default() };
    assert_eq!(shelf.waiting(&[]).unwrap(), one);
    // Whoever gets on between two failures is not given up for the third.
    for moved in [false, false, true, false] {
        shelf.failed(id, second.epoch(), moved, "no model answers").unwrap();
        assert_eq!(shelf.waiting(&[]).unwrap(), one);
    }
    shelf.failed(id, second.epoch(), false, "no model answers").unwrap();
    let reasons = vec![(id, "no model answers".to_owned())];
    assert_eq!(shelf.waiting(&[]).unwrap(), Waiting { given_up: 1, reasons, ..Waiting::default() });
    shelf.leave(id, Some(second.epoch())).unwrap();
    assert_eq!(shelf.waiting(&[]).unwrap(), Waiting::default());
}
