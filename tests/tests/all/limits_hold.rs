//! Promise: prompts stay within their budget however long the campaign is.

use twicetold_event::{Event, Purpose, Seat};
use twicetold_tests::Game;
use twicetold_tests::reply_body;

/// A campaign that would go on for ever.
fn long() -> Game {
    Game::new(31)
        .without_failures()
        .with("encounters/gone-before-dusk.toml", "messages_max = 44\n", "")
        .with("limits.toml", "encounter_messages_max = 60 ", "encounter_messages_max = 100000 ")
        .with("limits.toml", "turns_max = 200 ", "turns_max = 600 ")
        .with("limits.toml", "calls_max = 1200 ", "calls_max = 1000000 ")
}

fn prose(turn: u32) -> String {
    let words = ["lantern", "river", "rope", "goose", "reeve", "bridge", "seal", "rain"];
    (0..60).map(|place| words[(turn as usize * 7 + place * 3) % words.len()]).collect::<Vec<_>>().join(" ")
}

#[test]
fn requests_stay_within_their_budget_from_turn_60_to_turn_600() {
    let mut turn = 0;
    let played = long().answered(&mut |seat, _| {
        turn += 1;
        if seat == Seat::Memory {
            reply_body(&format!("So far: {}.", prose(turn)), &[])
        } else {
            reply_body(&prose(turn), &[])
        }
    });
    let mut tokens: Vec<(u32, u32)> = Vec::new();
    let mut now = 0;
    let mut summaries = 0;
    for event in &played.events {
        match event {
            Event::TurnBegan(word) => now = word.turn,
            Event::ModelCallRequested(word) if word.purpose == Purpose::Play && word.seat == Seat::Dm => {
                tokens.push((now, word.tokens))
            }
            Event::SummaryWritten(_) => summaries += 1,
            _ => {}
        }
    }
    let most = |from: u32, to: u32| {
        tokens.iter().filter(|(turn, _)| (from..to).contains(turn)).map(|(_, tokens)| *tokens).max().unwrap()
    };
    assert!(summaries > 10);
    assert!(
        most(500, 600) <= most(100, 200) + most(100, 200) / 20,
        "{} then {}",
        most(100, 200),
        most(500, 600)
    );
}
