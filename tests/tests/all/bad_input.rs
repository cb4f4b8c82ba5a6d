//! Promise: no file, however wrong, makes the program panic; it says which thing is wrong and where, and harms nothing.

use serde_json::Value;
use twicetold_improv::improvise;
use twicetold_tests::{Home, Outcome, Response, Server, last_line, skipped};

const CAMPAIGN: &str = "mine/campaigns/the-borrowed-boat.toml";
const ENCOUNTER: &str = "mine/encounters/the-landing-stage.toml";

/// A configuration folder as `init` writes it.
fn initialised() -> Home {
    let home = Home::new();
    home.succeed(["init", "mine"]);
    home
}

/// Plays from the folder; it must be refused with exit code 2 before anything is written, in these words.
fn refused(home: &Home, words: &[&str]) {
    let outcome = home.run(["run", CAMPAIGN, "--config", "mine", "--seed", "1"]);
    outcome.failed(2, words);
    assert_eq!(outcome.stdout, "");
    assert!(!home.path("data").exists(), "nothing was written");
}

/// A campaign and its export, with the bytes of both.
struct Kept {
    home: Home,
    journal: Vec<u8>,
    export: Vec<u8>,
}

fn kept() -> Kept {
    let home = Home::new();
    home.play(7);
    home.succeed(["export", "last", "boat.twicetold"]);
    let journal = std::fs::read(&home.campaigns()[0]).expect("it can be read");
    let export = std::fs::read(home.path("boat.twicetold")).expect("it can be read");
    Kept { home, journal, export }
}

fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 0x41;
    bytes
}

#[test]
fn a_campaign_that_is_not_there_is_named_with_those_that_are() {
    let home = Home::new();
    home.run(["run", "nowhere.toml"])
        .failed(7, &["\"nowhere.toml\"", "one-lantern-short", "the-borrowed-boat"]);
    std::fs::create_dir(home.path("folder")).expect("a folder");
    home.run(["run", "folder"]).failed(2, &["folder is a folder", "twicetold init DIR"]);
    home.succeed(["init", "mine"]);
    home.run(["run", "mine"]).failed(2, &["mine is a folder", "mine/campaigns/the-borrowed-boat.toml"]);
    for command in ["resume", "log", "replay", "verify"] {
        home.run([command, "last"]).failed(7, &["no campaign"]);
    }
    home.run(["verify", "nowhere/boat.twicetold"]).failed(7, &["boat.twicetold"]);
    home.run(["import", "boat.twicetold"]).failed(7, &["boat.twicetold", "twicetold export ID FILE"]);
    home.run(["import", "folder"]).failed(2, &["folder is a folder"]);
    home.write("story.txt", "The ferry left.\n");
    home.run(["import", "story.txt"])
        .failed(4, &["story.txt is not an export", "import --from MAPPING FILE"]);
}

#[test]
fn a_file_that_is_no_campaign_is_called_by_the_name_that_was_typed() {
    let home = initialised();
    home.write("story.out", "The ferry\n");
    for (file, words) in
        [("story.out", "story.out:1:"), ("mine/models.toml", "mine/models.toml: missing field")]
    {
        for command in ["run", "lint"] {
            let outcome = home.run([command, file]);
            // As a file of a configuration models.toml is sound; it is no campaign.
            if (command, file) == ("lint", "mine/models.toml") {
                outcome.succeeded();
                continue;
            }
            assert_eq!(outcome.code, Some(2), "{}{}", outcome.stdout, outcome.stderr);
            let said = outcome.stdout + &outcome.stderr;
            assert!(!said.contains("campaigns/"), "{said}");
            assert!(said.contains(words.trim_end_matches(": missing field")), "{said}");
        }
    }
}

#[test]
fn a_mistake_in_a_file_is_shown_with_its_file_and_line() {
    let mistakes = [
        (CAMPAIGN, "title = \"The Borrowed Boat\"", "title = \"The Borrowed Boat", "expected `\"`"),
        (CAMPAIGN, "players_default = 2", "players_default = \"two\"", "expected a whole number from 0 on"),
        (CAMPAIGN, "players_min = 2", "colour = \"green\"", "unknown field `colour`"),
        (ENCOUNTER, "difficulty = 11", "difficulty = \"hard\"", "expected a whole number"),
        (ENCOUNTER, "[[goal]]\nid = \"boat-back", "[[goal\nid = \"boat-back", "expected"),
        ("mine/limits.toml", "turns_max ", "turns_most ", "unknown field `turns_most`"),
        ("mine/models.toml", "default = \"improv\"", "default = improv", "invalid"),
        ("mine/models.toml", "base_url = \"http://127.0.0.1:8080/v1\"", "url = \"x\"", "unknown field `url`"),
    ];
    for (file, from, to, words) in mistakes {
        let home = initialised();
        home.edit(file, from, to);
        let text = std::fs::read_to_string(home.path(file)).expect("the file is there");
        let line = 1 + text.find(to).map(|at| text[..at].matches('\n').count()).expect("it was edited");
        refused(&home, &[&format!("{file}:{line}:"), words]);
    }
    // What takes the place of limits is named by its table.
    let home = initialised();
    home.edit(CAMPAIGN, "turns_max = 60", "turns_most = 40");
    refused(&home, &["the-borrowed-boat.toml: [limits]: unknown field `turns_most`"]);
}

#[test]
fn what_contradicts_itself_is_refused_with_the_contradiction() {
    let contradictions = [
        (CAMPAIGN, "[\"the-landing-stage\"]", "[\"the-ferry\"]", "the-ferry.toml does not exist"),
        (CAMPAIGN, "rules = \"emberlight\"", "rules = \"starlight\"", "starlight"),
        (ENCOUNTER, "primary = true", "primary = false", "no goal is primary"),
        (ENCOUNTER, "id = \"truth-before-the-bell\"", "id = \"boat-back-in-time\"", "is defined twice"),
        (ENCOUNTER, "ability = \"WIS\"", "ability = \"LUCK\"", "\"LUCK\""),
        (ENCOUNTER, "name = \"Tilda\"", "name_key = \"nobody\"", "\"nobody\""),
        ("mine/models.toml", "default = \"improv\"", "default = \"nobody\"", "there is no model \"nobody\""),
    ];
    for (file, from, to, words) in contradictions {
        let home = initialised();
        home.edit(file, from, to);
        refused(&home, &[words]);
    }
}

#[test]
fn models_and_players_that_a_campaign_cannot_have_are_refused() {
    let home = Home::new();
    let refused = |more: [&str; 2], words: &[&str]| {
        home.run(["run", "the-borrowed-boat"].into_iter().chain(more)).failed(2, words);
    };
    refused(["--model", "nobody"], &["no model \"nobody\"", "improv, improv:chaos"]);
    refused(["--model", "openai"], &["OPENAI_API_KEY", "is not set"]);
    refused(["--players", "5"], &["5 players were asked for", "2 to 4"]);
    refused(["--players", "1"], &["1 player was asked for"]);
    let configured = initialised();
    for (from, to, words) in [
        (
            "provider = \"openai\"\nbase_url = \"http://127.0.0.1:8080/v1\"",
            "provider = \"openai\"",
            "base_url is missing",
        ),
        ("http://127.0.0.1:8080/v1", "ftp://127.0.0.1", "must begin with http:// or https://"),
        ("http://127.0.0.1:8080/v1", "http://me:secret@127.0.0.1", "holds a user name or password"),
        (
            "provider = \"openai\"\nbase_url = \"http://127",
            "provider = \"oracle\"\nbase_url = \"http://127",
            "\"oracle\"",
        ),
        (
            "temperature = 0.8\ntokens_max",
            "temperature = 9.5\ntokens_max",
            "temperature 9.5 is not within 0 to 2",
        ),
        ("tokens_max = 500\ntimeout_ms = 300000", "timeout_ms = 0", "timeout_ms must be at least 1"),
    ] {
        let before = std::fs::read(configured.path("mine/models.toml")).expect("it can be read");
        configured.edit("mine/models.toml", from, to);
        configured.run(["run", CAMPAIGN, "--config", "mine", "--model", "local"]).failed(2, &[words]);
        configured.write("mine/models.toml", before);
    }
    let file = ["run", CAMPAIGN, "--config", "mine/models.toml"];
    configured.run(file).failed(2, &["is a file", "name the folder in which models.toml is"]);
    assert!(home.campaigns().is_empty() && configured.campaigns().is_empty());
}

#[test]
fn what_is_no_text_file_of_a_sensible_size_is_refused_by_name() {
    let home = initialised();
    home.write("mine/prompts/dm-play.md", b"\xff\xfe not text");
    refused(&home, &["dm-play.md", "UTF-8"]);
    home.write("mine/prompts/dm-play.md", vec![b'a'; 5 << 20]);
    refused(&home, &["dm-play.md", "more than 4194304 bytes"]);
    std::fs::remove_file(home.path("mine/prompts/dm-play.md")).expect("it is removed");
    std::fs::create_dir(home.path("mine/prompts/dm-play.md")).expect("a folder");
    refused(&home, &["dm-play.md", "a folder where a file is wanted"]);
    std::fs::remove_dir(home.path("mine/prompts/dm-play.md")).expect("it is removed");
    // Whoever opened a pipe would wait for somebody to write into it.
    let made = std::process::Command::new("mkfifo").arg(home.path("mine/prompts/dm-play.md")).status();
    if made.is_ok_and(|made| made.success()) {
        refused(&home, &["dm-play.md", "it is no file"]);
        std::fs::remove_file(home.path("mine/prompts/dm-play.md")).expect("it is removed");
    }
    std::fs::create_dir_all(home.path("mine/rules/large")).expect("a folder");
    for file in 0..11 {
        home.write(&format!("mine/rules/large/{file}.md"), vec![b'a'; 3 << 20]);
    }
    refused(&home, &["holds more than 32 MB of texts"]);
    std::fs::remove_dir_all(home.path("mine/rules/large")).expect("it is removed");
    // What is missing is taken from the bundled files.
    home.succeed(["run", CAMPAIGN, "--seed", "1", "-q"]);
}

#[test]
fn a_campaign_that_is_being_played_is_read_by_anybody_and_written_by_nobody_else() {
    let home = Home::new();
    home.succeed(["run", "the-borrowed-boat", "--seed", "7", "-q"]);
    let player = twicetold_journal::open(&home.campaigns()[0]).expect("nobody else plays it");
    home.run(["resume", "last"]).failed(6, &["is locked by", "work meanwhile"]);
    let only = home.campaigns()[0].file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
    home.run(["rm", "--yes", &only]).failed(6, &["is locked by"]);
    for line in
        ["list", "show last party", "log last", "replay last", "verify last", "export last boat.twicetold"]
    {
        home.succeed(line.split(' '));
    }
    home.succeed(["why", "last", "goal", "wedding-on-this-bank"]);
    drop(player);
    home.run(["resume", "last"]).failed(2, &["is over"]);
}

#[test]
fn a_damaged_campaign_is_called_damaged_and_where_nothing_was_lost_it_is_told_as_before() {
    let Kept { home, journal, .. } = kept();
    let file = home.campaigns().remove(0);
    let told = home.succeed(["log", "last", "--json"]);
    let id = file.file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
    // Places that hold nothing may hold anything: then all of the campaign is there.
    let is_damaged = |what: &str| {
        let outcomes =
            [vec!["verify", &id], vec!["replay", &id], vec!["log", &id, "--json"]].map(|line| home.run(line));
        for outcome in &outcomes {
            assert!(matches!(outcome.code, Some(0 | 4)), "{what}: {:?} {}", outcome.code, outcome.stderr);
        }
        let [verified, _, logged] = outcomes;
        if verified.code == Some(0) && logged.code == Some(0) {
            assert_eq!(logged.stdout, told, "{what}");
        }
        verified.code == Some(4)
    };
    let mut damaged = 0;
    for step in 0..24 {
        std::fs::write(&file, flipped(&journal, step * journal.len() / 24 + step * 7))
            .expect("it is written");
        damaged += usize::from(is_damaged(&format!("flipped at {step}/24")));
    }
    assert!(damaged > 0, "some of these places hold something");
    for length in [0, 1, 100, 4096, journal.len() / 3] {
        std::fs::write(&file, &journal[..length]).expect("it is written");
        for command in ["verify", "log", "replay", "resume"] {
            let outcome = home.run([command, &id]);
            assert_eq!(outcome.code, Some(4), "{command} of {length} bytes: {}", outcome.stderr);
        }
        home.succeed(["list"]);
    }
    std::fs::write(&file, &journal[..journal.len() - 1]).expect("it is written");
    is_damaged("cut by one byte");
    home.succeed(["rm", "--yes", &id]);
}

#[test]
fn a_damaged_export_is_refused_with_its_broken_place_and_nothing_is_imported() {
    let (Kept { export, .. }, home) = (kept(), Home::new());
    let places = ["entry", "blob", "header", "head", "end", "number", "bytes", "export", "chain"];
    let refused = |name: &str, bytes: &[u8]| {
        home.write("boat.twicetold", bytes);
        for command in ["verify", "import"] {
            let outcome = home.run([command, "boat.twicetold"]);
            assert_eq!(outcome.code, Some(4), "{command} {name}: {}{}", outcome.stdout, outcome.stderr);
            assert!(places.iter().any(|place| outcome.stderr.contains(place)), "{name}: {}", outcome.stderr);
        }
        assert!(home.campaigns().is_empty(), "{name}");
    };
    for step in 0..24 {
        let at = step * export.len() / 24 + step;
        refused(&format!("flipped at {at}"), &flipped(&export, at));
    }
    for length in [0, 1, 50, export.len() / 2, export.len() - 1] {
        refused(&format!("cut to {length}"), &export[..length]);
    }
    refused("with a tail", &[&export[..], b"tail"].concat());
    refused("another file", b"# Not a campaign\n");
    home.write("boat.twicetold", &export);
    home.succeed(["import", "boat.twicetold"]);
}

#[cfg(unix)]
#[cfg(unix)]
#[test]
fn a_campaign_whose_file_goes_away_while_it_is_played_asks_nobody_any_more() {
    for harm in [
        |file: &std::path::Path| std::fs::remove_file(file),
        |file: &std::path::Path| std::fs::write(file, "something else"),
    ] {
        let home = Home::new();
        let campaigns = home.path("data/campaigns");
        let server = Server::start(move |number, body| {
            for file in std::fs::read_dir(&campaigns).into_iter().flatten().filter(|_| number == 12) {
                harm(&file.expect("it is listed").path()).expect("it can be harmed");
            }
            Response::Body(improvise(body))
        });
        let model = format!("{}#loopback", server.base_url());
        let outcome = home.run(["run", "the-borrowed-boat", "--seed", "1", "--quiet", "--model", &model]);
        outcome.failed(4, &["while it was written", "no model was asked any more"]);
        assert_eq!(server.requests(), 13, "the call in flight, and none after it");
    }
}

#[test]
fn a_pipe_among_the_campaigns_holds_nobody_up() {
    let home = Home::new();
    home.play(7);
    let id = "00112233445566778899aabbccddeeff";
    let pipe = format!("data/campaigns/{id}.redb");
    match std::process::Command::new("mkfifo").arg(home.path(&pipe)).status() {
        Ok(made) if made.success() => {}
        _ => return skipped("a pipe", "none can be made here"),
    }
    assert!(home.succeed(["list"]).contains("The Borrowed Boat"));
    for command in [["verify", id], ["replay", id], ["export", id], ["resume", id], ["log", id]] {
        let mut command = command.to_vec();
        command.extend(if command[0] == "export" { vec!["out.twicetold"] } else { vec![] });
        home.run(&command).failed(4, &["it is a pipe or a device; name a file"]);
    }
    for endless in [home.path(&pipe).display().to_string(), "/dev/zero".to_owned()] {
        home.run(["import", &endless]).failed(4, &["it is a pipe or a device; name a file"]);
    }
}

#[test]
fn a_large_file_that_is_no_export_is_not_read() {
    let home = Home::new();
    let large = std::fs::File::create(home.path("large.twicetold")).expect("it can be made");
    large.set_len(3 << 30).expect("a file without content");
    // In less memory than the file has bytes.
    let outcome = home.shell("ulimit -v 2000000 2>/dev/null; exec \"$TWICETOLD\" import large.twicetold");
    outcome.failed(4, &["large.twicetold is not an export of a campaign that this version can read"]);
}

#[test]
fn a_folder_that_may_not_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    std::fs::create_dir(home.path("data")).expect("a folder");
    std::fs::set_permissions(home.path("data"), std::fs::Permissions::from_mode(0o555)).expect("it is ours");
    if std::fs::write(home.path("data/probe"), "").is_ok() {
        skipped("a folder that cannot be written", "this user may write everywhere");
        return;
    }
    home.run(["run", "the-borrowed-boat"]).failed(1, &["data", "Permission denied", "--data DIR"]);
    let other = Home::new();
    other.succeed(["run", "the-borrowed-boat", "--seed", "1", "--quiet"]);
    let own = home.path("data").join("x").to_string_lossy().into_owned();
    for line in
        [&["init"][..], &["new", "campaign", "mine", "--to"], &["export", "last"], &["report", "last", "-o"]]
    {
        let told = [
            "x",
            "Permission denied",
            "you may not write to ",
            "/data: change its permissions, or choose another ",
        ];
        other.run([line, &[&own]].concat()).failed(1, &told);
    }
    std::fs::set_permissions(other.path("data"), std::fs::Permissions::from_mode(0o555)).expect("it is ours");
    other
        .run(["label", "last", "x"])
        .failed(1, &["you may not write to data: change its permissions", "--data DIR"]);
    std::fs::set_permissions(other.path("data"), std::fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn a_file_that_is_not_there_is_missing_wherever_it_is_named() {
    let home = Home::new();
    home.play(1);
    for command in [
        &["fork", "last", "--at", "20", "--reply", "nosuch"][..],
        &["fork", "last", "--at", "20", "--file", "limits.toml=nosuch"],
        &["verify", "--attestation", "nosuch"],
        &["audit", "nosuch", "--from", "openai-chat"],
        &["sweep", "run", "nosuch"],
    ] {
        home.run(command).failed(7, &["nosuch", "cannot be read"]);
    }
    // What would do nothing is not asked for.
    home.run(["models", "--moments", "3"]).failed(2, &["--all"]);
    home.run(["fork", "last", "--at", "20", "--config", "nosuch"]).failed(2, &["--model"]);
}

#[test]
fn a_file_in_the_place_of_the_data_folder_is_named() {
    let home = Home::new();
    home.write("data", "not a folder");
    home.run(["run", "the-borrowed-boat"]).failed(1, &["data/campaigns cannot be made", "--data DIR"]);
    home.run(["show", "last", "party"]).failed(1, &["data/campaigns", "name another data folder"]);
}

#[cfg(unix)]
#[test]
fn a_campaign_that_ran_into_a_full_disk_is_whole_and_goes_on_when_there_is_room() {
    // Replies that nobody can compress fill the journal soon.
    let padded = |number: usize, body: &str| {
        let mut reply: Value = serde_json::from_str(&improvise(body)).expect("JSON");
        let mut random = number as u64 + 1;
        let digits = std::iter::repeat_with(|| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("{:08x}", random >> 32)
        });
        reply["padding"] = digits.take(8_000).collect::<String>().into();
        Response::Body(reply.to_string())
    };
    let (home, server) = (Home::new(), Server::start(padded));
    home.configure(&server.base_url(), "");
    // A limit on the size of files, in blocks of 512 bytes, is the nearest thing to a full disk that every user may make.
    let limited = "trap '' XFSZ; ulimit -f 3000; exec \"$TWICETOLD\"";
    let run = "run configuration/campaigns/the-borrowed-boat.toml --seed 7 --json";
    let full = home.shell(&format!("{limited} {run}"));
    full.failed(1, &["The journal is intact"]);
    assert!(full.stdout.contains("\"TurnEnded\""), "it happens in the middle");
    assert_eq!(home.shell(&format!("{limited} resume last --json")).code, Some(1), "there is still no room");

    home.succeed(["verify", "last"]);
    assert!(home.succeed(["replay", "last"]).contains("The campaign is not over"));
    let card = last_line(&home.succeed(["resume", "last", "--json"]));
    assert_eq!(card["state"], "over", "{card}");
    let report = last_line(&home.succeed(["replay", "last", "--json"]));
    assert_eq!((&report["identical"], &report["story"]), (&Value::Bool(true), &card["story"]));
    let undisturbed = last_line(&home.succeed(run.split(' ')));
    assert_eq!(
        undisturbed["goals"][0]["ended"], card["goals"][0]["ended"],
        "it became the campaign that it would have been"
    );
}

#[test]
fn a_number_that_cannot_be_is_answered_with_those_that_can() {
    let home = Home::new();
    for (option, value, reason) in [
        ("--seed", "-1", "a whole number, 0 or more"),
        ("--seed", "99999999999999999999", "too large"),
        ("--players", "99", "a whole number from 1 to 6"),
        ("--turns", "many", "a whole number, 0 or more"),
        ("--turns", "0", "a whole number from 1 to"),
    ] {
        home.run(["run", &format!("{option}={value}")]).failed(2, &[option, value, reason]);
    }
    home.run(["run", "--rules", "srd-9"]).failed(2, &["rules/srd-9/pack.toml", "`--rules` names it"]);
}

#[test]
fn a_mistake_in_a_command_line_is_told_like_any_other_failure() {
    let home = Home::new();
    for (line, words) in [
        ("run --turns -1", ["invalid value '-1' for '--turns <TURNS>'", "a whole number from 1 to", ""]),
        ("import", ["not provided: <FILE>", "help: usage: twicetold import <FILE>", ""]),
        (
            "new campain x",
            ["unrecognized subcommand 'campain'", "exists: 'campaign'", "usage: twicetold new"],
        ),
        ("new sparrow", ["unrecognized subcommand 'sparrow'", "'twicetold new campaign sparrow'", ""]),
        ("run --color x", ["invalid value 'x'", "help: possible values: auto, always, never", ""]),
        (
            "list --stat over",
            ["unexpected argument '--stat' found", "exists: '--state'", "usage: twicetold list"],
        ),
        ("list --turns", ["unexpected argument '--turns'", "", ""]),
    ] {
        let outcome = home.command(line.split(' ')).env("TWICETOLD_DATA", home.path(".")).output();
        let outcome = Outcome::of(outcome);
        outcome.failed(2, &words);
        assert!(
            outcome.stderr.starts_with("  × ") && !outcome.stderr.contains("error:"),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn a_number_is_compared_with_a_number() {
    let home = Home::new();
    home.play(7);
    home.run(["bisect", "last", "turn > many"]).failed(2, &["turn is a number, and \"many\" is none"]);
    for value in ["10.5", "100k", "zzz"] {
        home.run(["bisect", "last", &format!("calls >= {value}")]).failed(2, &["calls is a number, and"]);
    }
    home.run(["bisect", "last", "turn > 9999"]).failed(7, &["is never true"]);
}

#[test]
fn models_are_listed_with_what_keeps_the_default_from_being_one() {
    let home = Home::new();
    home.succeed(["init", "mine"]);
    home.edit("mine/models.toml", "default = \"improv\"", "default = \"locl\"");
    let listed = home.run(["models", "--config", "mine"]);
    listed.failed(2, &["\"locl\", which does not exist", "did you mean \"local\"?"]);
    assert!(listed.stdout.contains("ollama"), "{}", listed.stdout);
}
