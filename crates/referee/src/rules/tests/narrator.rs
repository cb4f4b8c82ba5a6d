//! What the engine says for a DM that is guided.

use twicetold_event::{
    Channel, CharacterAccepted, ClosedBy, Event, Phase, PhaseBegan, PhaseClosed, Provenance, Seat, Text,
    TurnBegan,
};
use twicetold_world::setup::{RULES_VERSION, Setup};

use super::{Given, files, given, in_play, spoken, turn};
use crate::rules::narrator;

const DM: Seat = Seat::Dm;

/// Player 1 has the first of the ready characters, Player 2 the second.
fn accepted(player: u8) -> Event {
    let setup = Setup::read(7, RULES_VERSION, files()).unwrap();
    let ready = &setup.rules.pregenerated[usize::from(player) - 1];
    let (seat, sheet) = (Seat::Player(player), setup.rules.sheet(ready));
    CharacterAccepted { seat, sheet, origin: Provenance::Pregenerated }.into()
}

fn begins(phase: Phase) -> Given {
    given([PhaseBegan { phase }.into(), TurnBegan { turn: 1, seat: DM }.into()])
}

/// What is said, and what else happens.
fn said(given: &mut Given) -> (bool, Vec<String>, Vec<Event>) {
    let (done, events) = given.when(|table| narrator::acts(table).is_some());
    let (mut said, mut others) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::MessageSpoken(word) => match word.text {
                Text::Written(text) => said.push(text),
                Text::Reply { .. } => panic!("nobody replied"),
            },
            other => others.push(other),
        }
    }
    (done, said, others)
}

#[test]
fn it_tells_the_premise_and_asks_whoever_has_not_spoken() {
    let mut given = begins(Phase::Pitch);
    let (done, texts, others) = said(&mut given);
    assert!(done && others.is_empty());
    assert!(texts[0].starts_with("Old Hanno's ferry is gone"), "{texts:?}");
    assert!(texts[0].ends_with("Player 1, who do you play?"), "{texts:?}");
    let mut given = given.and([accepted(1)]).and(turn(2, Seat::Player(1), "Me.")).and(turn(3, DM, "Well."));
    assert_eq!(said(&mut given).1, ["Player 2, who do you play?"]);
}

#[test]
fn a_phase_in_which_nothing_is_missing_is_closed_and_the_next_one_asked_for() {
    let spoke = |given: Given| {
        let given = given.and(turn(2, Seat::Player(1), "Me.")).and(turn(3, Seat::Player(2), "And me."));
        given.and([TurnBegan { turn: 4, seat: DM }.into()])
    };
    let mut given = spoke(begins(Phase::Pitch).and([accepted(1), accepted(2)]));
    let (done, texts, others) = said(&mut given);
    let [Event::PhaseClosed(PhaseClosed { phase: Phase::Pitch, by: ClosedBy::NothingMissing, .. }), _] =
        others.as_slice()
    else {
        panic!("{others:?}")
    };
    assert!(done && texts[0].contains("Bettany Oake, Tobias Fenn"), "{texts:?}");
    assert!(texts[1].starts_with("Bettany Oake, how do you know the others"), "{texts:?}");
    // What the last phase wants is for the DM's model to write.
    let (done, texts, _) = said(&mut spoke(given));
    assert_eq!((done, texts), (false, Vec::new()));
}

#[test]
fn it_asks_for_a_character_that_is_missing_in_the_last_phase() {
    let (done, texts, _) = said(&mut begins(Phase::Lock));
    assert_eq!((done, texts), (true, vec!["Player 1, send your character sheet.".to_owned()]));
}

#[test]
fn an_encounter_is_opened_in_the_words_of_its_author_and_only_once() {
    let mut given = given(in_play()).and([TurnBegan { turn: 1, seat: DM }.into()]);
    let (done, texts, _) = said(&mut given);
    assert!(done && texts[0].contains("A rope end floats where the ferry was"), "{texts:?}");
    let mut given = given.and([spoken(Seat::Player(1), Channel::Main, "I look.")]);
    assert_eq!(said(&mut given), (false, Vec::new(), Vec::new()));
}
