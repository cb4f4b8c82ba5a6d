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
        if let Some((taken, store)) = shelf.take().unwrap() {
            assert_eq!(taken, id);
            break store;
        }
        std::thread::yield_now();
    };
    let first = take();
    let stale = first.epoch();
    drop(first);
    let second = take();
    shelf.leave(id, Some(stale)).unwrap();
    for _ in 0..5 {
        shelf.failed(id, stale, "it was slow to say so").unwrap();
    }
    assert_eq!(shelf.waiting().unwrap(), Waiting { queued: 1, given_up: 0 });
    for _ in 0..3 {
        shelf.failed(id, second.epoch(), "no model answers").unwrap();
    }
    assert_eq!(shelf.waiting().unwrap(), Waiting { queued: 0, given_up: 1 });
    shelf.leave(id, Some(second.epoch())).unwrap();
    assert_eq!(shelf.waiting().unwrap(), Waiting::default());
}
