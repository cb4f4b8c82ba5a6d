//! Promise: every command does what its help says, prints nothing but text, and ends with the exit code that it documents.

use std::process::Stdio;
use std::sync::OnceLock;

use serde_json::Value;
use twicetold_tests::{CAMPAIGNS, Home, Outcome, flat, last_line};
#[cfg(unix)]
use twicetold_tests::{COLUMNS, Terminal, on_screen};

/// Each document, and what is in it and in no other one's place: as text, and as a field of its JSON.
const DOCUMENTS: [(&str, &str, &str); 7] = [
    ("party", "Old Hanno's ferry is gone from its mooring", "scenario_for_the_dm"),
    ("goals", "wedding-on-this-bank", "encounter"),
    ("npcs", "Old Hanno, ferryman (met at #", "trust"),
    ("characters", "STR ", "armor_class"),
    ("memory", "Objective (#", "important_events"),
    ("transcript", "── Session Zero: pitch ──", "speaker"),
    ("cost", "session zero", "output_tokens"),
];

const COMMANDS: [&str; 13] = [
    "run", "play", "resume", "list", "show", "log", "replay", "verify", "why", "export", "import", "rm",
    "init",
];

/// A campaign in which a goal was registered.
struct Played {
    home: Home,
    card: Value,
    goal: String,
}

/// Played once, for all tests that only read.
fn played() -> &'static Played {
    static PLAYED: OnceLock<Played> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let home = Home::new();
        let found = (65..150).find_map(|seed| {
            let card = home.play(seed);
            let goals = card["goals"][0]["goals"].as_array().expect("goals").clone();
            let registered = goals.into_iter().find(|goal| !goal["registered"].is_null())?;
            Some((card, registered["id"].as_str().expect("an id").to_owned()))
        });
        let (card, goal) = found.expect("the improviser registers a goal now and then");
        Played { home, card, goal }
    })
}

fn id(card: &Value) -> &str {
    card["campaign"].as_str().expect("an id")
}

/// Runs it while nobody reads what it prints.
fn unread(home: &Home, arguments: &[&str]) -> Outcome {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    Outcome::of(home.command(arguments).stdout(Stdio::from(writer)).output())
}

#[test]
fn a_campaign_is_played_to_its_end_without_key_network_or_configuration() {
    let home = Home::new();
    let story = home.succeed(["run", "the-borrowed-boat", "--seed", "7"]);
    assert!(!story.contains('\u{1b}'), "what is piped has no colours");
    assert!(story.contains("The Borrowed Boat is over") && story.contains("── "), "{story}");
    let card = home.succeed(["run", "the-borrowed-boat", "--seed", "7", "-q"]);
    assert!(card.contains("The Borrowed Boat is over") && card.len() * 4 < story.len(), "{card}");
    let coloured = home.succeed(["--color", "always", "show", "last", "goals"]);
    assert!(coloured.contains('\u{1b}'), "colours on request");
}

#[test]
fn json_is_one_object_a_line_and_the_last_line_is_the_card() {
    let stdout = Home::new().succeed(["run", "the-borrowed-boat", "--seed", "3", "--json"]);
    let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (card, events) = lines.split_last().expect("lines");
    assert_eq!((&card["form"], &card["state"]), (&"end".into(), &"over".into()), "{card}");
    assert!(events.iter().all(|event| event["type"].is_string() && event["number"].is_u64()));
    assert_eq!(events.last().expect("events")["type"], "CampaignEnded");
}

#[test]
fn the_same_seed_tells_the_same_story_in_every_language_and_time_zone() {
    let home = Home::new();
    let story = home.play(5)["story"].clone();
    assert_ne!(home.play(6)["story"], story);
    for (language, zone) in [("tr_TR.UTF-8", "Asia/Kathmandu"), ("de_DE", "America/St_Johns"), ("C", "")] {
        let mut command = home.command(["run", "the-borrowed-boat", "--seed", "5", "--json"]);
        command.env("LANG", language).env("LC_ALL", language).env("TZ", zone);
        let stdout = Outcome::of(command.output()).succeeded().stdout;
        assert_eq!(last_line(&stdout)["story"], story, "{language} {zone}");
        let mut replay = home.command(["replay", "last"]);
        Outcome::of(replay.env("LC_ALL", language).env("TZ", zone).output()).succeeded();
    }
}

#[test]
fn the_list_holds_each_campaign_once_newest_first() {
    let home = Home::new();
    assert!(home.succeed(["list"]).contains("No campaigns"));
    let (first, second) = (home.play(1), home.play(2));
    let rows: Value = serde_json::from_str(&home.succeed(["list", "--json"])).expect("JSON");
    let ids: Vec<&Value> =
        rows["campaigns"].as_array().expect("rows").iter().map(|row| &row["campaign"]).collect();
    assert_eq!(ids, [&second["campaign"], &first["campaign"]]);
    let text = home.succeed(["list"]);
    assert!(ids.iter().all(|id| text.contains(&id.as_str().expect("an id")[..8])), "{text}");
    assert!(text.contains("The Borrowed Boat") && text.contains("resolved"), "{text}");
}

#[test]
fn every_document_is_shown_as_text_and_as_json() {
    let home = &played().home;
    for (document, words, field) in DOCUMENTS {
        let text = home.succeed(["show", "last", document]);
        assert!(flat(&text).contains(words.trim()) && !text.contains('\u{1b}'), "{document}: {text}");
        let json: Value =
            serde_json::from_str(&home.succeed(["show", "last", document, "--json"])).expect("JSON");
        let rows = json.as_object().into_iter().flat_map(|object| object.values()).find_map(Value::as_array);
        let first = rows.and_then(|rows| rows.first()).filter(|_| json[field].is_null()).unwrap_or(&json);
        assert!(!first[field].is_null(), "{document}: {json}");
    }
}

#[test]
fn what_is_hidden_from_the_players_is_told_to_a_reader_who_asks_for_it() {
    let home = &played().home;
    let plain = home.succeed(["show", "last", "transcript"]);
    let spoiled = home.succeed(["show", "last", "transcript", "--spoilers"]);
    for hidden in ["[DM ONLY]", "[CHARACTER]", "Secret:", "SESSION ZERO LOCKED"] {
        assert!(spoiled.contains(hidden) && !plain.contains(hidden), "{hidden}: {plain}");
    }
    assert!(plain.contains("[table] Player 1 plays "), "a sheet is told by what it became: {plain}");
    let play = |text: &str| text.split_once("── Play ──").map(|(_, play)| play.matches("\n\n").count());
    assert!(play(&plain).is_some_and(|told| told > 3), "the story itself is there: {plain}");
    // A program is told everything.
    assert!(home.succeed(["show", "last", "transcript", "--json"]).contains("[DM ONLY]"));
    home.run(["show", "last", "goals", "--spoilers"]).failed(2, &["--spoilers", "transcript"]);
}

#[test]
fn a_document_is_shown_as_it_stood_after_any_number() {
    let home = &played().home;
    let whole = home.succeed(["show", "last", "transcript"]);
    let half = home.succeed(["show", "last", "transcript", "--at", "60"]);
    assert!(whole.starts_with(&half) && half.len() < whole.len(), "{half}");
    for (document, ..) in DOCUMENTS {
        home.succeed(["show", "last", document, "--at", "0"]);
        home.succeed(["show", "last", document, "--at", "60", "--json"]);
        let past = home.run(["show", "last", document, "--at", "100000"]);
        past.failed(7, &["100000", "twicetold log"]);
        assert_eq!(past.stdout, "");
    }
    assert!(home.succeed(["show", "last", "goals", "--at", "0"]).contains("No encounter has begun"));
}

#[test]
fn the_log_numbers_every_input_and_event() {
    let home = &played().home;
    let json = home.succeed(["log", "last", "--json"]);
    let numbers: Vec<u64> =
        json.lines().map(|line| last_line(line)["number"].as_u64().expect("a number")).collect();
    assert!(numbers.iter().copied().eq(0..numbers.len() as u64), "all of them, none left out");
    assert_eq!(json, home.succeed(["export", "last", "--as", "jsonl"]), "one form for both");
    let digest = json.lines().map(last_line).find_map(|line| Some(line["data"]["sent"].as_str()?.len()));
    assert_eq!(digest, Some(64), "digests are hexadecimal text");
    let text = home.succeed(["log", "last"]);
    assert!(text.starts_with("#0 ") && text.contains("< ModelReplied          call 1, "), "{text}");
    assert!(text.contains(" DM: "), "a speaker and a colon: {text}");
    let widest = text.lines().map(|line| line.chars().count()).max().expect("there are lines");
    assert!((81..=200).contains(&widest), "who pipes it looks for words in it: {widest}");
    assert!(text.contains("GoalRegistered") && json.contains("GoalRegistered"));
}

#[test]
fn a_replay_compares_everything_and_verification_reads_everything() {
    let Played { home, card, .. } = played();
    let text = home.succeed(["replay", "last"]);
    assert!(text.contains("Identical: every event and every request"), "{text}");
    let report = last_line(&home.succeed(["replay", "last", "--json"]));
    assert_eq!((&report["identical"], &report["story"]), (&Value::Bool(true), &card["story"]));
    assert_eq!(report["requests"], card["calls"]);
    assert!(home.succeed(["verify", "last"]).starts_with("Intact: "));
    let verified = last_line(&home.succeed(["verify", "last", "--json"]));
    assert_eq!((&verified["entries"], &verified["numbers"]), (&report["entries"], &report["numbers"]));
}

#[test]
fn why_leads_from_a_goal_registered_in_play_to_the_prompt_behind_it() {
    let Played { home, goal, .. } = played();
    let text = home.succeed(["why", "last", "goal", goal]);
    for words in [
        "registered in turn",
        "because",
        "accepted by these rules",
        "goal_register",
        "rebuilt exactly",
        "asked before it",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = last_line(&home.succeed(["why", "last", "goal", goal, "--json"]));
    assert_eq!(json["goal"], goal.as_str());
    let prompt = home.succeed(["why", "last", "goal", goal, "--prompt"]);
    let first = prompt.lines().next().expect("a line");
    assert!(first.ends_with("(as recorded)"), "{first}");
    let digest = first.split("digest ").nth(1).and_then(|rest| rest.get(..16)).expect("a digest");
    assert!(text.contains(digest), "the chain and the prompt speak of one request");
    assert!(prompt.contains("<hidden_goals>") && prompt.contains("goal_register"), "{prompt}");
}

#[test]
fn why_knows_a_goal_of_the_specification_and_lists_the_goals_when_there_is_none_of_that_name() {
    let Played { home, goal, .. } = played();
    let text = flat(&home.succeed(["why", "last", "goal", "wedding-on-this-bank"]));
    assert!(text.contains("defined in the encounter's file"), "{text}");
    let (_, ended) = text.split_once("was ever tried. The encounter ended at #").expect("it says how");
    assert!(ended.contains(" with truth-before-the-bell."), "{text}");
    assert!(ended.contains("This goal did not resolve the encounter."), "{text}");
    home.run(["why", "last", "goal", "wedding-on-this-bank", "--prompt"])
        .failed(7, &["there is no prompt to show"]);
    home.run(["why", "last", "goal", "nonsense"]).failed(7, &["\"nonsense\"", "wedding-on-this-bank", goal]);
}

/// Plays seeds until a goal of the encounter's file resolves the encounter; the card, and the goals as JSON.
fn resolved(home: &Home) -> (String, Value) {
    for seed in 1..20 {
        let card = home.succeed(["run", "the-borrowed-boat", "--seed", &seed.to_string(), "-q"]);
        let goals: Value =
            serde_json::from_str(&home.succeed(["show", "last", "goals", "--json"])).expect("JSON");
        let of_the_file = |goal: &Value| {
            goal["reached"] == true && goal["failure"] == false && goal["registered"].is_null()
        };
        if goals["encounters"][0]["goals"].as_array().expect("goals").iter().any(of_the_file) {
            return (card, goals);
        }
    }
    panic!("no seed reached a goal of the encounter's file");
}

#[test]
fn why_says_how_a_goal_of_the_specification_resolved_the_encounter() {
    let home = Home::new();
    let (_, goals) = resolved(&home);
    let reached = |goal: &&Value| goal["reached"] == true;
    let goal = goals["encounters"][0]["goals"]
        .as_array()
        .expect("goals")
        .iter()
        .find(reached)
        .expect("one was reached");
    let goal = goal["id"].as_str().expect("an id");
    let text = flat(&home.succeed(["why", "last", "goal", goal]));
    assert!(text.contains("This goal resolved the encounter at #"), "{text}");
    assert!(
        text.contains("the model pointed to #")
            && text.contains("and to these; nobody checked that they show it")
            && text.contains("encounter_resolve, tool call"),
        "{text}"
    );
    let prompt = home.succeed(["why", "last", "goal", goal, "--prompt"]);
    assert!(prompt.contains("encounter_resolve"), "the DM was offered the tool: {prompt}");
}

#[test]
fn an_export_is_verified_replayed_shown_and_imported_wherever_it_is() {
    let (Played { home, card, goal }, other) = (played(), Home::new());
    let file = other.path("boat.twicetold");
    let file = file.to_str().expect("UTF-8");
    home.succeed(["export", "last", file]);
    home.run(["export", "last", file]).failed(2, &["boat.twicetold", "exists", "--force"]);
    std::fs::write(file, "what was there").expect("a file");
    home.run(["export", "nobody", file, "--force"]).failed(7, &["no campaign"]);
    assert_eq!(std::fs::read(file).expect("it is there"), b"what was there");
    home.succeed(["export", "last", file, "--force"]);
    other.succeed(["verify", file]);
    assert_eq!(last_line(&other.succeed(["replay", file, "--json"]))["story"], card["story"]);
    for (document, ..) in DOCUMENTS {
        assert_eq!(other.succeed(["show", file, document]), home.succeed(["show", "last", document]));
    }
    assert_eq!(other.succeed(["log", file, "--json"]), home.succeed(["log", "last", "--json"]));
    assert_eq!(other.succeed(["why", file, "goal", goal]), home.succeed(["why", "last", "goal", goal]));
    assert!(other.succeed(["import", file]).starts_with(&id(card)[..8]));
    assert!(other.succeed(["import", file]).contains("exists already"));
    assert_eq!(last_line(&other.succeed(["replay", "last", "--json"]))["story"], card["story"]);
    other.run(["resume", "last"]).failed(2, &["this campaign is over"]);
}

#[test]
fn the_program_calls_itself_by_the_name_that_is_typed() {
    let home = Home::new();
    assert!(home.succeed(["--version"]).starts_with("twicetold 0."));
    assert!(home.succeed(["rebuild"]).contains("No campaigns in data/campaigns yet"));
    home.run(["--data", "", "list"]).failed(2, &["--data is empty"]);
    let mut list = home.command(["list"]);
    // A variable that is set to nothing is as one that is not set.
    let listed =
        Outcome::of(list.env("TWICETOLD_DATA", "").env("XDG_DATA_HOME", home.path("share")).output());
    assert!(listed.succeeded().stdout.contains("share/twicetold/campaigns"));
}

#[test]
fn what_a_command_cannot_take_is_told_with_what_it_can() {
    let home = &played().home;
    let run = home.run(["run", "the-borrowed-boat", "--seed", "-1"]);
    run.failed(2, &["invalid value '-1' for '--seed <SEED>'"]);
    assert!(!run.stderr.contains("-- -1"), "{}", run.stderr);
    let players = ["run", "the-borrowed-boat", "--players"];
    let run = home.run([&players[..], &["1"]].concat());
    run.failed(2, &["The Borrowed Boat is for 2 to ", "1 player was asked for", "--players from 2 to "]);
    assert!(!run.stderr.contains("config/README.md"), "{}", run.stderr);
    home.run(["bisect", "last", "turn === 2"]).failed(2, &["is not understood"]);
    assert_eq!(home.succeed(["bisect", "last", "turn == 2"]), home.succeed(["bisect", "last", "turn = 2"]));
}

#[test]
fn a_name_of_several_words_needs_no_quotation_marks() {
    let home = &played().home;
    let pages: Value =
        serde_json::from_str(&home.succeed(["show", "last", "characters", "--json"])).expect("JSON");
    let name = pages["characters"][0]["name"].as_str().expect("a name");
    let quoted = home.run(["why", "last", "hp", name]);
    let words: Vec<&str> = ["why", "last", "hp"].into_iter().chain(name.split(' ')).collect();
    let unquoted = home.run(words);
    assert_eq!(
        (quoted.code, quoted.stdout, quoted.stderr),
        (unquoted.code, unquoted.stdout, unquoted.stderr)
    );
    assert!(name.contains(' '), "{name}");
}

#[test]
fn the_card_tells_who_resolved_the_encounter_when_and_after_how_many_messages() {
    let home = Home::new();
    let (card, goals) = resolved(&home);
    let flat = flat(&card);
    let reached = flat.split_once("✔ ").expect("a goal was reached").1;
    let messages = format!("after {} messages", goals["encounters"][0]["messages"]);
    let (label, rest) = reached.split_once(" by the DM in turn ").expect("who it was");
    assert!(!label.is_empty() && rest.contains(&messages), "{card}");
    assert!(card.lines().all(|line| line.chars().count() <= 100), "{card}");
    let posted = home.succeed(["export", "last", "--as", "discord"]);
    assert!(posted.contains("(by the DM in turn ") && posted.contains(&messages), "{posted}");
    let cost = home.succeed(["show", "last", "cost"]);
    let all: Value = serde_json::from_str(&home.succeed(["show", "last", "cost", "--json"])).expect("JSON");
    let calls: u64 =
        all["costs"].as_array().expect("rows").iter().filter_map(|row| row["calls"].as_u64()).sum();
    let total = cost.lines().last().expect("rows");
    assert!(total.trim_start().starts_with("total") && total.contains(&format!(" {calls} ")), "{cost}");
}

#[test]
fn a_branch_says_why_it_begins_after_another_number_than_was_asked_for() {
    let home = Home::new();
    home.play(1);
    let said = home.succeed(["fork", "last", "--at", "1"]);
    assert!(said.contains(", the end of the entry that holds #1"), "{said}");
}

#[test]
fn the_front_of_an_id_is_enough_when_it_is_the_front_of_one_id_only() {
    let home = Home::new();
    let card = home.play(1);
    for name in [&id(&card)[..6], id(&card), &id(&card)[..6].to_uppercase(), "last"] {
        home.succeed(["verify", name]);
    }
    let twin = format!("{}{}", &id(&card)[..31], if id(&card).ends_with('0') { '1' } else { '0' });
    std::fs::copy(&home.campaigns()[0], home.path(&format!("data/campaigns/{twin}.redb")))
        .expect("it is copied");
    for command in [&["verify"][..], &["resume"], &["rm"], &["replay"]] {
        let arguments = [command, &[&id(&card)[..8]]].concat();
        home.run(arguments).failed(7, &["is a prefix of 2 campaign ids", "give more of the id"]);
    }
    home.succeed(["verify", id(&card)]);
    home.run(["verify", ""]).failed(7, &["there is no campaign"]);
}

#[test]
fn init_writes_into_a_new_folder_and_what_is_edited_there_is_played() {
    let home = Home::new();
    let said = home.succeed(["init", "mine"]);
    assert!(said.contains("twicetold run mine/campaigns/the-borrowed-boat.toml"), "{said}");
    let refused = || home.run(["init", "mine"]).failed(2, &["is not empty: nothing was written"]);
    refused();
    // One that was killed is gone on with, unless somebody has changed something since.
    std::fs::remove_dir_all(home.path("mine/vocabulary")).expect("it is removed");
    std::fs::write(home.path("mine/prompts/.dm-play.md.17.new"), "You are").expect("it is written");
    let whole = std::fs::read(home.path("mine/limits.toml")).expect("it is there");
    std::fs::write(home.path("mine/limits.toml"), &whole[..99]).expect("it is written");
    refused();
    std::fs::write(home.path("mine/limits.toml"), &whole).expect("it is written");
    assert_eq!(home.succeed(["init", "mine"]), said);
    assert!(home.path("mine/vocabulary/names.toml").exists());
    refused();
    home.edit("mine/campaigns/the-borrowed-boat.toml", "The Borrowed Boat", "The Stolen Punt");
    let card = home.succeed(["run", "mine/campaigns/the-borrowed-boat.toml", "--seed", "1", "-q"]);
    assert!(card.contains("The Stolen Punt is over"), "{card}");
    home.edit("mine/prompts/player-play.md", "the", "every");
    let drifted = home.run(["replay", "last", "--against", "mine"]);
    assert_eq!(drifted.code, Some(3));
    assert!(drifted.stdout.contains("in prompts/player-play.md, from byte "), "{}", drifted.stdout);
    std::fs::create_dir(home.path("nothing")).expect("a folder can be made");
    home.run(["replay", "last", "--against", "nothing"])
        .failed(2, &["nothing holds no configuration", "a configuration has some of"]);
    assert!(home.succeed(["replay", "last"]).contains("Identical"));
    std::fs::remove_dir_all(home.path("mine")).expect("it is removed");
    assert!(
        home.succeed(["replay", "last"]).contains("Identical"),
        "a campaign brings its configuration along"
    );
    home.run(["replay", "last", "--against", "mine"]).failed(2, &["mine is not a folder"]);
}

#[test]
fn what_killed_commands_were_writing_is_removed_with_the_next_campaign() {
    let home = Home::new();
    home.play(1);
    let left = [
        "data/campaigns/.a.redb.17-0.new",
        "data/seats/.a.toml.17.new",
        "data/views/.a.snapshot.17.new",
        "data/rules/.b.new",
        // Of a campaign that is not there.
        "data/seats/00112233445566778899aabbccddeeff.toml",
    ];
    let young = "data/campaigns/.b.redb.18-0.new";
    for folder in ["seats", "views", "rules"] {
        std::fs::create_dir_all(home.path("data").join(folder)).expect("it can be made");
    }
    left.into_iter().chain([young]).for_each(|name| home.write(name, ""));
    home.grow_old();
    home.write(young, "");
    home.play(2);
    assert!(left.iter().all(|name| !home.path(name).exists()), "nobody writes these any more");
    assert!(home.path(young).exists(), "somebody may be writing this one");
}

#[test]
fn output_that_nobody_reads_is_no_failure() {
    let home = Home::new();
    home.play(1);
    let only = home.campaigns()[0].file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
    let lines: [&[&str]; 14] = [
        &["list"],
        &["list", "--json"],
        &["show", "last", "transcript"],
        &["log", "last"],
        &["log", "last", "--json"],
        &["replay", "last"],
        &["verify", "last"],
        &["why", "last", "goal", "wedding-on-this-bank"],
        &["run", "the-borrowed-boat", "--turns", "3", "--seed", "1"],
        &["run", "the-borrowed-boat", "--turns", "3", "--seed", "1", "--json"],
        &["export", &only, "boat.twicetold"],
        &["rm", "--yes", &only],
        &["import", "boat.twicetold"],
        &["init", "mine"],
    ];
    for arguments in lines {
        let outcome = unread(&home, arguments);
        assert_eq!(outcome.code, Some(0), "{arguments:?}: {}", outcome.stderr);
    }
    assert_eq!(unread(&home, &["--help"]).code, Some(0));
    // What was played unseen is whole.
    home.succeed(["replay", "last"]);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_does_not_fit_on_a_disk_is_a_failure() {
    let home = &played().home;
    let (run, quiet) = ("run the-borrowed-boat --seed 1 --json", "run the-borrowed-boat --seed 1 -q");
    for arguments in ["list", "log last", "show last goals", "replay last", "verify last", run, quiet] {
        let home = if arguments.starts_with("run") { &Home::new() } else { home };
        let outcome = home.shell(&format!("\"$TWICETOLD\" {arguments} > /dev/full"));
        outcome.failed(1, &["standard output cannot be written"]);
    }
}

#[test]
fn the_help_groups_the_commands_and_lists_the_exit_codes_once() {
    let home = Home::new();
    let (help, short) = (home.succeed(["--help"]), home.succeed(["-h"]));
    let groups = [
        "\nPlay:\n  run ",
        "\nAsk:\n  why ",
        "\nBranch:\n",
        "\nShare:\n",
        "\nSet up:\n",
        "\nGlobal options:\n",
    ];
    let places = groups.map(|group| short.find(group).unwrap_or_else(|| panic!("no {group}: {short}")));
    assert!(places.is_sorted() && !short.contains("Exit codes:"), "{short}");
    assert!(help.contains("\nExit codes:\n  0    done") && help.contains("\n  130  "), "{help}");
    for command in COMMANDS {
        let help = home.succeed([command, "--help"]);
        let own = help.find("\nOptions:\n").expect("options of its own");
        assert!(help.find("\nGlobal options:\n").is_some_and(|global| global > own), "{help}");
        assert!(!help.contains("Exit codes:") && home.succeed(["help", command]) == help, "{command}");
    }
}

#[cfg(unix)]
#[test]
fn every_help_fits_the_terminal() {
    let home = Home::new();
    for command in COMMANDS.iter().copied().chain([""]) {
        for flag in ["-h", "--help"] {
            let arguments = [command, flag].into_iter().filter(|word| !word.is_empty());
            let terminal = Terminal::start(home.command(arguments));
            let lines = on_screen(&terminal.end().text);
            let widest = lines.iter().max_by_key(|line| line.chars().count()).expect("lines");
            assert!(widest.chars().count() <= COLUMNS && lines.len() > 10, "{command} {flag}: {widest}");
        }
    }
}

#[test]
fn a_command_line_that_makes_no_sense_is_refused_before_anything_is_written() {
    let home = Home::new();
    for arguments in [
        &["run", "the-borrowed-boat", "--players", "0"][..],
        &["run", "the-borrowed-boat", "--players", "7"],
        &["run", "the-borrowed-boat", "--turns", "0"],
        &["run", "the-borrowed-boat", "--seed", "minus one"],
        &["run", "the-borrowed-boat", "--quiet", "--json"],
        &["show", "last", "nonsense"],
        &["dance"],
        &[],
    ] {
        let outcome = home.run(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {}", outcome.stderr);
    }
    assert!(!home.path("data").exists());
}

#[test]
fn the_limit_of_turns_on_the_command_line_wins_over_the_campaigns_own() {
    let home = Home::new();
    let card =
        last_line(&home.succeed(["run", "the-borrowed-boat", "--seed", "1", "--turns", "1", "--json"]));
    assert!(card["turns"].as_u64().is_some_and(|turns| turns < 20), "{card}");
    assert!(card["reason"].as_str().is_some_and(|reason| reason.contains("turns, at most 1")), "{card}");
}

#[test]
fn a_campaign_of_ones_own_lints_plays_and_is_never_overwritten() {
    let home = Home::new();
    let folder = home.path("own");
    let path = folder.to_str().expect("the path is text").to_owned();
    let new = |name: &str| home.run(["new", "campaign", name, "--to", &path]);
    new("The Cold Oven").failed(2, &["cannot be the name of a campaign", "the-cold-oven"]);
    assert!(!folder.exists(), "nothing is written");
    new("the-cold-oven").succeeded();
    assert!(home.succeed(["lint", &path]).contains("No problems found"));
    let campaign = folder.join("campaigns/the-cold-oven.toml");
    let file = campaign.to_str().expect("the path is text");
    assert!(flat(&home.succeed(["run", file, "--seed", "4", "-q"])).contains("The cold oven is over"));
    home.succeed(["replay", "last"]);
    new("the-cold-oven").succeeded();
    std::fs::write(&campaign, "# mine").expect("it can be changed");
    new("the-cold-oven").failed(2, &["exists already: nothing was written"]);
    assert_eq!(std::fs::read_to_string(&campaign).expect("it is there"), "# mine");
}

#[test]
fn a_preview_shows_the_draws_of_a_run_and_no_prompt_names_a_tool_that_its_seat_does_not_have() {
    let home = Home::new();
    for campaign in CAMPAIGNS {
        let shown = home.succeed(["preview", campaign, "--seed", "3", "--json"]);
        let shown: Value = serde_json::from_str(&shown).expect("JSON");
        for encounter in shown["encounters"].as_array().expect("encounters") {
            for question in encounter["questions"].as_array().expect("questions") {
                let (text, tools) =
                    (question["text"].as_str().unwrap(), question["tools"].as_array().unwrap());
                let names =
                    twicetold_tool::TOOLS.iter().map(|tool| tool.name).filter(|name| name.contains('_'));
                let named: Vec<&str> = names.filter(|name| text.contains(name)).collect();
                let missing = named.iter().filter(|name| !tools.iter().any(|tool| tool == *name));
                // A tool that is listed and cannot be used at this moment stands under `not_now`.
                let missing: Vec<_> = missing.filter(|name| !not_now(text).contains(*name)).collect();
                assert!(missing.is_empty(), "{campaign}, {}: {missing:?}", question["seat"]);
            }
        }
    }
    let drawn = home.succeed(["preview", "the-borrowed-boat", "--seed", "3"]);
    let shoes =
        drawn.lines().find_map(|line| line.trim().strip_prefix("shoes: ")).expect("the shoes are drawn");
    home.succeed(["run", "the-borrowed-boat", "--seed", "3", "-q"]);
    assert!(flat(&home.succeed(["show", "last", "transcript"])).contains(&format!("studies her {shoes}")));
    home.run(["preview", "the-borrowed-boat", "--encounter", "x"]).failed(2, &["it has the-landing-stage"]);
}

fn not_now(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("not_now: ")).unwrap_or_default()
}
