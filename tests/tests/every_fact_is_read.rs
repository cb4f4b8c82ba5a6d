//! Promise: every fact that can be written is shown by a later prompt, long after the words that wrote it have left the window.

use serde_json::{Value, json};
use twicetold_tests::{Game, Script, Who};

/// For each field of each tool that writes facts: a value, and what a later prompt of the DM's shows of it.
fn rows(name: &str) -> Vec<(&'static str, &'static str, Value, String)> {
    let own = |mut value: Value| {
        value["character"] = json!(name);
        json!([value])
    };
    let state = "update_game_state";
    let npc = |field: &str, value: Value| json!({"id": "wren-pellow", field: value});
    let mut rows = vec![
        (state, "location", json!("Marker Alley"), "Marker Alley".to_owned()),
        (state, "time_of_day", json!("Marker o'clock"), "Marker o'clock".into()),
        (state, "scene", json!("A marker on the wall."), "A marker on the wall.".into()),
        (state, "objective", json!("Find the marker."), "Find the marker.".into()),
        (state, "inventory_add", own(json!({"item": "Marker rope", "quantity": 3})), "Marker rope ×3".into()),
        (state, "inventory_remove", own(json!({"item": "TAKENMARK"})), "-TAKENMARK".into()),
        (state, "hp_delta", own(json!({"amount": -1})), "HP".into()),
        (state, "gold_delta", own(json!({"amount": 4321})), "4336".into()),
        (state, "xp_gained", json!(7654), "experience: 7654".into()),
        (state, "conditions_add", own(json!({"condition": "markerish"})), "Now: markerish".into()),
        (state, "conditions_remove", own(json!({"condition": "REMOVEDMARK"})), "-REMOVEDMARK".into()),
        (
            state,
            "flags_set",
            json!([{"name": "marker", "value": "blue marker"}]),
            "marker: blue marker".into(),
        ),
        (state, "flags_delete", json!(["REMOVEDMARK"]), "-REMOVEDMARK".into()),
        (state, "notable_event", json!("A marker fell."), "A marker fell.".into()),
        (state, "important_events", json!(["A marker was sworn."]), "A marker was sworn.".into()),
        (state, "milestone", json!("The marker was reached."), "The marker was reached.".into()),
        (state, "quests_added", json!(["Carry the marker home."]), "Carry the marker home.".into()),
        (state, "quests_completed", json!(["DONE"]), "DONE".into()),
        (state, "npcs_met", json!(["Marker Meg"]), "- Marker Meg".into()),
    ];
    let mut person = |field: &'static str, value: Value, shown: &str| {
        rows.push(("update_npc", field, npc(field, value), shown.to_owned()));
    };
    person("id", json!("wren-pellow"), "");
    person("hp_delta", json!(-1), "hp=3/4");
    person("conditions_add", json!(["markerish"]), "conditions=markerish");
    person("conditions_remove", json!(["REMOVEDMARK"]), "");
    person("status", json!("departed"), "status=departed");
    rows
}

/// Schemas whose every field must be in the rows.
const WRITERS: [&str; 2] = ["update_game_state", "update_npc"];

/// Words of the last prompt that the DM was given, without what it called itself.
fn last_prompt(calls: &[(&str, &str)]) -> String {
    let game = Game::new(81)
        .with("limits.toml", "history_messages_max = 32", "history_messages_max = 4")
        .with("limits.toml", "nudge_cooldown_turns = 8", "nudge_cooldown_turns = 80");
    let mut script = Script::of(game);
    for call in calls {
        script = script.line(Who::Dm, "", &[*call]);
    }
    let play = script.play();
    assert!(play.refusals().is_empty(), "{:?} {:?}", play.refusals(), calls);
    let body = play.asked(Who::Dm).last().unwrap().to_owned();
    let request: Value = serde_json::from_str(&body).unwrap();
    let shown = |message: &&Value| message["role"] == "user" || message["role"] == "system";
    let texts = request["messages"].as_array().unwrap().iter().filter(shown);
    texts.filter_map(|message| message["content"].as_str()).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_field_of_every_tool_that_writes_facts_is_shown_later() {
    let probe = Script::of(Game::new(81)).play();
    let state = probe.played.session.campaign().state();
    let name = state.characters()[&twicetold_event::Seat::Player(1)].sheet.name.clone();
    let rows = rows(&name);
    for tool in WRITERS {
        let schema: Value =
            serde_json::from_str(&twicetold_tool::named(tool).unwrap().spec().schema).unwrap();
        for field in schema["properties"].as_object().unwrap().keys() {
            let known = rows.iter().any(|(of, name, ..)| *of == tool && name == field);
            assert!(known, "{tool} writes {field}, and nothing here shows who reads it");
        }
    }
    let before = last_prompt(&[]);
    for (tool, field, value, shown) in &rows {
        let mut arguments = if *tool == "update_npc" { value.clone() } else { json!({ *field: value }) };
        if *tool == "update_npc" && *field == "id" {
            continue;
        }
        let text = arguments.to_string();
        let own =
            |field: &str, key: &str| json!({field: [{"character": name, key: "REMOVEDMARK"}]}).to_string();
        let first: Option<(&str, String)> = match *field {
            "inventory_remove" => {
                Some(("update_game_state", own("inventory_add", "item").replace("REMOVEDMARK", "TAKENMARK")))
            }
            "conditions_remove" if *tool == "update_npc" => {
                arguments = json!({});
                Some((
                    "update_npc",
                    json!({"id": "wren-pellow", "conditions_add": ["removedmark"]}).to_string(),
                ))
            }
            "conditions_remove" => Some(("update_game_state", own("conditions_add", "condition"))),
            "flags_delete" => Some((
                "update_game_state",
                json!({"flags_set": [{"name": "REMOVEDMARK", "value": "x"}]}).to_string(),
            )),
            "quests_completed" => Some(("update_game_state", json!({"quests_added": ["DONE"]}).to_string())),
            _ => None,
        };
        drop(arguments);
        let mut calls: Vec<(&str, &str)> = Vec::new();
        if let Some((tool, text)) = &first {
            calls.push((tool, text));
            let during = last_prompt(&calls);
            let wanted = shown.trim_start_matches('-').to_lowercase();
            assert!(
                during.to_lowercase().contains(&wanted),
                "{field}: {wanted:?} is not shown before it is gone"
            );
        }
        calls.push((tool, &text));
        let after = last_prompt(&calls);
        match (shown.strip_prefix('-'), *field) {
            (Some(gone), _) if first.is_some() => {
                assert!(
                    !after.to_lowercase().contains(&gone.to_lowercase()),
                    "{field}: {gone:?} is still shown"
                );
            }
            (_, "hp_delta") if *tool == "update_game_state" => {
                assert_ne!(hit_points(&before, &name), hit_points(&after, &name), "{field}");
            }
            (_, "quests_completed") => assert!(after.contains("- DONE (done)"), "{field}"),
            _ => assert!(after.contains(shown.as_str()), "{tool} {field}: {shown:?} is not shown"),
        }
    }
}

fn hit_points(prompt: &str, name: &str) -> String {
    let line = prompt
        .lines()
        .find(|line| line.starts_with(&format!("- {name} (")))
        .expect("a line about the character");
    line.split("HP ").nth(1).unwrap_or_default().split(',').next().unwrap_or_default().to_owned()
}
