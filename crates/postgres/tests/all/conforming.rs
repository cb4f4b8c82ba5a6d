//! Promise: stores and shelves in a database pass what those in files pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use twicetold_event::CampaignId;
use twicetold_journal::conformance::{Place, conform, conform_shelf};
use twicetold_journal::{OpenError, Shelf};
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
