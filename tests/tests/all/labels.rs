//! Promise: campaigns can be told apart in a list, by labels that are no part of a journal, by model and by state.

use serde_json::Value;
use twicetold_tests::{Home, flat, last_line};

fn listed(home: &Home, more: &[&str]) -> Vec<String> {
    let rows = last_line(&home.succeed([&["list", "--json"], more].concat()));
    let id = |row: &Value| row["campaign"].as_str().expect("an id").to_owned();
    rows["campaigns"].as_array().expect("rows").iter().map(id).collect()
}

#[test]
fn a_campaign_is_found_by_its_label_its_state_and_its_model() {
    let home = Home::new();
    let run = |more: &[&str]| {
        let base = ["run", "the-borrowed-boat", "--seed", "4", "--json"];
        let card = last_line(&home.run([&base, more].concat()).stdout);
        card["campaign"].as_str().expect("an id").to_owned()
    };
    let labelled = run(&["--label", " night 3 "]);
    let wild = run(&["--model", "improv:chaos"]);
    let paused = run(&["--budget", "3calls"]);
    assert_eq!(listed(&home, &["--label", "night 3"]), [&*labelled]);
    assert_eq!(listed(&home, &["--state", "paused"]), [&*paused]);
    assert_eq!(listed(&home, &["--state", "over", "--model", "chaos"]), [&*wild]);
    assert_eq!(listed(&home, &["--model", "improv"]).len(), 3);
    assert!(listed(&home, &["--label", "night"]).is_empty());
    assert!(home.succeed(["list", "--model", "gpt"]).contains("No campaign is like that."));
    let text = home.succeed(["list"]);
    assert!(text.contains("The Borrowed Boat [night 3]") && text.contains("improv:chaos"), "{text}");
    let rows = &last_line(&home.succeed(["list", "--json", "--label", "night 3"]))["campaigns"];
    assert_eq!((&rows[0]["label"], &rows[0]["models"][0]), (&"night 3".into(), &"improv".into()));
    assert_eq!((&rows[0]["state"], rows[0]["turns"].is_u64()), (&"over".into(), true));
    home.run(["list", "--state", "pausd"]).failed(2, &["a similar value exists: 'paused'"]);
}

#[test]
fn a_label_changes_no_byte_of_the_journal_and_goes_with_the_campaign() {
    let home = Home::new();
    let card = home.play(1);
    let id = card["campaign"].as_str().expect("an id");
    let journal = || std::fs::read(&home.campaigns()[0]).expect("it is there");
    let before = journal();
    assert!(home.succeed(["label", "last"]).contains("no label"));
    assert!(home.succeed(["label", "last", "the good one"]).contains("the good one"));
    assert!(home.succeed(["label", id]).contains("the good one"));
    assert_eq!(journal(), before);
    home.succeed(["export", "last", "boat.twicetold"]);
    let other = home.copy();
    other.succeed(["rm", "--yes", id]);
    other.succeed(["import", "boat.twicetold"]);
    assert!(other.succeed(["label", "last"]).contains("no label"), "it is deleted, and not exported");
    assert!(home.succeed(["label", "last", "--remove"]).contains("no label"));
    assert!(home.succeed(["label", "last"]).contains("no label"));
    for wrong in ["", "two\nlines", &"x".repeat(61)] {
        home.run(["label", "last", wrong]).failed(2, &["a label"]);
        home.run(["run", "--label", wrong]).failed(2, &["a label"]);
    }
    home.run(["label", "nobody", "x"]).failed(7, &["no campaign"]);
}

#[test]
fn campaigns_that_are_away_for_a_while_get_back_what_belongs_to_them() {
    let home = Home::new();
    home.play(1);
    let file = home.campaigns().remove(0);
    home.succeed(["label", "last", "mine"]);
    home.play(2);
    home.grow_old();
    let away = home.path("away.redb");
    std::fs::rename(&file, &away).expect("it can be moved");
    home.succeed(["run", "the-borrowed-boat", "--turns", "3", "-q"]);
    std::fs::rename(&away, &file).expect("it can be moved back");
    let id = file.file_stem().expect("a name").to_string_lossy().into_owned();
    assert!(home.succeed(["label", &id]).contains("mine"));
    assert!(home.path(&format!("data/seats/{id}.toml")).exists());
}

#[test]
fn the_card_and_the_report_name_the_models() {
    let home = Home::new();
    let run = ["run", "the-borrowed-boat", "--seed", "1", "-q"];
    assert!(flat(&home.succeed(run)).contains("; model improv; seed 1; "));
    let card = home.succeed([&run[..], &["--model", "players=improv:chaos"]].concat());
    let models = "improv (dm, memory); improv:chaos (player-1, player-2)";
    assert!(flat(&card).contains(&format!("; models {models}; seed 1; ")), "{card}");
    let page = home.succeed(["export", "last", "--as", "html"]);
    let (head, _) = page.split_once("Story digest").expect("the facts of the campaign");
    assert!(head.contains(models), "the report's header names them");
}
