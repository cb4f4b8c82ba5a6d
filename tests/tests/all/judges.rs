//! Promise: the vendors' own types take every request. `tests/judges/` asks them; it needs Python 3, and once the packages from PyPI.

use std::fs;
use std::io::Write;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};
use twicetold_dialect::Protocol;
use twicetold_tests::repository;
use twicetold_tests::strict::Model;

use crate::strict_servers::{CAMPAIGNS, played};

const WHAT: &str = "the vendors' own types";

/// The Python that has the vendors' packages; none where it cannot be had. It is set up once for all tests.
fn python() -> Option<&'static str> {
    static PYTHON: OnceLock<Option<String>> = OnceLock::new();
    PYTHON.get_or_init(|| twicetold_tests::python(env!("CARGO_TARGET_TMPDIR"), "judges", WHAT)).as_deref()
}

/// What the judges say of these requests: a line for each that is refused, and how many were judged.
fn judged(python: &str, asked: &[(Protocol, Value)]) -> (Vec<Value>, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("requests.jsonl");
    let mut file = fs::File::create(&path).expect("a file");
    for (protocol, body) in asked {
        writeln!(file, "{}", json!({"protocol": protocol.name(), "body": body})).expect("it can be written");
    }
    drop(file);
    let script = repository().join("tests/judges/judge.py");
    let done = Command::new(python).arg(script).arg(&path).output().expect("it starts");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let mut lines: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let last = lines.pop().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&done.stderr)));
    (lines, last["judged"].clone())
}

#[test]
fn the_vendors_own_types_take_every_request() {
    let Some(python) = python() else { return };
    let mut asked = Vec::new();
    for (protocol, servers) in played() {
        for (server, (_, model)) in servers.iter().zip(CAMPAIGNS) {
            for body in &server.bodies {
                let mut body: Value = serde_json::from_str(body).expect("a body is JSON");
                // DeepSeek demands a field of its own, which OpenAI's types do not know.
                if (*protocol, model) == (Protocol::ChatCompletions, Model::Thinking) {
                    for message in body["messages"].as_array_mut().expect("messages") {
                        message.as_object_mut().expect("a message").remove("reasoning_content");
                    }
                }
                asked.push((*protocol, body));
            }
        }
    }
    let (refused, counts) = judged(python, &asked);
    for (protocol, servers) in played() {
        let requests: usize = servers.iter().map(|server| server.bodies.len()).sum();
        assert_eq!(counts[protocol.name()], requests, "{}", protocol.name());
    }
    assert!(refused.is_empty(), "{} are refused: {:#?}", refused.len(), &refused[..refused.len().min(10)]);
}

#[test]
fn the_vendors_own_types_refuse_what_they_should() {
    let Some(python) = python() else { return };
    let of = |protocol: Protocol| {
        let (_, servers) = played().iter().find(|(played, _)| *played == protocol).expect("it was played");
        let body: Value = serde_json::from_str(&servers[0].bodies[0]).expect("a body is JSON");
        body
    };
    let mut asked = Vec::new();
    for (protocol, _) in played() {
        // A judge that takes everything judges nothing.
        let wrong: &[(&str, Value)] = match protocol {
            Protocol::ChatCompletions => &[("sead", json!(1)), ("messages", json!([{"role": "user"}]))],
            Protocol::Responses => &[("seed", json!(1)), ("input", json!([{"type": "function_call"}]))],
            Protocol::Anthropic => &[("temperature", json!(1)), ("tool_choice", json!("auto"))],
            Protocol::Gemini => &[("seed", json!(1)), ("generationConfig", json!({"seed": 1_u64 << 31}))],
            _ => &[("tool_choice", json!("none")), ("messages", json!([{"content": "Go."}]))],
        };
        for (name, value) in wrong {
            let mut body = of(*protocol);
            body[*name] = value.clone();
            asked.push((*protocol, body));
        }
    }
    let (refused, _) = judged(python, &asked);
    let lines: Vec<u64> = refused.iter().filter_map(|line| line["line"].as_u64()).collect();
    assert_eq!(lines, (0..asked.len() as u64).collect::<Vec<_>>(), "{refused:#?}");
}
