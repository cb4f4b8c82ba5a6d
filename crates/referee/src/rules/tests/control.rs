//! What is asked from outside of the game is done where it can be.

use twicetold_event::{CallId, Input, Seat};
use twicetold_event::{
    CampaignResumed, Event, Millis, PauseAsked, ResumeAsked, SeatAsked, SeatReleased, SeatTaken, TimerFired,
};

use super::{Given, given};
use crate::rules::control;

fn asked(given: &mut Given, input: impl Into<Input>) -> Vec<Event> {
    let input = input.into();
    given.when(|table| control::asked(table, &input)).1
}

fn seat_asked(person: Option<&str>) -> SeatAsked {
    SeatAsked { seat: Seat::Player(2), person: person.map(str::to_owned) }
}

#[test]
fn a_campaign_goes_on_when_it_is_asked_to() {
    let mut given = given([]);
    assert_eq!(asked(&mut given, ResumeAsked { interrupted: None }), [CampaignResumed {}.into()]);
}

#[test]
fn a_campaign_is_paused_once_and_only_while_it_runs() {
    let mut given = given([]);
    let pause = || PauseAsked { reason: "enough".into() };
    assert_eq!(asked(&mut given, pause()), []);
    let mut given = given.and([CampaignResumed {}.into()]);
    assert!(matches!(asked(&mut given, pause()).as_slice(), [Event::CampaignPaused(_)]));
    assert_eq!(asked(&mut given, pause()), []);
}

#[test]
fn a_person_takes_a_seat_and_gives_it_back() {
    let mut given = given([]);
    let seat = Seat::Player(2);
    let taken = SeatTaken { seat, person: "Ada".into() };
    assert_eq!(asked(&mut given, seat_asked(Some("Ada"))), [taken.into()]);
    assert_eq!(given.state().table().people[&seat], "Ada");
    assert_eq!(asked(&mut given, seat_asked(None)), [SeatReleased { seat }.into()]);
    assert!(given.state().table().people.is_empty());
}

#[test]
fn what_asks_for_nothing_of_the_kind_changes_nothing() {
    let mut given = given([CampaignResumed {}.into()]);
    assert_eq!(asked(&mut given, TimerFired { call: CallId(1), due: Millis(9) }), []);
}
