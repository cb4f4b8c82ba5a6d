//! Promise: campaigns that wait in a database are played by any worker, and one that stops puts them back. Workers that die are in
//! `killed_anywhere/fleet.rs`. Without a
//! server these tests are skipped, and say so.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;
use twicetold_improv::improvise;
use twicetold_tests::postgres::server;
use twicetold_tests::{Home, Response, Server, last_line, repository};

/// The story of a seed, as it is when nothing disturbs it.
fn twin(seed: u64) -> Value {
    let home = Home::new();
    let seed = seed.to_string();
    home.succeed(["run", "the-borrowed-boat", "--seed", &seed, "--quiet"]);
    story(&home, "data", "last")
}

/// What `replay` finds of a campaign, which must be what was recorded.
fn story(home: &Home, data: &str, id: &str) -> Value {
    let replayed = last_line(&home.succeed(["replay", id, "--json", "--data", data]));
    assert_eq!(replayed["identical"], true, "{replayed}");
    replayed["story"].clone()
}

fn queued(home: &Home, data: &str, seeds: std::ops::Range<u64>) -> BTreeMap<u64, String> {
    let put = |seed: u64| {
        let text = seed.to_string();
        let id = home.succeed(["run", "the-borrowed-boat", "--seed", &text, "--queue", "--data", data]);
        (seed, id.trim().to_owned())
    };
    seeds.map(put).collect()
}

#[test]
fn a_worker_that_is_asked_to_stop_puts_its_campaigns_back() {
    let Some(data) = server().map(|server| server.database()) else { return };
    let home = Home::new();
    let waiting = queued(&home, &data, 1..3);
    let mut worker = home
        .command(["worker", "--parallel", "1", "--data", &data])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(worker.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(told.next().unwrap().contains("playing The Borrowed Boat"));
    let process = i32::try_from(worker.id()).unwrap();
    let process = rustix::process::Pid::from_raw(process).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    let rest: Vec<String> = told.collect();
    assert_eq!(worker.wait().unwrap().code(), Some(130), "{rest:?}");
    assert!(!rest.iter().any(|line| line.contains("failed")), "{rest:?}");
    // All of them are played in the end, as if nothing had happened.
    home.succeed(["worker", "--until-empty", "--data", &data]);
    for (seed, id) in waiting {
        assert_eq!(story(&home, &data, &id), twin(seed), "the story of seed {seed}");
    }
}

#[test]
fn workers_play_a_sweep_with_the_models_of_its_plan_and_any_machine_shows_its_result() {
    let home = Home::new();
    let plan = "name = \"fleet\"\ncampaigns = \"the-borrowed-boat\"\nseeds = [1, 2]\nturns = 8\nscores = [\"calls\", \"accepted\"]\n\
                models = [\"improv:chaos\", { name = \"asked\", dm = \"server\", memory = \"improv\", players = \"improv\" }]\n";
    home.write("plan.toml", plan);
    let queue = ["sweep", "run", "plan.toml", "--queue"];
    let asked = Server::start(|_, body| Response::Body(improvise(body)));
    home.configure(&asked.base_url(), "");
    home.run(queue).failed(2, &["is a folder", "postgres://"]);
    let undisturbed = last_line(&home.succeed(["sweep", "run", "plan.toml", "--json"]));
    let Some(data) = server().map(|server| server.database()) else { return };
    let queue = [&queue[..], &["--data", &data]].concat();
    let queued = home.run(&queue).succeeded();
    assert_eq!(queued.stdout, "fleet: 4 campaigns queued, 0 done before\n");
    assert!(queued.stderr.contains("twicetold worker --same-models --data postgres://"), "{}", queued.stderr);
    let again = home.run([&queue[..], &["--otlp", "http://127.0.0.1:1"]].concat()).succeeded();
    assert_eq!(again.stdout, queued.stdout, "twice is once");
    assert!(again.stderr.contains("--same-models --otlp http://127.0.0.1:1 --data"), "{}", again.stderr);

    // A machine that knows the model, and nothing of the sweep.
    let other = Home::new();
    other.configure(&asked.base_url(), "");
    let before = asked.requests();
    other.succeed(["worker", "--until-empty", "--same-models", "--data", &data]);
    assert_eq!(asked.requests() - before, before, "the same calls as in a folder");
    assert_eq!(last_line(&home.succeed(["sweep", "show", "fleet", "--json", "--data", &data])), undisturbed);
    assert_eq!(home.run(&queue).succeeded().stdout, "fleet: 0 campaigns queued, 4 done before\n");
    other.write("plan.toml", plan);
    assert_eq!(
        last_line(&other.succeed(["sweep", "run", "plan.toml", "--json", "--data", &data])),
        undisturbed
    );

    home.write("plan.toml", format!("{plan}budget = \"9Mtok\"\n"));
    home.run(&queue).failed(2, &["the plan has a budget", "twicetold worker --budget"]);
}

#[test]
fn the_sample_service_gives_a_command_line_that_is_understood_and_knows_how_a_worker_ends() {
    let unit = std::fs::read_to_string(repository().join("examples/twicetold-worker.service")).unwrap();
    let value = |name: &str| unit.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    let (program, arguments) = value("ExecStart=").split_once(' ').unwrap();
    assert!(program.ends_with("/twicetold"));
    let data = value("Environment=TWICETOLD_DATA=").replace("db.example", "127.0.0.1:1");
    let home = Home::new();
    home.run(arguments.split(' ').chain(["--data", &data])).failed(1, &["cannot be reached"]);
    // As `a_worker_that_is_asked_to_stop_puts_its_campaigns_back` has it.
    assert_eq!(value("SuccessExitStatus="), "130");
}

#[test]
fn what_cannot_be_played_is_told_and_given_up_and_a_folder_has_no_queue() {
    let home = Home::new();
    home.run(["worker"]).failed(2, &["is a folder", "postgres://"]);
    home.run(["run", "--queue"]).failed(2, &["is a folder"]);
    assert!(!home.path("data/campaigns").exists() || home.campaigns().is_empty(), "nothing was opened");
    let Some(data) = server().map(|server| server.database()) else { return };
    home.run(["run", "--queue", "--seat", "player-1", "--data", &data]).failed(2, &["--seat"]);
    home.run(["worker", "--parallel", "0", "--data", &data]).failed(2, &["from 1 to"]);
    assert!(home.succeed(["worker", "--until-empty", "--data", &data]).is_empty());
    // What no campaign could be played with is told before one is taken.
    let waiting = queued(&home, &data, 1..2);
    for (model, words) in [("nosuch", "no model"), ("dn=improv", "no seat"), ("openai:x", "OPENAI_API_KEY")] {
        home.run(["worker", "--until-empty", "--model", model, "--data", &data]).failed(2, &[words]);
    }
    assert_eq!(story(&home, &data, &waiting[&1])["turns"], Value::Null);
    home.succeed(["worker", "--until-empty", "--data", &data]);
    assert_eq!(story(&home, &data, &waiting[&1]), twin(1));
}

#[test]
fn a_machine_without_the_model_leaves_a_campaign_to_others_and_it_costs_no_try() {
    let Some(data) = server().map(|server| server.database()) else { return };
    let asked = Server::start(|_, body| Response::Body(improvise(body)));
    let home = Home::new();
    home.configure(&asked.base_url(), "");
    home.succeed(["run", "the-borrowed-boat", "--seed", "1", "--queue", "--data", &data]);
    let other = Home::new();
    for _ in 0..4 {
        let told = other.succeed(["worker", "--until-empty", "--data", &data]);
        assert!(!told.contains("failed"), "{told}");
    }
    assert_eq!(asked.requests(), 0);
    let worker = ["worker", "--until-empty", "--data", &data];
    let told = home.run(worker).succeeded();
    assert!(!told.stderr.contains("tried no more"), "{}", told.stderr);
}
