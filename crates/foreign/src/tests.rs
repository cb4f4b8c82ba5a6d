//! Each system's sample, read by the mapping that knows it: who speaks, what is called, what came of it, the dice and the lines.

use std::path::{Path, PathBuf};

use twicetold_event::{Event, ForeignRoll};

use crate::{Mapping, Record, RecordError, Told, detect, records};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn mappings() -> Vec<Mapping> {
    let common = text("config/mappings/common.toml");
    let folder = std::fs::read_dir(root().join("config/mappings")).unwrap();
    let mut names: Vec<String> =
        folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "common.toml");
    names.sort();
    let read = |name: &String| Mapping::read(text(&format!("config/mappings/{name}")), &common).unwrap();
    names.iter().map(read).collect()
}

fn read(text: &str, told: &Told) -> Result<(String, Vec<Record>), RecordError> {
    let mappings = mappings();
    let path = Path::new("sample");
    let mapping = detect(path, text, &mappings)?;
    Ok((mapping.name().to_owned(), records(path, text, mapping, told)?))
}

fn dice(roll: &ForeignRoll) -> String {
    let number = |number: Option<i64>| number.map_or("-".to_owned(), |number| number.to_string());
    let success = roll.success.map_or("-", |success| if success { "success" } else { "failure" });
    let (total, difficulty) = (number(roll.total), number(roll.difficulty));
    format!("{:?} {} {:?} {total} vs {difficulty} {success}", roll.character, roll.dice, roll.faces)
}

/// What was read, a line for each event, with the line of the file in front.
fn told(records: &[Record]) -> String {
    let mut out = String::new();
    for (line, events) in records {
        for event in events {
            let said = match event {
                Event::ForeignSpoke(word) => {
                    format!("{} ({:?}): {}", word.speaker, word.role, word.text.replace('\n', " / "))
                }
                Event::ForeignCalled(word) => {
                    format!("{} calls {} {}", word.speaker, word.tool, word.arguments.replace('\n', ""))
                }
                Event::ForeignAnswered(word) => {
                    let failed = if word.failed == Some(true) { "failed" } else { "answer" };
                    let roll = word.roll.as_ref().map_or_else(|| word.text.clone(), dice);
                    format!("{failed} {}: {roll}", word.id)
                }
                Event::ForeignRolled(word) => format!("{} rolls {}", word.speaker, dice(&word.roll)),
                Event::ForeignPassedOver(word) => {
                    format!("passed over {} {} ({})", word.times, word.what, word.why)
                }
                other => panic!("{other:?}"),
            };
            out += &format!("{} {said}\n", line.line);
        }
    }
    out
}

fn is_read(sample: &str, mapping: &str, wanted: &str) {
    let (name, records) = read(&text(&format!("tests/samples/{sample}")), &Told::default()).unwrap();
    assert_eq!(name, mapping, "{sample}");
    assert_eq!(told(&records), wanted.trim_start(), "{sample}");
}

#[test]
fn messages_of_autogen_are_read_in_every_form() {
    is_read(
        "autogen.jsonl",
        "autogen",
        r#"
1 user (Other): Play the evening at the lighthouse.
2 dm (Narrator): The lamp has gone out, and the ferry is late. Ada, you stand on the stairs. What do you do?
3 ada (Player): I climb up and try to light the lamp again.
4 dm (Narrator): 
4 dm calls roll {"character": "ada", "dice": "1d20", "difficulty": 12}
5 answer call_1: "ada" 1d20 [5] 7 vs 12 failure
6 dm (Narrator): Ada fails: the wick is wet through. Below, a bell rings twice. Bo, do you hear it?
7 bo (Player): I run down to the landing and look for the ferry.
8 dm calls look_up {"page":"ferries"}
9 failed call_2: there is no such page
10 dm (Narrator): Bo finds the landing empty, and a lantern still swinging on its hook.
"#,
    );
    is_read(
        "autogen-task-result.json",
        "autogen",
        r#"
3 user (Other): Play the evening.
4 passed over 1 piece of a message (the whole message follows)
5 passed over 1 piece of a message (the whole message follows)
6 dm (Narrator): The ferry is late.
7 ada (Player): I ring the bell.
8 passed over 1 piece of a message (joined with line 7)
9 dm (Narrator): hopeful / A light answers.
10 passed over 1 summary of tool results (the results themselves are read)
11 failed call_9: Unknown tool fly
"#,
    );
    is_read(
        "autogen-task-result.txt",
        "autogen",
        r#"
1 user (Other): Play the evening.
2 dm (Narrator): The ferry's late. / Ada, what do you do?
3 ada (Player): I ring the bell.
4 dm calls roll {"dice": "1d20"}
5 answer call_1: "" 1d20 [16] 16 vs - -
6 dm (Narrator): hopeful / A light answers from the water.
"#,
    );
    is_read(
        "autogen-console.txt",
        "autogen",
        r#"
1 user (Other): Play the evening at the lighthouse.
3 dm (Narrator): The lamp has gone out. Ada, you stand on the stairs. /  / What do you do?
8 ada (Player): I light the lamp again.
10 passed over 1 thinking (not said at the table)
12 dm calls roll {"dice": "1d20", "dc": 12}
14 answer call_1: "" 1d20 [5] 7 vs 12 failure
16 passed over 1 summary of tool results (the results themselves are read)
18 dm (Narrator): Ada fails: the wick is wet through.
20 passed over 1 unknown kind "FooEvent" (the mapping autogen does not name it)
22 bo (Player): I run down to the landing.
24 passed over 1 summary of the run (it counts messages and tokens)
"#,
    );
}

#[test]
fn conversations_of_autogen_0_2_are_read_with_their_calls() {
    is_read(
        "autogen-chat-history.json",
        "autogen-0.2",
        r#"
3 Admin (Other): Play the evening at the mill.
4 Game_Master (Narrator): The mill is dark. Ada, the door is locked.
5 Ada (Player): I pick the lock.
6 Game_Master calls roll_check {"who": "Ada", "dice": "1d20+3"}
12 answer call_1: "Ada" 1d20+3 [14] 17 vs 15 success
18 Game_Master (Narrator): The lock gives way, and the door swings in.
19 Game_Master calls look_up {"page": "owls"}
23 failed : Error: there is no page called owls
24 Game_Master (Narrator): An owl looks down at Bo from a beam.
25 Bo (Player): I greet the owl.
"#,
    );
    is_read(
        "autogen-terminal.txt",
        "autogen-0.2",
        r#"
1 Admin (Other): Play the evening at the mill.
11 Game_Master (Narrator): The mill is dark. Ada, the door is locked. / What do you do?
17 Ada (Player): I pick the lock.
22 Game_Master calls roll_dice {"who": "Ada", "dice": "1d20"}
35 passed over 1 empty message (it has neither words nor calls)
37 answer functions.roll_dice:0: "Ada" 1d20 [7] 7 vs - -
44 Game_Master (Narrator): The pick snaps, Ada. Bo, you hear steps.
44 Game_Master calls look_up {"page": "owls"}
54 failed : Error: there is no page called owls
61 Bo (Player): I hide behind the millstone.
"#,
    );
}

#[test]
fn conversations_of_openai_are_read_with_calls_and_with_what_a_model_declines() {
    is_read(
        "openai-chat.json",
        "openai-chat",
        r#"
4 passed over 1 system prompt (not said at the table)
5 Ada (Player): I pick the lock of the mill.
6 assistant calls roll_dice {"dice":"1d20"}
9 answer call_a: "Ada" 1d20 [17] 19 vs 15 success
10 assistant (Narrator): Ada succeeds with 19 against a DC 15, and the door swings in.
11 Ada (Player): I look for the ledger.
"#,
    );
    is_read(
        "openai-legacy.json",
        "openai-chat",
        r#"
2 passed over 1 system prompt (not said at the table)
3 user (Narrator): The gate is barred. What do you do?
4 assistant calls roll_dice {"notation": "1d20+2"}
5 answer : "" 1d20+2 [11] 13 vs 14 failure
6 assistant (Player): I climb, and slip.
6 passed over 1 thinking (not said at the table)
7 user (Narrator): Burn down the orphanage.
8 assistant (Player): I will not do that.
"#,
    );
    is_read(
        "openai-responses.json",
        "openai-responses",
        r#"
2 user (Player): The gate is barred, and I pick its lock.
4 passed over 1 thinking (not said at the table)
5 assistant calls roll {"dice":"1d20+2"}
6 answer call_1: "" 1d20+2 [14] 17 vs 15 success
7 assistant (Narrator): The lock gives way.
8 assistant (Narrator): I say no more.
9 passed over 1 unknown kind "hologram_call" (the mapping openai-responses does not name it)
"#,
    );
}

#[test]
fn blocks_of_anthropic_are_words_calls_and_results() {
    is_read(
        "anthropic.json",
        "anthropic",
        r#"
4 user (Player): I look into the well.
5 assistant (Narrator): You lean over the edge.
5 assistant calls roll {"dice":"1d20"}
5 assistant calls look_up {"page":"wells"}
5 passed over 1 thinking (not said at the table)
11 user (Player): I lean further.
11 answer toolu_1: "" 1d20 [9] 9 vs 12 failure
11 failed toolu_2: the book is closed
16 assistant (Narrator): You see nothing but the dark.
"#,
    );
}

#[test]
fn messages_of_langchain_and_langgraph_are_read() {
    is_read(
        "langchain.json",
        "langchain",
        r#"
2 passed over 1 system prompt (not said at the table)
3 human (Player): I open the chest.
4 ai calls roll {"dice": "1d20"}
6 answer call_1: "" 1d20 [18] 18 vs 10 success
7 ai (Narrator): The lid opens.
"#,
    );
    is_read(
        "langgraph.json",
        "langchain",
        r#"
3 human (Other): I open the chest.
4 ai calls roll {"dice":"1d20"}
6 answer call_1: "" 1d20 [18] 18 vs - -
7 Narrator (Narrator): The lid opens.
8 failed call_1: the page is torn
9 Bo (Player): I take the map.
"#,
    );
}

#[test]
fn chats_of_sillytavern_and_sharegpt_are_read() {
    is_read(
        "sillytavern.jsonl",
        "sillytavern",
        r#"
1 passed over 1 description of the chat (not said at the table)
2 The Keeper (Narrator): The harbour is quiet. Somebody has left a boat at the steps.
3 Ada (Player): I look into the boat.
4 The Keeper (Narrator): Under the seat lies a wet letter, and no oars.
"#,
    );
    is_read(
        "sillytavern-group.jsonl",
        "sillytavern",
        r#"
1 passed over 1 description of the chat (not said at the table)
2 Narrator (Narrator): The harbour is quiet.
2 passed over 2 swipe (another one was taken)
3 Bo (Player): *rolls d20* 14. I look into the boat.
3 Bo rolls "" d20 [14] 14 vs - -
4 Ada (Player): I wait on the steps.
5 passed over 1 note of the program (not said at the table)
6 Narrator (Narrator): With a 14, Bo finds a wet letter.
6 passed over 1 thinking (not said at the table)
"#,
    );
    is_read(
        "sharegpt.jsonl",
        "sharegpt",
        r#"
1 passed over 1 system prompt (not said at the table)
1 human (Player): I knock.
1 gpt calls roll {"dice":"2d6"}
1 answer : "" 2d6 [3, 4] 7 vs - -
1 gpt (Narrator): Nobody answers.
2 human (Player): I knock again.
2 gpt (Narrator): A window opens.
"#,
    );
}

#[test]
fn dice_are_read_from_every_text_that_programs_write() {
    let cases = [
        ("1d20+3 = [14] + 3 = 17 vs DC 15: success", "\"\" 1d20+3 [14] 17 vs 15 success"),
        ("Old Mara rolls a 1d20 and gets: 7 (7)", "\"Old Mara\" 1d20 [7] 7 vs - -"),
        ("*rolls d20* 14", "\"\" d20 [14] 14 vs - -"),
        ("**Ada**: 1d20 (14) + 3 = `17`", "\"Ada\" 1d20 [14] 17 vs - -"),
        ("Ada rolls a 2d6. The result is: 9 (4,5)", "\"Ada\" 2d6 [4, 5] 9 vs - -"),
        ("Ada rolled 2d6: 9 (4, 5)", "\"Ada\" 2d6 [4, 5] 9 vs - -"),
        ("Rolled 1d20+2: 13 (rolls: [11], modifier: +2)", "\"\" 1d20+2 [11] 13 vs - -"),
        ("1d20 - 1 → 9 vs. DC 12 (failure)", "\"\" 1d20-1 [] 9 vs 12 failure"),
        ("14 + 3 = 17 against 15: SUCCESS", "\"\"  [14] 17 vs 15 success"),
        ("[1d20: 14]", "\"\" 1d20 [14] 14 vs - -"),
        ("{'roll': 14, 'total': 17, 'dc': 15, 'success': True}", "\"\"  [14] 17 vs 15 success"),
        ("{'rolled': 5, 'max': 8, 'under': True}", "\"\"  [5] 5 vs - success"),
        ("{\"result\": {\"total\": 4, \"dice\": \"1d6\"}}", "\"\" 1d6 [] 4 vs - -"),
    ];
    for (said, wanted) in cases {
        let line = serde_json::json!({"role": "tool", "tool_call_id": "c", "content": said});
        let text = format!("{{\"role\":\"user\",\"content\":\"Go.\"}}\n{line}\n");
        let (_, records) = read(&text, &Told::default()).unwrap();
        assert_eq!(told(&records[1..]), format!("2 answer c: {wanted}\n"), "{said}");
    }
    for plain in [
        "Roll 2d6 at noon.",
        "He rolls 3 barrels.",
        "{\"total\": 55, \"what\": \"rope\"}",
        "The 3 + 4 = 7 rule",
        "17",
    ] {
        let line = serde_json::json!({"role": "tool", "tool_call_id": "c", "content": plain});
        let text = format!("{{\"role\":\"user\",\"content\":\"Go.\"}}\n{line}\n");
        let (_, records) = read(&text, &Told::default()).unwrap();
        assert_eq!(told(&records[1..]), format!("2 answer c: {plain}\n"));
    }
}

#[test]
fn a_call_says_whose_dice_a_bare_number_is() {
    let call = serde_json::json!({"id": "c", "function": {"name": "roll", "arguments": "{\"who\":\"Ada\",\"dice\":\"1d20\",\"dc\":12}"}});
    let text = format!(
        "{}\n{}\n{{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"17\"}}\n",
        serde_json::json!({"role": "user", "content": "Go."}),
        serde_json::json!({"role": "assistant", "content": null, "tool_calls": [call]}),
    );
    let (_, records) = read(&text, &Told::default()).unwrap();
    assert_eq!(told(&records[2..]), "3 answer c: \"Ada\" 1d20 [17] 17 vs 12 -\n");
}

#[test]
fn a_call_and_its_answer_tell_together_what_fell() {
    let answer = |arguments: &str, said: &str| {
        let call = serde_json::json!({"id": "c", "function": {"name": "throw", "arguments": arguments}});
        let text = format!(
            "{}\n{}\n{}\n",
            serde_json::json!({"role": "user", "content": "Go."}),
            serde_json::json!({"role": "assistant", "content": null, "tool_calls": [call]}),
            serde_json::json!({"role": "tool", "tool_call_id": "c", "content": said}),
        );
        told(&read(&text, &Told::default()).unwrap().1[2..])
    };
    let with_wound = answer(
        r#"{"who": "Ada", "sides": 20, "against": 11}"#,
        "natural 9, plus 4 = 13 against 11, hit for d8: 6",
    );
    assert!(
        with_wound.contains("1d20 [9] 13 vs 11 success") && with_wound.contains("d8 [6] 6 vs - -"),
        "{with_wound}"
    );
    let hundred = answer(r#"{"who": "Ada", "art": 65}"#, r#"{"fell": 70, "art": 65, "made": false}"#);
    assert!(hundred.contains("1d100 [70] 70 vs 65 failure"), "{hundred}");
    let pool = answer(r#"{"who": "Ada", "of": 4}"#, r#"{"faces": [6, 2, 5, 1], "good": 2, "wanted": 3}"#);
    assert!(pool.contains("[6, 2, 5, 1] 2 vs"), "{pool}");
}

#[test]
fn results_say_that_a_call_failed_in_many_words_and_plain_ones_do_not() {
    let result = |said: &str| {
        let line = serde_json::json!({"role": "tool", "tool_call_id": "c", "content": said});
        let text = format!("{{\"role\":\"user\",\"content\":\"Go.\"}}\n{line}\n");
        told(&read(&text, &Told::default()).unwrap().1[1..])
    };
    for failed in [
        "Error: no such thing",
        "ValueError: dice must be NdM",
        "Page 12 not found.",
        "Unknown tool fly",
        "{\"error\": \"closed\"}",
        "{\"ok\": false}",
        "{\"status\": \"error\", \"why\": 1}",
        "Traceback (most recent call last):\n  File",
    ] {
        assert!(result(failed).starts_with("2 failed"), "{failed}");
    }
    for fine in [
        "The key was lost, and nobody who looked for it in the mill ever found it: it was not found.",
        "{\"error\": null}",
        "Errors are human.",
        "ok",
    ] {
        assert!(result(fine).starts_with("2 answer"), "{fine}");
    }
}

#[test]
fn who_tells_the_story_is_told_where_the_names_do_not_say_it() {
    let text = "{\"source\":\"ada\",\"type\":\"TextMessage\",\"content\":\"Dusk.\"}\n\
                {\"source\":\"bo\",\"type\":\"TextMessage\",\"content\":\"I wait.\"}\n";
    let (_, records) = read(text, &Told { narrator: vec!["Ada".into()], ..Told::default() }).unwrap();
    assert_eq!(told(&records), "1 ada (Narrator): Dusk.\n2 bo (Player): I wait.\n");
    let error = read(text, &Told { player: vec!["boo".into()], ..Told::default() }).unwrap_err();
    assert!(error.to_string().contains("did you mean \"bo\"?"), "{error}");
}

#[test]
fn a_file_that_was_cut_is_read_up_to_there_and_says_so() {
    let whole = text("tests/samples/autogen.jsonl");
    let cut = &whole[..whole.trim_end().len() - 20];
    let (_, records) = read(cut, &Told::default()).unwrap();
    assert_eq!(records.len(), 10);
    assert!(told(&records).ends_with("10 passed over 1 last line (the file ends in the middle of it)\n"));
    let messages: String = (0..3)
        .map(|n| format!("{{\"source\":\"dm\",\"type\":\"TextMessage\",\"content\":\"{n}\"}}\n"))
        .collect();
    let list: Vec<&str> = messages.lines().collect();
    let again = format!("{messages}{{\"messages\":[{}],\"stop_reason\":null}}\n", list.join(","));
    assert!(
        told(&read(&again, &Told::default()).unwrap().1)
            .ends_with("4 passed over 1 result (it repeats the messages before it)\n")
    );
}

#[test]
fn what_fits_no_mapping_is_refused_with_what_was_looked_at() {
    let cases = [
        ("", "it is empty"),
        ("The ferry left.\n", "neither JSON nor a printed conversation"),
        (
            "{\"speaker_name\":\"dm\",\"line\":\"Dusk.\"}",
            "its first record has the fields line, speaker_name",
        ),
        ("[1, 2]", "its first record is no object"),
        ("{\"messages\": [{\"role\"", "no JSON"),
        ("[[[[[[", "no JSON"),
        ("TaskResult(messages=[TextMessage(source='dm", "a text in it does not end"),
    ];
    for (text, wanted) in cases {
        let error = read(text, &Told::default()).unwrap_err();
        assert!(error.to_string().contains(wanted), "{text}: {error}");
    }
    let deep = format!("{{\"messages\": {}", "[".repeat(50_000));
    assert!(read(&deep, &Told::default()).is_err());
}

#[test]
fn text_of_any_kind_is_no_reason_to_panic() {
    let samples = std::fs::read_dir(root().join("tests/samples")).unwrap();
    let files = samples.map(|sample| sample.unwrap().path()).filter(|path| path.is_file());
    for sample in files {
        let whole = std::fs::read_to_string(sample).unwrap();
        for place in (0..whole.len()).step_by(61).filter(|place| whole.is_char_boundary(*place)) {
            drop(read(&whole[..place], &Told::default()));
            drop(read(&whole[place..], &Told::default()));
            drop(read(&format!("{}é\u{202e}\0'\"[({}", &whole[..place], &whole[place..]), &Told::default()));
        }
    }
}
