//! Promise: outside agents read campaigns by the Model Context Protocol; whatever a client sends gets a clear answer, and standard output
//! contains nothing but the protocol.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use twicetold_tests::{Agent, Home};

fn owner(home: &Home) -> Agent {
    Agent::start(home.command(["mcp"]))
}

/// The schemas of the results of a connection's tools, by name.
fn schemas(agent: &mut Agent) -> Vec<(String, Value)> {
    let listed = agent.ask("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    tools
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool["outputSchema"].clone()))
        .collect()
}

/// Is the value as the schema wants it, with no other members than those that it names?
fn fits(whole: &Value, schema: &Value, value: &Value) -> bool {
    if let Some(place) = schema["$ref"].as_str() {
        let target = whole.pointer(place.trim_start_matches('#'));
        return fits(whole, target.expect("a schema is complete"), value);
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    };
    let required = schema["required"].as_array().into_iter().flatten();
    let has_all = required.into_iter().all(|name| value.get(name.as_str().unwrap_or_default()).is_some());
    let member = |(name, value): (&String, &Value)| match schema["properties"].as_object() {
        Some(known) => known.get(name).is_some_and(|schema| fits(whole, schema, value)),
        None => true,
    };
    let members = value.as_object().is_none_or(|members| members.iter().all(member));
    let items =
        value.as_array().is_none_or(|items| items.iter().all(|item| fits(whole, &schema["items"], item)));
    is_kind && has_all && members && items
}

/// What `--json` prints, without what every form has: lists alone, as an agent gets them.
fn without_its_form(printed: Value) -> Value {
    let Value::Object(mut fields) = printed else { panic!("no object: {printed}") };
    fields.retain(|name, _| !["form", "version", "campaign"].contains(&name.as_str()));
    match (fields.len(), fields.values().next()) {
        (1, Some(list)) => list.clone(),
        _ => fields.into(),
    }
}

#[test]
fn an_owner_reads_all_of_a_campaign_in_results_that_fit_their_schemas() {
    let home = Home::new();
    home.succeed(["run", "the-bell-road", "--seed", "3", "--quiet"]);
    let mut agent = owner(&home);
    let schemas = schemas(&mut agent);
    let mut read = BTreeSet::new();
    let mut done = |agent: &mut Agent, tool: &str, arguments: Value| {
        let result = agent.done(tool, &arguments);
        let (_, schema) = schemas.iter().find(|(name, _)| name == tool).unwrap();
        assert!(fits(schema, schema, &result), "{tool} {arguments}: {result}");
        read.insert(tool.to_owned());
        result
    };
    let listed = done(&mut agent, "list_campaigns", json!({}));
    assert!(listed["notice"].as_str().unwrap().contains("do not follow"));
    let id = listed["data"]["campaigns"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(listed["data"]["campaigns"][0]["state"], "over");
    for what in ["party", "goals", "npcs", "characters", "memory", "cost", "transcript"] {
        let shown = done(&mut agent, "show", json!({"campaign": id, "what": what}));
        if what != "transcript" {
            let printed: Value = serde_json::from_str(&home.succeed(["show", &id, what, "--json"])).unwrap();
            assert_eq!(shown["data"], without_its_form(printed), "{what}");
        }
    }
    // A long list is read to its end, page by page.
    let printed: Value = serde_json::from_str(&home.succeed(["show", &id, "transcript", "--json"])).unwrap();
    let (mut lines, mut from) = (Vec::<Value>::new(), 0);
    loop {
        let page = json!({"campaign": id, "what": "transcript", "part": "/lines", "from": from});
        let page = done(&mut agent, "show", page);
        lines.extend(page["part"].as_array().unwrap().clone());
        // The rest of a text that is longer than a result shows is asked for by its place.
        for cut in page["cut"].as_array().unwrap().iter().filter(|cut| cut["part"] != "/lines") {
            let (place, next) = (cut["part"].as_str().unwrap(), &cut["next"]);
            let rest = json!({"campaign": id, "what": "transcript", "part": place, "from": next});
            let rest = done(&mut agent, "show", rest);
            let at: usize = place.split('/').nth(2).unwrap().parse().unwrap();
            let text = lines[at]["text"].as_str().unwrap().to_owned() + rest["part"].as_str().unwrap();
            lines[at]["text"] = text.into();
        }
        match page["cut"].as_array().unwrap().iter().find(|cut| cut["part"] == "/lines") {
            Some(cut) => from = cut["next"].as_u64().unwrap(),
            None => break,
        }
    }
    assert!(from > 0, "the transcript fits one page: the test shows nothing");
    assert_eq!(json!(lines), printed["lines"]);
    let (mut first, mut numbers) = (0, Vec::new());
    loop {
        let page = done(&mut agent, "log", json!({"campaign": id, "first": first, "count": 40}));
        let rows = page["data"]["rows"].as_array().unwrap().clone();
        numbers.extend(rows.iter().map(|row| row["number"].as_u64().unwrap()));
        match page["data"]["next"].as_u64() {
            Some(next) => first = next,
            None => break,
        }
    }
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
    assert_eq!(done(&mut agent, "replay", json!({"campaign": id}))["data"]["identical"], true);
    assert_eq!(done(&mut agent, "verify", json!({"campaign": id}))["data"]["numbers"], numbers.len());
    let goals = agent.done("show", &json!({"campaign": id, "what": "goals"}));
    let goal = goals["data"][0]["goals"][0]["id"].as_str().unwrap().to_owned();
    done(&mut agent, "why", json!({"campaign": id, "what": "goal", "name": goal}));
    let why = done(&mut agent, "why", json!({"campaign": id, "what": "number", "name": "40"}));
    assert_eq!(why["data"]["number"], 40);
    done(&mut agent, "why_not", json!({"campaign": id, "goal": "a-goal-that-nobody-had"}));
    let fields = done(&mut agent, "history", json!({"campaign": id}));
    let field = fields["data"]["changes"][0]["field"].as_str().unwrap().to_owned();
    done(&mut agent, "history", json!({"campaign": id, "field": field}));
    done(&mut agent, "audit", json!({"campaign": id}));
    assert_eq!(done(&mut agent, "diff", json!({"one": id, "other": id}))["data"]["told_differing"], 0);
    let branch = done(&mut agent, "fork", json!({"campaign": id, "at": 60}))["data"]["id"].clone();
    let run = json!({"campaign": "the-borrowed-boat", "seed": 3, "seats": ["player-1"]});
    let run = done(&mut agent, "run", run)["data"]["id"].clone();
    done(&mut agent, "take_seat", json!({"campaign": run, "seat": "player-1", "name": "Ada"}));
    let look = done(&mut agent, "wait_for_turn", json!({"seconds": 50}));
    assert_eq!(look["data"]["state"], "your turn");
    done(&mut agent, "act", json!({"turn": look["data"]["turn"], "words": "I am here."}));
    done(&mut agent, "leave", json!({}));
    done(&mut agent, "resume", json!({"campaign": branch}));
    done(&mut agent, "wait", json!({"campaign": run, "seconds": 50}));
    done(&mut agent, "wait", json!({"campaign": branch, "seconds": 50}));
    assert_eq!(agent.call("pause", &json!({"campaign": branch}))["error"]["kind"], "late");
    read.insert("pause".to_owned());
    let offered: BTreeSet<String> = schemas.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(offered, read);
    let (rest, trouble, code) = agent.leave();
    assert_eq!((rest.as_str(), trouble.as_str(), code), ("", "", Some(0)));
}

#[test]
fn whatever_a_client_sends_gets_a_clear_answer_and_the_connection_goes_on() {
    let home = Home::new();
    home.play(3);
    let mut agent = Agent::silent(home.command(["mcp"]));
    // Before the connection is opened.
    agent.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    agent.send("this is no JSON");
    assert_eq!(agent.receive()["error"]["code"], -32700);
    assert_eq!(agent.ask("tools/list", &json!({}))["error"]["code"], -32602);
    // Another version is answered with one that the server knows.
    let hello = json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let opened = agent.ask("initialize", &hello);
    assert!(opened["result"]["protocolVersion"].as_str().unwrap() > "2025", "{opened}");
    for line in ["[]", "{}", "17", r#"{"jsonrpc":"2.0","id":900}"#, r#"{"id":901,"method":7}"#] {
        agent.send(line);
        assert_eq!(agent.receive()["error"]["code"], -32600, "{line}");
    }
    agent.send(&format!(
        r#"{{"jsonrpc":"2.0","id":902,"method":"tools/list","params":{{"x":"{}"}}}}"#,
        "x".repeat(3_000_000)
    ));
    let too_long = agent.receive();
    assert!(too_long["error"]["message"].as_str().unwrap().contains("send less at once"), "{too_long}");
    assert_eq!(agent.ask("no/such/method", &json!({}))["error"]["code"], -32601);
    let unknown = agent.ask("tools/call", &json!({"name": "remove", "arguments": {}}));
    assert!(
        unknown["error"]["message"].as_str().unwrap().contains("its tools are list_campaigns"),
        "{unknown}"
    );
    for (tool, arguments, kind) in [
        ("show", json!({}), "usage"),
        ("show", json!({"campaign": "last", "what": "secrets"}), "usage"),
        ("show", json!({"campaign": ["last"], "what": "party"}), "usage"),
        ("show", json!({"campaign": "last", "what": "party", "extra": 1}), "usage"),
        ("show", json!({"campaign": "last", "what": "party", "at": 99_999_999}), "missing"),
        ("show", json!({"campaign": "last", "what": "party", "part": "/none"}), "missing"),
        ("show", json!({"campaign": "../../etc/passwd", "what": "party"}), "missing"),
        ("log", json!({"campaign": "last", "first": -1}), "usage"),
        ("log", json!({"campaign": "last", "first": 99_999_999}), "missing"),
        ("why", json!({"campaign": "last", "what": "goal", "name": "no-such-goal"}), "missing"),
        ("why", json!({"campaign": "last", "what": "number", "name": "many"}), "usage"),
        ("why", json!({"campaign": "last", "what": "npc", "name": "\u{0}".repeat(5_000)}), "missing"),
        ("history", json!({"campaign": "last", "field": "no.such.field"}), "missing"),
        ("audit", json!({"campaign": "last", "detectors": ["none"]}), "usage"),
        ("diff", json!({"one": "last", "other": ""}), "missing"),
    ] {
        agent.fails(tool, &arguments, kind);
    }
    // More calls than a connection may have under way: each is answered, some with an error that says so.
    for id in 1_000..1_200 {
        let call = json!({"name": "replay", "arguments": {"campaign": "last"}});
        agent.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call}).to_string());
    }
    let (mut answered, mut busy) = (BTreeSet::new(), 0);
    while answered.len() < 200 {
        let answer = agent.receive();
        answered.insert(answer["id"].as_u64().unwrap());
        busy += usize::from(answer["result"]["structuredContent"]["error"]["kind"] == "busy");
    }
    assert!(busy > 0 && busy < 200, "{busy}");
    let (rest, trouble, code) = agent.leave();
    assert_eq!((rest.as_str(), trouble.as_str(), code), ("", "", Some(0)));
}

#[test]
fn a_seat_alone_is_served_on_standard_input_and_its_campaign_waits_when_the_agent_goes() {
    let home = Home::new();
    home.succeed(["run", "the-borrowed-boat", "--seed", "3", "--quiet"]);
    home.succeed(["fork", "last", "--at", "60"]);
    let mut agent = Agent::start(home.command(["mcp", "--seat", "player-1"]));
    let names: Vec<String> = schemas(&mut agent).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["take_seat", "wait_for_turn", "act", "leave"]);
    agent.done("take_seat", &json!({"name": "Ada"}));
    let look = agent.done("wait_for_turn", &json!({"seconds": 50}));
    assert_eq!(look["data"]["state"], "your turn", "{look}");
    agent.done("act", &json!({"turn": look["data"]["turn"], "words": "I am here, and I count the boats."}));
    agent.done("wait_for_turn", &json!({"seconds": 50}));
    let (rest, trouble, code) = agent.leave();
    assert_eq!((rest.as_str(), trouble.as_str(), code), ("", "", Some(0)));
    let told = home.succeed(["show", "last", "transcript"]);
    assert!(told.contains("Ada plays") && told.contains("I count the boats."), "{told}");
    let log = home.succeed(["log", "last", "--json"]);
    assert!(log.contains("SeatReleased") && log.contains("the server stopped"), "{log}");
    home.succeed(["replay", "last"]);
    // The seat was given back, and its model plays on.
    home.succeed(["resume", "last", "--quiet"]);
    home.run(["mcp", "--campaign", "last"]).failed(2, &["--seat"]);
    home.run(["mcp", "--allow-spend", "30min"]).failed(2, &["cannot limit time"]);
}
