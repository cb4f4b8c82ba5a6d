//! Combat: who acts, when courage is tried, and every end.

use twicetold_event::{
    CombatBegan, CombatOutcome, CombatTurnBegan, Event, Foe, FoeHitPointsChanged, HitPointsChanged,
    Initiative, MoraleChecked, Seat, SpeakerRule,
};

use super::{Given, given, given_by, in_play, turn};
use crate::rules::combat;

const BETTANY: &str = "Bettany Oake";
const TOBIAS: &str = "Tobias Fenn";

fn rough(number: u8) -> String {
    format!("river-rough-{number}")
}

fn foe(number: u8) -> Foe {
    Foe {
        id: rough(number),
        name: "River rough".into(),
        monster: "river-rough".into(),
        npc: String::new(),
        armor_class: 11,
        hit_points: 5,
        morale: 6,
    }
}

/// Two foes and the party fight, in this order.
fn began(order: &[&str]) -> Event {
    let place = |(place, name): (usize, &&str)| Initiative {
        combatant: (*name).to_owned(),
        stream: format!("{name} initiative"),
        counter: 0,
        faces: vec![20 - place as u16],
        total: 20 - place as i32,
    };
    let order = order.iter().enumerate().map(place).collect();
    CombatBegan { foes: vec![foe(1), foe(2)], order }.into()
}

/// Bettany, both foes, Tobias.
fn fight() -> Event {
    began(&[BETTANY, &rough(1), &rough(2), TOBIAS])
}

fn acts(round: u32, combatants: &[&str]) -> Event {
    let combatants = combatants.iter().map(|name| (*name).to_owned()).collect();
    CombatTurnBegan { round, combatants }.into()
}

fn falls(number: u8) -> Event {
    FoeHitPointsChanged { foe: rough(number), asked: -5, applied: -5, now: 0 }.into()
}

fn drops(name: &str) -> Event {
    HitPointsChanged { character: name.into(), asked: -90, applied: -10, now: 0 }.into()
}

/// Who acts next, by the rule of initiative and nothing else.
fn next(given: &mut Given) -> (Seat, Event) {
    let (seat, events) = given.when(combat::next);
    let [acting, Event::SpeakerChosen(chosen)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((Some(chosen.seat), chosen.rule), (seat, SpeakerRule::Initiative));
    (chosen.seat, acting.clone())
}

/// How the combat ended, and in which round.
fn end(given: &mut Given) -> (CombatOutcome, u32) {
    let (seat, events) = given.when(combat::next);
    let [.., Event::CombatEnded(ended)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((seat, given.state().combat().is_none()), (None, true));
    (ended.outcome, ended.rounds)
}

#[test]
fn the_order_goes_round_and_foes_in_a_row_act_together() {
    let mut given = given(in_play()).and([fight()]);
    assert_eq!(next(&mut given), (Seat::Player(1), acts(1, &[BETTANY])));
    assert_eq!(next(&mut given), (Seat::Dm, acts(1, &[&rough(1), &rough(2)])));
    assert_eq!(next(&mut given), (Seat::Player(2), acts(1, &[TOBIAS])));
    assert_eq!(next(&mut given), (Seat::Player(1), acts(2, &[BETTANY])));
}

#[test]
fn foes_of_two_rounds_do_not_act_together() {
    let mut given =
        given(in_play()).and([began(&[&rough(1), BETTANY, TOBIAS, &rough(2)]), acts(1, &[TOBIAS])]);
    assert_eq!(next(&mut given), (Seat::Dm, acts(1, &[&rough(2)])));
    assert_eq!(next(&mut given), (Seat::Dm, acts(2, &[&rough(1)])));
}

#[test]
fn the_fallen_are_passed_over() {
    let mut given = given_by(courage([1, 1]), in_play()).and([fight(), falls(1), drops(BETTANY)]);
    given.when(combat::next);
    assert_eq!(given.state().combat().map(|combat| combat.acting.clone()), Some(vec![rough(2)]));
    assert_eq!(next(&mut given), (Seat::Player(2), acts(1, &[TOBIAS])));
    assert_eq!(next(&mut given), (Seat::Dm, acts(2, &[&rough(2)])));
}

/// The second foe's morale dice show these faces.
fn courage(faces: [u16; 2]) -> impl FnOnce(&mut twicetold_world::setup::Setup) {
    move |setup| drop(setup.draws.insert((format!("foe:{} morale", rough(2)), 0), faces.to_vec()))
}

fn checked(faces: [u16; 2], stays: bool) -> Event {
    let (stream, total) = (format!("foe:{} morale", rough(2)), i32::from(faces[0] + faces[1]));
    let faces = faces.to_vec();
    MoraleChecked { foe: rough(2), stream, counter: 0, faces, total, morale: 6, stays }.into()
}

#[test]
fn when_half_of_the_foes_are_down_the_others_try_their_courage_once() {
    let mut given = given_by(courage([3, 3]), in_play()).and([fight()]);
    assert_eq!(next(&mut given).0, Seat::Player(1), "all of them stand");
    let mut given = given.and([falls(1)]);
    let (seat, events) = given.when(combat::next);
    assert_eq!((seat, &events[..2]), (Some(Seat::Dm), &[checked([3, 3], true), acts(1, &[&rough(2)])][..]));
    assert_eq!(next(&mut given), (Seat::Player(2), acts(1, &[TOBIAS])), "it is not tried again");
}

#[test]
fn a_foe_without_courage_flees_and_whoever_is_left_alone_has_won() {
    let mut given = given_by(courage([3, 4]), in_play()).and([fight(), falls(1)]);
    let (seat, events) = given.when(combat::next);
    assert!(
        matches!(events.as_slice(), [tried, Event::CombatEnded(ended)]
            if *tried == checked([3, 4], false) && ended.outcome == CombatOutcome::FoesFled && ended.rounds == 1),
        "{events:?}"
    );
    assert_eq!(seat, None);
}

#[test]
fn a_combat_ends_when_one_side_is_down() {
    let fought = || given(in_play()).and([fight(), acts(3, &[TOBIAS])]);
    assert_eq!(end(&mut fought().and([falls(1), falls(2)])), (CombatOutcome::Victory, 3));
    assert_eq!(end(&mut fought().and([drops(BETTANY), drops(TOBIAS)])), (CombatOutcome::Defeat, 3));
    // Foes who are down count before characters who are.
    let both = [falls(1), falls(2), drops(BETTANY), drops(TOBIAS)];
    assert_eq!(end(&mut fought().and(both)), (CombatOutcome::Victory, 3));
}

#[test]
fn a_combat_is_broken_off_after_its_last_round() {
    let mut given = given(in_play()).and([fight(), acts(10, &[&rough(1), &rough(2)])]);
    assert_eq!(next(&mut given), (Seat::Player(2), acts(10, &[TOBIAS])));
    assert_eq!(end(&mut given), (CombatOutcome::BrokenOff, 10));
}

#[test]
fn without_a_combat_nobody_is_chosen() {
    let mut given = given(in_play()).and(turn(1, Seat::Dm, "The bell rings."));
    assert_eq!(given.when(combat::next), (None, Vec::new()));
}
