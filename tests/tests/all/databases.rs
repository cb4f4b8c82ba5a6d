//! Promise: with `--data postgres://…` every command works on campaigns in a database as it does on those in a folder, and copies between
//! the two are the same bytes. Without a server these tests are skipped, and say so.

use twicetold_tests::Home;
use twicetold_tests::postgres::server;

/// A home whose campaigns lie in a database of their own.
fn in_database() -> Option<(Home, String)> {
    Some((Home::new(), server()?.database()))
}

#[test]
fn a_campaign_in_a_database_is_played_read_branched_and_removed() {
    let Some((home, data)) = in_database() else { return };
    let on = |arguments: &[&str]| home.succeed([arguments, &["--data", &data]].concat());
    assert!(on(&["list"]).contains(&format!("No campaigns in {data} yet")));
    on(&["run", "the-borrowed-boat", "--seed", "3", "--quiet"]);
    let in_folder = home.succeed(["run", "the-borrowed-boat", "--seed", "3"]);
    let shown = on(&["show", "last", "transcript"]);
    let told = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
    };
    let (ours, theirs) = (told(&shown), told(&home.succeed(["show", "last", "transcript"])));
    assert!(!in_folder.is_empty() && !ours.is_empty());
    assert_eq!(ours, theirs, "the same seed tells the same story");
    assert!(on(&["replay", "last"]).starts_with("Identical"));
    assert!(on(&["verify", "last"]).starts_with("Intact"));
    assert!(on(&["why", "last", "goal"]).contains("goal"));
    on(&["fork", "last", "--at", "40"]);
    assert_eq!(on(&["list"]).matches("The Borrowed Boat").count(), 2);
    let listed: serde_json::Value = serde_json::from_str(&on(&["list", "--json"])).unwrap();
    on(&["rm", listed["campaigns"][0]["campaign"].as_str().unwrap(), "--yes"]);
    assert_eq!(on(&["list"]).matches("The Borrowed Boat").count(), 1);
}

#[test]
fn a_copy_there_and_back_is_the_same_bytes() {
    let Some((home, data)) = in_database() else { return };
    let id = home.play(5)["campaign"].as_str().unwrap().to_owned();
    home.succeed(["label", &id, "a label"]);
    home.succeed(["fork", &id, "--at", "40"]);
    let exported = |from: &str, file: &str| {
        home.succeed(["export", &id, file, "--data", from]);
        std::fs::read(home.path(file)).unwrap()
    };
    let folder = home.path("data").display().to_string();
    let there = home.succeed(["copy", "--to", &data]);
    assert_eq!(there.matches("copied, ").count(), 2, "{there}");
    assert!(home.succeed(["copy", &id, "--to", &data]).contains("is there already"));
    home.succeed(["copy", "--data", &data, "--to", "back"]);
    let bytes = exported(&folder, "one");
    assert!(bytes == exported(&data, "two") && bytes == exported("back", "three"), "an export differs");
    assert!(home.succeed(["list", "--data", "back"]).contains("a label"));

    home.run(["copy", &id, "--to", "data"]).failed(2, &["where the campaigns lie already"]);
    home.run(["copy", "nothing", "--to", "back"]).failed(7, &["there is no campaign"]);
}

#[test]
fn a_copy_replaces_nothing_that_lies_there() {
    let home = Home::new();
    let paused = home.run(["run", "the-borrowed-boat", "--seed", "5", "--budget", "12calls", "--json"]);
    let id = twicetold_tests::last_line(&paused.stdout)["campaign"].as_str().unwrap().to_owned();
    home.succeed(["copy", "--to", "older"]);
    home.succeed(["resume", &id, "--budget", "900calls"]);
    home.run(["copy", "--to", "older"])
        .failed(2, &["an older state of it lies in older/campaigns", "makes room"]);
    home.run(["copy", "--data", "older", "--to", "data"]).failed(2, &["or a newer state of it"]);
    home.succeed(["rm", &id, "--yes", "--data", "older"]);
    assert!(home.succeed(["copy", "--to", "older"]).contains("copied, "));
}

#[test]
fn an_address_says_what_is_wrong_with_it() {
    let home = Home::new();
    for (data, code, words) in [
        ("postgres://me:secret@localhost/campaigns", 2, "PGPASSWORD"),
        ("postgres://localhost/campaigns", 2, "names no user"),
        ("postgres://me@127.0.0.1:1/campaigns", 1, "cannot be reached"),
    ] {
        let outcome = home.run(["list", "--data", data]);
        assert!(!outcome.stderr.contains("secret"), "{}", outcome.stderr);
        outcome.failed(code, &[words]);
    }
}
