//! Promise: whatever a model server does, the campaign stays whole, waits or goes on, and can be replayed exactly.

use std::sync::{Arc, Mutex, mpsc};

use serde_json::{Value, json};
use twicetold_improv::improvise;
use twicetold_tests::{Home, Outcome, Response, Server, flat, last_line};

const RUN: [&str; 5] = ["run", "configuration/campaigns/the-borrowed-boat.toml", "--seed", "7", "--json"];

/// What a server does with a request body instead of answering it well.
type Fault = fn(&str) -> Response;

fn improvised(body: &str) -> Response {
    Response::Body(improvise(body))
}

/// Plays with a server that answers in this way, from a configuration with these further lines of its model.
fn play(
    answer: impl Fn(usize, &str) -> Response + Send + Sync + 'static,
    more: &str,
) -> (Home, Server, Outcome) {
    let (home, server) = (Home::new(), Server::start(answer));
    home.configure(&server.base_url(), more);
    let outcome = home.run(RUN);
    (home, server, outcome)
}

/// The events of the newest campaign, by name.
fn events(home: &Home, name: &str) -> Vec<Value> {
    let log = home.succeed(["log", "last", "--json"]);
    log.lines().map(last_line).filter(|event| event["type"] == name).collect()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a number")).expect("not that many")
}

fn assert_over_and_replayed(home: &Home, card: &Value) {
    assert_eq!(card["state"], "over", "{card}");
    let report = last_line(&home.succeed(["replay", "last", "--json"]));
    assert_eq!((&report["identical"], &report["story"]), (&json!(true), &card["story"]));
    home.succeed(["verify", "last"]);
}

#[test]
fn a_campaign_played_over_http_is_replayed_without_the_server() {
    let (home, server, outcome) = play(|_, body| improvised(body), "");
    let card = last_line(&outcome.succeeded().stdout);
    assert_eq!(number(&card["calls"]), server.requests());
    drop(server);
    assert_over_and_replayed(&home, &card);
    assert!(events(&home, "RetryScheduled").is_empty());
}

#[test]
fn a_hiccup_of_the_server_is_recorded_and_is_no_part_of_the_story() {
    let faults: [(Fault, &str); 6] = [
        (
            |_| Response::Status("429 Too Many Requests", r#"{"error":{"message":"slow"}}"#.into()),
            "RateLimited",
        ),
        (|_| Response::Status("503 Busy", "<html>busy</html>".into()), "Server"),
        (|_| Response::Body(r#"{"error":{"message":"upstream broke","code":502}}"#.into()), "ErrorInBody"),
        (|_| Response::Body("<html>Welcome to the proxy</html>".into()), "Unreadable"),
        (|_| Response::Body(r#"{"id":"1","object":"chat.completion","choices":[]}"#.into()), "NoChoices"),
        (|body| Response::Cut(improvise(body), 40), "Truncated"),
    ];
    let next: Arc<Mutex<Option<(usize, Fault)>>> = Arc::default();
    let planned = next.clone();
    // One server for all: its address is part of the charter, and so of the story.
    let (home, server, undisturbed) = play(
        move |number, body| match *planned.lock().expect("nobody panics") {
            Some((at, fault)) if number == at => fault(body),
            _ => improvised(body),
        },
        "",
    );
    let undisturbed = last_line(&undisturbed.succeeded().stdout);
    for (fault, kind) in faults {
        let before = server.requests();
        *next.lock().expect("nobody panics") = Some((before + 4, fault));
        let card = last_line(&home.succeed(RUN));
        assert_eq!(server.requests() - before, 1 + number(&card["calls"]), "{kind}: asked once more");
        let retries = events(&home, "RetryScheduled");
        assert_eq!(retries.len(), 1);
        assert_eq!(retries[0]["data"]["fault"], kind, "{retries:?}");
        assert_eq!(card["story"], undisturbed["story"], "{kind}");
        assert_over_and_replayed(&home, &card);
    }
}

/// Waits of a body are taken like those of headers.
#[test]
fn a_server_that_wants_a_longer_wait_than_the_rules_allow_pauses_the_campaign_at_once_and_says_until_when() {
    for (wait, until) in
        [("6m0s", true), ("31709y", false), ("999999999d", true), ("99999999999999999999d", true)]
    {
        let body = format!(r#"{{"error":{{"message":"Please try again in {wait}."}}}}"#);
        let (home, server, outcome) =
            play(move |_, _| Response::Status("429 Too Many Requests", body.clone()), "");
        assert_eq!(outcome.code, Some(5), "{wait}: {}", outcome.stderr);
        assert_eq!(server.requests(), if until { 1 } else { 4 }, "{wait}");
        let paused = events(&home, "CampaignPaused");
        assert_eq!(paused[0]["data"]["until"].is_null(), !until, "{wait}: {paused:?}");
        let says = flat(&home.run(["resume", "last"]).stdout).contains("The server wants no request before ");
        assert_eq!(says, until, "{wait}");
        home.succeed(["replay", "last"]);
    }
}

#[test]
fn a_hundred_megabytes_are_refused_and_the_campaign_goes_on_without_them() {
    let answer =
        |number: usize, body: &str| if number == 4 { Response::Flood(100_000_000) } else { improvised(body) };
    let (home, _, outcome) = play(answer, "");
    let card = last_line(&outcome.succeeded().stdout);
    let abandoned = events(&home, "CallAbandoned");
    assert_eq!(abandoned.len(), 1);
    assert_eq!(abandoned[0]["data"]["fault"], "TooLarge");
    assert_over_and_replayed(&home, &card);
}

#[test]
fn a_server_that_is_not_there_pauses_the_campaign_and_resume_plays_it_to_its_end() {
    let (home, address) = (Home::new(), Server::nowhere());
    home.configure(&format!("http://{address}/v1"), "");
    let outcome = home.run(RUN);
    assert_eq!(outcome.code, Some(5), "{}", outcome.stderr);
    let end = last_line(&outcome.stdout);
    assert_eq!(end["state"], "paused", "{end}");
    assert!(
        end["reason"].as_str().expect("words").starts_with("the model server could not be reached"),
        "{end}"
    );
    assert_eq!(events(&home, "RetryScheduled").len(), 3, "asked four times");
    assert!(home.succeed(["list"]).contains("paused: the model server"));
    home.succeed(["replay", "last"]);
    let told = home.run(["resume", "last"]);
    assert_eq!(told.code, Some(5), "still not there");
    let told = flat(&told.stdout);
    assert_eq!(told.matches("no connection to").count(), 1, "why is said once: {told}");
    assert!(told.contains("Start the server at http://"), "{told}");
    assert!(told.contains("or fix base_url in ") && told.contains("models.toml; then resume"), "{told}");

    let server = Server::start_at(address, |_, body| improvised(body));
    let card = last_line(&home.succeed(["resume", "last", "--json"]));
    assert_eq!(
        server.requests(),
        number(&card["calls"]),
        "the call that failed and was made again counts once"
    );
    assert_over_and_replayed(&home, &card);
    home.run(["resume", "last"]).failed(2, &["this campaign is over"]);
}

#[test]
fn without_its_key_nothing_is_sent_and_nothing_written() {
    let (home, server, outcome) = play(|_, body| improvised(body), "api_key_env = \"MODEL_KEY\"");
    outcome.failed(2, &["the environment variable MODEL_KEY", "is not set"]);
    assert_eq!((server.requests(), home.campaigns().len()), (0, 0));
    assert!(!home.path("data").exists());
}

#[test]
fn a_server_that_never_answers_is_given_up_and_asked_again_later() {
    let (home, server, outcome) = play(|_, _| Response::Silence, "timeout_ms = 60");
    assert_eq!(outcome.code, Some(5), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("did not answer in time"), "{}", outcome.stdout);
    assert_eq!(server.requests(), 4);
    home.succeed(["replay", "last"]);
}

#[cfg(unix)]
#[test]
fn a_campaign_interrupted_in_the_middle_of_a_call_is_paused_and_goes_on_from_there() {
    for (signal, words) in [("-INT", "Ctrl-C"), ("-TERM", "asked to stop")] {
        let (asked, asking) = mpsc::channel();
        let answer = move |number: usize, body: &str| match number {
            5 => {
                asked.send(()).expect("the test waits");
                Response::Silence
            }
            _ => improvised(body),
        };
        let (home, server) = (Home::new(), Server::start(answer));
        home.configure(&server.base_url(), "");
        let program = home.command(RUN).spawn().expect("the program starts");
        asking.recv().expect("the sixth call is made");
        let kill = std::process::Command::new("kill").args([signal, &program.id().to_string()]).status();
        assert!(kill.expect("there is a kill").success());
        let outcome = Outcome::of(program.wait_with_output());
        assert_eq!(outcome.code, Some(130), "{}", outcome.stderr);
        let end = last_line(&outcome.stdout);
        assert!(end["reason"].as_str().expect("words").contains(words), "{end}");
        let card = last_line(&home.succeed(["resume", "last", "--json"]));
        assert_over_and_replayed(&home, &card);
        let undisturbed = last_line(&home.succeed(RUN));
        assert_eq!(undisturbed["calls"], card["calls"], "nothing was lost, nothing was played twice");
    }
}

#[cfg(unix)]
#[test]
fn a_call_that_was_in_flight_at_a_crash_is_told_of_however_little_is_shown() {
    for how in ["--json", "-q"] {
        let (asked, asking) = mpsc::channel();
        let answer = move |number: usize, body: &str| match number {
            5 => {
                asked.send(()).expect("the test waits");
                Response::Silence
            }
            _ => improvised(body),
        };
        let (home, server) = (Home::new(), Server::start(answer));
        home.configure(&server.base_url(), "");
        let mut program = home.command(RUN).spawn().expect("the program starts");
        asking.recv().expect("the sixth call is made");
        program.kill().expect("it runs");
        program.wait().expect("it ends");
        let outcome = home.run(["resume", "last", how]).succeeded();
        if how == "-q" {
            let said =
                "was in flight when the campaign stopped. It is sent again and may be billed twice (about ";
            assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
            continue;
        }
        let first: Value = serde_json::from_str(outcome.stdout.lines().next().expect("lines")).expect("JSON");
        assert_eq!(
            (&first["form"], &first["call"], &first["may_be_paid_twice"]),
            (&json!("called-again"), &json!(5), &json!(true)),
            "{first}"
        );
        assert!(
            number(&first["input_tokens_about"]) > 0 && number(&first["output_tokens_most"]) > 0,
            "{first}"
        );
    }
}

#[test]
fn what_a_terminal_would_obey_never_leaves_the_program() {
    let nasty = "A\u{1b}[2J\u{1b}]0;owned\u{7} green \u{9b}31m fig \u{202e}tree.";
    let answer = move |number: usize, body: &str| {
        let body = improvise(body);
        let mut reply: Value = serde_json::from_str(&body).expect("JSON");
        if number.is_multiple_of(2) {
            let content = &mut reply["choices"][0]["message"]["content"];
            *content = format!("{} {nasty}", content.as_str().unwrap_or_default()).into();
        }
        Response::Body(reply.to_string())
    };
    let (home, server) = (Home::new(), Server::start(answer));
    home.configure(&server.base_url(), "");
    let campaign = "configuration/campaigns/the-borrowed-boat.toml";
    let mut printed = vec![
        home.run(["run", campaign, "--seed", "7", "--color", "never"]).stdout,
        home.run(["run", campaign, "--seed", "8", "--json"]).stdout,
    ];
    assert!(printed.iter().all(|text| text.contains("fig")), "the text itself is shown");
    let documents = ["party", "goals", "npcs", "characters", "memory", "transcript", "cost"];
    for json in [false, true] {
        let more = if json { vec!["--json"] } else { vec![] };
        printed.extend(
            documents.map(|document| home.succeed([&["show", "last", document][..], &more].concat())),
        );
        printed.extend(["list", "log last"].map(|line| home.succeed(line.split(' ').chain(more.clone()))));
    }
    for text in printed {
        let obeyed = text.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        assert_eq!(obeyed, None, "{text}");
    }
    home.succeed(["replay", "last"]);
}

/// Plays in an empty home, without a models.toml, with these models.
fn play_with(home: &Home, models: &[&str]) -> Outcome {
    let models = models.iter().flat_map(|model| ["--model", model]);
    home.run(["run", "the-borrowed-boat", "--seed", "7", "--json"].into_iter().chain(models))
}

#[test]
fn a_model_of_any_server_plays_without_an_entry_in_models_toml() {
    let (home, server) = (Home::new(), Server::start(|_, body| improvised(body)));
    let model = format!("{}#qwen3:8b", server.base_url());
    let outcome = play_with(&home, &[&model]);
    let card = last_line(&outcome.succeeded().stdout);
    assert_eq!(number(&card["calls"]), server.requests());
    assert_over_and_replayed(&home, &card);
    // The address is this machine's, not the campaign's; the name of the model is part of what is asked.
    let log = home.succeed(["log", "last", "--json"]);
    assert!(!log.contains(&server.base_url()), "the journal holds no address");
    let seats = format!("dm={model}");
    let mixed = play_with(&home, &["improv", &seats]);
    assert!(number(&last_line(&mixed.succeeded().stdout)["calls"]) > 0);
}

#[test]
fn another_model_of_a_configured_server_is_named_behind_the_entry() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = asked.clone();
    let server = Server::start(move |_, body| {
        let request: Value = serde_json::from_str(body).expect("JSON");
        seen.lock().expect("no panic").push(request["model"].as_str().expect("a name").to_owned());
        improvised(body)
    });
    let home = Home::new();
    home.configure(&server.base_url(), "");
    let run = [
        "run",
        "configuration/campaigns/the-borrowed-boat.toml",
        "--seed",
        "7",
        "--json",
        "--config",
        "configuration",
    ];
    home.run(run.into_iter().chain(["--model", "server:qwen3:8b"])).succeeded();
    let asked = asked.lock().expect("no panic");
    assert!(!asked.is_empty() && asked.iter().all(|model| model == "qwen3:8b"), "{asked:?}");
}

#[test]
fn a_model_that_is_not_there_is_an_error_that_says_what_is() {
    let home = Home::new();
    for (name, wanted) in [
        ("lokal", "did you mean \"local\"?"),
        ("http://127.0.0.1:1/v1", "add the model's name after a #"),
        ("ollama:", "ollama:MODEL"),
        ("anthropic:claude", "ANTHROPIC_API_KEY"),
        ("improv:kind", "the models are"),
    ] {
        let outcome = play_with(&home, &[name]);
        assert_eq!(outcome.code, Some(2), "{name}: {}", outcome.stderr);
        assert!(flat(&outcome.stderr).contains(wanted), "{name}: {}", outcome.stderr);
    }
}

#[test]
fn a_server_that_cuts_prompts_in_silence_is_found_out_at_the_first_call() {
    let (home, server, outcome) = play(
        |_, body| {
            let mut reply: Value = serde_json::from_str(&improvise(body)).expect("JSON");
            reply["usage"] = json!({"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49});
            Response::Body(reply.to_string())
        },
        "",
    );
    assert_eq!(server.requests(), 1, "it is not asked again");
    let end = last_line(&outcome.stdout);
    let reason = end["reason"].as_str().expect("words");
    assert!(end["state"] == "paused" && reason.contains("the server counted 40 tokens"), "{end}");
    assert!(reason.contains("OLLAMA_CONTEXT_LENGTH"), "{end}");
    let report = last_line(&home.succeed(["replay", "last", "--json"]));
    assert_eq!(report["identical"], json!(true));
}

#[test]
fn a_key_that_the_server_refuses_is_answered_with_where_it_comes_from() {
    let refuse = |_: usize, _: &str| {
        Response::Status("401 Unauthorized", r#"{"error":{"message":"Incorrect API key provided"}}"#.into())
    };
    let (home, server) = (Home::new(), Server::start(refuse));
    home.configure(&server.base_url(), "");
    let run = ["run", "the-borrowed-boat", "--quiet"];
    let outcome = home.run(run);
    assert!(
        flat(&outcome.stdout).contains("No key is sent") && outcome.code == Some(5),
        "{}",
        outcome.stdout
    );
    let home = Home::new();
    home.configure(&server.base_url(), "api_key_env = \"MODEL_KEY\"\n");
    let outcome = Outcome::of(home.command(run).env("MODEL_KEY", "k-123").output());
    assert!(flat(&outcome.stdout).contains("the environment variable MODEL_KEY"), "{}", outcome.stdout);
}
