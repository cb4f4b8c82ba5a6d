//! Failures: what makes them happen, that the DM has a turn to tell them, and that the encounter is lost then.

use twicetold_event::{
    AbilityChecked, EncounterFailed, Event, FailureStruck, HitPointsChanged, Seat, SpeakerRule, TurnEnd,
    TurnEnded,
};
use twicetold_world::setup::{GoalSpec, Setup, StrikeSpec};

use super::turn::chosen;
use super::{Given, given_by, in_play, turn};
use crate::rules::{failure, turn as turns};

fn failing(strikes: StrikeSpec) -> impl Fn(&mut Setup) {
    move |setup| {
        let (id, label) = ("the-bell-rings".to_owned(), "The bell rings.".to_owned());
        let goal = GoalSpec {
            id,
            label,
            primary: false,
            needs: Vec::new(),
            failure: true,
            strikes,
            worsens: Vec::new(),
            epilogue: Vec::new(),
            ending: String::new(),
            later: String::new(),
        };
        let goals = &mut setup.encounters[0].goals;
        goals.retain(|goal| !goal.failure);
        goals.push(goal);
    }
}

fn given_failing(strikes: StrikeSpec) -> Given {
    given_by(failing(strikes), in_play())
}

fn failed_check(counter: u32) -> Event {
    check(counter, "", false)
}

pub(super) fn check(counter: u32, name: &str, success: bool) -> Event {
    AbilityChecked {
        character: "Bettany Oake".into(),
        check: name.into(),
        ability: "DEX".into(),
        stream: "player-1 check DEX".into(),
        counter,
        faces: vec![2],
        modifier: 0,
        total: 2,
        difficulty: 12,
        success,
        reason: "the rail".into(),
    }
    .into()
}

fn falls(character: &str) -> Event {
    HitPointsChanged { character: character.into(), asked: -9, applied: -9, now: 0 }.into()
}

fn struck(given: &mut Given) -> Option<FailureStruck> {
    let (_, events) = given.when(failure::at_turn_end);
    events.into_iter().find_map(|event| match event {
        Event::FailureStruck(word) => Some(word),
        _ => None,
    })
}

fn lost(given: &mut Given) -> Option<EncounterFailed> {
    let (_, events) = given.when(failure::at_turn_end);
    events.into_iter().find_map(|event| match event {
        Event::EncounterFailed(word) => Some(word),
        _ => None,
    })
}

#[test]
fn a_clock_strikes_at_its_message_and_not_before() {
    let clock = StrikeSpec { messages: Some(2), ..StrikeSpec::default() };
    let mut one = given_failing(clock).and(turn(1, Seat::Dm, "It is dark."));
    assert_eq!(struck(&mut one), None);
    let word = struck(&mut one.and(turn(2, Seat::Player(1), "I wait."))).expect("two messages");
    assert_eq!((word.goal.as_str(), word.reason.rule.as_str()), ("the-bell-rings", "clock"));
}

#[test]
fn so_many_failed_checks_strike() {
    let given = || given_failing(StrikeSpec { failed_checks: Some(2), ..StrikeSpec::default() });
    let turns = |given: Given| given.and(turn(1, Seat::Player(1), "I try."));
    assert_eq!(struck(&mut turns(given()).and([failed_check(0)])), None);
    let word = struck(&mut turns(given()).and([failed_check(0), failed_check(1)])).expect("two failures");
    assert_eq!(word.reason.rule, "failed_checks");
}

#[test]
fn a_party_that_is_down_has_lost_also_where_the_encounter_says_nothing_of_it() {
    let mut one = given_failing(StrikeSpec::default()).and([falls("Bettany Oake")]);
    assert_eq!(struck(&mut one), None, "the other still stands");
    let word = struck(&mut one.and([falls("Tobias Fenn")])).expect("nobody stands");
    assert_eq!((word.goal.as_str(), word.reason.rule.as_str()), ("party-down", "party_down"));
    assert!(!word.label.is_empty());
    let named = StrikeSpec { party_down: true, ..StrikeSpec::default() };
    let mut named = given_failing(named).and([falls("Bettany Oake"), falls("Tobias Fenn")]);
    assert_eq!(struck(&mut named).expect("nobody stands").goal, "the-bell-rings");
}

#[test]
fn the_dm_tells_it_in_a_turn_of_its_own_and_then_the_encounter_is_lost() {
    let clock = StrikeSpec { messages: Some(1), ..StrikeSpec::default() };
    let mut given = given_failing(clock).and(turn(1, Seat::Dm, "Tobias, what do you do?"));
    assert!(struck(&mut given).is_some());
    let (seat, rule) = chosen(&given.when(turns::next).1).expect("somebody speaks");
    assert_eq!((seat, rule), (Seat::Dm, SpeakerRule::TellsFailure), "not whom it asked");
    let silent = TurnEnded { turn: 2, why: TurnEnd::Unusable };
    let mut given = given.and([silent.into()]);
    assert_eq!(lost(&mut given), None, "it has said nothing yet");
    let mut given = given.and(turn(3, Seat::Dm, "The bell rings."));
    let word = lost(&mut given).expect("it was told");
    assert_eq!(word.outcome, "the-bell-rings");
    let over = given.state().encounters_over().last().expect("the encounter is over");
    assert!(over.failed && over.outcome.as_ref().is_some_and(|(_, label)| label == "The bell rings."));
}

#[test]
fn a_dm_that_never_tells_it_does_not_hold_the_campaign_up() {
    let clock = StrikeSpec { messages: Some(1), ..StrikeSpec::default() };
    let mut given = given_failing(clock).and(turn(1, Seat::Dm, "It is dark."));
    assert!(struck(&mut given).is_some());
    let silent = |turn| [twicetold_event::TurnBegan { turn, seat: Seat::Dm }.into()];
    let mut given = given.and(silent(2)).and(silent(3)).and(silent(4));
    assert!(lost(&mut given).is_some());
}

#[test]
fn nothing_strikes_when_the_checks_of_a_goal_have_passed_and_it_is_still_to_be_told() {
    let clock = || given_failing(StrikeSpec { messages: Some(2), ..StrikeSpec::default() });
    let turns =
        |given: Given| given.and(turn(1, Seat::Dm, "It is dark.")).and(turn(2, Seat::Player(1), "I wade."));
    let passed =
        [check(0, "follow the bent reeds", true), check(0, "bring the ferry back before the bell", true)];
    assert_eq!(struck(&mut turns(clock().and(passed.clone()))), None);
    let [first, _] = passed;
    assert!(struck(&mut turns(clock().and([first]))).is_some(), "one of two is not enough");
}
