//! Promise: a model without tool calling can play: its prompt describes the tools, and the campaign is replayed exactly.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use twicetold_improv::improvise;
use twicetold_tests::{Home, Response, Server, fenced, last_line, reply_body, with_tools};

/// A goal, registered by a prompted tool call.
const GOAL: &str = "The reeds whisper.\n\n```json\n{\"tool\": \"goal_register\", \"arguments\": {\"id\": \"laugh\", \"label\": \"Tilda laughs.\", \"isPrimary\": false, \"reason\": \"Nobody planned for it.\", \"because\": [1]}}\n```";
const CAMPAIGN: &str = "configuration/campaigns/the-borrowed-boat.toml";

/// A server that knows nothing but words refuses everything else.
fn unsupported(request: &Value) -> Option<String> {
    let fields = ["tools", "tool_choice", "parallel_tool_calls", "response_format"];
    let field = fields.iter().find(|field| request.get(**field).is_some());
    let mut last = "";
    for message in request["messages"].as_array().expect("a list of messages") {
        let role = message["role"].as_str().expect("a role");
        if !["system", "user", "assistant"].contains(&role) || role == last || !message["content"].is_string()
        {
            return Some(format!("role {role} after {last:?}"));
        }
        last = role;
    }
    field.map(|field| format!("unknown field {field}"))
}

/// The improviser's reply to a request with prompted tool calling: its calls are fenced blocks.
fn prompted(body: &str) -> Response {
    let request: Value = serde_json::from_str(body).expect("a request is JSON");
    if let Some(why) = unsupported(&request) {
        return Response::Status("400 Bad Request", json!({"error": {"message": why}}).to_string());
    }
    let reply: Value =
        serde_json::from_str(&improvise(&with_tools(request).to_string())).expect("a reply is JSON");
    let message = &reply["choices"][0]["message"];
    let words = message["content"].as_str().unwrap_or_default();
    let calls = message["tool_calls"].as_array().into_iter().flatten().map(|call| {
        let text = |name: &str| call["function"][name].as_str().expect("a text").to_owned();
        (text("name"), text("arguments"))
    });
    Response::Body(reply_body(&fenced(words, &calls.collect::<Vec<_>>()), &[]))
}

fn events(home: &Home, name: &str) -> Vec<Value> {
    let log = home.succeed(["log", "last", "--json"]);
    log.lines().map(last_line).filter(|event| event["type"] == name).collect()
}

#[test]
fn a_model_without_tool_calling_plays_a_campaign_with_tools_and_is_replayed_exactly() {
    // The DM registers a goal once, whatever the story needs.
    let registered = AtomicBool::new(false);
    let answer = move |_: usize, body: &str| {
        let is_dm =
            body.contains("role: dm") && body.contains("phase: play") && body.contains("opening=given");
        if is_dm && !registered.swap(true, Ordering::Relaxed) {
            return Response::Body(reply_body(GOAL, &[]));
        }
        prompted(body)
    };
    let (home, server) = (Home::new(), Server::start(answer));
    home.configure(&server.base_url(), "compat = { tool_calls = \"prompted\" }");
    let card = last_line(&home.succeed(["run", CAMPAIGN, "--seed", "7", "--json"]));
    drop(server);
    assert_eq!(card["state"], "over", "{card}");
    for name in ["RetryScheduled", "CallAbandoned"] {
        assert!(events(&home, name).is_empty(), "{name}: the server was asked for more than words");
    }
    let accepted = events(&home, "ToolAccepted");
    let used = |tool: &str| accepted.iter().filter(|event| event["data"]["tool"] == tool).count();
    for tool in ["record_met", "record_event", "ability_check", "goal_register", "encounter_resolve"] {
        assert!(used(tool) > 0, "{tool} is not in {accepted:?}");
    }
    // The blocks are no part of what is said.
    let spoken = home.succeed(["show", "last", "transcript"]);
    assert!(!spoken.contains("```") && !spoken.contains("\"tool\""), "{spoken}");

    let report = last_line(&home.succeed(["replay", "last", "--json"]));
    assert_eq!((&report["identical"], &report["story"]), (&json!(true), &card["story"]));
    home.succeed(["verify", "last"]);
    // Why a goal exists leads to the block in the recorded body.
    let registered = events(&home, "GoalRegistered");
    let goal = registered[0]["data"]["id"].as_str().expect("an id");
    let why = last_line(&home.succeed(["why", "last", "goal", goal, "--json"]));
    let why = &why["registered"];
    assert_eq!(why["request"]["exact"], true, "{why}");
    assert_eq!(why["cause"]["tool"]["call"]["name"], "goal_register", "{why}");
    assert!(why["cause"]["tool"]["call"]["byte"].as_u64().is_some_and(|byte| byte > 0), "{why}");
    assert!(!why["cause"]["tool"]["call"]["words"].to_string().contains("```"), "{why}");
}
