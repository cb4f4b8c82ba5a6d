//! Passages behind openings and endings: told where what they name has come about, and nowhere else.

use twicetold_event::{CallId, EncounterBegan, EncounterResolved, Event};
use twicetold_world::setup::{PassageSpec, Setup};

use super::failure::check;
use super::{Given, given_by, in_play};

const FIRST: &str = "follow the bent reeds";
const OTHER: &str = "talk gently to Tilda";

fn passage(after: &[&str], unless: &[&str], failed: &[&str], text: &str) -> PassageSpec {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    PassageSpec { after: owned(after), unless: owned(unless), failed: owned(failed), text: text.to_owned() }
}

fn told(setup: &mut Setup) {
    let goal = &mut setup.encounters[0].goals[0];
    goal.ending = "It is over.".to_owned();
    goal.epilogue = vec![
        passage(&[FIRST], &[], &[], "After."),
        passage(&[], &[FIRST], &[], "Unless."),
        passage(&[], &[], &[FIRST], "Failed."),
        passage(&[FIRST, OTHER], &[], &[], "Both."),
        passage(&[FIRST], &[OTHER], &[], "One alone."),
    ];
}

fn ending(given: &Given) -> String {
    given.state().ending_of(&given.state().encounter_spec().unwrap().goals[0])
}

#[test]
fn an_epilogue_follows_from_the_checks() {
    let after = |checks: &[(&str, bool)]| {
        let thrown = (1..).zip(checks).map(|(counter, (name, passed))| check(counter, name, *passed));
        ending(&given_by(told, in_play()).and(thrown))
    };
    assert_eq!(after(&[]), "It is over. Unless.");
    assert_eq!(after(&[(FIRST, false)]), "It is over. Unless. Failed.");
    assert_eq!(after(&[(FIRST, false), (FIRST, true)]), "It is over. After. One alone.");
    assert_eq!(after(&[(FIRST, true), (FIRST, false)]), "It is over. After. One alone.", "it has passed");
    assert_eq!(after(&[(FIRST, true), (OTHER, true)]), "It is over. After. Both.");
    // What another check has made needless was not done.
    let last = "bring the ferry back before the bell";
    assert_eq!(after(&[(last, true)]), "It is over. Unless.", "{FIRST} is tried until {last}");
}

#[test]
fn without_an_ending_there_is_no_epilogue() {
    let silent = |setup: &mut Setup| {
        told(setup);
        setup.encounters[0].goals[0].ending.clear();
    };
    assert_eq!(ending(&given_by(silent, in_play())), "");
}

#[test]
fn a_later_encounter_opens_and_ends_with_what_came_about_in_an_earlier_one() {
    let goes_on = |setup: &mut Setup| {
        told(setup);
        let goal = setup.encounters[0].goals[0].id.clone();
        let mut second = setup.encounters[0].clone();
        second.id = "the-other-bank".to_owned();
        second.opening = "It is evening.".to_owned();
        second.prologue = vec![
            passage(&[FIRST], &[], &[], "The reeds are bent."),
            passage(&[OTHER], &[], &[], "Tilda has spoken."),
            passage(&[&goal], &[], &[], "The boat is back."),
            passage(&[], &[&goal], &[], "The boat is lost."),
        ];
        setup.encounters.push(second);
    };
    let began: Event = EncounterBegan { encounter: "the-other-bank".into(), draws: Vec::new() }.into();
    let spec = given_by(told, in_play()).state().encounter_spec().unwrap().clone();
    let (encounter, outcome) = (spec.id.clone(), spec.goals[0].id.clone());
    let resolved =
        EncounterResolved { encounter, outcome, summary: "Done.".into(), messages: 1, call: CallId(1) };
    let given = given_by(goes_on, in_play()).and([check(1, FIRST, true), resolved.into(), began]);
    let opening = given.state().encounter_spec().unwrap().opening.clone();
    assert!(opening.ends_with("It is evening.\n\nThe reeds are bent. The boat is back."), "{opening}");
    assert_eq!(ending(&given), "It is over. After. One alone.", "it passed in the earlier one");
    // What is tried later changes nothing of how it opened.
    let given = given.and([check(2, OTHER, true)]);
    assert_eq!(given.state().encounter_spec().unwrap().opening, opening);
    assert_eq!(ending(&given), "It is over. After. Both.");
}
