//! Encounters: what is drawn and noticed, the limit of messages, what is remembered.

use twicetold_event::{
    CallId, CombatBegan, CombatOutcome, DetailRevealed, DialogueEnd, DialogueEnded, Draw, EncounterBegan,
    EncounterResolved, Event, NpcRemembered, Seat, Values,
};
use twicetold_world::setup::{Limits, RevealSpec, Setup};

use super::{Given, dialogue, given, given_by, given_with, in_play, talk, turn};
use crate::rules::encounter;

const STAGE: &str = "the-landing-stage";

fn drawn(key: &str, value: &str) -> Draw {
    Draw { key: key.into(), value: value.into() }
}

/// The dice of the encounter's details show these faces.
fn details(weather: u16, shoes: u16) -> impl Fn(&mut Setup) {
    move |setup| {
        for (key, face) in [("weather", weather), ("shoes", shoes)] {
            setup.draws.insert((format!("encounter:{STAGE} detail {key}"), 0), vec![face]);
        }
    }
}

/// What begins with the first encounter, which has something to notice.
fn noticed(ability: &str, threshold: i32) -> Vec<Event> {
    let reveal = RevealSpec { ability: ability.into(), threshold, text: "Her hem is wet.".into() };
    let change = |setup: &mut Setup| {
        details(2, 4)(setup);
        setup.encounters[0].reveals.push(reveal);
    };
    // The characters are here; the encounter is not.
    let characters = in_play().into_iter().filter(|event| !matches!(event, Event::EncounterBegan(_)));
    given_by(change, characters).when(|table| encounter::begin(table, 0)).1
}

fn began() -> Event {
    let draws = vec![drawn("weather", "A mild grey sky hangs"), drawn("shoes", "fingernails")];
    EncounterBegan { encounter: STAGE.into(), draws }.into()
}

fn seen(character: &str, score: i32, threshold: i32) -> Event {
    let (text, character) = ("Her hem is wet.".into(), character.into());
    DetailRevealed { reveal: 0, text, character, score, threshold }.into()
}

#[test]
fn an_encounter_begins_with_what_the_dice_draw_for_it() {
    let mut given = given_by(details(2, 4), []);
    let (_, events) = given.when(|table| encounter::begin(table, 0));
    assert_eq!(events, [began()]);
    assert_eq!(given.when(|table| encounter::begin(table, 1)).1, [], "there is no other");
}

#[test]
fn the_most_attentive_character_notices_what_is_not_too_well_hidden() {
    assert_eq!(noticed("WIS", 11), [began(), seen("Tobias Fenn", 11, 11)]);
    assert_eq!(noticed("WIS", 12), [began()]);
    assert_eq!(noticed("STR", 12), [began(), seen("Bettany Oake", 12, 12)]);
    assert_eq!(noticed("INT", 10), [began(), seen("Bettany Oake", 10, 10)], "the first seat wins a tie");
}

/// How many messages an encounter had that is over without an outcome.
fn unresolved(events: &[Event]) -> Option<u32> {
    events.iter().find_map(|event| match event {
        Event::EncounterUnresolved(over) if over.encounter == STAGE => Some(over.messages),
        _ => None,
    })
}

#[test]
fn an_encounter_ends_unresolved_at_its_limit_of_messages() {
    let mut given = given_with(|limits| limits.encounter_messages_max = 2, in_play()).and(turn(
        1,
        Seat::Dm,
        "The bell rings.",
    ));
    assert_eq!(given.when(encounter::end_at_limit).1, []);
    let mut given = given.and(turn(2, Seat::Player(1), "I listen."));
    let (_, events) = given.when(encounter::end_at_limit);
    assert_eq!((unresolved(&events), events.len()), (Some(2), 1));
    assert_eq!(given.when(encounter::end_at_limit).1, [], "it is over");
}

#[test]
fn the_encounters_own_limit_of_messages_counts_where_it_is_the_smaller_one() {
    let own = |own| move |setup: &mut Setup| setup.encounters[0].messages_max = own;
    let spoken = |change: &dyn Fn(&mut Setup)| {
        let mut given = given_by(change, in_play()).and(turn(1, Seat::Dm, "The bell rings."));
        unresolved(&given.when(encounter::end_at_limit).1)
    };
    assert_eq!(spoken(&own(Some(1))), Some(1));
    assert_eq!(spoken(&own(None)), None);
    let smaller = |setup: &mut Setup| {
        setup.limits.encounter_messages_max = 1;
        setup.encounters[0].messages_max = Some(99);
    };
    assert_eq!(spoken(&smaller), Some(1));
}

#[test]
fn what_goes_on_in_an_encounter_ends_with_it_and_before_it() {
    let play = || {
        given_with(|limits| limits.encounter_messages_max = 1, in_play()).and(turn(
            1,
            Seat::Dm,
            "The bell rings.",
        ))
    };
    let (_, events) = play().and([dialogue(1)]).and(talk(2, Seat::Dm, "Yes?")).when(encounter::end_at_limit);
    let why = DialogueEnd::EncounterOver;
    let ended = DialogueEnded { dialogue: 1, npc: "tilda".into(), why, exchanges: 1 };
    assert_eq!((&events[0], unresolved(&events[1..]), events.len()), (&ended.into(), Some(1), 2));
    let fight = CombatBegan { foes: Vec::new(), order: Vec::new() };
    let (_, events) = play().and([fight.into()]).when(encounter::end_at_limit);
    assert!(
        matches!(events.as_slice(), [Event::CombatEnded(ended), Event::EncounterUnresolved(_)]
            if ended.outcome == CombatOutcome::BrokenOff),
        "{events:?}"
    );
}

fn resolved() -> Event {
    let (encounter, outcome) = (STAGE.into(), "boat-back-in-time".into());
    EncounterResolved { encounter, outcome, summary: "Done.".into(), messages: 1, call: CallId(1) }.into()
}

fn talked_to_an_end() -> Event {
    DialogueEnded { dialogue: 1, npc: "tilda".into(), why: DialogueEnd::Tool, exchanges: 1 }.into()
}

fn remembers(npc: &str, values: &[(&str, &str)]) -> Event {
    let (memory_key, encounter) = (npc.to_owned(), STAGE.to_owned());
    let title = Values::default().with("title", "The Landing Stage");
    let values = values.iter().fold(title, |values, (name, value)| values.with(name, value));
    NpcRemembered { npc: npc.into(), memory_key, encounter, values: values.with("trust", 0) }.into()
}

fn remembered(given: &mut Given) -> Vec<Event> {
    given.when(encounter::remember).1
}

#[test]
fn who_was_talked_with_remembers_that_and_nobody_remembers_how_it_ended() {
    let mut given = given(in_play()).and([dialogue(1)]).and(talk(1, Seat::Dm, "Yes?"));
    assert_eq!(remembered(&mut given), [], "it is not over");
    let mut given = given.and([talked_to_an_end(), resolved()]);
    assert_eq!(remembered(&mut given), [remembers("tilda", &[("talked", "Bettany Oake")])]);
    assert_eq!(remembered(&mut given), [], "once");
}

#[test]
fn nobody_remembers_an_encounter_in_which_nobody_talked_with_them() {
    let limits = |limits: &mut Limits| limits.encounter_messages_max = 1;
    let mut given = given_with(limits, in_play()).and(turn(1, Seat::Dm, "The bell rings."));
    given.when(encounter::end_at_limit);
    assert_eq!(remembered(&mut given), []);
}
