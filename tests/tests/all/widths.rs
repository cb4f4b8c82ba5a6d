//! Promise: what is printed fits the terminal, however wide it is, and Ctrl-C leaves nothing behind.
#![cfg(unix)]

use rustix::process::Signal;
use twicetold_tests::{Home, Outcome, Response, Server, Terminal, flat, last_line, on_screen};

#[test]
fn every_command_fits_the_terminal() {
    let home = Home::new();
    home.succeed([
        "run",
        "the-borrowed-boat",
        "--model",
        "improv:chaos",
        "--seed",
        "9",
        "-q",
        "--label",
        "a night with all the players",
    ]);
    let goals = home.succeed(["why", "last", "goal", "--json"]);
    assert!(goals.contains("the-bell-rings"), "{goals}");
    // Not the last: that may be a summary.
    let log = home.succeed(["log", "last", "--json"]);
    let lines = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let lines: Vec<_> = lines.collect();
    let replies: Vec<u64> = lines
        .iter()
        .filter(|line| line["type"] == "ModelReplied")
        .filter_map(|line| line["number"].as_u64())
        .collect();
    // By its id: a run further down is the last one from then on.
    let campaign = lines[0]["campaign"].as_str().unwrap();
    let why_reply = format!("why {} reply {}", &campaign[..8], replies[replies.len() / 2]);
    let commands = [
        "list",
        "tree",
        "audit last",
        "log last",
        "why last",
        "why last goal",
        "why last goal the-bell-rings --full",
        "why last number 170",
        &why_reply,
        "why-not last goal nothing",
        "show last",
        "show last party",
        "show last characters",
        "show last transcript",
        "show last cost",
        "rules list",
        "history last",
        "verify last",
        "replay last",
        "models",
        "preview the-borrowed-boat",
        "run the-borrowed-boat --seed 9 --quiet",
    ];
    for columns in [40, 60, 80, 120, 200] {
        for line in commands {
            let mut command = home.command(line.split(' '));
            command.env("TWICETOLD_PAGER", "");
            let ended = Terminal::of_width(command, columns).end();
            assert_eq!(ended.code, Some(0), "{line}: {}", ended.text);
            for shown in on_screen(&ended.text) {
                let wide = shown.trim_end().chars().count();
                assert!(wide <= usize::from(columns), "{line} at {columns} columns: {shown:?}");
            }
        }
    }
}

#[test]
fn words_stay_whole_at_every_width() {
    let home = Home::new();
    for columns in [40, 60, 80] {
        let command = home.command(["run", "the-borrowed-boat", "--seed", "1", "--quiet"]);
        let ended = Terminal::of_width(command, columns).end();
        let words: Vec<String> = on_screen(&ended.text)
            .iter()
            .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        for word in ["compares", "document", "characters,", "transcript,"] {
            assert!(words.iter().any(|one| one == word), "{word} at {columns} columns: {}", ended.text);
        }
    }
}

#[test]
fn numbers_stay_whole_in_the_narrowest_table() {
    let home = Home::new();
    home.succeed(["run", "the-borrowed-boat", "--seed", "1", "--quiet"]);
    let costs = last_line(&home.succeed(["show", "last", "cost", "--json"]));
    for columns in [40, 60, 80] {
        let mut command = home.command(["show", "last", "cost"]);
        command.env("TWICETOLD_PAGER", "");
        let shown = flat(&Terminal::of_width(command, columns).end().text);
        for cost in costs["costs"].as_array().expect("costs") {
            let number = format!(" {}", cost["input_tokens"]);
            assert!(shown.contains(&number), "{number} at {columns} columns: {shown}");
        }
    }
}

#[test]
fn in_a_pipe_the_variable_columns_says_how_wide_it_is() {
    let home = Home::new();
    home.succeed([
        "run",
        "the-borrowed-boat",
        "--seed",
        "1",
        "-q",
        "--label",
        "a night with all the players",
    ]);
    let widest = |line: &str, columns: &str| {
        let mut command = home.command(line.split(' '));
        let text = Outcome::of(command.env("COLUMNS", columns).output()).succeeded().stdout;
        text.lines().map(|line| line.trim_end().chars().count()).max().unwrap_or(0)
    };
    for line in
        ["list", "show last party", "show last cost", "log last", "history last", "verify last", "models"]
    {
        assert!(widest(line, "50") <= 50, "{line}");
        assert!(widest(line, "nonsense") > 60, "{line}");
    }
    let goal = home.succeed(["why", "last", "goal", "--json"]);
    let goal = &serde_json::from_str::<serde_json::Value>(&goal).expect("JSON")["names"][0]["name"];
    assert!(widest(&format!("why last goal {}", goal.as_str().expect("a name")), "60") <= 60);
    // Nothing that a program reads is broken.
    assert!(widest("list --json", "50") > 200);
    for line in ["export last --as md", "schema log", "completions bash", "man"] {
        assert!(widest(line, "50") > 70, "{line}");
    }
}

#[test]
fn colours_are_as_the_variables_and_the_option_say() {
    let home = Home::new();
    home.play(7);
    let has_colours = |variables: &[(&str, &str)], more: &str| {
        let mut command = home.command(format!("tree{more}").split(' '));
        command.env_remove("NO_COLOR").env_remove("FORCE_COLOR");
        Outcome::of(command.envs(variables.iter().copied()).output()).succeeded().stdout.contains('\u{1b}')
    };
    assert!(!has_colours(&[], ""), "it is a pipe");
    assert!(has_colours(&[("FORCE_COLOR", "1")], "") && !has_colours(&[("FORCE_COLOR", "0")], ""));
    assert!(!has_colours(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], ""));
    assert!(!has_colours(&[("FORCE_COLOR", "1")], " --color never") && has_colours(&[], " --color always"));
}

#[test]
fn ctrl_c_leaves_no_line_of_progress_behind() {
    let server = Server::start(|_, _| Response::Silence);
    let home = Home::new();
    home.configure(&server.base_url(), "");
    let run = ["run", "configuration/campaigns/the-borrowed-boat.toml", "--model", "server", "--seed", "3"];
    let mut command = home.command(run);
    command.env("TERM", "xterm");
    let mut terminal = Terminal::start(command);
    terminal.until(" tokens");
    terminal.press("\u{3}");
    terminal.signal(Signal::INT);
    let ended = terminal.end();
    assert_eq!((ended.code, ended.restored), (Some(130), true), "{}", ended.text);
    // What a terminal writes for the key would begin another line, which nobody clears.
    assert!(ended.text.contains(" of at most ") && !ended.text.contains("^C"), "{}", ended.text);
    let (_, after) = ended.text.rsplit_once(" tokens ").expect("the last progress");
    let (progress, card) = after.split_once("\u{1b}[2K").expect("it is cleared");
    assert!(!progress.contains('\n') && card.contains("The Borrowed Boat"), "{after:?}");
}

#[test]
fn the_log_variable_follows_colour_and_is_understood_or_told_of() {
    let home = Home::new();
    let logged = |filter: &str, more: &[&str]| {
        let mut command = home.command([&["run", "the-borrowed-boat", "--seed", "1", "-q"], more].concat());
        Outcome::of(command.env("TWICETOLD_LOG", filter).output()).succeeded().stderr
    };
    let plain = logged("trace", &[]);
    assert!(plain.contains("TRACE") || plain.contains("DEBUG"), "{plain}");
    assert!(!plain.contains('\u{1b}'), "a pipe gets no colours");
    assert!(!logged("trace", &["--color", "never"]).contains('\u{1b}'));
    assert!(logged("trace", &["--color", "always"]).contains('\u{1b}'));
    assert!(logged("twicetold=loud", &[]).contains("TWICETOLD_LOG is not understood"));
    assert_eq!(logged("", &[]), "");
}

#[test]
fn the_examples_of_a_command_stand_in_its_long_help_and_fit_the_terminal() {
    let home = Home::new();
    for command in ["run", "why", "models", "import", "new", "sweep"] {
        let short = home.succeed([command, "-h"]);
        assert!(!short.contains("Examples:"), "{short}");
        for columns in [40, 80, 140] {
            let ended = Terminal::of_width(home.command([command, "--help"]), columns).end();
            let lines = on_screen(&ended.text);
            let begin = lines.iter().position(|line| line == "Examples:").expect("examples");
            let examples: Vec<&String> = lines[begin + 1..].iter().filter(|line| !line.is_empty()).collect();
            let typed = examples.iter().filter(|line| line.starts_with(&format!("  twicetold {command}")));
            assert!((2..=3).contains(&typed.count()), "{command} at {columns} columns: {examples:?}");
            for line in &examples {
                let wide = line.trim_end().chars().count();
                assert!(line.starts_with("  ") && wide <= usize::from(columns), "{command}: {line:?}");
            }
            // Nothing is broken where there is room for it.
            let whole = examples.iter().filter(|line| line.starts_with("      ")).count();
            assert!(columns < 80 || whole == 0, "{command} at {columns} columns: {examples:?}");
        }
    }
}

#[test]
fn the_line_of_progress_has_the_colours_that_are_asked_for() {
    let home = Home::new();
    for (when, is_coloured) in [("never", false), ("always", true)] {
        let mut command =
            home.command(["run", "the-borrowed-boat", "--seed", "3", "--quiet", "--color", when]);
        command.env("TERM", "xterm");
        let ended = Terminal::start(command).end();
        assert!(ended.text.contains(" of at most "), "{}", ended.text);
        assert_eq!(ended.text.contains("\u{1b}[33m"), is_coloured, "{when}: {:?}", ended.text);
    }
}
