//! Promise: what a model thinks is recorded and shown by `why`, and reaches no prompt, no transcript and no other story.

use serde_json::{Value, json};
use twicetold_event::{Event, Seat};
use twicetold_improv::improvise;
use twicetold_session::{Explainer, load};
use twicetold_tests::{Game, Played};

/// What nobody at the table may learn.
const SECRET: &str = "the-innkeeper-is-the-thief";

/// Forms of thinking: how each changes the message of a reply.
const FORMS: &[fn(&mut Value)] = &[
    |message| message["reasoning_content"] = thought().into(),
    |message| message["reasoning"] = thought().into(),
    |message| {
        message["reasoning_details"] = json!([
            {"type": "reasoning.text", "text": thought()},
            {"type": "reasoning.encrypted", "data": "AAAA"},
        ]);
    },
    |message| around(message, |words| format!("<think>\n{}\n</think>\n\n{words}", thought())),
    |message| around(message, |words| format!("{}</think>{words}", thought())),
    |message| around(message, |words| format!("{words}\n<Thinking>{}", thought())),
    |message| {
        let words = message["content"].take();
        message["content"] = json!([
            {"type": "thinking", "thinking": [{"type": "text", "text": thought()}]},
            {"type": "text", "text": words.as_str().unwrap_or_default()},
        ]);
    },
];

fn thought() -> String {
    format!("They must not know that {SECRET}.")
}

fn around(message: &mut Value, change: impl Fn(&str) -> String) {
    let words = message["content"].as_str().unwrap_or_default();
    message["content"] = change(words).into();
}

/// Plays with thinking in every reply; every request is looked at.
fn played(game: Game, form: fn(&mut Value)) -> Played {
    game.answered(&mut |seat: Seat, body: &str| {
        assert!(!body.contains(SECRET), "{seat} is asked with it: {body}");
        let mut reply: Value = serde_json::from_str(&improvise(body)).expect("the improviser writes JSON");
        form(&mut reply["choices"][0]["message"]);
        reply.to_string()
    })
}

#[test]
fn a_thought_in_any_form_reaches_nobody_and_changes_nothing() {
    for (place, form) in FORMS.iter().enumerate() {
        let game = || Game::of(["the-borrowed-boat", "one-lantern-short"][place % 2], 40 + place as u64);
        let plain = game().answered(&mut |_, body| improvise(body));
        let thought = played(game(), *form);
        assert!(thought.transcript.iter().all(|line| !format!("{line:?}").contains(SECRET)), "form {place}");
        let told =
            |played: &Played| played.transcript.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
        assert_eq!(told(&thought), told(&plain), "form {place}");
        assert_eq!(thought.events.len(), plain.events.len(), "form {place}");
    }
}

#[test]
fn why_shows_what_a_model_thought() {
    let thought = played(Game::of("the-borrowed-boat", 40), FORMS[3]);
    let loaded = load(thought.source()).unwrap();
    let explainer = Explainer::new(thought.source(), &loaded).unwrap();
    let entries = twicetold_session::entries(thought.source()).unwrap().map(|entry| entry.unwrap());
    let is_line = |event: &Event| matches!(event, Event::MessageSpoken(_));
    let spoken = entries.flat_map(|entry| {
        entry.numbered().filter(|(_, event)| is_line(event)).map(|(number, _)| number).collect::<Vec<_>>()
    });
    let (mut looked_at, mut shown) = (0, 0);
    for number in spoken {
        let reply = explainer.reply(number, 1).unwrap().expect("a line comes of a reply");
        looked_at += 1;
        shown += usize::from(reply.thinking.contains(SECRET) && !reply.words.contains(SECRET));
    }
    assert!(looked_at > 10 && shown == looked_at, "{shown} of {looked_at}");
}
