//! Recorded answers of a real server (llama.cpp with small models), each with what it must be read as.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use twicetold_dialect::{Protocol, RetryHeaders, Wire, visible};
use twicetold_model::{Fault, Reply};

/// File, finish, tokens (input, of those cached, output), text, calls.
const REPLIES: &[&str] = &[
    r#"gemma3/chat-plain.response.json | Length 85(0)+80 | We are the assistant. What do we see?<|im_end|>\n<|im_start|>… | "#,
    r#"gemma3/schema-as-tool-call.response.json | Stop 100(52)+28 | {\n    "tool": "roll_dice",\n    "expr": "1d6"\n} | "#,
    r#"gemma3/tools-auto.response.json | Length 96(52)+80 | The player is a goblin. Roll 1d20+5 to hit.<|im_end|>\n<|im_s… | "#,
    r#"gemma3/tools-required.response.json | Length 96(91)+80 | The player is a goblin. Roll 1d20+5 to hit.<|im_end|>\n<|im_s… | "#,
    r#"qwen-0.5b/anthropic-messages-api.response.json | Unreadable | expected a chat completion: there is no member `choices`; what came: {"id":"chatcmpl-BTxNE…"#,
    r#"qwen-0.5b/apply-template.response.json | Unreadable | expected a chat completion: there is no member `choices`; what came: {"prompt":"<|im_start…"#,
    "qwen-0.5b/chat-cut-by-max-tokens.response.json | Length 56(46)+8 | Once upon a time, there was a | ",
    r#"qwen-0.5b/chat-plain-stream.sse | Unreadable | expected a chat completion: expected value at line 1 column 1; what came: data: {"choices"…"#,
    "qwen-0.5b/chat-plain.response.json | Stop 61(0)+14 | We see a large, ornate tavern with a wooden door. | ",
    "qwen-0.5b/chat-stop-string.response.json | Stop 60(46)+7 | Count: one, two,  | ",
    r#"qwen-0.5b/error-model-output-unparsable-stream.sse | Unreadable | expected a chat completion: expected value at line 1 column 1; what came: data: {"choices"…"#,
    r#"qwen-0.5b/get-health.response.json | Unreadable | expected a chat completion: there is no member `choices`; what came: {"status":"ok"}"#,
    r#"qwen-0.5b/get-v1-models.response.json | Unreadable | expected a chat completion: there is no member `choices`; what came: {"models":[{"name":"q…"#,
    "qwen-0.5b/grammar-gbnf.response.json | Stop 61(46)+2 | no | ",
    "qwen-0.5b/logprobs.response.json | Length 57(46)+3 | A colour is | ",
    "qwen-0.5b/max-completion-tokens.response.json | Length 56(46)+5 | Once upon a time, | ",
    "qwen-0.5b/multi-turn-1.response.json | Stop 57(46)+8 | The innkeeper greeted the player. | ",
    "qwen-0.5b/multi-turn-2.response.json | Stop 80(64)+9 | The innkeeper asked about the crypt. | ",
    "qwen-0.5b/multi-turn-3.response.json | Stop 103(88)+8 | The innkeeper bought an ale. | ",
    "qwen-0.5b/multi-turn-4.response.json | Stop 123(110)+6 | The innkeeper left. | ",
    "qwen-0.5b/odd-assistant-last-prefill.response.json | Stop 59(46)+5 | An old wizard named Merlin is there. | ",
    r#"qwen-0.5b/odd-empty-messages.response.json | Length 14(5)+120 | # Introduction to Python\n\nPython is a versatile and high-lev… | "#,
    "qwen-0.5b/odd-negative-temperature.response.json | Length 52(46)+5 | Hello! How can I | ",
    "qwen-0.5b/odd-tool-result-without-call.response.json | Stop 67(46)+7 | The player lost the game. | ",
    r#"qwen-0.5b/response-format-json-object.response.json | Length 59(58)+120 | ```json\n{\n  "name": "Goblin",\n  "description": "A small, fur… | "#,
    r#"qwen-0.5b/response-format-json-schema.response.json | Stop 59(46)+52 | {\n  "name": "Goblin",\n  "hp": 10,\n  "mood": "calm",\n  "items… | "#,
    r#"qwen-0.5b/response-format-with-tools.response.json | Stop 443(430)+33 | {"name": "goblin", "hp": 10, "mood": "calm", "items": ["swor… | "#,
    r#"qwen-0.5b/responses-api.response.json | Unreadable | expected a chat completion: there is no member `choices`; what came: {"completed_at":17952…"#,
    r#"qwen-0.5b/tokenize.response.json | Unreadable | expected a chat completion: there is no member `choices`; what came: {"tokens":[6828,585,4…"#,
    r#"qwen-0.5b/tools-auto.response.json | ToolCalls 457(40)+49 |  | roll_dice {"expr": "1d20+5", "reason": "Brakka swings her axe at the goblin. Rol…"#,
    r#"qwen-0.5b/tools-none.response.json | Stop 457(456)+49 |  | roll_dice {"expr": "1d20+5", "reason": "Brakka swings her axe at the goblin. Rol…"#,
    r#"qwen-0.5b/tools-one-required.response.json | ToolCalls 215(75)+25 |  | move_to {"who": "Brakka", "location": "market"}"#,
    r#"qwen-0.5b/tools-parallel.response.json | ToolCalls 450(430)+24 |  | move_to {"who": "Lyra", "location": "market"}"#,
    r#"qwen-0.5b/tools-required-cut-by-max-tokens.response.json | Length 457(430)+20 |  | roll_dice {"expr": "1d20+5"#,
    r#"qwen-0.5b/tools-required.response.json | ToolCalls 457(456)+49 |  | roll_dice {"expr": "1d20+5", "reason": "Brakka swings her axe at the goblin. Rol…"#,
    r#"qwen-0.5b/tools-result-turn.response.json | Stop 503(476)+22 |  | roll_dice {"expr": "1d20+5"}"#,
    r#"qwen-0.5b/tools-specific-object.response.json | ToolCalls 457(456)+49 |  | roll_dice {"expr": "1d20+5", "reason": "Brakka swings her axe at the goblin. Rol…"#,
    "qwen-0.5b/unknown-fields.response.json | Length 54(46)+6 | Hi! How can I assist | ",
    "qwen-0.5b/unknown-model-name.response.json | Length 54(53)+6 | Hi! How can I assist | ",
    "qwen-1.5b/chat-plain.response.json | Stop 61(0)+16 | You see a group of adventurers sitting around a table, drink… | ",
    r#"qwen-1.5b/schema-as-tool-call.response.json | Stop 73(46)+17 | {"tool": "roll_dice", "expr": "2d6"} | "#,
    r#"qwen-1.5b/tools-auto.response.json | Stop 485(40)+40 | {{"name": "attack", "arguments": {"attacker": "Brakka", "tar… | "#,
    r#"qwen-1.5b/tools-required.response.json | Length 485(484)+80 | {{"name": "attack", "arguments": {"attacker": "Brakka", "tar… | "#,
];

/// File, status, kind, message.
const ERRORS: &[(&str, u16, &str, &str)] = &[
    (
        "qwen-0.5b/error-n-2.error.json",
        400,
        "Refused",
        "Field 'n': Value must be between 1 <= value <= 1, but got 2",
    ),
    (
        "qwen-0.5b/error-prompt-too-long.error.json",
        400,
        "ContextTooLong",
        "request (20052 tokens) exceeds the available context size (8192 tokens), try increasing it",
    ),
    (
        "qwen-0.5b/error-prompt-too-long-stream.error.json",
        400,
        "ContextTooLong",
        "request (20052 tokens) exceeds the available context size (8192 tokens), try increasing it",
    ),
    (
        "qwen-0.5b/error-bad-json.error.json",
        500,
        "Server",
        "[json.exception.parse_error.101] parse error at line 1, column 26: syntax error while pars…",
    ),
    ("qwen-0.5b/error-no-messages.error.json", 400, "Refused", "'messages' is required"),
    ("qwen-0.5b/error-messages-not-array.error.json", 400, "Refused", "Expected 'messages' to be an array"),
    (
        "qwen-0.5b/error-no-content.error.json",
        400,
        "Refused",
        "All non-assistant messages must contain 'content'",
    ),
    (
        "qwen-0.5b/error-wrong-type-max-tokens.error.json",
        400,
        "Refused",
        "Field 'max_tokens': [json.exception.type_error.302] type must be number, but is string",
    ),
    ("qwen-0.5b/error-bad-tool-choice.error.json", 400, "Refused", "Invalid tool_choice: sometimes"),
    (
        "qwen-0.5b/error-bad-tool-schema.error.json",
        400,
        "Refused",
        "Unable to generate parser for this template. Automatic parser generation failed: JSON sche…",
    ),
    (
        "qwen-0.5b/error-grammar-and-tools.error.json",
        400,
        "Refused",
        "Cannot use custom grammar constraints with tools.",
    ),
    (
        "qwen-0.5b/error-bad-grammar.error.json",
        400,
        "Refused",
        "Failed to initialize samplers: failed to parse grammar",
    ),
    (
        "qwen-0.5b/error-bad-response-format.error.json",
        400,
        "Refused",
        r#"response_format type must be one of "text" or "json_object", but got: xml"#,
    ),
    (
        "qwen-0.5b/error-tool-args-not-json.error.json",
        500,
        "Server",
        "Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error …",
    ),
    ("qwen-0.5b/error-404.error.json", 404, "Refused", "File Not Found"),
    ("qwen-0.5b/error-get-on-chat.error.json", 404, "Refused", "File Not Found"),
    ("qwen-0.5b/error-no-api-key.error.json", 401, "Unauthorized", "Invalid API Key"),
    ("qwen-0.5b/error-wrong-api-key.error.json", 401, "Unauthorized", "Invalid API Key"),
    (
        "qwen-0.5b/error-model-output-unparsable.error.json",
        500,
        "CallsUnread",
        "The model produced output that does not match the expected peg-native format",
    ),
    ("qwen-0.5b/error-loading-503.error.json", 503, "Server", "Loading model"),
];

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire")
}

fn read(name: &str) -> String {
    fs::read_to_string(directory().join(name)).unwrap()
}

fn summary(name: &str, decoded: Result<Reply, Fault>) -> String {
    match decoded {
        Ok(reply) => {
            let usage = reply.usage;
            let calls: Vec<String> =
                reply.tool_calls.iter().map(|call| format!("{} {}", call.name, call.arguments)).collect();
            format!(
                "{name} | {:?} {}({})+{} | {} | {}",
                reply.finish,
                usage.input_tokens,
                usage.cached_tokens,
                usage.output_tokens,
                visible(&reply.text, 60),
                visible(&calls.join(" & "), 80)
            )
        }
        Err(fault) => format!("{name} | {:?} | {}", fault.kind, visible(&fault.message, 90)),
    }
}

#[test]
fn every_recorded_answer_is_read_as_the_table_says() {
    for expected in REPLIES {
        let name = expected.split(" | ").next().unwrap();
        assert_eq!(summary(name, Wire::default().decode(&read(name))), *expected);
    }
}

#[test]
fn every_recorded_error_has_its_kind_and_its_message() {
    for &(name, status, kind, message) in ERRORS {
        let fault = Protocol::ChatCompletions.classify(status, &RetryHeaders::default(), &read(name));
        let shown = (format!("{:?}", fault.kind), fault.status, visible(&fault.message, 90));
        assert_eq!(shown, (kind.to_owned(), Some(status), message.to_owned()), "{name}");
    }
}

#[test]
fn the_tables_name_every_recording_once() {
    let mut found = BTreeSet::new();
    for model in fs::read_dir(directory()).unwrap() {
        let model = model.unwrap();
        for file in fs::read_dir(model.path()).unwrap() {
            let file = file.unwrap().file_name();
            found.insert(format!("{}/{}", model.file_name().display(), file.display()));
        }
    }
    let replies = REPLIES.iter().map(|line| line.split(" | ").next().unwrap().to_owned());
    let named: Vec<String> = replies.chain(ERRORS.iter().map(|row| row.0.to_owned())).collect();
    assert_eq!(named.len(), found.len());
    assert_eq!(named.into_iter().collect::<BTreeSet<_>>(), found);
}

#[test]
fn a_reply_cut_at_any_byte_is_a_fault_and_never_a_shorter_reply() {
    let whole = read("qwen-0.5b/tools-auto.response.json");
    for length in 0..whole.len() {
        let kind = Wire::default().decode(&whole[..length]).unwrap_err().kind;
        assert_eq!(format!("{kind:?}"), "Unreadable", "cut at {length}");
    }
}
