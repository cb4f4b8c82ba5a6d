//! Promise: a dialogue is held apart, between those who are part of it, with histories that stay whole; and what came of it stays.

use serde_json::Value;
use twicetold_event::{DialogueEnd, Event, Seat};
use twicetold_tests::{Game, Performance, Script, Who};

const SECRET: &str = "the heron flies at nine";
const FAREWELL: &str = "Mind the third plank, love.";
const START: (&str, &str) = ("start_dialogue", "{\"character_id\":\"wren-pellow\"}");
const END: (&str, &str) = ("end_dialogue", "{}");

/// Player 1 talks with Wren, twice.
fn talk() -> Performance {
    Script::of(Game::new(31))
        .line(Who::Dm, "Player 1, Wren looks up. What do you do?", &[])
        .line(Who::Seat(1), "I go over to Wren.", &[])
        .line(Who::Dm, "She puts the brush down.", &[START])
        .line(Who::Seat(1), "Tell me about the boat.", &[])
        .line(Who::Companion, &format!("Only this: {SECRET}."), &[])
        .line(Who::Seat(1), "Thank you. Goodbye.", &[])
        .line(Who::Companion, FAREWELL, &[END])
        .line(Who::Memory, "They spoke of birds.\n- She cannot swim.", &[])
        .line(Who::Dm, "The square again. Player 1, and now?", &[])
        .line(Who::Seat(1), "Back to Wren.", &[])
        .line(Who::Dm, "She waits.", &[START])
        .line(Who::Seat(1), "One more thing.", &[])
        .line(Who::Companion, "Not today.", &[END])
        .play()
}

#[test]
fn a_dialogue_is_entered_and_left_by_tool_calls_and_the_story_goes_on_with_the_dm() {
    let play = talk();
    let ended = play.all(|event| match event {
        Event::DialogueEnded(word) => Some((word.dialogue, word.why, word.exchanges)),
        _ => None,
    });
    assert_eq!(ended, [(1, DialogueEnd::Tool, 2), (2, DialogueEnd::Tool, 1)]);
    let refused = play.rejections();
    assert!(refused.is_empty(), "{refused:?}");
    let at = |wanted: Who| play.requests.iter().position(|(who, ..)| *who == wanted).unwrap();
    let after = play.requests.iter().rposition(|(who, ..)| *who == Who::Companion).unwrap();
    let next = play.requests[after + 1..].iter().find(|(who, ..)| *who != Who::Memory).unwrap();
    assert_eq!(next.1, Seat::Dm);
    assert!(at(Who::Dm) < at(Who::Companion));
}

#[test]
fn a_character_knows_what_it_knows_and_nothing_else_of_the_dms() {
    let play = talk();
    for body in play.asked(Who::Companion) {
        assert!(body.contains("lamp-black to the elbows"), "its own persona");
        for hidden in [
            "name-read-from-the-bridge",
            "Clues come in threes",
            "stamping papers",
            "hidden_goals",
            "goal_register",
        ] {
            assert!(!body.contains(hidden), "{hidden:?} in a character's prompt");
        }
        for tool in ["end_dialogue", "exchange_item", "update_relationship", "query_session_memory"] {
            assert!(body.contains(&format!("\"name\":\"{tool}\"")), "{tool} is offered");
        }
        for tool in ["start_dialogue", "encounter_resolve", "roll_dice", "update_scene", "record_event"] {
            assert!(!body.contains(&format!("\"name\":\"{tool}\"")), "{tool} is not offered");
        }
    }
}

#[test]
fn who_was_not_there_never_learns_what_was_said() {
    let play = talk();
    for seat in [2, 3] {
        assert!(play.asked(Who::Seat(seat)).count() > 2);
        for body in play.asked(Who::Seat(seat)) {
            for said in [SECRET, FAREWELL, "They spoke of birds", "She cannot swim"] {
                assert!(!body.contains(said), "player {seat} was told {said:?}");
            }
        }
    }
    let later: Vec<&str> = play.asked(Who::Seat(1)).collect();
    assert!(later.last().unwrap().contains("They spoke of birds"), "who was part of it keeps the summary");
    // The memory agent sums up dialogues for those who held them, and the story without them.
    for body in play.asked(Who::Memory).filter(|body| body.contains("phase: summary")) {
        assert!(!body.contains(SECRET) && !body.contains("They spoke of birds"));
    }
}

#[test]
fn the_main_history_is_untouched_by_a_dialogue_and_gets_its_summary() {
    let play = talk();
    let after: Vec<&str> = play.asked(Who::Dm).filter(|body| body.contains("The square again")).collect();
    assert!(!after.is_empty());
    for body in after {
        assert!(!body.contains(SECRET) && !body.contains(FAREWELL), "the narrative has the summary alone");
        assert!(body.contains("They spoke of birds"));
    }
}

#[test]
fn the_farewell_and_what_was_learned_are_there_at_the_next_talk() {
    let play = talk();
    let last = play.asked(Who::Companion).last().unwrap();
    assert!(last.contains(FAREWELL), "the farewell is part of the character's history");
    assert!(last.contains("She cannot swim."), "a fact that it learned");
    assert!(last.contains("They spoke of birds."), "the summary of the earlier talk");
}

#[test]
fn every_history_keeps_each_call_followed_by_its_result() {
    for (who, seat, body) in &talk().requests {
        let request: Value = serde_json::from_str(body).unwrap();
        let messages = request["messages"].as_array().unwrap();
        let mut place = 0;
        while place < messages.len() {
            let calls = messages[place]["tool_calls"].as_array().cloned().unwrap_or_default();
            for (offset, call) in calls.iter().enumerate() {
                let result = &messages[place + 1 + offset];
                assert_eq!(result["role"], "tool", "{who:?} {seat}");
                assert_eq!(result["tool_call_id"], call["id"]);
            }
            place += 1 + calls.len();
            if let Some(next) = messages.get(place) {
                assert_ne!(next["role"], "tool", "a result without its call");
            }
        }
    }
}

#[test]
fn a_dialogue_that_nobody_ends_is_ended_by_rule_and_summed_up_by_rule_when_no_model_does() {
    let script = Script::of(Game::new(32))
        .line(Who::Dm, "Player 1, Wren looks up. What do you do?", &[])
        .line(Who::Seat(1), "I go over to Wren.", &[])
        .line(Who::Dm, "She puts the brush down.", &[START]);
    let script = (0..10).fold(script, |script, _| script.line(Who::Companion, "Hm.", &[]));
    let play = script.line(Who::Memory, " ", &[]).play();
    let ended = play.all(|event| match event {
        Event::DialogueEnded(word) => Some((word.why, word.exchanges)),
        _ => None,
    });
    assert_eq!(ended, [(DialogueEnd::ExchangeLimit, 10)]);
    let summed = play.all(|event| match event {
        Event::DialogueSummarised(word) => Some((word.fallback, word.text.clone())),
        _ => None,
    });
    assert!(summed[0].0, "{summed:?}");
    let reminded = play.asked(Who::Companion).filter(|body| body.contains("Bring it to its end")).count();
    assert!(reminded > 0, "a dialogue left open is a reminder");
}

#[test]
fn after_two_answers_another_who_is_asked_by_name_may_join_and_hears_what_follows_only() {
    let game = Game::new(33);
    let play = Script::of(game)
        .line(Who::Dm, "Player 1, Wren looks up. What do you do?", &[])
        .line(Who::Seat(1), "I go over to Wren.", &[])
        .line(Who::Dm, "She puts the brush down.", &[START])
        .line(Who::Companion, "Between us: the plum is stone. Player 2, what do you say?", &[])
        .line(Who::Seat(1), "Hm.", &[])
        .line(Who::Companion, "So be it. Player 2, what do you say?", &[])
        .line(Who::Seat(2), "I say yes.", &[])
        .line(Who::Companion, "Then the kettle is tin.", &[END])
        .play();
    let joined = play.all(|event| match event {
        Event::DialogueJoined(word) => Some(word.seat),
        _ => None,
    });
    assert_eq!(joined, [Seat::Player(2)]);
    for body in play.asked(Who::Seat(2)) {
        assert!(!body.contains("the plum is stone"), "what was said before one joined");
    }
}

#[test]
fn an_encounter_has_room_for_so_many_dialogues_and_no_more() {
    let script = Script::of(Game::new(34))
        .line(Who::Dm, "Player 1, Wren looks up. What do you do?", &[])
        .line(Who::Seat(1), "I go over to Wren.", &[]);
    let script = (0..6)
        .fold(script, |script, _| script.line(Who::Dm, "", &[START]).line(Who::Companion, "No.", &[END]));
    let play = script.line(Who::Dm, "", &[START]).play();
    assert_eq!(play.rejections(), ["dialogues_per_encounter_max"]);
}

#[test]
fn a_companion_knows_where_it_is_and_why_it_is_spoken_to() {
    let play = Script::of(Game::new(64))
        .line(Who::Dm, "The stalls are being folded. Player 1, what do you do?", &[])
        .line(Who::Seat(1), "I ask Wren what she saw.", &[])
        .line(
            Who::Dm,
            "Wren puts down her basket.",
            &[("start_dialogue", "{\"character_id\":\"wren-pellow\"}")],
        )
        .play();
    let asked = play.asked(Who::Companion).next().expect("she is asked");
    for known in
        ["I ask Wren what she saw.", "Wren puts down her basket.", "What everybody here knows:", "Where: "]
    {
        assert!(asked.contains(known), "{known}");
    }
    assert!(!asked.contains("The stalls are being folded."), "what was said long before is no reason");
}
