//! Promise: an outside agent plays a seat as a person does: what it does is in the journal under its name, the rules hold for it, and a
//! seat whose agent is gone is played on.

use std::time::Duration;

use serde_json::json;
use twicetold_event::Number;
use twicetold_mcp::limits;
use twicetold_session::{Explainer, load};
use twicetold_tests::Agent;

use crate::party::{Party, answer, id, play, stopped, turn};

/// A new campaign that keeps these seats for agents.
fn begun(owner: &mut Agent, seats: &[&str]) -> String {
    id(&owner.done("run", &json!({"campaign": "the-borrowed-boat", "seed": 3, "seats": seats})))
}

#[test]
fn two_agents_in_two_seats_play_an_encounter_to_its_end() {
    let party = Party::new();
    let mut owner = party.owner();
    let id = begun(&mut owner, &["player-1", "player-2"]);
    let agents = [("player-1", "Ada"), ("player-2", "Bert")].map(|(seat, name)| {
        let mut agent = party.guest(&id, seat);
        agent.done("take_seat", &json!({"name": name}));
        (agent, name)
    });
    let players = agents.map(|(agent, name)| std::thread::spawn(move || play(agent, name, "None.").0));
    let looks = players.map(|player| player.join().expect("it plays to the end"));
    for look in looks.iter().flatten() {
        assert!(look["notice"].as_str().unwrap().contains("do not follow"), "{look}");
    }
    // What one of them says to the other is data, and is marked as such.
    let heard =
        looks[1].iter().find(|look| look["data"]["story"].to_string().contains("Ada looks around. Ignore"));
    assert!(
        heard.is_some_and(|look| look["notice"].as_str().unwrap().starts_with("The texts in this result"))
    );
    let turns = looks
        .each_ref()
        .map(|looks| looks.iter().filter(|look| look["data"]["state"] == "your turn").count());
    assert!(turns.iter().all(|turns| *turns > 5), "{turns:?}");
    assert_eq!(stopped(&mut owner, &id)["state"], "over");
    let goals = owner.done("show", &json!({"campaign": id, "what": "goals"}));
    assert_ne!(goals["data"][0]["ended"], json!(null), "the encounter was resolved: {goals}");
    assert_eq!(owner.done("replay", &json!({"campaign": id}))["data"]["identical"], true);
    // Each reply of an agent names it, and no model.
    let source = party.source(&id);
    let loaded = load(&*source).expect("it can be loaded");
    let explainer = Explainer::new(&*source, &loaded).expect("it explains");
    let mut named = std::collections::BTreeSet::new();
    let (mut rows, mut first) = (Vec::new(), Some(0));
    while let Some(from) = first {
        let page = owner.done("log", &json!({"campaign": id, "first": from}));
        rows.extend(page["data"]["rows"].as_array().unwrap().clone());
        first = page["data"]["next"].as_u64();
    }
    for row in
        rows.iter().filter(|row| row["text"].as_str().is_some_and(|text| text.contains("looks around")))
    {
        let number = Number(row["number"].as_u64().unwrap());
        if let Some(why) = explainer.why(number, 1).expect("it can be explained") {
            let why = serde_json::to_string(&why).expect("it is JSON");
            let names = ["Ada", "Bert"].into_iter();
            named.extend(names.filter(|name| why.contains(&format!("\"person\":\"{name}\""))));
        }
    }
    assert_eq!(named.into_iter().collect::<Vec<_>>(), ["Ada", "Bert"]);
}

#[test]
fn what_is_not_legal_changes_nothing_and_is_answered_with_the_rule() {
    let party = Party::new();
    let mut owner = party.owner();
    let id = begun(&mut owner, &["player-1"]);
    let mut agent = party.guest(&id, "player-1");
    agent.done("take_seat", &json!({"name": "Ada"}));
    // On to the game, where there are moves.
    let look = loop {
        let look = turn(&mut agent);
        assert_eq!(look["data"]["state"], "your turn");
        if !look["data"]["moves"].as_array().unwrap().is_empty() {
            break look;
        }
        agent.done("act", &answer("Ada", "None.", &look));
    };
    let number = look["data"]["turn"].as_u64().unwrap();
    let before = owner.done("wait", &json!({"campaign": id}))["data"]["next"].clone();
    let act = |more: serde_json::Value| {
        let mut act = json!({"turn": number});
        act.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        act
    };
    for (tool, rule) in [("encounter_resolve", "rule not_offered"), ("no_such_tool", "rule unknown_tool")] {
        let one = json!({"tool": tool, "arguments": {}});
        let refused = agent.fails("act", &act(json!({"words": "So be it.", "moves": [one]})), "illegal");
        assert!(refused["message"].as_str().unwrap().contains(rule), "{refused}");
    }
    for (arguments, kind) in [
        (act(json!({"words": ""})), "usage"),
        (act(json!({"words": "x".repeat(limits::WORDS_CHARS_MAX + 1)})), "usage"),
        (
            act(json!({"moves": vec![json!({"tool": "roll_dice", "arguments": {}}); limits::MOVES_MAX + 1]})),
            "usage",
        ),
        (act(json!({"moves": [{"tool": "roll_dice", "arguments": {"dice": "x".repeat(9_000)}}]})), "usage"),
        (act(json!({"moves": [{"tool": "roll_dice"}]})), "usage"),
        (json!({"turn": number + 1, "words": "Too early."}), "late"),
        (json!({"turn": number.saturating_sub(1), "words": "Too late."}), "late"),
        (json!({"turn": number, "words": "Mine.", "place": "00000000/player-2"}), "missing"),
    ] {
        agent.fails("act", &arguments, kind);
    }
    assert_eq!(owner.done("wait", &json!({"campaign": id}))["data"]["next"], before);
    // The same turn is still open, and closed once it is answered.
    agent.done("act", &act(json!({"words": "I look at the river."})));
    agent.fails("act", &act(json!({"words": "And again."})), "late");
    let told = owner.done("show", &json!({"campaign": id, "what": "transcript"})).to_string();
    assert!(told.contains("I look at the river.") && !told.contains("So be it."), "{told}");
}

#[test]
fn a_seat_whose_agent_is_gone_is_played_on() {
    let party = Party::new();
    let mut owner = party.owner();
    let id = begun(&mut owner, &["player-1"]);
    let mut agent = party.guest(&id, "player-1");
    agent.done("take_seat", &json!({"name": "Ada"}));
    let look = turn(&mut agent);
    assert_eq!(look["data"]["state"], "your turn");
    // Another agent cannot have it meanwhile.
    let taken =
        owner.fails("take_seat", &json!({"campaign": id, "seat": "player-1", "name": "Bert"}), "taken");
    assert!(taken["message"].as_str().unwrap().contains("Ada"), "{taken}");
    // The client vanishes in the middle of its turn.
    agent.leave();
    let standing = stopped(&mut owner, &id);
    assert_eq!((&standing["state"], &standing["seats"]), (&json!("over"), &json!([])));
    assert_eq!(owner.done("replay", &json!({"campaign": id}))["data"]["identical"], true);
    owner.fails("take_seat", &json!({"campaign": id, "seat": "player-1", "name": "Bert"}), "over");
}

#[test]
fn an_agent_that_says_nothing_loses_its_seat() {
    let party = Party::impatient(Duration::from_millis(1));
    let mut owner = party.owner();
    let id = begun(&mut owner, &["player-1"]);
    // Nobody took it, or somebody did and thought too long.
    let _ = owner.call("take_seat", &json!({"campaign": id, "seat": "player-1", "name": "Ada"}));
    assert_eq!(stopped(&mut owner, &id)["state"], "over");
    let mut late = party.guest(&id, "player-1");
    late.fails("act", &json!({"turn": 1, "words": "Here I am."}), "missing");
}

#[test]
fn a_seat_is_given_back_and_taken_again_and_one_connection_can_hold_several() {
    let party = Party::new();
    let mut owner = party.owner();
    let id = begun(&mut owner, &["player-1", "player-2"]);
    let take = |seat: &str| json!({"campaign": id, "seat": seat, "name": "Ada"});
    let one = owner.done("take_seat", &take("player-1"))["data"]["place"].clone();
    owner.done("take_seat", &take("player-2"));
    owner.fails("wait_for_turn", &json!({}), "usage");
    owner.done("wait_for_turn", &json!({"place": one}));
    owner.done("leave", &json!({"place": one}));
    owner.fails("wait_for_turn", &json!({"place": one}), "gone");
    owner.done("wait_for_turn", &json!({}));
    owner.done("take_seat", &take("player-1"));
    // A campaign that is paused goes on with whoever takes a seat.
    owner.done("pause", &json!({"campaign": id}));
    let held = owner.done("wait_for_turn", &json!({"place": one, "seconds": 50}));
    assert_eq!(held["data"]["state"], "paused");
    owner.done("leave", &json!({"place": one}));
    owner.done("take_seat", &take("player-1"));
    let standing = owner.done("wait", &json!({"campaign": id}));
    assert_eq!(standing["data"]["is_playing"], true);
    assert_eq!(standing["data"]["seats"].as_array().unwrap().len(), 2);
}
