//! Promise: `models NAME` plays moments of a campaign in each tool mode, the referee judges them, play falls into the interval that is
//! printed, and `tool_calls = "auto"` plays in the best mode.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use serde_json::{Value, json};
use twicetold_improv::improvise;
use twicetold_tests::{Home, Outcome, Response, Server, flat, last_line, reply_body};

/// A server whose model plays well when it is guided, calls a tool that does not exist when it is given tools, and only talks when they are
/// described to it. The counter is of requests with tools.
fn plays_guided() -> (Server, Arc<AtomicUsize>) {
    let native = Arc::new(AtomicUsize::new(0));
    let counter = native.clone();
    let server = Server::listing(move |_, body| {
        if body.is_empty() {
            return Response::Body(
                json!({"data": [{"id": "loopback", "max_model_len": 32_768}]}).to_string(),
            );
        }
        let request: Value = serde_json::from_str(body).expect("a request is JSON");
        Response::Body(match () {
            () if body.contains("Think of a goblin") => {
                reply_body("{\"name\":\"Grik\",\"hit_points\":7}", &[])
            }
            () if request.get("tools").is_some() => {
                counter.fetch_add(1, Ordering::Relaxed);
                reply_body("", &[("fly", "{\"to\":\"the moon\"}")])
            }
            () if body.contains("# Tools") => reply_body("I wait and listen to the river.", &[]),
            () if request.get("response_format").is_some() => choose(body, &request),
            () => improvise(body),
        })
    });
    (server, native)
}

/// The first move of a menu, and a text of a fitting length for whatever else is asked.
fn choose(body: &str, request: &Value) -> String {
    let properties = &request["response_format"]["json_schema"]["schema"]["properties"];
    let members = properties.as_object().expect("members").iter().map(|(name, member)| {
        let words = format!("word {} ", body.len()).repeat(30);
        let least = member["minLength"].as_u64().unwrap_or_default() as usize;
        let text = member["enum"][0].as_str().unwrap_or(&words[..least.max(8)]);
        (name.clone(), Value::from(text.trim()))
    });
    reply_body(&Value::Object(members.collect()).to_string(), &[])
}

fn configured(server: &Server, more: &str) -> Home {
    let home = Home::new();
    home.configure(&server.base_url(), more);
    home
}

fn measure<const N: usize>(home: &Home, more: [&str; N]) -> Outcome {
    home.run([&["models", "server", "--json"][..], &more].concat())
}

fn mode<'a>(report: &'a Value, name: &str) -> &'a Value {
    let modes = report["moments"]["modes"].as_array().expect("a list of modes");
    modes.iter().find(|mode| mode["mode"] == name).expect("a mode of this name")
}

fn number(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_else(|| panic!("no number {name} in {value}"))
}

#[test]
fn a_model_is_tried_in_each_mode_and_auto_plays_in_the_best() {
    let (server, native) = plays_guided();
    let home = configured(&server, "compat = { tool_calls = \"auto\" }");
    let run = || {
        let outcome =
            home.run(["run", "the-borrowed-boat", "--seed", "1", "--turns", "12", "--quiet"]).succeeded();
        flat(&outcome.stderr)
    };
    let before = native.load(Ordering::Relaxed);
    let said = run();
    assert!(
        said.contains("is native, because it was not measured; `twicetold models server` finds out"),
        "{said}"
    );
    assert!(native.load(Ordering::Relaxed) > before);

    let report = last_line(&measure(&home, []).succeeded().stdout);
    for name in ["native", "structured", "prompted", "guided"] {
        let turns = &mode(&report, name)["turns"];
        assert_eq!(number(turns, "moments"), 30, "{name}: {turns}");
        assert!(number(turns, "answers") >= 30, "{name}: {turns}");
    }
    let (bad, good) = (mode(&report, "native"), mode(&report, "guided"));
    assert!(number(&bad["turns"], "tool_calls") >= 20 && number(&bad["turns"], "accepted") == 0, "{bad}");
    assert!(number(&bad["accepted_permille"], "high") < 200, "{bad}");
    assert_eq!(mode(&report, "prompted")["turns"]["tool_calls"], 0);
    assert!(number(&good["turns"], "calling") >= 10, "{good}");
    assert!(number(&good["accepted_permille"], "low") >= 600, "{good}");
    assert_eq!(
        (&report["moments"]["best"], &report["moments"]["window"]),
        (&json!("guided"), &json!(32_768))
    );
    assert_eq!(report["roles"][0], json!({"role": "dm", "fit": true, "why": report["roles"][0]["why"]}));
    // The setting is there already.
    assert_eq!(report["settings"], json!([]));

    let before = native.load(Ordering::Relaxed);
    let said = run();
    assert!(
        said.contains("The tool mode of server is guided: ") && said.contains("% with 95 % confidence"),
        "{said}"
    );
    assert_eq!(native.load(Ordering::Relaxed), before, "no request had tools");
    // The journal has the mode itself: another measurement changes nothing of it.
    std::fs::remove_dir_all(home.path("data/models")).expect("it was kept there");
    let resumed = home.run(["resume", "last", "--quiet", "--budget", "2calls"]);
    assert!(!resumed.stderr.contains("tool mode"), "{}", resumed.stderr);
    assert_eq!(native.load(Ordering::Relaxed), before);
    let forked = home.succeed(["fork", "last", "--at", "20", "--model", "server"]);
    assert!(forked.contains("is a new branch"), "{forked}");
}

/// Moments are turns of a campaign that a good model played. One that plays badly comes into worse ones by itself, so that the lower end
/// of the interval is the one to look at.
#[test]
fn play_falls_into_the_interval_that_was_measured() {
    let home = Home::new();
    let report =
        last_line(&home.succeed(["models", "improv:chaos", "--json", "--campaign", "the-last-tram-but-one"]));
    let rate = &mode(&report, "native")["accepted_permille"];
    let (mut accepted, mut all) = (0, 0);
    for seed in ["11", "12", "13"] {
        let played =
            home.run(["run", "the-last-tram-but-one", "--model", "improv:chaos", "--seed", seed, "--json"]);
        let count = |kind: &str| played.stdout.matches(&format!("\"type\":\"{kind}\"")).count() as u64;
        accepted += count("ToolAccepted");
        all += count("ToolAccepted") + count("ToolRejected");
    }
    let play = accepted * 1_000 / all;
    assert!(all > 60 && (number(rate, "low")..=number(rate, "high")).contains(&play), "{play}: {rate}");
}

#[test]
fn a_budget_holds_and_a_mode_that_was_cut_short_is_not_kept() {
    let (server, native) = plays_guided();
    let home = configured(&server, "");
    let arguments = ["--mode", "native", "--budget", "7calls"];
    let report = last_line(&measure(&home, arguments).succeeded().stdout);
    // Two of the quick tests offer tools.
    assert!(native.load(Ordering::Relaxed) <= 7 + 2, "{report}");
    let ended = mode(&report, "native")["ended"].as_str().expect("it says why");
    assert!(ended.contains("the budget is used up"), "{ended}");
    assert_eq!((&report["moments"]["best"], &report["moments"]["file"]), (&Value::Null, &Value::Null));
    assert!(!home.path("data/models").exists());
    measure(&home, ["--budget", "1usd"])
        .failed(2, &["the budget is in usd, and the model has no price in it"]);
}

#[test]
fn a_server_that_fails_ends_a_mode_and_is_not_held_against_the_model() {
    let asked = AtomicUsize::new(0);
    let server = Server::listing(move |_, body| {
        let is_moment = body.contains("One Lantern Short");
        match is_moment && asked.fetch_add(1, Ordering::Relaxed) > 6 {
            true => Response::Status("401 Unauthorized", "{\"error\":{\"message\":\"no credit\"}}".into()),
            false if body.is_empty() => Response::Body(json!({"data": [{"id": "loopback"}]}).to_string()),
            false => Response::Body(improvise(body)),
        }
    });
    let home = configured(&server, "");
    let outcome = home.run(["models", "server", "--mode", "native", "--mode", "prompted"]);
    let shown = flat(&outcome.stdout);
    assert_eq!(outcome.code, Some(5), "{shown}");
    assert!(shown.contains("stopped at moment") && shown.contains("no credit"), "{shown}");
    assert!(shown.contains("not tried: ") && shown.contains("No mode was tried to its end"), "{shown}");
    assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 80), "{}", outcome.stdout);
}

#[test]
fn moments_of_another_campaign_and_fewer_of_them_can_be_asked_for() {
    let home = Home::new();
    let arguments = ["models", "improv", "--json", "--moments", "4", "--campaign", "the-last-tram-but-one"];
    let report = last_line(&home.succeed(arguments));
    assert_eq!(mode(&report, "native")["turns"]["moments"], 4);
    assert_eq!(report["moments"]["campaign"], "the-last-tram-but-one");
    let quick = last_line(&home.succeed(["models", "improv", "--json", "--moments", "0"]));
    assert_eq!(quick["moments"], Value::Null);
    home.run(["models", "improv", "--campaign", "the-borowed-boat"]).failed(7, &["no file or campaign"]);
    home.run(["models", "improv", "--mode", "guidet"]).failed(2, &["the modes are native, structured"]);
    home.run(["models", "improv", "--moments", "301"]).failed(2, &["301"]);
}

#[cfg(unix)]
#[test]
fn a_signal_shows_what_was_measured_by_then() {
    let (asked, asking) = mpsc::channel();
    let (asked, calls) = (Mutex::new(asked), AtomicUsize::new(0));
    let server = Server::listing(move |_, body| match body {
        "" => Response::Body(json!({"data": [{"id": "loopback"}]}).to_string()),
        _ if body.contains("One Lantern Short") && calls.fetch_add(1, Ordering::Relaxed) == 9 => {
            asked.lock().expect("nobody panics").send(()).expect("the test waits");
            Response::Silence
        }
        _ => Response::Body(improvise(body)),
    });
    let home = configured(&server, "");
    let program = home.command(["models", "server"]).spawn().expect("the program starts");
    asking.recv().expect("a moment is played");
    let kill = std::process::Command::new("kill").args(["-INT", &program.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
    let outcome = Outcome::of(program.wait_with_output());
    assert_eq!(outcome.code, Some(130), "{}", outcome.stderr);
    let shown = flat(&outcome.stdout);
    assert!(shown.contains("stopped at moment") && shown.contains("Ctrl-C"), "{shown}");
    assert!(shown.contains("nothing was kept"), "{shown}");
}
