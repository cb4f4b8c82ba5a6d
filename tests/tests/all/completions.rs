//! Promise: a shell offers what can stand at the cursor, names of campaigns and what is in them included, and nothing that a player may
//! not know; to ask costs nothing, changes nothing and never fails.

use twicetold_tests::{Home, Outcome};

use crate::people_at_the_table::piped;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// What a shell is answered, whose line has these words; the last one is completed.
fn asked(home: &Home, shell: &str, line: &[&str]) -> String {
    let mut command = home.command(["--", "twicetold"]);
    command.args(line).env("COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", line.len().to_string());
    let Outcome { code, stdout, stderr } = Outcome::of(command.env("_CLAP_IFS", "\n").output());
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{shell} {line:?}");
    stdout
}

/// The candidates alone.
fn offered(home: &Home, line: &[&str]) -> Vec<String> {
    let answer = asked(home, "fish", line);
    answer.lines().map(|row| row.split('\t').next().unwrap_or(row).to_owned()).collect()
}

#[test]
fn what_is_named_is_offered_and_no_options_beside_it() {
    let home = Home::new();
    home.write("mine.toml", "");
    home.write("other.txt", "");
    let card = home.play(7);
    let id = &card["campaign"].as_str().expect("an id")[..8];
    home.succeed(["label", id, "a label"]);
    let goal = card["goals"][0]["goals"][0]["id"].as_str().expect("an id");
    for (line, wanted) in [
        (vec!["show", ""], vec!["last", id]),
        (vec!["show", &id[..3]], vec![id]),
        (vec!["rm", ""], vec![id]),
        (vec!["run", "--party", "la"], vec!["last"]),
        (vec!["run", "m"], vec!["mine.toml"]),
        (vec!["run", "the-w"], vec!["the-weir-book"]),
        (vec!["run", "--rules", ""], vec!["emberlight", "small-hours"]),
        (
            vec!["run", "--seat", "player-"],
            vec!["player-1", "player-2", "player-3", "player-4", "player-5", "player-6"],
        ),
        (vec!["play", id, "--seat", ""], vec!["dm", "player-1", "player-2"]),
        (vec!["run", "--model", "imp"], vec!["improv", "improv:chaos"]),
        (vec!["run", "--model", "dm=imp"], vec!["dm=improv", "dm=improv:chaos"]),
        (vec!["run", "--model=imp"], vec!["--model=improv", "--model=improv:chaos"]),
        (vec!["why", "last", "goal", goal], vec![goal]),
        (vec!["why", "last", "hp", "nobody"], vec![]),
        (vec!["schema", "camp"], vec!["campaigns", "campaign.toml"]),
        (vec!["list", "--label", ""], vec!["a label"]),
        (vec!["new", "c"], vec!["campaign"]),
        (vec!["history", "last", "tur"], vec!["turn"]),
        (vec!["history", "last", "characters.player-1.gol"], vec!["characters.player-1.gold"]),
        (vec!["bisect", "last", "charac"], vec!["characters."]),
        (vec!["import", "o"], vec!["other.txt"]),
        (vec!["report", "last", "-o", "o"], vec!["other.txt"]),
    ] {
        assert_eq!(offered(&home, &line), wanted, "{line:?}");
    }
    let kinds = offered(&home, &["show", "last", ""]);
    assert!(kinds.iter().any(|kind| kind == "transcript") && !kinds.iter().any(|kind| kind.starts_with('-')));
    assert!(!offered(&home, &["why", "last", "item", ""]).is_empty());
    assert!(offered(&home, &["show", "last", "--"]).contains(&"--at".to_owned()));
    // Where nothing else can stand, the options are offered at once.
    assert!(offered(&home, &["show", "last", "goals", ""]).contains(&"--at".to_owned()));
}

#[test]
fn every_shell_is_answered_and_those_that_show_texts_get_them() {
    let home = Home::new();
    let card = home.play(7);
    let id = &card["campaign"].as_str().expect("an id")[..8];
    for shell in SHELLS {
        let answer = asked(&home, shell, &["show", ""]);
        assert!(answer.contains(id) && answer.contains("last"), "{shell}: {answer}");
        let has_texts = !["bash", "elvish"].contains(&shell);
        assert_eq!(answer.contains("The Borrowed Boat"), has_texts, "{shell}: {answer}");
    }
    // Who has such a variable for other reasons is not kept from working.
    let mut other = home.command(["list"]);
    assert!(Outcome::of(other.env("COMPLETE", "yes").output()).succeeded().stdout.contains(id));
}

#[test]
fn bash_gets_names_with_spaces_and_words_that_it_breaks_itself() {
    let home = Home::new();
    home.play(7);
    for (words, wanted) in [
        ("run --model improv :", "chaos"),
        ("run --model dm = improv : c", "chaos"),
        ("run --model = improv : c", "chaos"),
        ("why last hp", r"\ "),
    ] {
        let words: Vec<&str> = words.split(' ').chain(wanted.starts_with('\\').then_some("")).collect();
        let answer = asked(&home, "bash", &words);
        let is_right = if wanted.starts_with('\\') { answer.contains(wanted) } else { answer == wanted };
        assert!(is_right, "{words:?}: {answer}");
    }
}

#[test]
fn what_a_player_may_not_know_is_not_offered_while_the_campaign_goes_on() {
    let home = Home::new();
    home.succeed(["run", "one-lantern-short", "--seed", "7", "-q"]);
    let lines = home.succeed(["log", "last", "--json"]);
    let lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let number = |line: &serde_json::Value| line["number"].as_u64().expect("a number");
    let mut begun = lines.filter(|line| line["type"] == "EncounterBegan").map(|line| number(&line));
    let at = begun.next().expect("an encounter").to_string();
    home.succeed(["fork", "last", "--at", &at]);
    let goals = || offered(&home, &["why", "last", "goal", ""]);
    let npcs = || offered(&home, &["why", "last", "npc", ""]);
    let known = (goals(), npcs());
    assert!(known.0.iter().any(|goal| !goal.starts_with('-')), "nobody plays who could be told too much");
    let fields = || offered(&home, &["history", "last", "goals."]);
    assert!(!fields().is_empty(), "nobody plays who could be told too much");
    piped(&home, &["play", "last", "--seat", "dm"], &["/leave"]);
    assert_eq!((goals(), npcs()), known, "the DM knows it all");
    piped(&home, &["play", "last", "--seat", "player-1"], &["/leave"]);
    let is_option = |one: &String| one.starts_with('-');
    assert!(goals().iter().all(is_option), "{:?}", goals());
    assert!(fields().iter().all(is_option), "{:?}", fields());
    let all: serde_json::Value =
        serde_json::from_str(&home.succeed(["show", "last", "npcs", "--json"])).expect("JSON");
    let met = all["npcs"].as_array().expect("NPCs").iter().filter(|npc| !npc["met"].is_null());
    let met: Vec<&str> = met.map(|npc| npc["id"].as_str().expect("an id")).collect();
    let offered_now: Vec<String> = npcs().into_iter().filter(|one| !is_option(one)).collect();
    assert_eq!(offered_now, met);
    assert!(known.1.iter().filter(|one| !is_option(one)).count() > met.len(), "somebody is still unknown");
    assert!(offered(&home, &["why", "last", "party", ""]).iter().all(|section| section != "secrets"));
    assert!(offered(&home, &["why-not", "last", "goal", ""]).iter().all(is_option));
}

#[test]
fn nothing_is_written_and_nothing_fails_where_campaigns_cannot_be_read() {
    let home = Home::new();
    offered(&home, &["show", ""]);
    assert!(!home.path("data").exists(), "asking makes no folder");
    std::fs::create_dir_all(home.path("data/campaigns")).expect("a folder can be made");
    let broken = "0123456789abcdef0123456789abcdef";
    home.write(&format!("data/campaigns/{broken}.redb"), "redb\x1A\x0A is not all of it");
    home.write("models.toml", "default = ");
    assert_eq!(offered(&home, &["show", ""]), ["last", "01234567"]);
    for line in [
        &["why", "last", "goal", ""][..],
        &["why", broken, "npc", "x"],
        &["play", "last", "--seat", "d"],
        &["run", "--config", ".", "--model", ""],
        &["--data", "models.toml", "show", ""],
        &["--data", "postgres://nobody@192.0.2.1/none", "show", ""],
        &["no-such-command", "--no-such-option", ""],
        &["run", "--turns", "many", "the-b"],
        &[""],
    ] {
        for shell in SHELLS {
            asked(&home, shell, line);
        }
    }
    let files: Vec<_> = home.campaigns();
    assert_eq!(files.len(), 1, "{files:?}");
}
