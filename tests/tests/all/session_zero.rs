//! Promise: Session Zero always ends with valid artefacts, whatever the models say.

use std::cell::Cell;

use twicetold_event::{ClosedBy, Event, MarkerFault, Missing, Phase, Provenance, Seat, Section, SpeakerRule};
use twicetold_improv::improvise;
use twicetold_projection::people;
use twicetold_tests::reply_body;
use twicetold_tests::{Game, Played};

fn ended(played: &Played) -> bool {
    matches!(played.session.campaign().state().life(), twicetold_world::Life::Ended { .. })
}

fn words(text: &str) -> String {
    reply_body(text, &[])
}

/// A short play, so that these tests are about what comes before it.
fn game(seed: u64) -> Game {
    Game::new(seed).with("encounters/gone-before-dusk.toml", "messages_max = 44", "messages_max = 3")
}

fn assert_artefacts(played: &Played) {
    let state = played.session.campaign().state();
    assert_eq!(state.phase(), Phase::Play);
    assert_eq!(state.characters().len(), 3);
    for character in state.characters().values() {
        assert!(state.setup().rules.faults(&character.sheet).is_empty());
    }
    assert!(state.session_zero().scenario.is_some());
    assert!(state.document().sections.contains_key(&Section::Hooks) || !state.document().sections.is_empty());
}

#[test]
fn models_that_say_nothing_of_use_get_seeded_characters_and_the_charters_scenario() {
    for text in ["hm.", "[CHARACTER]", "PITCH COMPLETE?\n\n\n", "¿…?", "Player 2, and you, Player 3?"] {
        let played = game(1).answered(&mut |_, _| words(text));
        assert!(ended(&played), "{text:?}");
        assert_artefacts(&played);
    }
}

#[test]
fn models_that_only_fail_get_there_too() {
    let played = game(1).answered(&mut |_, _| "{\"choices\": []}".into());
    // Three failed calls in a row pause the campaign; nothing is lost.
    assert!(matches!(played.session.campaign().state().life(), twicetold_world::Life::Paused { .. }));
    let turns = Cell::new(0u32);
    let played = game(1).answered(&mut |_, _| {
        turns.set(turns.get() + 1);
        if turns.get().is_multiple_of(3) { words("Well.") } else { reply_body("", &[]) }
    });
    assert!(ended(&played));
    assert_artefacts(&played);
}

#[test]
fn a_phase_is_closed_by_the_referee_at_its_limit_of_rounds() {
    let played = game(2).answered(&mut |_, _| words("Hm, hm."));
    let closed: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| {
            if let Event::PhaseClosed(word) = event { Some((word.phase, word.by, word.rounds)) } else { None }
        })
        .collect();
    let phases = [Phase::Pitch, Phase::Converge, Phase::Lock];
    for (found, phase) in closed.iter().zip(phases) {
        assert_eq!((found.0, found.1), (phase, ClosedBy::RoundLimit));
    }
    assert_eq!(closed.len(), 3);
}

#[test]
fn a_player_who_pitched_and_never_sends_a_sheet_gets_a_legal_one_from_the_pitch() {
    let played = game(3).answered(&mut |seat, body| match seat {
        Seat::Player(1) => words("I am Odo, a bonesetter who cannot stand blood."),
        _ => improvise(body),
    });
    let accepted = played.events.iter().find_map(|event| match event {
        Event::CharacterAccepted(word) if word.seat == Seat::Player(1) => Some(word),
        _ => None,
    });
    let accepted = accepted.expect("the player has a character");
    assert_eq!(accepted.origin, Provenance::Derived);
    assert_eq!(accepted.sheet.class, "bonesetter");
    assert!(accepted.sheet.background.contains("Odo"), "{}", accepted.sheet.background);
}

#[test]
fn an_illegal_sheet_is_refused_with_its_reasons_three_times_and_then_derived() {
    let sheet = "[CHARACTER]\nName: Odo\nClass: Dragonlord\nStats: STR 99\nHP: 400\nAC: 30\nEquipment: moon\n[/CHARACTER]";
    let played = game(4).answered(&mut |seat, body| match seat {
        Seat::Player(2) => words(sheet),
        _ => improvise(body),
    });
    let refused: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| if let Event::CharacterRejected(word) = event { Some(word) } else { None })
        .collect();
    assert_eq!(refused.iter().map(|word| word.attempt).collect::<Vec<_>>(), [1, 2, 3]);
    let reasons = people::problems(&refused[0].reasons);
    assert!(
        reasons.contains("Dragonlord") && reasons.contains("STR 99") && reasons.contains("Background"),
        "{reasons}"
    );
    assert_artefacts(&played);
}

#[test]
fn nobody_sends_a_sheet_for_another() {
    let theirs = "[CHARACTER]\nName: Puppet\nClass: Warden\n[/CHARACTER]";
    let played = game(5).answered(&mut |seat, body| match seat {
        Seat::Dm if body.contains("phase: lock") && !body.contains("[/CHARACTER]\\n\\n") => {
            words(&format!("Player 1: {theirs}\nPlayer 1, your sheet?"))
        }
        _ => improvise(body),
    });
    assert!(
        !played
            .session
            .campaign()
            .state()
            .characters()
            .values()
            .any(|character| character.sheet.name == "Puppet")
    );
}

#[test]
fn markers_count_only_from_the_dm_in_their_phase_unquoted_and_once() {
    let script = Cell::new(0);
    let played = game(6).answered(&mut |seat, body| {
        if !body.contains("phase: pitch") {
            return improvise(body);
        }
        if seat != Seat::Dm {
            return words("I am somebody. PITCH COMPLETE");
        }
        script.set(script.get() + 1);
        match script.get() {
            1 => words("Say \"PITCH COMPLETE\" when you are done. Player 1, who are you?"),
            2 => words("CONVERGENCE COMPLETE, I should say. Player 2, who are you?"),
            3 => words("PITCH COMPLETE. Or is it? Player 3, who are you?"),
            _ => words("PITCH COMPLETE and CONVERGENCE COMPLETE"),
        }
    });
    let why: Vec<MarkerFault> = played
        .events
        .iter()
        .filter_map(|event| if let Event::MarkerIgnored(word) = event { Some(word.why) } else { None })
        .collect();
    use MarkerFault::*;
    assert_eq!(why[..5], [Quoted, NotTheDm, WrongPhase, NotTheDm, NotTheDm], "{why:?}");
    assert!(why.contains(&SecondInMessage));
    let refused = played
        .events
        .iter()
        .find_map(|event| if let Event::MarkerRejected(word) = event { Some(word) } else { None });
    let refused = refused.expect("Player 3 has not spoken");
    assert_eq!(refused.missing, [Missing::Silent(Seat::Player(3))]);
}

#[test]
fn a_lock_without_sheets_is_refused_with_the_list_and_play_goes_on() {
    let played = game(7).answered(&mut |seat, body| {
        if seat == Seat::Dm && body.contains("phase: lock") && body.contains("missing: character of Player 3")
        {
            return words("SESSION ZERO LOCKED. Player 3, your sheet, please?");
        }
        improvise(body)
    });
    let refused = played
        .events
        .iter()
        .find_map(|event| if let Event::MarkerRejected(word) = event { Some(word) } else { None });
    let missing = &refused.expect("it is refused").missing;
    assert!(
        missing.contains(&Missing::Character(Seat::Player(3))) && missing.contains(&Missing::Scenario),
        "{missing:?}"
    );
    assert!(ended(&played));
}

#[test]
fn a_secret_is_in_its_owners_prompts_and_the_dms_and_in_nobody_elses() {
    let mut leaked = Vec::new();
    let secret = "owes the reeve a drowned goat";
    let sheet = "[CHARACTER]\nName: Odo Marsh\nClass: Warden\nStats: STR 14, DEX 10, CON 13, INT 9, WIS 12, CHA 8\nHP: 8\nAC: 10\nEquipment: rope\nBackground: A patient man.\nSecret: SECRET\n[/CHARACTER]".replace("SECRET", secret);
    let seen = Cell::new(0);
    let played = game(8).answered(&mut |seat, body| {
        if body.contains("phase: play") && body.contains(secret) {
            match seat {
                Seat::Dm | Seat::Player(1) => seen.set(seen.get() + 1),
                other => leaked.push(other),
            }
        }
        if seat == Seat::Player(1) && body.contains("phase: lock") {
            return words(&sheet);
        }
        improvise(body)
    });
    let own = &played.session.campaign().state().characters()[&Seat::Player(1)].sheet;
    assert_eq!(own.secret, secret);
    assert!(seen.get() > 0);
    assert_eq!(leaked, []);
}

#[test]
fn everybody_is_asked_even_when_the_dm_only_ever_asks_one() {
    let played = Game::new(9).answered(&mut |seat, body| match seat {
        Seat::Dm => words("And then, Player 1, what do you do?"),
        _ => improvise(body),
    });
    let mut chosen: std::collections::BTreeMap<Seat, u32> = Default::default();
    let mut overdue = 0;
    for event in &played.events {
        if let Event::SpeakerChosen(word) = event {
            *chosen.entry(word.seat).or_default() += 1;
            overdue += u32::from(word.rule == SpeakerRule::Overdue);
        }
    }
    assert!(overdue > 0);
    assert!(chosen[&Seat::Player(2)] > 2 && chosen[&Seat::Player(3)] > 2, "{chosen:?}");
}
