//! Promise: `models` says what is configured and what a model can do, shows no key, and stops when it is told to.

use std::sync::Mutex;
use std::sync::mpsc;

use serde_json::{Value, json};
use twicetold_improv::improvise;
use twicetold_tests::reply_body;
use twicetold_tests::{Home, Outcome, Response, Server, flat, last_line};

const KEY: &str = "key-that-nobody-may-see-0123456789";

/// Tries the configured model and gives what was reported, also when the model does not answer.
fn tried(home: &Home) -> (Option<i32>, Value) {
    let quick = ["--moments", "0"];
    let outcome =
        home.run([&["models", "server", "--config", "configuration", "--json"][..], &quick].concat());
    (outcome.code, last_line(&outcome.stdout))
}

fn configured(server: &Server, more: &str) -> Home {
    let home = Home::new();
    home.configure(&server.base_url(), more);
    home
}

/// Verdict and words of a probe.
fn probe<'a>(report: &'a Value, name: &str) -> (&'a str, &'a str) {
    let probes = report["probes"].as_array().expect("a list of probes");
    let found = probes.iter().find(|probe| probe["probe"] == name).expect("a probe of this name");
    (found["verdict"].as_str().expect("a verdict"), found["seen"].as_str().expect("words"))
}

fn fit(report: &Value) -> Vec<&str> {
    let roles = report["roles"].as_array().expect("a list of roles");
    roles.iter().filter(|role| role["fit"] == true).filter_map(|role| role["role"].as_str()).collect()
}

fn refused(message: &str) -> Response {
    Response::Status("400 Bad Request", json!({"error": {"message": message}}).to_string())
}

/// A server with everything: it makes the calls that it is asked for, keeps to a schema, and caches.
fn capable(body: &str) -> Response {
    if body.is_empty() {
        let entry = json!({"id": "loopback", "max_model_len": 32_768});
        return Response::Body(json!({"data": [entry]}).to_string());
    }
    let request: Value = serde_json::from_str(body).expect("a request is JSON");
    let asked = request["messages"][1]["content"].as_str().expect("words");
    let mut reply: Value = serde_json::from_str(&match () {
        () if request.get("response_format").is_some() => {
            reply_body("{\"name\":\"Grik\",\"hit_points\":7}", &[])
        }
        () if asked.contains("roll_dice twice") => {
            reply_body("", &[("roll_dice", "{\"dice\":\"1d20\"}"), ("roll_dice", "{\"dice\":\"1d6\"}")])
        }
        () if request.get("tools").is_some() => {
            reply_body("", &[("record_met", "{\"people\":[\"tilda-marsh\"]}")])
        }
        () => reply_body("I jump.", &[]),
    })
    .expect("a reply is JSON");
    let words = asked.split_whitespace().count();
    reply["usage"] = json!({"prompt_tokens": words, "prompt_tokens_details": {"cached_tokens": words - 1}});
    Response::Body(reply.to_string())
}

#[test]
fn the_list_names_every_model_its_seats_and_whether_its_key_is_set_and_shows_no_key() {
    let home = Home::new();
    let models = format!(
        "default = \"near\"\n[seat]\nplayer-2 = \"far\"\n[model.near]\nprovider = \"improv\"\n\
         [model.far]\nprovider = \"openai\"\nbase_url = \"https://far.example/v1/\"\nmodel = \"m\"\n\
         api_key_env = \"FAR_KEY\"\n[model.careless]\nprovider = \"openai\"\nmodel = \"m\"\n\
         base_url = \"https://user:{KEY}@host/v1\"\n[model.worse]\nprovider = \"openai\"\nmodel = \"m\"\n\
         base_url = \"https://host/v1\"\napi_key_env = \"{KEY}\"\n[model.odd]\nprovider = \"smoke\"\n\
         [model.bent]\nprovider = \"improv\"\ncompat = {{ tool_calls = \"signs\" }}\n"
    );
    home.succeed(["init", "configuration"]);
    home.write("configuration/models.toml", models);
    let list = |json: &[&str]| {
        let mut command = home.command([&["models", "--config", "configuration"][..], json].concat());
        Outcome::of(command.env("FAR_KEY", KEY).output()).succeeded().stdout
    };
    let (plain, listed) = (list(&[]), list(&["--json"]));
    assert!(!plain.contains(KEY) && !listed.contains(KEY), "{plain}{listed}");
    assert!(plain.lines().all(|line| line.chars().count() <= 80), "{plain}");
    let plain = flat(&plain);
    for words in [
        "near (default) improv embedded: no address, no key seats: dm, memory, player-1, player-3, player-4",
        "far openai, m https://far.example/v1 key: FAR_KEY, set seats: player-2",
        "cannot be used: base_url holds a user name or password",
        "cannot be used: api_key_env is not the name of an environment variable",
        "the provider \"smoke\" is none of openai",
        "cannot be used: compat: unknown variant `signs`",
    ] {
        assert!(plain.contains(words), "{words:?} is not in {plain}");
    }
    let listed = last_line(&listed);
    let far =
        listed["models"].as_array().and_then(|all| all.iter().find(|one| one["name"] == "far")).expect("far");
    assert_eq!((&far["seats"], &far["key_is_set"]), (&json!(["player-2"]), &json!(true)));
    for name in ["careless", "worse", "odd", "bent"] {
        let outcome = home.run(["models", name, "--config", "configuration"]);
        outcome.failed(2, &[name]);
        assert!(!outcome.stderr.contains(KEY), "{}", outcome.stderr);
    }
}

#[test]
fn the_improviser_is_tried_like_any_other_model() {
    let report = last_line(&Home::new().succeed(["models", "improv", "--json"]));
    for (name, verdict) in [("reachable", "yes"), ("answers", "yes"), ("calls_tools", "yes"), ("seed", "yes")]
    {
        assert_eq!(probe(&report, name).0, verdict, "{report}");
    }
    assert_eq!(fit(&report), ["dm", "player", "memory"]);
    assert_eq!(report["settings"], json!([]));
    let shown = Home::new().succeed(["models", "improv"]);
    assert!(
        shown.contains("suitable      dm: ") && shown.lines().all(|line| line.chars().count() <= 80),
        "{shown}"
    );
}

#[test]
fn a_server_with_everything_is_found_to_have_it() {
    let server = Server::listing(|_, body| capable(body));
    let (code, report) = tried(&configured(&server, "temperature = 0.8"));
    assert_eq!(code, Some(0), "{report}");
    let words = [
        ("reachable", "it lists \"loopback\", with a context of 32768 tokens"),
        ("answers", "\"I jump.\""),
        ("calls_tools", "record_met {\"people\":[\"tilda-marsh\"]}"),
        ("structured_output", "{\"name\":\"Grik\",\"hit_points\":7}"),
        ("parallel_calls", "2 in one reply"),
        ("seed", "the same words twice"),
        ("context", "6000 words, read as 60"),
        ("cached_tokens", "when the long prompt came again"),
    ];
    for (name, words) in words {
        let (verdict, seen) = probe(&report, name);
        assert!(verdict == "yes" && seen.contains(words), "{name}: {verdict}, {seen}");
    }
    assert_eq!(probe(&report, "calls_tools_prompted").0, "unknown");
    assert_eq!((fit(&report), &report["settings"]), (vec!["dm", "player", "memory"], &json!([])));
}

#[test]
fn for_a_model_without_tools_the_setting_is_named_that_lets_it_play_the_dm() {
    let answer = |_: usize, body: &str| {
        let request: Value = serde_json::from_str(body).unwrap_or_default();
        match () {
            () if body.is_empty() => Response::Status("404 Not Found", String::new()),
            () if request.get("tools").is_some() => refused("this model does not support tools"),
            () if request.get("response_format").is_some() => refused("unknown field response_format"),
            () if body.contains("# Tools") => Response::Body(reply_body(
                "Noted.\n```json\n{\"tool\": \"record_met\", \"arguments\": {\"people\": []}}\n```",
                &[],
            )),
            () => Response::Body(improvise(body)),
        }
    };
    let server = Server::listing(answer);
    let home = configured(&server, "compat = { tool_choice = false }");
    let (code, report) = tried(&home);
    assert_eq!(code, Some(0));
    assert_eq!(probe(&report, "reachable").0, "yes", "a server without a list of models is reachable");
    assert_eq!(probe(&report, "calls_tools").0, "no");
    assert_eq!(probe(&report, "calls_tools_prompted").0, "yes");
    assert_eq!(probe(&report, "parallel_calls").0, "unknown");
    assert_eq!(fit(&report), ["player", "memory"]);
    let settings = report["settings"][0].as_str().expect("a line");
    assert_eq!(settings, "compat = { tool_calls = \"prompted\", tool_choice = false }");
    // Put where it belongs, the line does what was promised.
    home.edit("configuration/models.toml", "compat = { tool_choice = false }", settings);
    let (_, report) = tried(&home);
    assert_eq!(probe(&report, "calls_tools").0, "yes", "{report}");
    assert_eq!((fit(&report), &report["settings"]), (vec!["dm", "player", "memory"], &json!([])));
}

#[test]
fn what_a_server_refuses_is_told_with_the_setting_against_it() {
    let table = [
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.",
            "tokens_field = \"max_completion_tokens\"",
        ),
        ("'temperature' is not supported with this model", "temperature = false"),
        ("System role not supported", "system_role = \"user\""),
    ];
    for (message, setting) in table {
        let server = Server::listing(move |_, _| refused(message));
        let (code, report) = tried(&configured(&server, ""));
        assert_eq!(code, Some(5), "{report}");
        assert!(probe(&report, "answers").1.contains(message), "{report}");
        assert_eq!(report["settings"], json!([format!("compat = {{ {setting} }}")]));
        assert!(fit(&report).is_empty());
        assert!(probe(&report, "context").1.contains("not tried"), "{report}");
    }
}

#[test]
fn a_server_that_cuts_prompts_in_silence_is_found_out() {
    let answer = |_: usize, body: &str| {
        let mut reply: Value = serde_json::from_str(&improvise(body)).expect("a reply is JSON");
        let read = reply["usage"]["prompt_tokens"].as_u64().unwrap_or_default().min(2_048);
        reply["usage"] = json!({"prompt_tokens": read, "completion_tokens": 1});
        Response::Body(reply.to_string())
    };
    let server = Server::listing(answer);
    let (code, report) = tried(&configured(&server, ""));
    assert_eq!(code, Some(0));
    assert_eq!(
        probe(&report, "context"),
        ("no", "it read only 2048 tokens of 6000 words: it truncates prompts")
    );
    assert!(fit(&report).is_empty() && report["advice"].to_string().contains("num_ctx"), "{report}");
}

#[test]
fn a_server_that_is_not_there_or_refuses_the_key_is_told_without_the_key() {
    let home = Home::new();
    let nowhere = Server::nowhere();
    home.configure(&format!("http://{nowhere}/v1"), "");
    let (code, report) = tried(&home);
    assert_eq!((code, probe(&report, "reachable").0), (Some(5), "no"));
    assert_eq!(probe(&report, "answers"), ("unknown", "not tried: it cannot be reached"));

    let message = format!("{{\"error\":{{\"message\":\"bad key {KEY}\"}}}}");
    let server = Server::listing(move |_, _| Response::Status("401 Unauthorized", message.clone()));
    let home = configured(&server, "api_key_env = \"MODEL_KEY\"");
    let arguments = ["models", "--all", "--config", "configuration"];
    let outcome =
        Outcome::of(home.command(arguments).env("MODEL_KEY", KEY).env("TWICETOLD_LOG", "trace").output());
    assert_eq!(outcome.code, Some(5), "{}", outcome.stderr);
    assert!(!outcome.stdout.contains(KEY) && !outcome.stderr.contains(KEY), "{}", outcome.stdout);
    assert!(flat(&outcome.stdout).contains("Check the key in the environment variable MODEL_KEY."));
    // One whose key is not there is passed over, and is no failure.
    let outcome = home.run(arguments).succeeded();
    assert!(outcome.stdout.contains("not tried: the environment variable MODEL_KEY"), "{}", outcome.stdout);
}

#[test]
fn a_probe_takes_no_longer_than_the_models_own_timeout() {
    let server = Server::listing(|number, body| match number {
        0 => Response::Silence,
        _ => capable(body),
    });
    let (code, report) = tried(&configured(&server, "timeout_ms = 60"));
    assert_eq!((code, probe(&report, "answers").0), (Some(5), "unknown"), "{report}");
    assert!(probe(&report, "reachable").1.contains("60 ms"), "{report}");
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it_and_what_was_found_by_then_is_said() {
    let (asked, asking) = mpsc::channel();
    let asked = Mutex::new(asked);
    let server = Server::listing(move |number, body| match number {
        2 => {
            asked.lock().expect("nobody panics").send(()).expect("the test waits");
            Response::Silence
        }
        _ => capable(body),
    });
    let home = configured(&server, "");
    let arguments = ["models", "server", "--config", "configuration", "--json", "--moments", "0"];
    let program = home.command(arguments).spawn().expect("the program starts");
    asking.recv().expect("the third call is made");
    let kill = std::process::Command::new("kill").args(["-INT", &program.id().to_string()]).status();
    assert!(kill.expect("there is a kill").success());
    let outcome = Outcome::of(program.wait_with_output());
    assert_eq!(outcome.code, Some(130), "{}", outcome.stderr);
    let report = last_line(&outcome.stdout);
    assert_eq!(probe(&report, "answers").0, "yes");
    assert_eq!(probe(&report, "calls_tools"), ("unknown", "stopped: Ctrl-C"));
    assert_eq!(probe(&report, "context"), ("unknown", "not tried: stopped"));
}
