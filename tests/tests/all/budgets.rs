//! Promise: whoever pays for models sees what they cost, and is asked before more than the budget is spent.

use serde_json::{Value, json};
use twicetold_improv as improv;
use twicetold_model::FaultKind;
#[cfg(unix)]
use twicetold_tests::Terminal;
use twicetold_tests::{Game, Home, Response, Server, flat, reply_body};
use twicetold_world::Life;

const PRICE: &str = "[model.server.price]\ninput = 1\ncached = 0.1\noutput = 2";

/// A server whose every answer costs 0.0072 by that price, and 0.0108 without its cache.
fn server() -> Server {
    Server::start(|_, body| {
        let mut answer: Value = serde_json::from_str(&improv::improvise(body)).expect("a body is JSON");
        answer["usage"] = json!({
            "prompt_tokens": 10_000, "prompt_tokens_details": { "cached_tokens": 4_000 }, "completion_tokens": 400
        });
        Response::Body(answer.to_string())
    })
}

#[test]
fn a_campaign_is_paused_when_its_money_is_spent_and_shows_what_was_paid() {
    let server = server();
    let home = Home::new();
    home.configure(&server.base_url(), PRICE);
    let run = ["run", "the-borrowed-boat", "--seed", "7", "--quiet", "--budget", "0.072usd,500calls"];
    let paused = home.run(run);
    assert_eq!((paused.code, server.requests()), (Some(5), 10), "{}{}", paused.stdout, paused.stderr);
    let said = flat(&paused.stderr);
    assert_eq!(said.matches("80 % of the budget is used up: 0.0576 of 0.072 usd.").count(), 1, "{said}");
    assert!(said.contains("used up: 0.0720 of 0.072 usd. `twicetold resume"), "{said}");
    assert!(said.contains("--budget 500calls,0.072usd` continues"), "{said}");
    let cost = home.succeed(["show", "last", "cost"]);
    assert!(flat(&cost).ends_with("total 0.0720 0.1080"), "{cost}");
    assert!(cost.lines().all(|line| line.trim_end().chars().count() <= 80), "{cost}");
    let rows: Value = serde_json::from_str(&home.succeed(["show", "last", "cost", "--json"])).expect("JSON");
    let first = &rows["costs"][0];
    let calls = first["calls"].as_u64().expect("calls");
    assert_eq!(first["money"][0]["currency"], "usd");
    let paid = first["money"][0]["paid"].as_str().expect("exact, so text");
    assert_eq!(paid, format!("0.{:04}", calls * 72).trim_end_matches('0'));
    home.succeed(["report", "last", "-o", "page.html"]);
    let page = std::fs::read_to_string(home.path("page.html")).expect("it was written");
    assert!(page.contains("Money in usd") && page.contains("0.1080"), "the page shows money");
    // The journal says that the budget is used up, and not what was paid.
    let log = home.succeed(["log", "last", "--json"]);
    assert!(log.contains("at most 0.072 usd") && !log.contains("of 0.072 usd"), "{log}");
    home.succeed(["replay", "last"]);
    // The amount is used up until another is given, and is counted from there on.
    home.run(["resume", "last"]).failed(2, &["0.0720 of 0.072 usd", "--budget 500calls,0.072usd"]);
    let paused = home.run(["resume", "last", "--json", "--budget", "0.0144usd"]);
    assert_eq!((paused.code, server.requests()), (Some(5), 12), "{}{}", paused.stdout, paused.stderr);
    assert!(paused.stdout.contains("\"state\":\"used-up\""), "{}", paused.stdout);
    // A price that changes changes what was paid, and nothing else.
    home.edit(".config/twicetold/models.toml", "input = 1", "input = 2");
    assert!(flat(&home.succeed(["show", "last", "cost"])).ends_with("total 0.1584 0.2496"));
}

#[test]
fn without_a_price_money_is_no_budget_and_costs_are_tokens() {
    let server = server();
    let home = Home::new();
    home.configure(&server.base_url(), "");
    let run = ["run", "the-borrowed-boat", "--quiet", "--budget"];
    let refused = home.run([&run[..], &["0.5usd"]].concat());
    refused.failed(2, &["\"server\" of dm has no price", "[model.\"server\".price]", "400calls"]);
    home.run([&run[..], &["400clls"]].concat()).failed(2, &["did you mean \"calls\"?", "Mtok", "min"]);
    assert_eq!((server.requests(), home.campaigns().len()), (0, 0), "nothing was asked or written");
    home.run([&run[..], &["3calls"]].concat()).failed(5, &["3 of 3 calls"]);
    let cost = home.succeed(["show", "last", "cost"]);
    assert!(flat(&cost).contains("No price is known here for loopback (3 calls)"), "{cost}");
    home.run(["resume", "last", "--budget", "1usd"]).failed(2, &["has no price"]);
    // A price in another currency is none either.
    let priced = format!("\"loopback\"\n{PRICE}\ncurrency = \"eur\"");
    home.edit(".config/twicetold/models.toml", "\"loopback\"", &priced);
    home.run(["resume", "last", "--budget", "1usd"]).failed(2, &["has a price in eur"]);
    assert_eq!(server.requests(), 3);
    home.run(["resume", "last", "--quiet", "--budget", "0.0144eur"]).failed(5, &["0.0144 of 0.0144 eur"]);
    assert_eq!(server.requests(), 5);
}

#[test]
#[cfg(unix)]
fn the_line_of_progress_says_how_far_it_is_and_what_was_paid() {
    let home = Home::new();
    let server = server();
    home.configure(&server.base_url(), PRICE);
    let run = ["run", "the-borrowed-boat", "--seed", "7", "--turns", "3", "--quiet"];
    let mut command = home.command(run);
    command.env("TERM", "xterm");
    let ended = Terminal::start(command).end();
    assert!(ended.text.contains(" of at most 3 · ") && ended.text.contains(" usd · "), "{}", ended.text);
}

/// Models whose replies nobody can use would be asked, and paid, to the last turn.
#[test]
fn turns_without_a_usable_reply_pause_the_campaign_and_it_says_why() {
    let played = Game::new(5).answered(&mut |_, _| reply_body("", &[]));
    let state = played.session.campaign().state();
    let Life::Paused { fault, reason, .. } = state.life() else { panic!("{:?}", state.life()) };
    assert_eq!(*fault, Some(FaultKind::Unusable));
    assert!(reason.starts_with("8 turns in a row") && reason.contains("empty_reply"), "{reason}");
    assert!(played.calls < 40, "{}", played.calls);
    assert!(state.calls().pending.is_some(), "whoever resumes asks the next seat");
    let told = played
        .transcript
        .iter()
        .any(|line| line.text.contains("was rejected (empty_reply): the reply was empty"));
    assert!(told, "a line says what was wrong with whose reply");
    // The last one of a turn, too, was of the seat whose turn it was.
    let whose: Vec<&str> =
        played.transcript.iter().filter_map(|line| Some(line.text.split_once(" was rejected")?.0)).collect();
    let mut turns = whose.chunks(whose.len() / 8);
    assert!(turns.all(|turn| turn.iter().all(|name| name == &turn[0])), "{whose:?}");
}
