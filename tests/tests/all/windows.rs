//! Promise: a campaign whose prompts cannot fit the window of a model is refused before anything is written; where they fit with a
//! shorter history, it is opened so; and a server that does not say its window is played with.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use twicetold_improv::improvise;
use twicetold_journal::open_source;
use twicetold_session::load;
use twicetold_tests::{Home, Outcome, Response, Server, flat, last_line};
use twicetold_world::setup::Limits;

const RUN: [&str; 5] = ["run", "configuration/campaigns/the-borrowed-boat.toml", "--seed", "7", "--json"];

fn improvised(_: usize, body: &str) -> Response {
    Response::Body(improvise(body))
}

/// What a server says where something is read.
type Page = fn(&str) -> Response;

/// What llama.cpp says of itself.
fn props(window: u32) -> Response {
    Response::Body(json!({"default_generation_settings": {"n_ctx": window}, "total_slots": 1}).to_string())
}

fn missing() -> Response {
    Response::Status("404 Not Found", "{}".to_owned())
}

/// A server that answers like llama.cpp: its window stands beside `/v1`.
fn llama(window: u32) -> Server {
    let trained = json!({"data": [{"id": "loopback", "meta": {"n_ctx_train": 32_768}}]}).to_string();
    let pages = move |path: &str| match path {
        "/props" => props(window),
        "/v1/models" => Response::Body(trained.clone()),
        _ => missing(),
    };
    Server::with_pages(pages, improvised)
}

/// Runs the small campaign against the server, with these further lines of its model.
fn run(server: &Server, more: &str) -> (Home, Outcome) {
    let home = Home::new();
    home.configure(&server.base_url(), more);
    let outcome = home.run(RUN);
    (home, outcome)
}

/// The limits in the charter of the only campaign.
fn limits(home: &Home) -> Limits {
    let [path] = &home.campaigns()[..] else { panic!("one campaign was opened") };
    let source = open_source(path).expect("it can be read");
    load(source.as_ref()).expect("it can be loaded").campaign.state().setup().limits.clone()
}

/// Opens the campaign with longer texts, with a window in models.toml, and pauses at the first call.
fn opened(window: &str) -> (Home, Outcome) {
    let home = Home::new();
    let nowhere = Server::nowhere();
    home.configure(&format!("http://{nowhere}/v1"), &format!("context = {window}"));
    let outcome =
        home.run(["run", "configuration/campaigns/the-last-tram-but-one.toml", "--seed", "7", "--json"]);
    (home, outcome)
}

/// The number behind these words.
fn number(text: &str, words: &str) -> u64 {
    let text = flat(text);
    let after = text.split(words).nth(1).unwrap_or_else(|| panic!("{words:?} is not in {text}"));
    after.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("a number")
}

#[test]
fn a_window_that_is_too_small_is_refused_with_the_numbers_before_anything_is_written() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let pages = move |path: &str| {
        count.fetch_add(1, Ordering::SeqCst);
        if path == "/props" { props(4_096) } else { missing() }
    };
    let server = Server::with_pages(pages, improvised);
    let (home, outcome) = run(&server, "");
    outcome.failed(
        2,
        &[
            "the window of \"loopback\", which plays dm, is 4096 tokens, but in play it needs at least ",
            " for instructions, tools and state, ",
            " for the shortest history (",
            " bytes), 1000 for the reply (tokens_max)",
            "nothing was written",
            "use a model with a larger window",
            "`context = N`",
        ],
    );
    assert_eq!((server.requests(), home.campaigns().len()), (0, 0));
    assert_eq!(asked.load(Ordering::SeqCst), 2, "its list and its page, once for all seats");
    assert!(!home.path("data").exists());
}

#[test]
fn a_campaign_that_fits_only_with_a_shorter_history_is_opened_with_one_and_says_so() {
    let (home, refused) = opened("1");
    refused.failed(2, &["is 1 tokens"]);
    assert!(home.campaigns().is_empty());
    let least = number(&refused.stderr, "it needs at least ");
    opened(&(least - 1).to_string()).1.failed(2, &["nothing was written"]);

    let (home, outcome) = opened(&least.to_string());
    assert_eq!(outcome.code, Some(5), "its server is nowhere: {}", outcome.stderr);
    let said = format!(
        "The window of loopback is {least} tokens: the campaign is opened with history_bytes_max = 3000"
    );
    assert!(flat(&outcome.stderr).contains(&said), "{}", outcome.stderr);
    assert_eq!(limits(&home).history_bytes_max, 3_000);

    let (home, outcome) = opened(&(least * 3).to_string());
    assert!(!outcome.stderr.contains("is opened with"), "{}", outcome.stderr);
    assert_eq!(limits(&home).history_bytes_max, Limits::default().history_bytes_max);

    // A window in between leaves as much of the history as there is room for.
    let (home, outcome) = opened(&(least + 3_000).to_string());
    let between = limits(&home).history_bytes_max;
    assert_eq!(number(&outcome.stderr, "opened with history_bytes_max = "), u64::from(between));
    assert!((3_001..Limits::default().history_bytes_max).contains(&between), "{between}");
}

#[test]
fn a_large_window_is_played_in_like_an_unknown_one() {
    let unknown: [(&str, Page); 5] = [
        ("no page", |_| missing()),
        ("garbage", |_| Response::Body("<html>props</html>".to_owned())),
        ("a number that is none", |_| {
            Response::Body(r#"{"default_generation_settings":{"n_ctx":-1}}"#.to_owned())
        }),
        ("a hundred megabytes", |_| Response::Flood(100_000_000)),
        ("nothing at all", |_| Response::Silence),
    ];
    let large =
        Server::with_pages(|path| if path == "/props" { props(200_000) } else { missing() }, improvised);
    let (_, outcome) = run(&large, "");
    let story = |outcome: Outcome| last_line(&outcome.succeeded().stdout)["story"].clone();
    let expected = story(outcome);
    for (what, pages) in unknown {
        let (home, outcome) = run(&Server::with_pages(pages, improvised), "");
        assert!(!outcome.stderr.contains("window"), "{what}: {}", outcome.stderr);
        assert_eq!(story(outcome), expected, "{what}");
        home.succeed(["replay", "last"]);
    }
}

#[test]
fn a_window_in_models_toml_counts_and_its_server_is_not_asked() {
    let pages = |path: &str| panic!("{path} was read");
    let server = Server::with_pages(pages, improvised);
    let (_, outcome) = run(&server, "context = 4096");
    outcome.failed(2, &["is 4096 tokens"]);
    run(&server, "context = 200000").1.succeeded();
    run(&server, "context = 0").1.failed(2, &["context is the window of the model in tokens"]);
    let twice = "context = 1\ncompat = { context = 2 }";
    run(&server, twice).1.failed(2, &["context stands beside compat and in it"]);
}

#[test]
fn a_model_whose_window_is_too_small_takes_no_seat_of_a_campaign_that_has_begun() {
    let (large, small) = (llama(200_000), llama(2_048));
    let (home, outcome) = run(&large, "");
    outcome.succeeded();
    let name = format!("{}#tiny", small.base_url());
    let before = home.campaigns();
    for seats in [name.clone(), format!("dm={name}")] {
        home.run(["fork", "last", "--at", "40", "--model", &seats])
            .failed(2, &["the window of \"tiny\", which plays dm, is 2048 tokens", "nothing was written"]);
    }
    assert_eq!(home.campaigns(), before);
    home.succeed(["fork", "last", "--at", "40"]);
    let before = home.succeed(["log", "last", "--json"]);
    home.run(["resume", "last", "--model", &name])
        .failed(2, &["the window of \"tiny\"", "nothing was written"]);
    assert_eq!(home.succeed(["log", "last", "--json"]), before);
    home.succeed(["resume", "last"]);
}

#[test]
fn a_seat_that_a_person_takes_needs_no_window() {
    let server = llama(2_048);
    let home = Home::new();
    let model = format!("dm={}#tiny", server.base_url());
    let run = ["run", "the-borrowed-boat", "--model", model.as_str(), "--seat"];
    home.run([&run[..], &["player-1"]].concat()).failed(2, &["which plays dm"]);
    let outcome = home.run([&run[..], &["dm"]].concat());
    assert!(!outcome.stderr.contains("window") && home.campaigns().len() == 1, "{}", outcome.stderr);
}

#[test]
fn the_list_of_models_shows_windows_and_a_test_of_one_asks_for_it() {
    let server = llama(4_096);
    let home = Home::new();
    home.configure(&server.base_url(), "");
    let report = last_line(&home.run(["models", "server", "--json", "--moments", "0"]).stdout);
    let seen = report["probes"][0]["seen"].as_str().expect("words");
    assert!(seen.contains("it serves \"loopback\"") || seen.contains("it lists \"loopback\""), "{seen}");
    assert!(seen.contains("with a context of 4096 tokens"), "{seen}");
    home.edit(
        ".config/twicetold/models.toml",
        "model = \"loopback\"",
        "model = \"loopback\"\ncontext = 9999",
    );
    assert!(home.succeed(["models"]).contains("  window: 9999 tokens\n"));
    let listed = &last_line(&home.succeed(["models", "--json"]))["models"];
    assert_eq!(listed[0]["context"], 9_999, "{listed}");
}

#[test]
fn what_a_server_finds_too_long_is_asked_again_with_less_of_the_history() {
    // It says nothing of its window, and reads no prompt longer than this.
    let most = 18_900;
    let refused = Arc::new(AtomicUsize::new(0));
    let count = refused.clone();
    let server = Server::start(move |_, body: &str| {
        if body.len() <= most {
            return Response::Body(improvise(body));
        }
        count.fetch_add(1, Ordering::SeqCst);
        let message = format!("This model's maximum context length is {most} bytes");
        let error = json!({"error": {"message": message, "code": "context_length_exceeded"}});
        Response::Status("400 Bad Request", error.to_string())
    });
    let (home, outcome) = run(&server, "");
    let log = outcome.succeeded().stdout;
    let shortened = log.matches("\"type\":\"HistoryShortened\"").count();
    assert_eq!(refused.load(Ordering::SeqCst), shortened, "each costs one call: {log}");
    assert!(shortened > 0, "{log}");
    let transcript = flat(&home.succeed(["show", "last", "transcript"]));
    let told = "the prompt is longer than the model's context; DM sees at most ";
    assert!(transcript.contains(told), "{transcript}");
    home.succeed(["replay", "last"]);
}
