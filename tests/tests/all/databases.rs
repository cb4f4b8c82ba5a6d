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
    on(&["rm", listed["campaigns"][0]["id"].as_str().unwrap(), "--yes"]);
    assert_eq!(on(&["list"]).matches("The Borrowed Boat").count(), 1);
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
