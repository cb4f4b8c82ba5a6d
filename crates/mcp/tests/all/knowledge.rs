//! Promise: the connection of a seat is told what the seat may know, and has no way to anything else.

use serde_json::{Value, json};
use twicetold_event::Seat;
use twicetold_tests::unknown_to;

use crate::party::{Party, id, play};

/// The texts of a result, one a line.
fn texts(value: &Value, to: &mut String) {
    match value {
        Value::String(text) => *to += &(text.clone() + "\n"),
        Value::Array(items) => items.iter().for_each(|item| texts(item, to)),
        Value::Object(members) => members.values().for_each(|member| texts(member, to)),
        _ => {}
    }
}

/// Campaigns by the rules that the agents' characters are made for.
const CAMPAIGNS: [&str; 4] = ["one-lantern-short", "the-borrowed-boat", "the-weir-book", "the-bell-road"];

/// How many random campaigns are played; the recipe `isolation` asks for more.
fn campaigns() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "how many campaigns a test looks through")]
    let asked = std::env::var("TWICETOLD_ISOLATION");
    asked.map_or(4, |count| count.parse().expect("TWICETOLD_ISOLATION is a number"))
}

#[test]
fn a_seat_is_told_nothing_that_it_may_not_know() {
    let mut whispers = 0;
    for number in 0..campaigns() {
        let party = Party::new();
        let mut owner = party.owner();
        let campaign = CAMPAIGNS[(number % 4) as usize];
        let model = if number % 3 == 2 { "improv:chaos" } else { "improv" };
        let seats = ["player-1", "player-2"];
        let run =
            json!({"campaign": campaign, "seed": number, "turns": 30, "models": [model], "seats": seats});
        let id = id(&owner.done("run", &run));
        let players = [
            ("player-1", "Ada", "MARKONE keeps the key of a house"),
            ("player-2", "Bert", "MARKTWO fears dogs and what they know"),
        ];
        let players = players.map(|(seat, name, secret)| {
            let mut agent = party.guest(&id, seat);
            agent.done("take_seat", &json!({"name": name}));
            std::thread::spawn(move || play(agent, name, secret))
        });
        let players = players.map(|player| player.join().expect("it plays to the end"));
        let source = party.source(&id);
        let marks = ["MARKONE", "MARKTWO"];
        let transcript = owner.done("show", &json!({"campaign": id, "what": "transcript"})).to_string();
        assert!(marks.iter().all(|mark| transcript.contains(mark)), "{transcript}");
        whispers += transcript.matches("(whispers to").count();
        for (place, (_, agent)) in players.into_iter().enumerate() {
            let seat = Seat::Player(place as u8 + 1);
            let mut shown = String::new();
            for line in agent.heard.lines() {
                let message: Value = serde_json::from_str(line).expect("it is JSON");
                texts(&message["result"]["structuredContent"], &mut shown);
            }
            assert!(shown.contains(marks[place]), "{seat} knows its own secret");
            let unknown = unknown_to(&*source, seat);
            // A model with every vice may tell aloud what was whispered to it.
            let is_unknown = unknown.iter().any(|mark| mark.contains(marks[1 - place]));
            assert!(unknown.len() > 4 && (is_unknown || model != "improv"), "{unknown:?}");
            for mark in unknown {
                assert!(!shown.contains(&mark), "{campaign}, {number}, {model}: {seat} is shown {mark:?}");
            }
        }
    }
    assert!(whispers >= 2, "{whispers} whispers");
}

#[test]
fn the_connection_of_a_seat_has_the_tools_of_a_seat_and_no_other() {
    let party = Party::new();
    let mut owner = party.owner();
    let run = json!({"campaign": "the-borrowed-boat", "seed": 3, "seats": ["player-1", "player-2"]});
    let id = id(&owner.done("run", &run));
    let mut agent = party.guest(&id, "player-1");
    let listed = agent.ask("tools/list", &json!({}));
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["take_seat", "wait_for_turn", "act", "leave"]);
    let needed = |listed: &Value| listed["result"]["tools"][0]["inputSchema"]["required"].clone();
    assert_eq!(needed(&listed), json!(["name"]));
    let all = owner.ask("tools/list", &json!({}));
    for tool in all["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        if !names.contains(&name) {
            let refused = agent.ask("tools/call", &json!({"name": name, "arguments": {"campaign": id}}));
            assert_eq!(refused["error"]["code"], -32602, "{name}: {refused}");
        }
    }
    // It can name neither another campaign nor another seat.
    agent.fails("take_seat", &json!({"name": "Ada", "seat": "dm"}), "usage");
    agent.fails("take_seat", &json!({"name": "Ada", "campaign": "last"}), "usage");
    agent.done("take_seat", &json!({"name": "Ada"}));
    agent.fails("wait_for_turn", &json!({"place": format!("{}/player-2", &id[..8])}), "missing");
}
