//! Promise: whatever the store, the servers, people and the process do, every step keeps what the campaign promises.

use twicetold_sim::{Failure, Flaw, Oracle, Schedule, check, run};

/// Seeds here; the recipe `just sim` runs as many as one likes.
const SEEDS: std::ops::Range<u64> = 1..16;

#[test]
fn every_seed_keeps_every_promise() {
    let (mut lives, mut faults, mut twins) = (0, 0, 0);
    for seed in SEEDS {
        let schedule = Schedule::of(seed);
        let outcome = check(&schedule).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
        lives += outcome.lives;
        faults += outcome.server_faults;
        twins += u32::from(schedule.keeps_the_story() && outcome.lives > 1);
    }
    assert!(lives > 2 * SEEDS.count() as u32 && faults > 20 && twins > 3, "{lives} {faults} {twins}");
}

/// A schedule without trouble.
fn calm(seed: u64) -> Schedule {
    Schedule::of(seed).untroubled()
}

/// What the judge finds in the first of some seeds whose schedule has this flaw.
fn found(flaw: Flaw, schedule: impl Fn(u64) -> Schedule) -> Oracle {
    let failures = (1..20).filter_map(|seed| {
        let schedule = Schedule { flaw: Some(flaw), ..schedule(seed) };
        run(&schedule).err()
    });
    let mut violations = failures.filter_map(|failure: Failure| failure.violation().cloned());
    violations.next().unwrap_or_else(|| panic!("nobody finds {flaw:?}")).oracle
}

#[test]
fn a_store_that_acknowledges_before_it_keeps_is_found() {
    assert_eq!(found(Flaw::AcknowledgesBeforeItKeeps, calm), Oracle::DurableFirst);
}

#[test]
fn a_table_that_acts_before_the_append_is_found() {
    assert_eq!(found(Flaw::PerformsBeforeTheAppend, calm), Oracle::DurableFirst);
}

#[test]
fn a_seat_that_makes_an_answered_call_again_is_found() {
    assert_eq!(found(Flaw::CallsAgain, calm), Oracle::PaidOnce);
}

#[test]
fn a_table_that_takes_late_replies_for_the_owed_ones_is_found() {
    let late = |seed| Schedule { server_faults: 3, ..calm(seed) };
    assert_eq!(found(Flaw::TakesLateRepliesForTheOwed, late), Oracle::ReplaysExactly);
}

#[test]
fn a_timer_that_cannot_wait_is_found() {
    let busy = |seed| Schedule { server_faults: 3, ..calm(seed) };
    assert_eq!(found(Flaw::CannotWait, busy), Oracle::InGoodTime);
}

#[test]
fn a_campaign_that_nobody_goes_on_with_is_found() {
    let parked = |seed| Schedule { parks_ms: 10_000, ..calm(seed) };
    assert_eq!(found(Flaw::NeverResumes, parked), Oracle::Ends);
}
