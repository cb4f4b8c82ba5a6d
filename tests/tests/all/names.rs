//! Promise: a name that is mistyped or left out is answered with the names that there are.

use std::sync::OnceLock;

use serde_json::Value;
use twicetold_tests::{Home, flat, last_line};

/// A campaign of which every kind of thing is known.
fn home() -> &'static Home {
    static HOME: OnceLock<Home> = OnceLock::new();
    HOME.get_or_init(|| {
        let home = Home::new();
        home.play(1);
        home
    })
}

#[test]
fn a_name_that_is_mistyped_is_answered_with_the_nearest_one() {
    let home = home();
    home.succeed(["new", "campaign", "mine"]);
    for (line, code, meant) in [
        ("rnu", 2, "a similar subcommand exists: 'run'"),
        ("shwo last party", 2, "a similar subcommand exists: 'show'"),
        ("rules lst", 2, "a similar subcommand exists: 'list'"),
        ("explain last", 2, "a similar subcommand exists: 'why'"),
        ("continue last", 2, "a similar subcommand exists: 'resume'"),
        ("web", 2, "a similar subcommand exists: 'serve'"),
        ("start", 2, "a similar subcommand exists: 'run'"),
        ("delete last", 2, "a similar subcommand exists: 'rm'"),
        ("ls", 2, "a similar subcommand exists: 'list'"),
        ("sweep ls", 2, "a similar subcommand exists: 'list'"),
        ("status", 2, "some similar subcommands exist: 'show', 'list'"),
        ("new the-cold-oven", 2, "type 'twicetold new campaign the-cold-oven'"),
        ("sweep plan.toml", 2, "type 'twicetold sweep run plan.toml'"),
        ("schema lst", 7, "did you mean \"list\"?"),
        ("run one-lantern-shrt", 7, "did you mean \"one-lantern-short\"?"),
        ("run mine/campaigns/mien.toml", 7, "did you mean \"mine/campaigns/mine.toml\"?"),
        ("run --model olama", 2, "did you mean \"ollama\"?"),
        ("run --model olama:qwen3:8b", 2, "did you mean \"ollama:qwen3:8b\"?"),
        ("run --model dmm=improv", 2, "did you mean \"dm\"?"),
        ("run --rules emberlihgt", 2, "did you mean \"emberlight\"?"),
        ("run --seat playr-1", 2, "did you mean \"player-1\"?"),
        ("models lokal", 2, "did you mean \"local\"?"),
        ("preview the-borrowed-boat --encounter landing-stage", 2, "did you mean \"the-landing-stage\"?"),
        ("show lsat party", 7, "did you mean \"last\"?"),
        ("show the-borrowed-boat party", 7, "`twicetold run the-borrowed-boat` plays a new campaign"),
        ("show last prty", 2, "a similar value exists: 'party'"),
        ("why last gaol x", 2, "a similar value exists: 'goal'"),
        ("why last goal boat-in-time", 7, "did you mean \"boat-back-in-time\"?"),
        ("why last npc hano", 7, "did you mean \"hanno\"?"),
        ("why last item lantrn", 7, "did you mean \"Hand lantern\"?"),
        ("why last party secret", 2, "did you mean \"secrets\"?"),
        ("history last npcs.hano.trust", 7, "did you mean \"npcs.hanno.trust\"?"),
        ("audit last --detector unroled", 2, "a similar value exists: 'unrolled'"),
        (
            "fork last --at 130 --file prompts/dm-pla.md=mine/campaigns/mine.toml",
            2,
            "did you mean \"prompts/dm-play.md\"?",
        ),
    ] {
        home.run(line.split(' ')).failed(code, &[meant]);
    }
    let listed = last_line(&home.succeed(["list", "--json"]));
    let id = listed["campaigns"][0]["campaign"].as_str().expect("an id")[..8].to_owned();
    let other = if id.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{other}", &id[..7]);
    home.run(["show", &mistyped, "party"]).failed(7, &[&format!("did you mean \"{id}\"?")]);
    assert!(!home.run(["xyzzy"]).stderr.contains("similar"), "nothing is near");
    assert!(!home.run(["rules", "delete"]).stderr.contains("'rm'"), "rules has no such command");
    assert!(!home.run(["run", "--model", "gpt"]).stderr.contains("did you mean"), "nothing is near");
}

#[test]
fn a_name_that_is_left_out_is_answered_with_the_names_that_there_are() {
    let home = home();
    let names = |line: &str| -> Vec<String> {
        let text = home.succeed(line.split(' '));
        let json: Value = last_line(&home.succeed(line.split(' ').chain(["--json"])));
        let listed = ["names", "documents"].iter().find_map(|list| json[*list].as_array()).expect("a list");
        let names = listed.iter().map(|one| one["name"].as_str().expect("a name"));
        let names: Vec<String> = names.map(str::to_owned).collect();
        let shown = names.iter().rev().take(20).all(|name| flat(&text).contains(name.as_str()));
        assert!(shown && text.lines().all(|line| line.chars().count() <= 80), "{text}");
        names
    };
    let documents = ["party", "goals", "npcs", "characters", "memory", "transcript", "cost"];
    assert_eq!(names("show last"), documents);
    for document in documents {
        home.succeed(["show", "last", document]);
    }
    let kinds = names("why last");
    for kind in &kinds {
        let known = names(&format!("why last {kind}"));
        assert_eq!(known.is_empty(), ["number", "rejection"].contains(&kind.as_str()), "{kind}: {known:?}");
        // What is listed can be explained.
        for name in known.iter().take(3) {
            home.succeed(["why", "last", kind, name]);
        }
    }
    assert!(names("why last goal").contains(&"boat-back-in-time".to_owned()));
    assert!(home.succeed(["why", "last", "rejection"]).contains("The campaign has no rejections."));
    assert!(home.succeed(["why", "last", "number"]).contains("the numbers 0 to "));
    let said = home.succeed(["why-not", "last", "goal"]);
    assert!(
        said.contains("No proposed goal was rejected.") && said.contains("why-not last goal NAME"),
        "{said}"
    );
    let said = home.succeed(["why-not", "last"]);
    assert!(
        said.contains("goal  A hidden goal (0 rejected)") && said.contains("why-not last goal"),
        "{said}"
    );
    home.run(["why", "last", "goal", "--prompt"]).failed(2, &["needs a name"]);
    home.run(["show", "last", "--at", "3"]).failed(2, &["need the name of a document"]);
}

#[test]
fn rejections_are_listed_by_number_with_their_reasons() {
    let home = Home::new();
    home.succeed(["run", "the-borrowed-boat", "--model", "improv:chaos", "--seed", "4", "-q"]);
    let listed = last_line(&home.succeed(["why", "last", "rejection", "--json"]));
    let listed = listed["names"].as_array().expect("a list");
    let numbers: Vec<u64> =
        listed.iter().map(|one| one["name"].as_str().expect("a name").parse().expect("a number")).collect();
    assert!(numbers.len() > 20 && numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
    assert!(home.succeed(["why", "last", "rejection"]).contains("of which the newest 20 are"));
    let first = &listed[0];
    let told = home.succeed(["why", "last", "rejection", first["name"].as_str().expect("a name"), "--full"]);
    assert!(flat(&told).contains(&flat(first["about"].as_str().expect("a text"))), "{first}: {told}");
    home.run(["play", "last"]).failed(2, &["this campaign is over"]);
    home.succeed(["fork", "last", "--at", "100"]);
    home.run(["play", "last"]).failed(2, &["no seat is named", "the seats are dm, player-1"]);
}

#[test]
fn a_command_without_its_campaign_tells_which_there_are_and_what_to_type() {
    let home = Home::new();
    let empty = ["there are no campaigns in data/campaigns yet", "`twicetold run` plays one"];
    home.run(["show"]).failed(2, &[&["no campaign is named"][..], &empty].concat());
    home.run(["play"]).failed(2, &["no campaign in data/campaigns can be continued", "run --seat player-1"]);
    home.succeed(["run", "the-borrowed-boat", "--seed", "1", "--quiet"]);
    let over = last_line(&home.succeed(["list", "--json"]))["campaigns"][0]["campaign"].clone();
    let over = over.as_str().expect("an id")[..8].to_owned();
    for command in ["show", "why", "why-not", "log", "rm", "report", "replay", "fork", "label", "history"] {
        let row = format!("{over} The Borrowed Boat, ");
        home.run([command]).failed(2, &[&row, &format!("type `twicetold {command} {over}`")]);
    }
    home.run(["bisect"]).failed(2, &[&format!("type `twicetold bisect {over} PREDICATE`")]);
    home.run(["diff"]).failed(2, &[&format!("type `twicetold diff {over} OTHER`")]);
    // What is over cannot be continued.
    home.run(["resume"]).failed(2, &["no campaign in data/campaigns can be continued"]);
    home.run(["run", "the-borrowed-boat", "--budget", "3calls", "--quiet"]);
    let said = home.run(["play"]);
    said.failed(2, &["The Borrowed Boat, ", "paused", "type `twicetold play "]);
    assert!(!said.stderr.contains(&over), "{}", said.stderr);
    for _ in 0..5 {
        home.succeed(["fork", &over, "--at", "40"]);
    }
    home.run(["show", "--data", "data"]).failed(2, &["and 2 older ones"]);
    // Other mistakes are told of as before.
    home.run(["bisect", "last"]).failed(2, &["<PREDICATE>"]);
    home.run(["show", "--nonsense"]).failed(2, &["--nonsense"]);
}
