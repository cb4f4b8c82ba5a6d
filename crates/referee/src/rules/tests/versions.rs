//! Versions of the rules decide apart.

use twicetold_event::{Purpose, Seat};

use super::{given, given_by};
use crate::rules::{turn, versions};
use crate::table::Next;

#[test]
fn by_the_first_version_of_the_rules_the_dm_opens_a_campaign() {
    assert_eq!(versions::opener(given([]).state()), Seat::Dm);
}

#[test]
fn a_later_version_decides_otherwise_and_the_turn_follows_it() {
    let mut given = given_by(|setup| setup.rules_version = 2, []);
    let opener = versions::opener(given.state());
    assert_eq!(opener, Seat::Player(1));
    let (next, _) = given.when(|table| turn::begin(table, opener));
    assert_eq!(next, Next::Ask(Seat::Player(1), Purpose::SessionZero));
}
