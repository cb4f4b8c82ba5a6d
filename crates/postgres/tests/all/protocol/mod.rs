//! Promise: however workers stall and die, leases pass and answers are lost or come late, a campaign in a database has one writer, loses
//! and doubles nothing, and comes to its end.
//!
//! The protocol of `lease.rs`, `store.rs` and `queue.rs` is written down once more as a small model, and every state is visited that it can
//! come to. Then each guard is taken away, and the checker has to find what breaks: that shows what the guard is for, and that the
//! promises can fail.
//!
//! Not in the model: campaigns that are made, copied or removed, failures that are counted, and a database that loses what it has
//! confirmed, which a connection is refused for.

mod database;
mod guards;
mod model;
mod promises;
mod state;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use guards::{Guard, Guards};
use model::Protocol;
use stateright::{Checker, HasDiscoveries, Model};

const WORKERS: usize = 3;
/// A model that could go on for ever ends here: the largest below is a third of it.
const STATES_MAX: NonZeroUsize = NonZeroUsize::new(6_000_000).unwrap();

/// A guard, or several of which each alone is enough, and what breaks without: in how many campaigns, and after how many troubles.
struct Broken {
    without: &'static [Guard],
    campaigns: u8,
    troubles: u8,
    promise: &'static str,
}

const fn one(without: &'static [Guard], promise: &'static str, troubles: u8) -> Broken {
    Broken { without, campaigns: 1, troubles, promise }
}

const BROKEN: &[Broken] = &[
    one(&[Guard::EpochOfAppend], promises::NEWEST, 1),
    one(&[Guard::EpochGrows], promises::NEWEST, 1),
    one(&[Guard::HeadOfAppend], promises::TRUTH, 1),
    one(&[Guard::HeadOfAppend, Guard::EntryKey], promises::NUMBERS, 1),
    Broken {
        without: &[Guard::HeadOfAppend, Guard::KeyOfAppend],
        campaigns: 2,
        troubles: 0,
        promise: promises::CHAIN,
    },
    one(&[Guard::TimeOfTake], promises::FENCED, 0),
    one(&[Guard::LeasePasses], promises::ENDS, 1),
    one(&[Guard::EpochOfRenewal], promises::OWN_LEASE, 1),
    one(&[Guard::EpochOfRelease], promises::FENCED, 1),
    one(&[Guard::NoAnswerIsNoYes], promises::DURABLE, 1),
    one(&[Guard::LooksByDigest], promises::DURABLE, 2),
    one(&[Guard::LooksAfterLoss], promises::TRUTH, 2),
    one(&[Guard::LooksAfterNoRow], promises::TRUTH, 1),
    one(&[Guard::SeesTheEnd], promises::AFTER_END, 1),
    one(&[Guard::OverLeaves], promises::PUT_AWAY, 0),
    one(&[Guard::EpochOfLeave], promises::WAITS, 1),
    one(&[Guard::OthersStay], promises::WAITS, 2),
];

fn protocol(without: &'static [Guard], campaigns: u8, troubles: u8) -> Protocol {
    Protocol { guards: Guards { without }, campaigns, workers: WORKERS, troubles }
}

/// Visits every state.
fn keeps_every_promise(protocol: Protocol) {
    let name = format!("{protocol:?}");
    let checker = protocol.checker().threads(2).target_state_count(STATES_MAX.get()).spawn_bfs().join();
    assert!(checker.is_done() && checker.state_count() < STATES_MAX.get(), "{name}");
    checker.assert_properties();
}

#[test]
fn two_campaigns_and_three_workers_keep_every_promise() {
    keeps_every_promise(protocol(&[], 2, 2));
}

#[test]
fn more_may_go_wrong_with_one_campaign() {
    keeps_every_promise(protocol(&[], 1, 4));
}

#[test]
fn without_a_guard_the_checker_finds_what_breaks() {
    for Broken { without, campaigns, troubles, promise } in BROKEN {
        let until = HasDiscoveries::AnyOf(BTreeSet::from([*promise]));
        let checker = protocol(without, *campaigns, *troubles).checker().finish_when(until);
        let checker = checker.spawn_bfs().join();
        assert!(checker.discovery(promise).is_some(), "without {without:?} still {promise}");
    }
}

/// The other one of each pair would do; both are there because a statement that meets the wrong row is worse than one condition too many.
#[test]
fn two_guards_stand_behind_another_one() {
    keeps_every_promise(protocol(&[Guard::EntryKey], 1, 3));
    keeps_every_promise(protocol(&[Guard::KeyOfAppend], 2, 1));
}
