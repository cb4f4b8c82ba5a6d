//! Promise: what the format's page says of bodies and replies is what the program does, in odd cases, too: the second verifier, written
//! from the page, makes the same bodies and reads the same replies.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use twicetold_dialect::{Compat, Protocol, ThinkingField, ToolCalls, Wire};
use twicetold_model::{Part, Reply, Request};
use twicetold_tests::{repository, skipped};

use crate::strict_servers::PROTOCOLS;
use crate::strict_switches::{requests, servers};

/// What the verifier answers to each of these lines; none without Python.
fn answers(lines: &[Value]) -> Option<Vec<Value>> {
    let script = repository().join("tests/verifier/compare.py");
    let mut command = Command::new("python3");
    let started = command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = started else {
        skipped("the second verifier", "there is no python3");
        return None;
    };
    let mut input = child.stdin.take().expect("a pipe");
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let done = child.wait_with_output().expect("it ends");
    writer.join().expect("nobody panics").expect("it reads everything");
    let said = String::from_utf8(done.stdout).expect("text");
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), lines.len(), "it answers every line");
    Some(answers)
}

fn line(wire: &Wire, member: &str, value: Value) -> Value {
    json!({"protocol": wire.protocol.name(), "compat": wire.compat, member: value})
}

fn written(request: &Request) -> Value {
    let part = |part: &Part| match part {
        Part::Text(text) => json!(["text", text]),
        Part::ToolCall(call) => json!(["call", call.id, call.name, call.arguments]),
        Part::ToolResult(result) => json!(["result", result.id, result.content]),
        Part::Opaque { vendor, body } => json!(["block", vendor, body]),
    };
    let messages = request.messages.iter().map(|message| {
        let parts: Vec<Value> = message.parts.iter().map(part).collect();
        json!([message.role as u8, parts])
    });
    let tools = request.tools.iter().map(|tool| json!([tool.name, tool.description, tool.schema]));
    let parameters = &request.parameters;
    json!({
        "messages": messages.collect::<Vec<_>>(),
        "tools": tools.collect::<Vec<_>>(),
        "schema": request.reply_schema.as_ref().map(|form| json!([form.name, form.schema, form.strict])),
        "model": parameters.model,
        "temperature": parameters.temperature_milli,
        "seed": parameters.seed,
        "tokens_max": parameters.tokens_max,
        "parallel": parameters.parallel_tool_calls,
        "choice": parameters.tool_choice as u8,
    })
}

/// Blocks that models left, each of the one or the other vendor, before and behind everything that a model said.
fn with_blocks(mut request: Request) -> Request {
    let block = |body: &str, protocol: Protocol| Part::Opaque {
        vendor: protocol.name().to_owned(),
        body: body.to_owned(),
    };
    let bodies = ["{\"thoughtSignature\":\"c2ln\"}", "{ \"reasoning_content\": \"Hm.\" }", "no object", "{}"];
    for (place, message) in request.messages.iter_mut().enumerate() {
        let blocks = || PROTOCOLS.map(|protocol| block(bodies[place % bodies.len()], protocol));
        let parts = std::mem::take(&mut message.parts).into_iter();
        message.parts = parts.flat_map(|part| blocks().into_iter().chain([part])).chain(blocks()).collect();
    }
    request
}

/// Conversations that begin or end anywhere, with and without blocks.
fn pieces(request: &Request) -> Vec<Request> {
    let cut =
        |messages: &[twicetold_model::Message]| Request { messages: messages.to_vec(), ..request.clone() };
    let places = 0..=request.messages.len();
    let mut pieces: Vec<Request> =
        places.flat_map(|at| [cut(&request.messages[at..]), cut(&request.messages[..at])]).collect();
    pieces.extend(pieces.clone().into_iter().map(with_blocks));
    pieces
}

#[test]
fn both_make_the_same_bodies_of_odd_requests() {
    let mut lines = Vec::new();
    let mut bodies = Vec::new();
    let modes = [ToolCalls::Native, ToolCalls::Prompted, ToolCalls::Structured, ToolCalls::Guided];
    let mut few = modes.map(|tool_calls| Compat { tool_calls, ..Compat::default() }).to_vec();
    few.push(Compat { tool_messages: false, ..Compat::default() });
    few.push(Compat { thinking_field: ThinkingField::ReasoningContent, ..Compat::default() });
    few.push(Compat { thinking_field: ThinkingField::ReasoningDetails, ..Compat::default() });
    for protocol in PROTOCOLS {
        for compat in &few {
            let wire = Wire { protocol, compat: compat.clone() };
            for request in requests().iter().step_by(8).flat_map(pieces) {
                lines.push(line(&wire, "request", written(&request)));
                bodies.push(wire.encode(&request));
            }
        }
    }
    for protocol in PROTOCOLS {
        for compat in servers() {
            let wire = Wire { protocol, compat };
            for request in requests() {
                lines.push(line(&wire, "request", written(&request)));
                bodies.push(wire.encode(&request));
            }
        }
    }
    assert!(bodies.len() > 2_000, "{}", bodies.len());
    let Some(answers) = answers(&lines) else { return };
    for ((body, theirs), line) in bodies.iter().zip(answers).zip(&lines) {
        assert_eq!(theirs.as_str(), Some(body.as_str()), "{} {}", line["protocol"], line["compat"]);
    }
}

/// What models write, in any form in which they may be told to call tools.
const WORDS: &[&str] = &[
    "",
    "I wait.",
    " \u{a0} ",
    "<think>He lies.</think>Good evening.",
    "He lies.\n</THINK>\nGood <reasoning>two</reasoning>evening.",
    "Good. <think>He lies, and",
    "<thought>a</think>b</thought>c",
    "So.\n```json\n{\"tool\": \"go\", \"arguments\": {\"how\": \"fast\"}}\n```\nGone.",
    "```JSON\n[{\"name\":\"go\",\"arguments\":{}},{\"tool\":\"go\",\"arguments\":{ }}]\n```",
    "```json\n{\"tool\":\"go\",\"arguments\":{}}\n``` \n\n   ~~~\n```json\n{\"tool\":\"no\",\"arguments\":{}}\n```\n~~~\n",
    "    ```json\n{\"tool\":\"go\",\"arguments\":{}}\n```\n",
    "```json\n{\"tool\":\"go\",\"arguments\":{},\"id\":1}\n```",
    "```json\n{\"tool\":\"go\",\"name\":\"go\",\"arguments\":{}}\n```",
    "```json\n{\"tool\":\" \",\"arguments\":{}}\n```",
    "```json\n{\"tool\":\"go\",\"arguments\":[]}\n```",
    "```json\n{\"tool\":\"go\",\"arguments\":{}}",
    "````json\n```json\n{\"tool\":\"go\",\"arguments\":{}}\n```\n````",
    "{\"say\": \"One \\u00e9 two.\", \"calls\": [{\"tool\": \"go\", \"arguments\": {\"a\": 1e5}}]}",
    "{\"say\": \"One\", \"calls\": []} ",
    "{\"say\": \"One\", \"calls\": [{\"tool\": \"go\"}]}",
    "{\"calls\": [], \"say\": \"<think>x</think>One\"}",
    "{\"say\": \"One \\\"two\\\" \\ud83d\\ude0",
    "{\"say\": \"One\", \"more\": 1, \"calls\": []}",
    "```json\n{\"words\": \"One\", \"do\": \"go on\"}\n```",
    "{\"words\": \"One\"}",
    "{\"words\": 7, \"do\": \"go\"}",
    "{\"words\": \"One\", \"words\": \"Two\"}",
    "{\"words\": \"One \\ud83d two\"}",
    "{\"words\": \"One\", \"do\": tru",
    "{\"words\": \"One\", \"do\": 1e999}",
    "{\"words\" : \"One\\",
    "{I wait.}",
    "{}",
    "[TOOL_CALLS]go[ARGS]{\"a\": 1}",
    "I run.\n[TOOL_CALLS]go[ARGS]{} [TOOL_CALLS] functions.go:12 [ARGS] {\"b\": [2]}\nGone.",
    "<|tool_calls_section_begin|><|tool_call_begin|>go:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>go<｜tool▁sep｜>{\"a\": 1e5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<function=go>{\"a\": 1}</function><function=go>\n</function>",
    "So.\n<tool_call>\n<function=go>\n<parameter=é>\n one\n two \u{a0}\n</parameter>\n<parameter=a>1</parameter>\n</function>\n</tool_call>\nGone.",
    "<function=go><parameter=a>1</parameter><parameter=a>2</parameter></function>",
    "<function=go away>{}</function>",
    "<function=go>[1]</function>",
    "<function_calls><invoke name=\"go\"><parameter name=\"a\">\"1\\</parameter></invoke></function_calls>",
    "<invoke name=\"go\"><parameter name=\"a\">1</invoke>",
    "<tool_call>go\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
    "<tool_call>go</tool_call>",
    "```\n<function=go>{}</function>\n```\ngo[ARGS]{}",
];

/// Bodies of replies behind the names of their protocols; `WORDS` stands where the words go.
fn bodies() -> Vec<(Protocol, String)> {
    let text = fs::read_to_string(repository().join("tests/samples/odd-replies.txt")).expect("it is there");
    let named = text.lines().map(|line| line.split_once(' ').expect("a protocol and a body"));
    let known = |name: &str| PROTOCOLS.into_iter().find(|protocol| protocol.name() == name);
    named.map(|(name, body)| (known(name).expect("a protocol"), body.to_owned())).collect()
}

/// Answers of real servers, whatever they are, in the folders of the protocols' own tests.
fn recorded() -> Vec<String> {
    let folder = repository().join("crates/dialect/tests/wire");
    let folders = fs::read_dir(folder).expect("they are there").map(|found| found.expect("a folder").path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let mut bodies: Vec<String> =
        files.filter_map(|file| fs::read_to_string(file.expect("a file").path()).ok()).collect();
    bodies.sort();
    bodies
}

fn read(reply: &Reply) -> Value {
    let calls: Vec<Value> = reply.tool_calls.iter().map(|call| json!([call.name, call.arguments])).collect();
    let blocks: Vec<&str> = reply.opaque.iter().map(|block| block.json.as_str()).collect();
    let usage = reply.usage;
    let usage = json!([
        usage.input_tokens,
        usage.cached_tokens,
        usage.cache_written_tokens,
        usage.output_tokens,
        usage.thinking_tokens
    ]);
    json!([reply.text, calls, blocks, format!("{:?}", reply.finish), usage])
}

#[test]
fn both_read_the_same_in_odd_replies() {
    let mut bodies: Vec<(Protocol, String)> = Vec::new();
    for (protocol, body) in self::bodies() {
        let words = WORDS.iter().map(|words| body.replace("WORDS", &json!(words).to_string()));
        bodies.extend(words.map(|body| (protocol, body)));
        // Cut anywhere, and with half a character.
        let whole = body.replace("WORDS", r#""half \ud83d""#);
        let cuts = (0..whole.len()).step_by(7).map(|end| whole[..end].to_owned());
        bodies.extend(cuts.chain([whole.clone()]).map(|body| (protocol, body)));
    }
    bodies.extend(recorded().into_iter().map(|body| (Protocol::ChatCompletions, body)));
    let modes = [ToolCalls::Native, ToolCalls::Prompted, ToolCalls::Structured, ToolCalls::Guided];
    let fields = [ThinkingField::None, ThinkingField::Reasoning, ThinkingField::ReasoningDetails];
    let compats = modes.map(|tool_calls| Compat { tool_calls, ..Compat::default() });
    let compats: Vec<Compat> = compats
        .into_iter()
        .chain(fields.map(|thinking_field| Compat { thinking_field, ..Compat::default() }))
        .collect();
    let (mut lines, mut replies) = (Vec::new(), Vec::new());
    for (protocol, body) in bodies {
        for compat in &compats {
            let wire = Wire { protocol, compat: compat.clone() };
            lines.push(line(&wire, "reply", json!(body)));
            replies.push(wire.decode(&body).ok().map(|reply| read(&reply)));
        }
    }
    assert!(replies.iter().flatten().count() > 2_000 && replies.iter().any(Option::is_none));
    let Some(answers) = answers(&lines) else { return };
    for ((ours, theirs), line) in replies.into_iter().zip(answers).zip(&lines) {
        assert_eq!(theirs, ours.unwrap_or(Value::Null), "{line}");
    }
}
