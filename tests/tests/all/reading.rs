//! Promise: on a terminal text appears as fast as somebody reads it and long texts go to a pager; in a pipe nothing of this happens.
#![cfg(unix)]

use std::sync::OnceLock;

use rustix::process::Signal;
use twicetold_tests::{COLUMNS, Ended, Home, Terminal, last_line, on_screen};

/// Rows of the terminals of tests, and some more.
const SCREEN: usize = 30;

fn home() -> &'static Home {
    static HOME: OnceLock<Home> = OnceLock::new();
    HOME.get_or_init(|| {
        let home = Home::new();
        home.play(1);
        home
    })
}

/// Runs a command to its end on a terminal with this pager, and gives what was printed.
fn on_terminal(home: &Home, pager: &str, arguments: &[&str]) -> Ended {
    let mut command = home.command(arguments);
    command.env("TWICETOLD_PAGER", pager).env("PAGER", "false");
    Terminal::start(command).end()
}

/// What is on the screen, without what is empty.
fn plain(text: &str) -> Vec<String> {
    on_screen(text).into_iter().filter(|line| !line.trim().is_empty()).collect()
}

#[test]
fn a_text_that_is_longer_than_the_screen_goes_to_the_pager() {
    let home = home();
    let pager = "sed -e s/^/PAGED/";
    for arguments in [
        &["show", "last", "transcript"][..],
        &["log", "last"],
        &["why", "last", "number", "170", "--full"],
        &["audit", "last"],
        &["history", "last"],
        &["export", "last", "--as", "md"],
    ] {
        let piped = home.succeed(arguments);
        let long = piped.lines().count() > SCREEN;
        let ended = on_terminal(home, pager, arguments);
        assert_eq!(
            (ended.code, ended.text.contains("PAGED")),
            (Some(0), long),
            "{arguments:?}: {}",
            ended.text
        );
        let without = on_terminal(home, pager, &[arguments, &["--no-pager"]].concat());
        assert!(!without.text.contains("PAGED"), "{arguments:?}");
        assert_eq!(
            plain(&ended.text.replace("PAGED", "")),
            plain(&without.text),
            "{arguments:?}: nothing is lost"
        );
        assert_eq!(plain(&on_terminal(home, "", arguments).text), plain(&without.text), "{arguments:?}");
        assert_eq!(
            plain(&on_terminal(home, "no-such-pager", arguments).text),
            plain(&without.text),
            "{arguments:?}"
        );
    }
    let short = on_terminal(home, pager, &["show", "last", "cost"]);
    assert!(!short.text.contains("PAGED") && short.text.contains("session zero"), "{}", short.text);
    // Who leaves a pager before the end of the text has read enough.
    let left = on_terminal(home, "true", &["log", "last"]);
    assert_eq!((left.code, left.text.as_str()), (Some(0), ""));
    let mut command = home.command(["show", "last", "transcript"]);
    command.env("PAGER", pager);
    assert!(Terminal::start(command).end().text.contains("PAGED"));
    let mut piped = home.command(["log", "last"]);
    let piped = piped.env("TWICETOLD_PAGER", pager).output().expect("it runs");
    assert_eq!(String::from_utf8(piped.stdout).expect("text"), home.succeed(["log", "last"]));
}

#[test]
fn a_pager_gets_colours_only_where_the_terminal_would() {
    let home = home();
    let pager = "cat -v";
    let coloured = |when| on_terminal(home, pager, &["show", "last", "transcript", "--color", when]).text;
    assert!(coloured("always").contains("^[[1m"));
    assert!(!coloured("never").contains("^["));
}

#[test]
fn text_appears_at_its_pace_until_a_key_shows_the_rest_of_a_message() {
    let home = home();
    let whole = plain(&home.succeed(["show", "last", "transcript"]));
    for arguments in [["show", "last", "transcript", "--pace"].as_slice(), &["watch", "last", "--pace"]] {
        // At one letter a second nobody waits for the end.
        let mut terminal = Terminal::start(home.command([arguments, &["1"]].concat()));
        terminal.until("─");
        terminal.signal(Signal::INT);
        let ended = terminal.end();
        assert_eq!((ended.code, ended.restored), (Some(130), true), "{}", ended.text);
        assert!(!plain(&ended.text).concat().contains("Session Zero"), "{}", ended.text);

        let mut terminal = Terminal::start(home.command([arguments, &["1"]].concat()));
        terminal.until("─");
        // A blank or return for each message, and some more.
        terminal.press(&" \r".repeat(whole.len()));
        let ended = terminal.end();
        assert_eq!((ended.code, ended.restored), (Some(0), true), "{}", ended.text);
        assert_eq!(plain(&ended.text), whole, "all of it, once");
    }
    for arguments in
        [["show", "last", "transcript", "--pace", "1"].as_slice(), &["watch", "last", "--pace", "1"]]
    {
        assert_eq!(plain(&home.succeed(arguments)), whole, "in a pipe it has no effect");
    }
    home.run(["show", "last", "party", "--pace", "9"]).failed(2, &["works only with `transcript`"]);
    home.run(["watch", "last", "--pace", "0"]).failed(2, &["--pace"]);
}

#[test]
fn a_campaign_is_played_at_the_pace_of_who_reads_it() {
    let home = Home::new();
    let play = ["run", "the-borrowed-boat", "--seed", "1", "--pace", "1"];
    let mut terminal = Terminal::start(home.command(play));
    terminal.until("─");
    terminal.press(&" ".repeat(2_000));
    let ended = terminal.end();
    assert_eq!((ended.code, ended.restored), (Some(0), true), "{}", ended.text);
    let played = home.succeed(["show", "last", "transcript"]);
    let shown = plain(&ended.text);
    for line in plain(&played) {
        assert!(shown.contains(&line) && line.chars().count() <= COLUMNS, "{line}");
    }

    let mut terminal = Terminal::start(home.command(play));
    terminal.until("─");
    terminal.signal(Signal::INT);
    let ended = terminal.end();
    assert_eq!((ended.code, ended.restored), (Some(130), true), "{}", ended.text);
    // Neither the rest of the text nor the end is shown, and little more was played.
    assert!(ended.text.contains("The story is cut here") && !ended.text.contains("The Borrowed Boat is "));
    let card = last_line(&home.succeed(["list", "--json"]))["campaigns"][0].clone();
    assert_eq!(card["state"], "paused", "{card}");
    // What goes on appears like that too.
    let resume = ["resume", "last", "--pace", "1"];
    let mut terminal = Terminal::start(home.command(resume));
    terminal.press(&" ".repeat(2_000));
    let ended = terminal.end();
    assert_eq!((ended.code, ended.restored), (Some(0), true), "{}", ended.text);
    assert!(ended.text.contains("The Borrowed Boat is over"), "{}", ended.text);
    let piped = home.succeed(play);
    assert!(piped.contains("The Borrowed Boat is over"), "in a pipe it has no effect");
    // A terminal with a line of progress is given back, too.
    let mut command = home.command(["run", "the-borrowed-boat", "--seed", "1", "--pace", "60000"]);
    command.env("TERM", "xterm");
    let ended = Terminal::start(command).end();
    assert_eq!((ended.code, ended.restored), (Some(0), true), "{}", ended.text);
}
