//! Promise: an owner's agent runs campaigns within the server; what can cost money is refused without a budget, and one budget holds for
//! all of them.

use serde_json::{Value, json};
use twicetold_improv::improvise;
use twicetold_tests::{Response, Server};

use crate::party::{Party, id, stopped};

/// The improviser, and a model of a server.
fn models(server: &Server) -> String {
    let base_url = server.base_url();
    format!(
        "default = \"improv\"\n[model.improv]\nprovider = \"improv\"\n[model.server]\nprovider = \"openai\"\nbase_url = {base_url:?}\nmodel = \"loopback\"\n[model.server.price]\ninput = 1\noutput = 2\n"
    )
}

/// A server that improvises, each answer for 1,000 tokens.
fn server() -> Server {
    Server::start(|_, body| {
        let mut answer: Value = serde_json::from_str(&improvise(body)).expect("a body is JSON");
        answer["usage"] = json!({"prompt_tokens": 900, "completion_tokens": 100});
        Response::Body(answer.to_string())
    })
}

#[test]
fn a_campaign_is_run_to_its_end_in_the_background_and_branches_are_played_on() {
    let party = Party::new();
    let mut owner = party.owner();
    let run = json!({"campaign": "the-borrowed-boat", "seed": 3, "label": "by an agent"});
    let begun = owner.done("run", &run);
    assert_eq!((&begun["data"]["title"], begun["data"].get("spent")), (&json!("The Borrowed Boat"), None));
    let campaign = id(&begun);
    assert_eq!(stopped(&mut owner, &campaign)["state"], "over");
    assert_eq!(owner.done("replay", &json!({"campaign": campaign}))["data"]["identical"], true);
    let library = party.library();
    let label = library.label(library.find(&campaign).expect("it is there")).read();
    assert_eq!(label.as_deref(), Some("by an agent"));
    // What is over is neither paused nor resumed, and a branch of it is.
    owner.fails("pause", &json!({"campaign": campaign}), "late");
    owner.fails("resume", &json!({"campaign": campaign}), "usage");
    let branch = json!({"campaign": campaign, "at": 60, "seed": 4, "limits": ["turns_max=30"]});
    let branch = owner.done("fork", &branch);
    let standing = owner.done("wait", &json!({"campaign": branch["data"]["id"]}));
    assert_eq!(standing["data"]["is_playing"], false);
    owner.done("resume", &json!({"campaign": branch["data"]["id"]}));
    let branch = id(&standing);
    assert_eq!(stopped(&mut owner, &branch)["state"], "over");
    let differs = owner.done("diff", &json!({"one": campaign, "other": branch}));
    assert!(differs["data"]["shared"].as_u64() >= Some(60), "{differs}");
    let changed = differs["data"]["changed"].to_string();
    assert!(changed.contains("seed 4") && changed.contains("turns_max = 30"), "{changed}");
}

#[test]
fn a_campaign_that_waits_for_an_agent_is_paused_and_resumed() {
    let party = Party::new();
    let mut owner = party.owner();
    let begun =
        owner.done("run", &json!({"campaign": "the-borrowed-boat", "seed": 3, "seats": ["player-1"]}));
    let campaign = id(&begun);
    assert_eq!(begun["data"]["seats"][0]["by"], "an outside agent");
    owner.fails("resume", &json!({"campaign": campaign}), "busy");
    let paused = owner.done("pause", &json!({"campaign": campaign}));
    assert_eq!((&paused["data"]["state"], &paused["data"]["is_playing"]), (&json!("paused"), &json!(false)));
    // The seat is still kept.
    let resumed = owner.done("resume", &json!({"campaign": campaign}));
    assert_eq!(resumed["data"]["is_playing"], true);
    assert_eq!(resumed["data"]["seats"][0]["seat"], "player-1");
}

#[test]
fn what_can_cost_money_is_refused_without_a_budget_and_nothing_is_written() {
    let server = server();
    let party = Party::spending(&models(&server), None);
    let mut owner = party.owner();
    for models in [json!(["server"]), json!(["memory=server"]), json!(["players=server"])] {
        let run = json!({"campaign": "the-borrowed-boat", "models": models});
        let refused = owner.fails("run", &run, "usage");
        assert!(refused["message"].as_str().unwrap().contains("nothing may be spent"), "{refused}");
        assert!(refused["help"].as_str().unwrap().contains("--allow-spend"), "{refused}");
    }
    // Addresses are no names of models, with a budget or without, also where a part of them is one.
    let addresses = [
        "dm=http://127.0.0.1:1/v1#m",
        "http://127.0.0.1:1/v1#m=improv",
        "openai:x=improv",
        "dm=improv=improv",
    ];
    for address in addresses {
        let run = json!({"campaign": "the-borrowed-boat", "models": [address]});
        owner.fails("run", &run, "missing");
    }
    assert_eq!(owner.done("list_campaigns", &json!({}))["data"]["campaigns"], json!([]));
    // A campaign with such a model is not resumed either.
    let free = owner.done("run", &json!({"campaign": "the-borrowed-boat", "seed": 3}));
    stopped(&mut owner, &id(&free));
    for address in addresses {
        owner.fails("fork", &json!({"campaign": id(&free), "at": 60, "models": [address]}), "missing");
    }
    let branch = owner.done("fork", &json!({"campaign": id(&free), "at": 60, "models": ["dm=server"]}));
    owner.fails("resume", &json!({"campaign": branch["data"]["id"]}), "usage");
    // A seat that an agent holds asks no model; when the agent leaves, the campaign waits.
    let kept = json!({"campaign": "the-borrowed-boat", "seed": 3, "models": ["player-1=server"], "seats": ["player-1"]});
    let kept = id(&owner.done("run", &kept));
    owner.done("take_seat", &json!({"campaign": kept, "seat": "player-1", "name": "Ada"}));
    owner.done("leave", &json!({}));
    let standing = stopped(&mut owner, &kept);
    assert_eq!(standing["state"], "paused");
    assert!(standing["detail"].as_str().unwrap().contains("can cost money"), "{standing}");
    assert_eq!(server.requests(), 0);
}

#[test]
fn one_budget_holds_for_all_campaigns_of_a_server() {
    for (allow, calls) in [("5calls", 5), ("7ktok", 7), ("0.0044usd", 4)] {
        let server = server();
        let party = Party::spending(&models(&server), Some(allow));
        let mut owner = party.owner();
        let run = json!({"campaign": "the-borrowed-boat", "seed": 3, "models": ["dm=server"]});
        let first = id(&owner.done("run", &run));
        let standing = stopped(&mut owner, &first);
        assert_eq!(standing["state"], "paused", "{standing}");
        assert!(standing["detail"].as_str().unwrap().contains("budget of several campaigns"), "{standing}");
        assert_eq!(server.requests(), calls, "{allow}");
        // The next one finds nothing left, and says so before anything is written.
        for refused in
            [owner.fails("run", &run, "usage"), owner.fails("resume", &json!({"campaign": first}), "usage")]
        {
            assert!(refused["message"].as_str().unwrap().contains("is used up"), "{refused}");
        }
        // The improviser costs nothing.
        let free = id(&owner.done("run", &json!({"campaign": "the-borrowed-boat", "seed": 3})));
        assert_eq!(stopped(&mut owner, &free)["state"], "over");
        assert_eq!(
            owner.done("list_campaigns", &json!({}))["data"]["campaigns"].as_array().unwrap().len(),
            2
        );
        assert_eq!(server.requests(), calls);
    }
}

#[test]
fn what_cannot_be_run_is_answered_clearly() {
    let party = Party::new();
    let mut owner = party.owner();
    let many = vec!["dm=improv"; 17];
    for (tool, arguments, kind) in [
        ("run", json!({"campaign": "/etc/passwd"}), "missing"),
        ("run", json!({"campaign": "the-borrowed-bot"}), "missing"),
        ("run", json!({"models": ["nobody"]}), "missing"),
        ("run", json!({"models": many}), "usage"),
        ("run", json!({"players": 1_000}), "usage"),
        ("run", json!({"seats": ["player-9"]}), "usage"),
        ("run", json!({"label": "two\nlines"}), "usage"),
        ("resume", json!({"campaign": "last"}), "missing"),
        ("fork", json!({"campaign": "last", "reply": "x"}), "usage"),
        ("fork", json!({"campaign": "last", "at": 1, "reply": "x".repeat(200_000)}), "usage"),
        ("wait", json!({"campaign": "last", "seconds": -1}), "usage"),
        ("take_seat", json!({"campaign": "last", "seat": "dm", "name": " "}), "usage"),
        ("wait_for_turn", json!({}), "missing"),
        ("act", json!({"turn": 1, "words": "x"}), "missing"),
        ("leave", json!({"place": "x"}), "missing"),
    ] {
        owner.fails(tool, &arguments, kind);
    }
    assert_eq!(owner.done("list_campaigns", &json!({}))["data"]["campaigns"], json!([]));
}

#[test]
fn no_more_campaigns_are_played_than_the_limit_says() {
    let party = Party::new();
    let mut owner = party.owner();
    let run = json!({"campaign": "the-borrowed-boat", "seed": 3, "seats": ["player-1"]});
    for _ in 0..twicetold_mcp::limits::TABLES_MAX {
        owner.done("run", &run);
    }
    owner.fails("run", &run, "busy");
    owner.done("pause", &json!({"campaign": "last"}));
    owner.done("run", &run);
}
