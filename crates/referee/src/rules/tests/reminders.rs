//! Reminders: what brings one up, and how soon it comes again.

use twicetold_event::{
    Event, ImportantEventRecorded, NpcMet, Nudge, PartyDocumentUpdated, Provenance, Seat, Section, Text,
};

use twicetold_world::setup::{Limits, Setup};

use super::{Given, checked, dialogue, given, given_by, given_with, in_play, talk, turn};
use crate::rules::reminders;

/// What the DM is reminded of.
fn reminded(given: &mut Given) -> Vec<Nudge> {
    let (_, events) = given.when(reminders::give);
    let nudge = |event: &Event| match event {
        Event::NudgeGiven(word) => Some(word.nudge),
        _ => None,
    };
    let nudges: Vec<Nudge> = events.iter().filter_map(nudge).collect();
    assert_eq!(nudges.len(), events.len(), "reminders and nothing else: {events:?}");
    nudges
}

fn document(text: &str) -> Event {
    let (section, text) = (Section::Hooks, Text::Written(text.into()));
    let (reason, origin) = (String::new(), Provenance::Derived);
    PartyDocumentUpdated { section, version: 1, entry: 1, text, reason, origin }.into()
}

#[test]
fn somebody_whom_the_dm_named_and_nobody_recorded_is_a_reminder() {
    let mut named = given(in_play()).and(turn(1, Seat::Dm, "Tilda looks at her shoes."));
    assert_eq!(reminded(&mut named), [Nudge::NpcNotRecorded]);
    let mut by_a_player = given(in_play()).and(turn(1, Seat::Player(1), "Where is Tilda?"));
    assert_eq!(reminded(&mut by_a_player), []);
    let met = NpcMet { npc: "tilda".into(), name: "Tilda".into() };
    let mut recorded = given(in_play()).and(turn(1, Seat::Dm, "Tilda looks up.")).and([met.into()]);
    assert_eq!(reminded(&mut recorded), []);
}

#[test]
fn a_goal_of_which_all_checks_have_passed_is_a_reminder_to_end_the_encounter() {
    let passed = |checks: &[&str]| {
        let mut given = given(in_play());
        for check in checks {
            given = given.and([checked(check, true)]);
        }
        reminded(&mut given)
    };
    assert_eq!(passed(&["follow the bent reeds"]), []);
    let all = ["follow the bent reeds", "bring the ferry back before the bell"];
    assert_eq!(passed(&all), [Nudge::GoalReached]);
}

#[test]
fn nobody_is_reminded_of_what_there_is_no_tool_for_or_of_a_players_character() {
    let without = |setup: &mut Setup| setup.encounters[0].allowed_tools = vec!["ability_check".into()];
    let mut given = given_by(without, in_play()).and(turn(1, Seat::Dm, "Tilda looks at her shoes."));
    assert_eq!(reminded(&mut given), []);
    let named = |setup: &mut Setup| setup.encounters[0].npcs[0].name = Some("Tobias".into());
    let mut given = given_by(named, in_play()).and(turn(1, Seat::Dm, "Tobias looks at his shoes."));
    assert_eq!(reminded(&mut given), []);
}

#[test]
fn a_model_that_is_guided_is_not_reminded_of_what_it_has_no_tools_for() {
    let guide = |setup: &mut Setup| {
        let dm = setup.seats.seat.get_mut("dm").unwrap();
        dm.compat.insert("tool_calls".into(), "guided".into());
    };
    let mut given = given_by(guide, in_play()).and(turn(1, Seat::Dm, "Tilda looks at her shoes."));
    assert_eq!(reminded(&mut given), []);
}

#[test]
fn a_reminder_is_repeated_only_after_its_cooldown() {
    let words = "Tilda looks at her shoes.";
    let mut given =
        given_with(|limits| limits.nudge_cooldown_turns = 3, in_play()).and(turn(1, Seat::Dm, words));
    assert_eq!(reminded(&mut given), [Nudge::NpcNotRecorded]);
    let mut given = given.and(turn(3, Seat::Dm, words));
    assert_eq!(reminded(&mut given), [], "two turns later");
    let mut given = given.and(turn(4, Seat::Dm, words));
    assert_eq!(reminded(&mut given), [Nudge::NpcNotRecorded], "three turns later");
}

#[test]
fn a_party_document_older_than_something_major_is_a_reminder_after_some_turns() {
    let play = || {
        let limits = |limits: &mut Limits| {
            limits.party_document_stale_turns = 3;
            limits.waiting_rounds_max = 9;
        };
        given_with(limits, in_play())
            .and(turn(1, Seat::Dm, "The bell rings."))
            .and([document("We came for the cake.")])
            .and(turn(2, Seat::Player(1), "I swear it."))
    };
    let oath = || ImportantEventRecorded { text: "An oath was sworn.".into(), witnesses: vec![] }.into();
    assert_eq!(reminded(&mut play().and([oath()]).and(turn(3, Seat::Dm, "Hm."))), [], "too early");
    let stale = play().and([oath()]).and(turn(4, Seat::Dm, "Hm."));
    assert_eq!(reminded(&mut { stale }), [Nudge::PartyDocumentStale]);
    assert_eq!(reminded(&mut play().and(turn(4, Seat::Dm, "Hm."))), [], "nothing major has happened");
    let written = play().and([oath(), document("We swore.")]).and(turn(9, Seat::Dm, "Hm."));
    assert_eq!(reminded(&mut { written }), [], "it was written since");
}

#[test]
fn a_dialogue_that_goes_on_and_on_is_the_only_reminder_while_it_is_held() {
    let held = |answers: u32| {
        let given = given_with(|limits| limits.dialogue_exchanges_max = 3, in_play())
            .and(turn(1, Seat::Dm, "Tilda looks up."))
            .and([dialogue(1)]);
        (0..answers).fold(given, |given, place| given.and(talk(2 + place, Seat::Dm, "Hm.")))
    };
    assert_eq!(reminded(&mut held(1)), []);
    assert_eq!(reminded(&mut held(2)), [Nudge::DialogueLeftOpen]);
}

#[test]
fn a_player_whom_the_dm_forgets_is_a_reminder() {
    let asked = |last: u32| {
        let given = given_with(|limits| limits.waiting_rounds_max = 1, in_play());
        (2..=last).fold(given.and(turn(1, Seat::Player(2), "I wait.")), |given, number| match number % 2 {
            0 => given.and(turn(number, Seat::Dm, "Bettany, and you?")),
            _ => given.and(turn(number, Seat::Player(1), "I listen.")),
        })
    };
    assert_eq!(reminded(&mut asked(5)), []);
    assert_eq!(reminded(&mut asked(7)), [Nudge::PlayerWaits]);
}
