//! Who is at 0 hit points: passed over, helped by time or by somebody, or lost, as the pack says.

use twicetold_event::{CharacterLost, Check, Event, Fate, HitPointsChanged, Seat, SpeakerRule};
use twicetold_world::setup::{Down, Setup};

use super::turn::chosen;
use super::{Given, given_by, in_play, turn};
use crate::rules::{fate, turn as turns};

const WHO: &str = "Bettany Oake";

fn given_with_fate(fate: Fate) -> Given {
    let rule = move |setup: &mut Setup| setup.rules.pack.down = Down { fate, turns: 3, hit_points: 2 };
    let falls = HitPointsChanged { character: WHO.into(), asked: -9, applied: -9, now: 0 };
    given_by(rule, in_play()).and(turn(1, Seat::Dm, "The floor gives way.")).and([falls.into()])
}

fn follows(given: &mut Given) -> Vec<Event> {
    given.when(fate::at_turn_end).1
}

fn later(given: Given) -> Given {
    given.and(turn(4, Seat::Player(2), "I look for her."))
}

fn lost(fate: Fate) -> Event {
    let reason = Check::new("nobody_helped").with("turns", 3).with("most", 3);
    CharacterLost { character: WHO.into(), fate, reason }.into()
}

#[test]
fn after_the_packs_time_a_character_comes_to_with_the_packs_hit_points() {
    let mut given = given_with_fate(Fate::Recovers);
    assert_eq!(follows(&mut given), [], "too early");
    let mut given = later(given);
    assert!(matches!(follows(&mut given).as_slice(), [Event::CharacterRecovered(word)]
        if word.now == 2 && word.helper.is_empty() && word.reason.rule == "came_to"));
    assert_eq!(given.state().able().collect::<Vec<_>>(), [Seat::Player(1), Seat::Player(2)]);
    assert_eq!(follows(&mut given), [], "once");
}

#[test]
fn or_it_dies_or_is_taken_away_once() {
    for fate in [Fate::Dies, Fate::Captured] {
        let mut given = later(given_with_fate(fate));
        assert_eq!(follows(&mut given), [lost(fate)]);
        assert_eq!(follows(&mut given), []);
        assert_eq!(given.state().able().collect::<Vec<_>>(), [Seat::Player(2)]);
        let (_, events) = given.when(fate::between_encounters);
        assert_eq!(
            events.len(),
            usize::from(fate == Fate::Captured),
            "who was taken away comes back: {events:?}"
        );
    }
}

#[test]
fn nobody_is_asked_who_is_down() {
    let mut given = given_with_fate(Fate::Recovers).and(turn(2, Seat::Dm, "Bettany, what do you do?"));
    let (seat, rule) = chosen(&given.when(turns::next).1).expect("somebody speaks");
    assert_eq!((seat, rule), (Seat::Player(2), SpeakerRule::WaitedLongest));
}

#[test]
fn a_party_is_dead_when_everybody_is() {
    let mut given = given_with_fate(Fate::Dies).and([lost(Fate::Dies)]);
    assert!(!given.when(|table| fate::is_party_dead(table.state())).0);
    let other = CharacterLost {
        character: "Tobias Fenn".into(),
        fate: Fate::Dies,
        reason: Check::new("nobody_helped"),
    };
    let mut given = given.and([other.into()]);
    assert!(given.when(|table| fate::is_party_dead(table.state())).0);
}
