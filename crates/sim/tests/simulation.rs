//! Promise: whatever the store, the servers, people and the process do, every step keeps what the campaign promises.

use twicetold_sim::{Failure, Flaw, Oracle, Schedule, check, run};

/// Seeds of each half here; the recipe `just sim` runs as many as one likes.
const SEEDS: usize = 12;

/// Checks the first seeds whose schedules are of a kind; says how often a campaign was opened, and how many servers failed.
fn checked(kind: impl Fn(&Schedule) -> bool) -> (u32, u64) {
    let schedules = (1..).map(Schedule::of).filter(kind).take(SEEDS);
    schedules.fold((0, 0), |(lives, faults), schedule| {
        let seed = schedule.seed;
        let outcome = check(&schedule).unwrap_or_else(|failure| panic!("just sim-one {seed}: {failure}"));
        (lives + outcome.lives, faults + outcome.server_faults)
    })
}

#[test]
fn a_failing_store_and_a_dying_process_break_no_promise_and_leave_the_story_as_it_is() {
    let (lives, faults) = checked(Schedule::keeps_the_story);
    assert!(lives > 2 * SEEDS as u32 && faults == 0, "{lives} lives, {faults} faults");
}

#[test]
fn failing_servers_and_people_who_come_and_go_break_no_promise_either() {
    let (lives, faults) = checked(|schedule| !schedule.keeps_the_story());
    assert!(lives > 2 * SEEDS as u32 && faults > 4 * SEEDS as u64, "{lives} lives, {faults} faults");
}

/// A schedule without trouble.
fn calm(seed: u64) -> Schedule {
    Schedule::of(seed).without_faults()
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
fn a_table_that_takes_late_replies_for_the_pending_ones_is_found() {
    let late = |seed| Schedule { server_faults: 3, ..calm(seed) };
    assert_eq!(found(Flaw::TakesLateReplies, late), Oracle::ReplaysExactly);
}

#[test]
fn a_timer_that_cannot_wait_is_found() {
    let busy = |seed| Schedule { server_faults: 3, ..calm(seed) };
    assert_eq!(found(Flaw::CannotWait, busy), Oracle::InGoodTime);
}

#[test]
fn a_campaign_that_nobody_goes_on_with_is_found() {
    let paused = |seed| Schedule { pauses_ms: 10_000, ..calm(seed) };
    assert_eq!(found(Flaw::NeverResumes, paused), Oracle::Ends);
}
