//! Promise: nothing that a model does is endless, and prompts stay within their budget however long the campaign is.

use twicetold_event::{Ending, Event, Purpose, Seat};
use twicetold_projection::people;
use twicetold_tests::Game;
use twicetold_tests::reply_body;
use twicetold_world::Life;

/// A campaign that would go on for ever.
fn long(turns: u32) -> Game {
    Game::new(31)
        .with("encounters/gone-before-dusk.toml", "messages_max = 44\n", "")
        .with("limits.toml", "encounter_messages_max = 60 ", "encounter_messages_max = 100000 ")
        .with("limits.toml", "turns_max = 200 ", &format!("turns_max = {turns} "))
        .with("limits.toml", "calls_max = 1200 ", "calls_max = 1000000 ")
}

fn prose(turn: u32) -> String {
    let words = ["lantern", "river", "rope", "goose", "reeve", "bridge", "seal", "rain"];
    (0..60).map(|place| words[(turn as usize * 7 + place * 3) % words.len()]).collect::<Vec<_>>().join(" ")
}

#[test]
fn requests_stay_within_their_budget_from_turn_60_to_turn_600() {
    let mut turn = 0;
    let played = long(600).answered(&mut |seat, _| {
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

#[test]
fn a_campaign_ends_at_its_limit_of_turns_with_the_reason() {
    let played = long(90).answered(&mut |_, _| reply_body("It goes on.", &[]));
    let state = played.session.campaign().state();
    let Life::Ended { ending, reason } = state.life() else { panic!("it ends") };
    assert_eq!((*ending, people::why_over(reason).as_str()), (Ending::TurnLimit, "90 turns, at most 90"));
    assert!(state.encounters_over()[0].outcome.is_none());
}

#[test]
fn a_turn_ends_at_its_limit_of_tool_rounds() {
    let mut number = 0;
    let played = Game::new(32).answered(&mut |seat, body| {
        if seat == Seat::Dm && body.contains("phase: play") {
            number += 1;
            let roll = format!("{{\"dice\":\"1d6\",\"reason\":\"round {number}\"}}");
            return reply_body("", &[("roll_dice", &roll)]);
        }
        twicetold_improv::improvise(body)
    });
    let ends = played.events.iter().filter(|event| matches!(event, Event::TurnEnded(word) if word.why == twicetold_event::TurnEnd::RoundLimit)).count();
    assert!(ends > 0);
    assert!(matches!(played.session.campaign().state().life(), Life::Ended { .. }));
}

#[test]
fn an_endless_message_is_cut_where_the_limit_says() {
    let played = Game::new(33).answered(&mut |_, _| reply_body(&"la ".repeat(200_000), &[]));
    let cut = played
        .events
        .iter()
        .find_map(|event| if let Event::SpeechCut(word) = event { Some(word) } else { None });
    assert!(cut.is_some_and(|cut| cut.values.get("most") == Some("6000")));
    assert!(matches!(played.session.campaign().state().life(), Life::Ended { .. }));
}

#[test]
fn a_thousand_tool_calls_in_one_reply_are_refused_once_for_all() {
    let calls = vec![("roll_dice", "{\"dice\":\"1d6\",\"reason\":\"again\"}"); 1_000];
    let mut done = false;
    let played = Game::new(34).answered(&mut |seat, body| {
        if seat == Seat::Dm && body.contains("phase: play") && !done {
            done = true;
            return reply_body("", &calls);
        }
        twicetold_improv::improvise(body)
    });
    let refused: Vec<&str> = played
        .events
        .iter()
        .filter_map(
            |event| if let Event::ToolRejected(word) = event { Some(word.rule.as_str()) } else { None },
        )
        .collect();
    assert_eq!(refused.iter().filter(|rule| **rule == "tool_calls_per_reply_max").count(), 1);
    assert!(refused.len() < 20);
}

#[test]
fn when_the_memory_agent_says_nothing_a_summary_is_made_by_rule() {
    let mut turn = 0;
    let played = long(120).answered(&mut |seat, _| {
        turn += 1;
        if seat == Seat::Memory { "{\"choices\":[]}".into() } else { reply_body(&prose(turn), &[]) }
    });
    let fallbacks = played
        .events
        .iter()
        .filter(|event| matches!(event, Event::SummaryWritten(word) if word.fallback))
        .count();
    assert!(fallbacks > 1);
}
