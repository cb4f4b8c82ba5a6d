//! Promise: broken connections lose and double nothing, and a writer that lost its campaign writes nothing, wherever it is held up.

use std::sync::mpsc::channel;

use twicetold_event::{CampaignId, Number};
use twicetold_journal::conformance::append_sample;
use twicetold_journal::{AppendError, Memory, OpenError, Shelf, Source, verify};
use twicetold_tests::postgres::server;
use twicetold_tests::proxy::{Cut, Proxy};

use super::conforming::connected;

const ID: CampaignId = CampaignId([7; 16]);

fn entries(source: &dyn Source) -> Vec<Vec<u8>> {
    source.entries(Number(0)).unwrap().map(Result::unwrap).collect()
}

/// The address of the same database by way of a proxy.
fn by_way_of(proxy: &Proxy, address: &str) -> String {
    let (front, rest) = address.rsplit_once(':').unwrap();
    let (_, name) = rest.split_once('/').unwrap();
    format!("{front}:{}/{name}", proxy.port())
}

#[test]
fn connections_that_break_at_every_append_lose_and_double_nothing() {
    let Some((address, port)) = server().map(|server| (server.database(), server.port())) else { return };
    let proxy = Proxy::before(port);
    let shelf = connected(&by_way_of(&proxy, &address));
    let mut store = shelf.create(ID).unwrap();
    let mut twin = Memory::new().open().unwrap();
    for index in 0..60 {
        // The first one too, which makes the campaign; and twice in a row.
        proxy.plan(match index % 5 {
            0 => vec![Cut::Before],
            1 => vec![Cut::During],
            2 => vec![Cut::After],
            3 => vec![Cut::Before, Cut::After],
            _ => vec![Cut::Pass],
        });
        append_sample(&mut *store, index).unwrap();
        append_sample(&mut twin, index).unwrap();
        assert_eq!(store.head(), twin.head(), "after entry {index}");
    }
    assert!(proxy.appends() >= 60 + 12, "{} appends were sent", proxy.appends());
    assert_eq!(entries(&*store), entries(&twin));
    store.close().unwrap();
    let read = connected(&address).read(ID).unwrap();
    assert_eq!(verify(&*read).unwrap().entries, 60);
    assert_eq!(entries(&*read), entries(&twin));
}

/// Lets the lease of the campaign pass, as if its writer had been stopped for a while.
fn pass(address: &str) {
    let server = server().expect("it runs");
    server
        .sql(address, "UPDATE twicetold.campaign SET leased_until = clock_timestamp() - interval '1 second'");
}

#[test]
fn a_stale_writer_writes_nothing_wherever_it_is_held_up() {
    let Some((address, port)) = server().map(|server| (server.database(), server.port())) else { return };
    let proxy = Proxy::before(port);
    let (slow, fast) = (connected(&by_way_of(&proxy, &address)), connected(&address));
    let mut store = slow.create(ID).unwrap();
    append_sample(&mut *store, 0).unwrap();

    // Before it sends anything.
    pass(&address);
    let mut other = fast.open(ID).unwrap();
    append_sample(&mut *other, 1).unwrap();
    let refused = append_sample(&mut *store, 1);
    assert!(matches!(refused, Err(AppendError::Fenced { .. })), "{refused:?}");
    other.close().unwrap();

    // While its statement is on the way.
    let mut store = slow.open(ID).unwrap();
    let (held, is_held) = channel();
    let (release, released) = channel();
    proxy.plan([Cut::Hold(held, released)]);
    let late = std::thread::spawn(move || (append_sample(&mut *store, 2), store));
    is_held.recv().unwrap();
    pass(&address);
    let mut other = fast.open(ID).unwrap();
    append_sample(&mut *other, 2).unwrap();
    release.send(()).unwrap();
    let (refused, _lost) = late.join().unwrap();
    assert!(matches!(refused, Err(AppendError::Fenced { .. })), "{refused:?}");
    other.close().unwrap();

    // When its connection breaks, and somebody else took the campaign before it has looked again.
    let mut store = slow.open(ID).unwrap();
    let (held, is_held) = channel();
    let (release, released) = channel();
    proxy.plan([Cut::Before, Cut::Hold(held, released)]);
    let late = std::thread::spawn(move || (append_sample(&mut *store, 3), store));
    is_held.recv().unwrap();
    pass(&address);
    let mut other = fast.open(ID).unwrap();
    let head = other.head();
    release.send(()).unwrap();
    let (refused, _lost) = late.join().unwrap();
    assert!(matches!(refused, Err(AppendError::Fenced { .. })), "{refused:?}");
    assert_eq!(fast.read(ID).unwrap().head(), head, "nothing was written");
    append_sample(&mut *other, 3).unwrap();
    other.close().unwrap();
    assert_eq!(verify(&*fast.read(ID).unwrap()).unwrap().entries, 4);
}

#[test]
fn a_writer_that_commits_before_the_next_one_looks_is_seen_by_it() {
    let Some(address) = server().map(|server| server.database()) else { return };
    let (shelf, taker) = (connected(&address), connected(&address));
    let mut store = shelf.create(ID).unwrap();
    append_sample(&mut *store, 0).unwrap();
    pass(&address);
    // Another session inserts the same entry and does not say how that ends: the append waits when it has locked the campaign's row.
    let (locked, is_locked) = channel();
    let (unlock, unlocked) = channel::<()>();
    let next = store.head().next.0;
    let insert = format!("INSERT INTO twicetold.entry SELECT key, {next}, 0, '' FROM twicetold.campaign");
    let lock = server().expect("it runs").held(&address, &insert, locked, unlocked);
    is_locked.recv().unwrap();
    let late = std::thread::spawn(move || append_sample(&mut *store, 1).map(|(_, _, head)| (head, store)));
    server().expect("it runs").wait_for_waiting(&address, "WITH head");
    let taking = std::thread::spawn(move || (taker.open(ID).map(drop), taker));
    server().expect("it runs").wait_for_waiting(&address, "UPDATE twicetold.campaign");
    unlock.send(()).unwrap();
    lock.join().unwrap();
    let (written, _store) = late.join().unwrap().unwrap();
    // The append has renewed the lease, and the other one sees both.
    let (taken, taker) = taking.join().unwrap();
    assert!(matches!(taken, Err(OpenError::Locked { .. })), "{taken:?}");
    assert_eq!(taker.read(ID).unwrap().head(), written);
}

#[test]
fn a_server_that_crashes_and_comes_back_is_waited_for() {
    let Ok(mut server) = twicetold_tests::postgres::Server::start("") else { return };
    let address = server.database();
    let shelf = connected(&address);
    let mut store = shelf.create(ID).unwrap();
    for index in 0..4 {
        append_sample(&mut *store, index).unwrap();
    }
    server.crash();
    // Started again while the writer tries.
    let late = std::thread::spawn(move || (append_sample(&mut *store, 4).map(drop), store));
    server.start_again();
    let (appended, store) = late.join().unwrap();
    appended.unwrap();
    store.close().unwrap();
    assert_eq!(verify(&*shelf.read(ID).unwrap()).unwrap().entries, 5);
}
