//! Promise: a story is printed in the order in which somebody wants to read it.

use twicetold_tests::{Home, Server};

#[test]
fn a_check_is_printed_after_the_words_about_it_and_its_record_not_at_all() {
    let home = Home::new();
    home.play(7);
    let transcript = home.succeed(["show", "last", "transcript"]);
    let (mut speaker, mut checks) = ("", 0);
    for line in transcript.lines() {
        let is_speaker = !line.starts_with([' ', '─', '★']) && !line.is_empty();
        speaker = if is_speaker { line } else { speaker };
        if let Some((name, _)) = line.trim().strip_prefix("[check] ").and_then(|rest| rest.split_once(':')) {
            assert_eq!(speaker, name, "{line}");
            checks += 1;
        }
    }
    assert!(checks > 2, "{transcript}");
    let unbroken = transcript.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!unbroken.contains("[event] ") || !unbroken.contains(" failed to "), "{unbroken}");
    assert!(
        home.succeed(["show", "last", "transcript", "--json"]).contains("managed to "),
        "a program is told all"
    );
}

#[test]
#[cfg(unix)]
fn a_campaign_is_paused_when_nobody_reads_it_any_more() {
    let home = Home::new();
    let run = "\"$TWICETOLD\" run the-borrowed-boat --seed 3";
    let closed = home.shell(&format!("{run} | head -1"));
    assert!(
        closed.stderr.contains("standard output") && closed.stderr.contains("resume"),
        "{}",
        closed.stderr
    );
    let listed = home.succeed(["list"]);
    assert!(listed.contains("paused: standard output was closed"), "{listed}");
    home.run(["resume", "last", "--quiet"]).succeeded();
    home.run(["replay", "last"]).succeeded();
    assert!(home.succeed(["list"]).contains("over: resolved"), "it goes on to its end");
}

#[test]
fn a_list_tells_the_whole_reason_in_a_pipe_and_to_programs() {
    let home = Home::new();
    let nowhere = Server::nowhere();
    home.configure(&format!("http://{nowhere}/v1"), "");
    let failed = home.run(["run", "the-borrowed-boat", "--config", "configuration", "--quiet"]);
    assert_ne!(failed.code, Some(0), "there is no server");
    let listed = home.succeed(["list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let detail = listed["campaigns"][0]["detail"].as_str().expect("a text");
    assert!(detail.contains("/v1/chat/completions") && !detail.ends_with('…'), "{detail}");
    let lines = home.succeed(["list"]);
    assert!(lines.contains(detail) && lines.lines().count() == 2, "{lines}");
    assert!(lines.lines().all(|line| line == line.trim_end()), "{lines:?}");
    let coloured = home.succeed(["list", "--color", "always"]);
    assert!(coloured.contains("paused\u{1b}[0m"), "{coloured:?}");
}
