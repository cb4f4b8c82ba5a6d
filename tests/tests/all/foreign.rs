//! Promise: a transcript of another program can be read, audited, verified and exported, and never be taken for a campaign.

use std::path::PathBuf;

use serde_json::Value;
use twicetold_tests::{Home, flat, last_line, repository};

fn sample(name: &str) -> PathBuf {
    repository().join("tests/samples").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(sample(name)).expect("the sample is there")
}

/// A home with this text imported by that mapping.
fn imported(mapping: &str, file: &str, text: &str) -> Home {
    let home = Home::new();
    home.write(file, text);
    home.succeed(["import", "--from", mapping, file]);
    home
}

fn not_recorded(report: &Value) -> Vec<&str> {
    let listed = report["detectors"].as_array().expect("a list of detectors");
    let silent = listed.iter().filter(|detector| !detector["not_recorded"].is_null());
    silent.filter_map(|detector| detector["name"].as_str()).collect()
}

#[test]
fn agents_with_calls_as_python_prints_them_are_read_whole() {
    let home = imported("autogen", "night.jsonl", &text("autogen.jsonl"));
    let shown = home.succeed(["show", "last", "transcript"]);
    for wanted in [
        "night.jsonl (autogen); not recorded: who heard what",
        "dm calls roll {\"character\": \"ada\", \"dice\": \"1d20\", \"difficulty\": 12}",
        "[dice] ada: 7 against 12: failure",
        "failed: there is no such page",
        "Bo finds the landing empty",
    ] {
        assert!(flat(&shown).contains(wanted), "{wanted:?} is not in {shown}");
    }
    assert!(!shown.contains("FunctionCall"), "{shown}");
    let report = last_line(&home.succeed(["audit", "last", "--json"]));
    assert_eq!(report["findings"], serde_json::json!([]));
    assert_eq!(not_recorded(&report), ["turn-order", "knowledge", "unseen", "objective"]);
    let listed = &last_line(&home.succeed(["list", "--json"]))["campaigns"];
    assert_eq!((&listed[0]["title"], &listed[0]["state"]), (&"night.jsonl".into(), &"foreign".into()));
}

#[test]
fn a_failure_told_as_a_success_is_an_error_in_a_foreign_transcript_too() {
    let spoiled =
        text("autogen.jsonl").replace("Ada fails: the wick is wet through.", "Ada succeeds, and rolls a 19.");
    let home = imported("autogen", "night.jsonl", &spoiled);
    let outcome = home.run(["audit", "last", "--fail-on", "error"]);
    assert_eq!(outcome.code, Some(9), "{}", outcome.stdout);
    let said = flat(&outcome.stdout);
    assert!(said.contains("the narration says that it succeeded"), "{said}");
    assert!(said.contains("the narration gives the result 19"), "{said}");
    assert!(said.contains("Detectors that did not run, because the transcript lacks their data: turn-order (an order of initiative), knowledge (who could hear what)"), "{said}");
}

#[test]
fn a_conversation_of_chat_completions_is_read_with_its_dice() {
    let home = imported("openai-chat", "mill.json", &text("openai-chat.json"));
    let shown = flat(&home.succeed(["show", "last", "transcript"]));
    assert!(shown.contains("I pick the lock of the mill."), "{shown}");
    assert!(shown.contains("[dice] Ada: 19 against 15: success"), "{shown}");
    assert!(!shown.contains("You are the dungeon master."), "{shown}");
    let report = last_line(&home.succeed(["audit", "last", "--json"]));
    assert_eq!(report["findings"], serde_json::json!([]));
    assert_eq!(not_recorded(&report), ["turn-order", "knowledge", "unseen", "objective", "budget"]);
}

#[test]
fn a_conversation_is_read_in_every_form_in_which_it_is_saved() {
    let whole: Value = serde_json::from_str(&text("openai-chat.json")).expect("JSON");
    let messages = whole["messages"].as_array().expect("a list");
    let line_by_line: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let forms = [
        ("document.json", whole.to_string()),
        ("list.json", whole["messages"].to_string()),
        ("messages.jsonl", line_by_line),
        ("conversations.jsonl", format!("{whole}\n{whole}\n")),
    ];
    for (file, text) in forms {
        let shown = flat(&imported("openai-chat", file, &text).succeed(["show", "last", "transcript"]));
        let times = if file == "conversations.jsonl" { 2 } else { 1 };
        assert_eq!(shown.matches("I pick the lock of the mill.").count(), times, "{file}: {shown}");
        assert_eq!(shown.matches("[dice] Ada: 19 against 15: success").count(), times, "{file}: {shown}");
    }
    let home = Home::new();
    home.write("bad.jsonl", format!("{}\n{}\n{}\n", messages[1], "{\"role\"", messages[1]));
    home.run(["import", "--from", "openai-chat", "bad.jsonl"]).failed(2, &["bad.jsonl:2: no JSON"]);
}

#[test]
fn a_chat_whose_first_line_has_no_metadata_is_read_too() {
    let older = text("sillytavern.jsonl").replace(",\"chat_metadata\":{}", "");
    let home = imported("sillytavern", "harbour.jsonl", &older);
    let shown = flat(&home.succeed(["show", "last", "transcript"]));
    assert!(shown.contains("Under the seat lies a wet letter, and no oars."), "{shown}");
}

#[test]
fn a_chat_without_tools_says_what_it_does_not_know() {
    let home = imported("sillytavern", "harbour.jsonl", &text("sillytavern.jsonl"));
    let shown = flat(&home.succeed(["show", "last", "transcript"]));
    assert!(shown.contains("not recorded: tool calls, rolls, tokens, who heard what"), "{shown}");
    assert!(shown.contains("Under the seat lies a wet letter, and no oars."), "{shown}");
    let said = flat(&home.succeed(["audit", "last"]));
    assert!(said.contains("Nothing found."), "{said}");
    assert!(said.contains("unrolled (rolls)"), "{said}");
}

#[test]
fn numbers_that_nothing_can_hold_and_rolls_within_rolls_are_read_without_a_failure() {
    let home = Home::new();
    let chat = |said: &str| {
        let lines: Vec<Value> = ["Ann", "Ben", "Ann"]
            .iter()
            .map(|name| serde_json::json!({"role": "assistant", "name": name, "content": said}))
            .collect();
        Value::from(lines).to_string()
    };
    for said in [
        "1d20 total (15 1d20 3)",
        "roll 1 + 9223372036854775807 + 9223372036854775807 = 5",
        "1d20-9223372036854775808 = [17] - 9223372036854775808 = 5",
    ] {
        home.write("chat.json", chat(said));
        home.run(["audit", "chat.json"]).succeeded();
        home.succeed(["import", "chat.json"]);
    }
    // Nor is a text of many speakers compared line by line.
    let many: Vec<Value> = (0..401)
        .map(
            |number| serde_json::json!({"role": "assistant", "name": format!("N{number}"), "content": "Hm."}),
        )
        .collect();
    home.write("chat.json", Value::from(many).to_string());
    home.run(["import", "chat.json"]).failed(2, &["more than 400 speakers"]);
    home.write("chat.jsonl", "{\"role\":\"assistant\",\"content\":\"Hm.\"}\n".repeat(100_001));
    home.run(["import", "chat.jsonl"]).failed(2, &["more than 100000 records"]);
}

#[test]
fn a_foreign_journal_is_verified_and_exported_and_nothing_else_plays_it() {
    let home = imported("autogen", "night.jsonl", &text("autogen.jsonl"));
    assert!(home.succeed(["verify", "last"]).contains("Intact: 11 entries"));
    for command in
        [&["resume", "last"][..], &["replay", "last"], &["fork", "last", "--at", "3"], &["undo", "last"]]
    {
        home.run(command).failed(2, &["transcript of another program (autogen, from night.jsonl)", "audit"]);
    }
    let page = home.succeed(["export", "last", "--as", "md"]);
    assert!(page.starts_with("# night.jsonl") && page.contains("not recorded: who heard what"), "{page}");
    assert!(page.contains("**dm** (#5)\n\n> The lamp has gone out"), "{page}");
    let lines = home.succeed(["export", "last", "--as", "jsonl"]);
    assert_eq!(last_line(&lines)["type"], "ForeignSpoke");
    assert_eq!(lines, home.succeed(["log", "last", "--json"]));
    let log = home.succeed(["log", "last"]);
    assert!(log.lines().any(|line| line.starts_with("#5 ") && line.contains("dm: The lamp")), "{log}");
    let chat = last_line(&home.succeed(["export", "last", "--as", "chat"]));
    let messages = chat["messages"].as_array().expect("messages");
    assert!(messages.iter().any(|message| message["tool_calls"][0]["function"]["name"] == "roll"), "{chat}");
    assert!(chat["not_recorded"].as_array().expect("a list").contains(&"who heard what".into()), "{chat}");
    let html = home.succeed(["export", "last", "--as", "html"]);
    assert!(html.contains("The lamp has gone out") && html.contains("Not recorded: "), "{html}");
    home.succeed(["report", "last", "-o", "night.html"]);
    assert_eq!(std::fs::read_to_string(home.path("night.html")).expect("it is there"), html);
    home.run(["export", "last", "--as", "discord"]).failed(2, &["not recorded: who plays whom"]);
    let tree = home.succeed(["tree"]);
    assert!(tree.contains("  night.jsonl, ") && tree.contains(" lines, foreign\n"), "{tree}");
    assert!(home.succeed(["rebuild"]).contains("nothing to fold"));
    home.succeed(["export", "last", "night.twicetold"]);
    let audited = home.succeed(["audit", "last", "--json"]);
    let other = Home::new();
    std::fs::copy(home.path("night.twicetold"), other.path("night.twicetold")).expect("the export is there");
    other.succeed(["import", "night.twicetold"]);
    assert_eq!(other.succeed(["audit", "last", "--json"]), audited);
    assert_eq!(
        other.succeed(["show", "last", "transcript", "--json"]),
        home.succeed(["show", "last", "transcript", "--json"])
    );
}

#[test]
fn a_damaged_transcript_is_named_with_its_line_and_nothing_is_imported() {
    let whole = text("autogen.jsonl");
    let cases = [
        (whole.replacen("\"source\":\"ada\"", "\"source\"", 1), "bad.jsonl:3: no JSON"),
        (
            whole.replacen("name='roll')]", "name='ro", 1),
            "bad.jsonl:4: FunctionCall(…): a text in it does not end",
        ),
        (
            whole.replacen("\"source\":\"bo\"", "\"sauce\":\"bo\"", 1),
            "bad.jsonl:7: the record has no speaker",
        ),
        (whole.replacen("[5]", "[70000]", 1), "bad.jsonl:5: 70000 is no face of a die"),
        ("[1, 2]".to_owned(), "bad.jsonl:1: a record must be an object"),
        ("[{\"source\": \"dm\"".to_owned(), "bad.jsonl:1: no JSON"),
        (String::new(), "contains no record with a speaker"),
        (
            whole.replace("\"source\":\"ada\"", &format!("\"source\":{:?}", "a".repeat(300))),
            "300 bytes, at most 200",
        ),
    ];
    for (text, wanted) in cases {
        let home = Home::new();
        home.write("bad.jsonl", text);
        home.run(["import", "--from", "autogen", "bad.jsonl"]).failed(2, &[wanted]);
        assert!(home.campaigns().is_empty());
    }
    let home = Home::new();
    home.write("deep.json", format!("{{\"messages\": {}", "[".repeat(5_000)));
    home.run(["import", "--from", "openai-chat", "deep.json"]).failed(2, &["deep.json:1: no JSON"]);
    home.run(["import", "--from", "openai-chat", "nowhere.json"]).failed(7, &["nowhere.json cannot be read"]);
}

#[test]
fn a_mapping_with_an_unknown_field_is_refused_with_its_line() {
    let home = Home::new();
    home.write("night.jsonl", text("autogen.jsonl"));
    home.write(
        "mine.toml",
        "name = \"mine\"\nabout = \"mine\"\nspeaker = [\"source\"]\ntext = [\"content\"]\nspeeker = 1\n",
    );
    home.run(["import", "--from", "mine.toml", "night.jsonl"]).failed(2, &["mine.toml", "speeker"]);
    home.run(["import", "--from", "mine", "night.jsonl"]).failed(
        2,
        &["anthropic, autogen, autogen-0.2, langchain, openai-chat, openai-responses, sharegpt, sillytavern"],
    );
    home.edit("mine.toml", "speeker = 1\n", "audience = \"to\"\n");
    home.write(
        "night.jsonl",
        "{\"source\": \"dm\", \"content\": \"Dusk.\", \"unheard_of\": {\"a\": 1}}\n{\"source\": \"ada\", \"content\": \"Psst.\", \"to\": [\"bo\"]}\n",
    );
    home.succeed(["import", "--from", "mine.toml", "night.jsonl"]);
    assert!(home.succeed(["show", "last", "transcript"]).contains("ada (to bo)"));
}

/// The first paragraph of an audit.
fn read_as(home: &Home, arguments: &[&str]) -> String {
    let said = home.succeed([&["audit"], arguments].concat());
    flat(said.split("\n\n").next().expect("a paragraph"))
}

#[test]
fn an_audit_finds_the_format_and_says_what_it_took_and_what_it_passed_over() {
    let home = Home::new();
    home.write("night.txt", text("autogen-console.txt"));
    let said = read_as(&home, &["night.txt"]);
    for wanted in [
        "night.txt (autogen): 5 messages by 4 speakers, 1 tool call, 1 roll.",
        "Narrator: dm. Players: ada, bo. Others: user.",
        "1 × thinking (not said at the table; line 10)",
        "1 × unknown kind \"FooEvent\" (the mapping autogen does not name it; line 20)",
    ] {
        assert!(said.contains(wanted), "{wanted:?} is not in {said}");
    }
    assert!(home.campaigns().is_empty(), "an audit imports nothing");
    let said = read_as(&home, &["night.txt", "--narrator", "bo", "--other", "Ada"]);
    assert!(said.contains("Narrator: bo. Players: dm. Others: user, ada."), "{said}");
    home.run(["audit", "night.txt", "--player", "boo"])
        .failed(2, &["did you mean \"bo\"?", "the speakers are: ada, bo, dm, user"]);
    home.run(["audit", "night.txt", "--from", "autogn"]).failed(2, &["did you mean \"autogen\"?"]);
    home.write("terminal.txt", text("autogen-terminal.txt"));
    let imported = flat(&home.succeed(["import", "terminal.txt"]));
    assert!(
        imported.contains("imported by the mapping autogen-0.2") && imported.contains("1 roll"),
        "{imported}"
    );
    let read = &last_line(&home.succeed(["audit", "last", "--json"]))["read"];
    assert_eq!((&read["calls"], &read["failures"], &read["messages"]), (&2.into(), &1.into(), &5.into()));
}

#[test]
fn a_finding_names_the_line_of_the_file_in_every_output() {
    let home = Home::new();
    let spoiled = text("autogen-task-result.json").replace("A light answers.", "You rolled a 19 for luck.");
    let spoiled = spoiled.replace("content='Unknown tool fly'", "content='1d20 = [4] = 4'");
    home.write("night.json", spoiled);
    let said = flat(&home.succeed(["audit", "night.json"]));
    assert!(said.contains("warning 85% night.json:9 "), "{said}");
    let report = last_line(&home.succeed(["audit", "night.json", "--json"]));
    assert_eq!(
        (&report["findings"][0]["file"], &report["findings"][0]["lines"][0]),
        (&"night.json".into(), &9.into())
    );
    home.succeed(["import", "night.json"]);
    let page = flat(&home.succeed(["export", "last", "--as", "html"]));
    for wanted in
        ["night.json:9", "Not looked for, because it was not recorded", "Passed over: 2 × piece of a message"]
    {
        assert!(page.contains(wanted), "{wanted:?} is not in {page}");
    }
}

#[test]
fn bad_files_are_refused_by_an_audit_with_what_is_the_matter() {
    let home = Home::new();
    home.write("story.txt", "The ferry left.\n");
    home.run(["audit", "story.txt"])
        .failed(4, &["nor a transcript in a known format", "--from MAPPING FILE"]);
    home.write("odd.json", "{\"line\": \"\\u001b[31mDusk.\", \"\\u001b[2J\": 1}");
    let refused = home.run(["audit", "odd.json"]);
    assert!(!refused.stderr.contains("\u{1b}[2J"), "{}", refused.stderr);
    refused.failed(4, &["its first record has the fields"]);
    home.write("empty.json", "");
    home.run(["audit", "empty.json"]).failed(4, &["it is empty"]);
    home.write("cut.json", "{\"messages\": [\n{\"role\": \"user\", \"content\": \"Go.\"},\n{\"role\"");
    home.run(["audit", "cut.json"]).failed(2, &["cut.json:3: no JSON"]);
    home.write("list.json", format!("{{\"messages\": {}", "[".repeat(100_000)));
    home.run(["audit", "list.json"]).failed(2, &["list.json:1: no JSON"]);
    std::fs::write(home.path("picture.png"), b"\x89PNG\r\n\x1a\n\0\0").expect("it can be written");
    home.run(["audit", "picture.png"]).failed(4, &["no transcript either", "UTF-8"]);
    let large = std::fs::File::create(home.path("large.json")).expect("it can be made");
    large.set_len(65 << 20).expect("a file without content");
    home.run(["audit", "large.json"]).failed(4, &["it has more than 67108864 bytes"]);
    home.run(["audit", "last", "--narrator", "dm"]).failed(7, &["name the file of the transcript"]);
    match std::process::Command::new("mkfifo").arg(home.path("pipe")).status() {
        Ok(made) if made.success() => {}
        _ => return twicetold_tests::skipped("a pipe", "none can be made here"),
    }
    home.run(["audit", "--from", "autogen", "pipe"]).failed(2, &["a pipe or a device; name a file"]);
}

#[test]
fn a_mapping_of_ones_own_reads_dice_and_failures_from_text() {
    let home = Home::new();
    home.write(
        "mine.toml",
        r#"name = "mine"
about = "lines of a bot"
speaker = "by"
text = "said"

[[results]]
at = ""
text = "said"
when = [{ path = "by", is = ["bot"] }]

[rolls]
written = ['{who} hat mit {dice} eine {total} gewürfelt']

[failures]
written = ['Leider {rest}']
"#,
    );
    home.write(
        "abend.jsonl",
        "{\"by\":\"gm\",\"said\":\"Es dunkelt.\"}\n{\"by\":\"Ada\",\"said\":\"Ich lausche.\"}\n\
         {\"by\":\"bot\",\"said\":\"Ada hat mit W1d20 eine 4 gewürfelt\"}\n{\"by\":\"bot\",\"said\":\"Ada hat mit 1d20 eine 4 gewürfelt\"}\n\
         {\"by\":\"bot\",\"said\":\"Leider unbekannt\"}\n",
    );
    let said = read_as(&home, &["abend.jsonl", "--from", "mine.toml"]);
    assert!(said.contains("2 messages by 2 speakers, 0 tool calls (1 failed), 1 roll."), "{said}");
    home.edit("mine.toml", "eine {total}", "eine {Total}");
    home.run(["audit", "abend.jsonl", "--from", "mine.toml"])
        .failed(2, &["mine.toml", "{Total} is no field"]);
}
