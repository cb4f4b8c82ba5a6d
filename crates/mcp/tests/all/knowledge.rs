//! Promise: the connection of a seat is told what the seat may know, and has no way to anything else.

use serde_json::{Value, json};
use twicetold_event::Seat;
use twicetold_projection::people;
use twicetold_session::load;

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

/// The front of a text, by which it is known.
fn front(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().trim_end_matches('.').chars().take(50).collect()
}

#[test]
fn a_seat_is_told_nothing_that_it_may_not_know() {
    for seed in [3, 6, 8] {
        let party = Party::new();
        let mut owner = party.owner();
        let run = json!({"campaign": "one-lantern-short", "seed": seed, "turns": 30, "seats": ["player-1", "player-2"]});
        let id = id(&owner.done("run", &run));
        let players =
            [("player-1", "Ada", "MARKONE keeps a key"), ("player-2", "Bert", "MARKTWO fears dogs")];
        let players = players.map(|(seat, name, secret)| {
            let mut agent = party.guest(&id, seat);
            agent.done("take_seat", &json!({"name": name}));
            std::thread::spawn(move || play(agent, name, secret))
        });
        let players = players.map(|player| player.join().expect("it plays to the end"));
        let source = party.source(&id);
        let loaded = load(&*source).expect("it can be loaded");
        let (state, replies) = (loaded.campaign.state(), loaded.campaign.replies());
        // What only the DM knows: goals, its part of the scenario, what NPCs are, and what it is told to do.
        let mut hidden: Vec<String> =
            people::goals(state).into_iter().flat_map(|page| page.goals).map(|goal| goal.label).collect();
        hidden.push(people::party(state, replies).scenario_for_the_dm);
        hidden.extend(people::npcs(state, replies).into_iter().map(|npc| npc.persona));
        let prompts = state.setup().files.iter().filter(|file| file.path.starts_with("prompts/"));
        hidden.extend(prompts.filter(|file| file.path.contains("dm")).map(|file| file.text.to_string()));
        let marks = ["MARKONE", "MARKTWO"];
        let transcript = owner.done("show", &json!({"campaign": id, "what": "transcript"})).to_string();
        let whispers = transcript.matches("(whispers to").count();
        assert!(whispers >= 2 && marks.iter().all(|mark| transcript.contains(mark)), "{transcript}");
        for (place, (_, agent)) in players.into_iter().enumerate() {
            let seat = Seat::Player(place as u8 + 1);
            let mut shown = String::new();
            for line in agent.heard.lines() {
                let message: Value = serde_json::from_str(line).expect("it is JSON");
                texts(&message["result"]["structuredContent"], &mut shown);
            }
            assert!(shown.contains(marks[place]), "{seat} knows its own secret");
            assert!(!shown.contains(marks[1 - place]), "{seat} is shown the other's secret");
            // What was said aloud is hidden no more.
            let mut told = String::new();
            twicetold_host::reading::walk(&*source, None, |campaign, entry| {
                let lines = people::heard(campaign.state(), campaign.replies(), entry, seat, false);
                told.extend(lines.into_iter().map(|line| line.text + "\n"));
                true
            })
            .expect("it can be read");
            let is_mark = |text: &&String| text.trim().len() > 20 && !told.contains(front(text).as_str());
            let unknown: Vec<&String> = hidden.iter().filter(is_mark).collect();
            assert!(unknown.len() > 4, "{unknown:?}");
            for text in unknown {
                assert!(!shown.contains(&front(text)), "{seat} is shown {:?}", front(text));
            }
        }
    }
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
