//! What is done once more: goals and checks that are asked about, dice that were thrown, calls and words that came before.

use twicetold_event::{Event, Purpose, Text, TurnBegan, TurnEnd, TurnEnded};
use twicetold_world::setup::Setup;

use super::reply::{ASKED_AGAIN, DM, FIRST, UPDATE, began, comes, says, says_twice, scene, turn_of};
use super::{Given, checked, given_by, in_play, turn};
use crate::table::Next;

#[test]
fn a_goal_whose_checks_have_not_passed_is_asked_for_once() {
    let resolve = r#"{"encounterId":"the-landing-stage","outcomeId":"boat-back-in-time","summary":"Back.","because":[1]}"#;
    let calls = [("encounter_resolve", resolve)];
    let [(next, events), again] = says_twice(turn_of(DM, |_| {}), "It is back.", &calls);
    let Some(Event::ToolRejected(word)) = events.last() else { panic!("{events:?}") };
    let open = "follow the bent reeds; bring the ferry back before the bell";
    assert_eq!((next, word.rule.as_str(), word.values.get("open")), (ASKED_AGAIN, "needs_open", Some(open)));
    assert_eq!(again.0, Next::EndTurn(TurnEnd::Tool), "{again:?}");
    let passed =
        ["follow the bent reeds", "bring the ferry back before the bell"].map(|check| checked(check, true));
    let (next, _) = says(turn_of(DM, |_| {}).and(passed), "It is back.", &calls);
    assert_eq!(next, Next::EndTurn(TurnEnd::Tool));
}

#[test]
fn a_check_that_has_passed_is_rolled_again_only_for_whoever_asks_twice() {
    let check = "follow the bent reeds";
    let roll = format!("{{\"character\":\"Bettany\",\"check\":\"{check}\",\"reason\":\"to see\"}}");
    let calls = [("ability_check", roll.as_str())];
    let told = |success| {
        let tried = turn_of(FIRST, |_| {}).and([checked(check, success)]);
        tried.and([
            TurnBegan { turn: 3, seat: DM }.into(),
            TurnEnded { turn: 3, why: TurnEnd::Spoken }.into(),
            TurnBegan { turn: 4, seat: FIRST }.into(),
        ])
    };
    let [(next, events), (_, again)] = says_twice(told(true), "", &calls);
    let Some(Event::ToolRejected(word)) = events.last() else { panic!("{events:?}") };
    assert_eq!((next, word.rule.as_str()), (Next::Ask(FIRST, Purpose::Play), "check_passed"));
    assert!(again.iter().any(|event| matches!(event, Event::AbilityChecked(_))), "{again:?}");
    let (_, events) = says(told(false), "", &calls);
    assert!(events.iter().any(|event| matches!(event, Event::AbilityChecked(_))), "{events:?}");
}

#[test]
fn a_check_is_not_tried_again_before_it_is_told_how_it_fell() {
    let roll = |who: &str, why: &str| {
        format!("{{\"character\":\"{who}\",\"check\":\"follow the bent reeds\",\"reason\":\"{why}\"}}")
    };
    let rule = |given: Given, call: String| {
        let (_, events) = says(given, "", &[("ability_check", call.as_str())]);
        let rejected = events.iter().find_map(|event| match event {
            Event::ToolRejected(word) => Some(word.rule.clone()),
            _ => None,
        });
        rejected.unwrap_or_default()
    };
    let failed = || turn_of(FIRST, |_| {}).and([checked("follow the bent reeds", false)]);
    assert_eq!(rule(failed(), roll("Bettany", "to look once more")), "check_untold");
    let told = [
        TurnBegan { turn: 3, seat: DM }.into(),
        TurnEnded { turn: 3, why: TurnEnd::Spoken }.into(),
        TurnBegan { turn: 4, seat: FIRST }.into(),
    ];
    assert_eq!(rule(failed().and(told), roll("Bettany", "to look once more")), "");
}

#[test]
fn a_repeated_call_that_was_accepted_asks_for_nothing_once_words_were_told() {
    let (change, _) = scene("Fog.");
    let mut given = turn_of(DM, |_| {}).replied(1, "", &[(UPDATE, &change)]);
    assert_eq!(comes(&mut given, 1).0, ASKED_AGAIN);
    let (next, events) = comes(&mut given.replied(2, "It is getting foggy.", &[(UPDATE, &change)]), 2);
    assert_eq!(next, Next::EndTurn(TurnEnd::Spoken), "{events:?}");
}

#[test]
fn a_model_that_says_its_last_message_again_is_asked_for_something_new() {
    let words =
        "The ferry bumps against the stage, and Hanno takes the rope without a word of thanks to anybody.";
    let model = |setup: &mut Setup| {
        setup.seats.seat.get_mut("dm").unwrap().protocol = "chat-completions".into();
    };
    let asked = |setup: fn(&mut Setup)| {
        let given = given_by(setup, in_play()).and(turn(1, DM, words)).and(turn(2, FIRST, "I listen."));
        given.and([TurnBegan { turn: 3, seat: DM }.into()])
    };
    let (_, events) = says(asked(model), words, &[]);
    let rejected =
        |event: &Event| matches!(event, Event::ReplyRejected(word) if word.rule == "echoed_prompt");
    assert!(events.iter().any(rejected), "{events:?}");
    // What is new of it is spoken; code that improvises may say what it likes.
    let more = format!("{words} Then the bell begins to ring over the water.");
    for (setup, text, from) in [(model as fn(&mut Setup), more.as_str(), words.len()), (|_| {}, words, 0)] {
        let (next, events) = says(asked(setup), text, &[]);
        let spoken = events.iter().find_map(|event| match event {
            Event::MessageSpoken(word) => Some(word.text.clone()),
            _ => None,
        });
        let Some(Text::Reply { start, .. }) = spoken else { panic!("{events:?}") };
        assert_eq!(
            (next, text[start as usize..].trim()),
            (Next::EndTurn(TurnEnd::Spoken), text[from..].trim())
        );
    }
}

#[test]
fn what_a_seat_says_again_beside_a_call_in_one_turn_is_heard_once() {
    let words =
        "The ferry bumps against the stage, and Hanno takes the rope without a word of thanks to anybody.";
    let (change, _) = scene("Fog.");
    let heard =
        |events: &[Event]| events.iter().filter(|event| matches!(event, Event::MessageSpoken(_))).count();
    // Code that improvises has no such vice, and is not looked at.
    let model = |setup: &mut Setup| {
        setup.seats.seat.get_mut("dm").unwrap().protocol = "chat-completions".into();
    };
    let asked = || given_by(model, in_play()).and(turn(1, FIRST, "I listen.")).and([began(DM)]);
    let mut given = asked().replied(1, words, &[(UPDATE, "{}")]);
    let (next, events) = comes(&mut given, 1);
    assert_eq!((next, heard(&events)), (ASKED_AGAIN, 1), "{events:?}");
    // With a call that counts, with more words, and with nothing else.
    let more = format!("{words} Then the bell begins to ring over the water.");
    for (text, calls, spoken) in
        [(words, vec![(UPDATE, change.as_str())], 0), (&more, vec![], 1), (words, vec![], 0)]
    {
        let mut given = asked().replied(1, words, &[(UPDATE, "{}")]);
        comes(&mut given, 1);
        let (next, events) = comes(&mut given.replied(2, text, &calls), 2);
        assert_eq!((next, heard(&events)), (Next::EndTurn(TurnEnd::Spoken), spoken), "{text}: {events:?}");
    }
    // A few words that stand in what was said are said; the same ones again are not.
    for (text, calls, spoken) in [("The stage.", vec![], 1), (words, vec![(UPDATE, change.as_str())], 0)] {
        let mut given = asked().replied(1, words, &[(UPDATE, "{}")]);
        comes(&mut given, 1);
        let (_, events) = comes(&mut given.replied(2, text, &calls), 2);
        assert_eq!(heard(&events), spoken, "{text}: {events:?}");
    }
}

#[test]
fn a_tool_that_is_called_as_in_a_program_is_noticed_and_its_name_in_a_sentence_is_not() {
    let rule = |text: &str| {
        let (_, events) = says(turn_of(DM, |_| {}), text, &[]);
        let rejected = events.iter().find_map(|event| match event {
            Event::ReplyRejected(word) => Some(word.rule.clone()),
            _ => None,
        });
        rejected.unwrap_or_default()
    };
    for call in [
        "Hanno looks up. [record_met(people=[\"hanno\"])]",
        "{\"record_met\": {\"people\": [\"hanno\"]}}",
        "record_met: {\"people\": [\"hanno\"]}",
    ] {
        assert_eq!(rule(call), "unread_call", "{call}");
    }
    for words in [
        "The attack (if it is one) comes late.",
        "An attack: {nobody} is hurt.",
        "He will whisper(ed) nothing.",
    ] {
        assert_eq!(rule(words), "", "{words}");
    }
}
