//! Promise: the improviser plays campaigns that it was not written for. Those in `tests/campaigns` were written apart from it: a trial, a
//! journey, a contest, a haunting, a siege, a wedding, an election, a shipwreck, a market day and a lost letter.

use std::collections::BTreeSet;
use std::sync::Mutex;

use twicetold_tests::{Home, last_line, repository};

const SEEDS: [&str; 3] = ["1", "2", "3"];

#[test]
fn campaigns_that_the_improviser_has_never_seen_are_played_to_an_ending_of_their_own() {
    let folder = repository().join("tests/campaigns");
    let home = Home::new();
    home.run(["lint", folder.to_str().expect("a path")]).succeeded();
    let files = std::fs::read_dir(folder.join("campaigns")).expect("campaigns");
    let games: Vec<_> = files
        .flat_map(|file| {
            let path = file.expect("a file").path();
            SEEDS.map(|seed| (path.clone(), seed))
        })
        .collect();
    assert_eq!(games.len(), 30);
    let left = Mutex::new(games);
    let ends: Mutex<BTreeSet<String>> = Mutex::default();
    let play = || {
        loop {
            let Some((path, seed)) = left.lock().unwrap().pop() else { return };
            let home = Home::new();
            let path = path.to_str().expect("a path");
            let card = last_line(&home.succeed(["run", path, "--seed", seed, "--json"]));
            for encounter in card["goals"].as_array().expect("encounters") {
                let mut goals = encounter["goals"].as_array().expect("goals").iter();
                let reached = goals.find(|goal| goal["reached"] == true);
                let reached = reached.unwrap_or_else(|| panic!("{path} with seed {seed}: {encounter}"));
                ends.lock().unwrap().insert(format!("{}/{}", encounter["encounter"], reached["id"]));
            }
            let replayed = last_line(&home.succeed(["replay", "last", "--json"]));
            assert_eq!(replayed["identical"], true, "{path} with seed {seed}");
        }
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(play), scope.spawn(play)];
        threads.into_iter().for_each(|thread| thread.join().expect("played"));
    });
    let ends = ends.into_inner().unwrap();
    // Eleven encounters: most of them end in more than one way within three seeds.
    assert!(ends.len() >= 18, "{ends:?}");
}
