//! Promise: Session Zero always ends with valid artefacts, whatever the models say.

use std::cell::Cell;

use twicetold_event::{Event, Missing, Phase, Seat, Section};
use twicetold_improv::improvise;
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
