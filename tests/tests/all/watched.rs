//! Promise: a campaign can be watched from another process while it is played, and the watcher sees what was played.

use std::process::Stdio;
use std::sync::mpsc;

use serde_json::Value;
use twicetold_improv::improvise;
use twicetold_tests::{Home, Outcome, Response, Server};

/// The request at which the watchers begin.
const LOOKED_AT: usize = 12;

#[test]
fn watchers_see_the_whole_story_while_another_process_plays_it() {
    let (reached, waits) = mpsc::sync_channel(1);
    let server = Server::start(move |count, body| {
        if count == LOOKED_AT {
            let _ = reached.try_send(());
        }
        Response::Body(improvise(body))
    });
    let home = Home::new();
    home.configure(&server.base_url(), "");
    let campaign = "configuration/campaigns/the-borrowed-boat.toml";
    let mut playing = home
        .command(["run", campaign, "--model", "server", "--seed", "4", "--quiet"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    waits.recv().expect("the campaign gets so far");

    let story = home.command(["watch", "last"]).spawn().unwrap();
    let log = home.command(["log", "last", "--follow", "--json"]).spawn().unwrap();
    assert!(playing.wait().unwrap().success());
    let story = Outcome::of(story.wait_with_output()).succeeded().stdout;
    let log = Outcome::of(log.wait_with_output()).succeeded().stdout;

    assert_eq!(story, home.succeed(["show", "last", "transcript"]));
    assert_eq!(log, home.succeed(["log", "last", "--json"]));
    assert!(story.len() > 2_000, "{story}");

    // Who comes later begins with the turn that they like, and is not kept waiting for a campaign that is over.
    home.run(["watch", "last", "--from", "99999"]).failed(7, &["there is no #99999"]);
    let mut turns = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let turn = turns.rfind(|line| line["type"] == "TurnBegan").expect("there are turns");
    let rest = home.succeed(["watch", "last", "--from", &turn["number"].to_string()]);
    assert!(story.ends_with(&rest) && rest.len() < story.len());
}
