//! Promise: a campaign that was killed goes on to the very story of its uninterrupted twin, and no completed call is made again.
//!
//! Real processes, real files, SIGKILL, and a model server on loopback that counts. `just kill 50` kills fifty times.
#![cfg(unix)]

use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use twicetold_provider::improv;
use twicetold_tests::{Home, Response, Server};

/// Kills here; the recipe asks for more.
#[allow(clippy::disallowed_methods, reason = "asked for by the recipe")]
fn kills_wanted() -> u32 {
    std::env::var("TWICETOLD_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6)
}

fn story(home: &Home, data: &str) -> (String, String) {
    let replayed = home.succeed(["--data", data, "replay", "last", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&replayed).expect("JSON");
    assert_eq!(report["identical"], true);
    assert_eq!(report["over"], true);
    (report["story"].as_str().expect("a story").to_owned(), replayed)
}

/// Draws numbers below a bound, the same ones each time.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound.max(1)
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "how long the twin takes decides when to kill")]
fn a_killed_campaign_ends_as_its_uninterrupted_twin_and_pays_no_completed_call_twice() {
    let server = Server::start(|_, body| Response::Body(improv::improvise(body)));
    let home = Home::new();
    home.configure(&server.base_url(), "");
    let run = [
        "run",
        "configuration/campaigns/the-borrowed-boat.toml",
        "--model",
        "server",
        "--seed",
        "3",
        "--quiet",
    ];
    let began = Instant::now();
    home.succeed(["--data", "twin"].iter().chain(&run));
    let whole = began.elapsed();
    let owed = server.requests();
    let (twin, _) = story(&home, "twin");

    let (mut kills, mut campaigns) = (0, 0);
    let mut draws = Draws(7);
    while kills < kills_wanted() {
        campaigns += 1;
        let data = format!("killed-{campaigns}");
        let before = server.requests();
        let mut killed_here = 0;
        while let Some(begun) = begun(&home, &data) {
            let resume: Vec<&str> = vec!["--data", &data, "resume", "last", "--quiet"];
            let start: Vec<&str> = ["--data", data.as_str()].iter().chain(&run).copied().collect();
            let mut child = home
                .command(if begun { resume } else { start })
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            // Wait for the moment, or for the end: whoever comes first.
            let (ended, ending) = channel();
            let moment = Duration::from_micros(draws.below(whole.as_micros() as u64));
            let pid = child.id();
            let waiter = std::thread::spawn(move || {
                let status = child.wait().expect("it ends");
                let _ = ended.send(());
                status
            });
            if killed_here < 4 && ending.recv_timeout(moment).is_err() {
                let _ = std::process::Command::new("kill").args(["-KILL", &pid.to_string()]).status();
            }
            let status = waiter.join().expect("the waiter ends");
            if status.success() {
                break;
            }
            assert_eq!(status.code(), None, "only a kill ends it early");
            killed_here += 1;
        }
        kills += killed_here;
        let made = server.requests() - before;
        let (told, report) = story(&home, &data);
        assert_eq!(told, twin, "killed {killed_here} times: {report}");
        assert!(
            made <= owed + killed_here as usize,
            "{made} calls made, {owed} owed, {killed_here} in flight at a kill"
        );
        println!("killed {killed_here} times: {made} calls made, {owed} owed; story {told:.16}, as the twin");
    }
    println!("{kills} kills over {campaigns} campaigns");
}

/// Is there a campaign whose opening is durable? One that was killed before it is removed; none when it was killed after
/// its end, while it was being closed.
fn begun(home: &Home, data: &str) -> Option<bool> {
    let listed = home.succeed(["--data", data, "list", "--json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&listed).expect("JSON");
    for row in rows.iter().filter(|row| row["turns"] == 0) {
        home.succeed(["--data", data, "rm", row["id"].as_str().expect("an id")]);
    }
    let over =
        |row: &serde_json::Value| row["state"].as_str().is_some_and(|state| state.contains("resolved"));
    if rows.iter().any(over) {
        return None;
    }
    Some(rows.iter().any(|row| row["turns"].as_u64().unwrap_or(0) > 0))
}
