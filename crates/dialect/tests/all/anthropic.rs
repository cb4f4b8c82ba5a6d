//! The Messages protocol: the bytes of its requests, what its answers are read as, and its streams.

use std::path::Path;

use serde_json::Value;
use twicetold_dialect::{Compat, Protocol, RetryHeaders, SystemRole, TokensField, ToolCalls, Wire};
use twicetold_model::{
    Fault, FaultKind, Finish, Message, Opaque, Parameters, Part, Reply, ReplySchema, Request, Role,
    ToolChoice, ToolSpec, Usage,
};

use super::helpers::{self, call, result};

pub(super) const ANTHROPIC: Protocol = Protocol::Anthropic;

/// A stream as Anthropic sends it: thinking with its signature and thinking that nobody can read, words, a call in pieces, a
/// call without arguments, the usage in two parts.
pub(super) const STREAM: &str = include_str!("../streams/anthropic.sse");

pub(super) const BODY: &str = concat!(
    r#"{"id":"msg_7","type":"message","role":"assistant","model":"claude-x","content":["#,
    r#"{"type":"thinking","thinking":"The latch is \"old\".","signature":"EqQB+w=="},"#,
    r#"{"type":"redacted_thinking","data":"7Uo="},"#,
    r#"{"type":"text","text":"I \"try\" the latch. 🐉"},"#,
    r#"{"type":"tool_use","id":"toolu_a","name":"roll_dice","input":{"dice": "1d20"}},"#,
    r#"{"type":"tool_use","id":"toolu_b","name":"end_turn","input":{}}],"#,
    r#""stop_reason":"tool_use","stop_sequence":null,"usage":{"cache_creation_input_tokens":20,"#,
    r#""cache_read_input_tokens":300,"input_tokens":9,"output_tokens":45,"#,
    r#""output_tokens_details":{"thinking_tokens":12}}}"#,
);

fn encode(request: &Request, compat: &Compat) -> String {
    helpers::encode(ANTHROPIC, request, compat)
}

pub(super) fn decode(body: &str) -> Result<Reply, Fault> {
    helpers::decode(ANTHROPIC, body)
}

pub(super) fn kind(body: &str) -> FaultKind {
    helpers::kind(ANTHROPIC, body)
}

/// A reply of these blocks.
fn blocks(content: &str) -> Reply {
    let body = format!(r#"{{"type":"message","content":[{content}],"stop_reason":"end_turn"}}"#);
    decode(&body).unwrap_or_else(|fault| panic!("{content}: {fault:?}"))
}

fn said(text: &str) -> Part {
    Part::Text(text.into())
}

pub(super) fn calls(id: &str) -> Part {
    Part::ToolCall(call(id, "roll_dice", "{}"))
}

fn block(vendor: &str, body: &str) -> Part {
    Part::Opaque { vendor: vendor.into(), body: body.into() }
}

pub(super) fn message(role: Role, parts: Vec<Part>) -> Message {
    Message { role, parts }
}

fn tool() -> ToolSpec {
    ToolSpec {
        name: "roll_dice".into(),
        description: "Roll \"dice\".".into(),
        schema: r#"{"type":"object","properties":{"dice":{"type":"string"}}}"#.into(),
    }
}

/// A turn with everything in it.
fn request() -> Request {
    let roll = Part::ToolCall(call("c00000001", "roll_dice", r#"{"dice":"1d20"}"#));
    let parameters = Parameters {
        model: "claude-x".into(),
        temperature_milli: Some(700),
        seed: Some(11),
        tokens_max: 900,
        parallel_tool_calls: false,
        tool_choice: ToolChoice::Required,
    };
    let messages = vec![
        message(Role::System, vec![said("Be the DM.")]),
        message(Role::User, vec![said("Kira:\nI jump.")]),
        message(Role::Assistant, vec![said("I roll."), roll]),
        message(Role::Tool, vec![result("c00000001", "14")]),
        message(Role::User, vec![said("Go on.")]),
    ];
    Request { messages, tools: vec![tool()], reply_schema: None, parameters }
}

/// The messages of a body, without marks.
fn messages(body: &str) -> Vec<Value> {
    let body = body.replace(r#","cache_control":{"type":"ephemeral"}"#, "");
    serde_json::from_str::<Value>(&body).unwrap()["messages"].as_array().unwrap().clone()
}

/// The messages that these become, with a tool on offer, as text and without marks.
fn told(messages: Vec<Message>) -> String {
    let request = Request { messages, tools: vec![tool()], ..Request::default() };
    let body = encode(&request, &Compat::default()).replace(r#","cache_control":{"type":"ephemeral"}"#, "");
    let start = body.find(r#""messages":["#).unwrap() + r#""messages":["#.len();
    let end = body.find(r#"],"tool_choice""#).unwrap();
    body[start..end].to_owned()
}

#[test]
fn a_full_turn_has_these_bytes() {
    let expected = concat!(
        r#"{"model":"claude-x","tools":[{"name":"roll_dice","description":"Roll \"dice\".","#,
        r#""input_schema":{"type":"object","properties":{"dice":{"type":"string"}}},"cache_control":{"type":"ephemeral"}}],"#,
        r#""system":[{"type":"text","text":"Be the DM.","cache_control":{"type":"ephemeral"}}],"#,
        r#""messages":["#,
        r#"{"role":"user","content":[{"type":"text","text":"Kira:\nI jump.","cache_control":{"type":"ephemeral"}}]},"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"I roll."},"#,
        r#"{"type":"tool_use","id":"c00000001","name":"roll_dice","input":{"dice":"1d20"}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c00000001","content":"14"},"#,
        r#"{"type":"text","text":"Go on.","cache_control":{"type":"ephemeral"}}]}],"#,
        r#""tool_choice":{"type":"any","disable_parallel_tool_use":true},"max_tokens":900,"temperature":0.7}"#,
    );
    assert_eq!(encode(&request(), &Compat::default()), expected);
}

#[test]
fn it_has_an_address_and_keys_of_its_own() {
    assert_eq!((ANTHROPIC.name(), ANTHROPIC.models_path()), ("anthropic-messages", "/models"));
    assert_eq!(ANTHROPIC.path("claude-x", true), "/messages");
    let version = ("anthropic-version", "2023-06-01".to_owned());
    assert_eq!(ANTHROPIC.headers(None), std::slice::from_ref(&version));
    assert_eq!(ANTHROPIC.headers(Some("sk-a")), [("x-api-key", "sk-a".to_owned()), version]);
    let compat = Compat { extra_fields: [("system".into(), "\"\"".into())].into(), ..Compat::default() };
    assert!(Wire::new(ANTHROPIC.name(), 1, compat).unwrap_err().contains("system"));
}

#[test]
fn each_switch_changes_its_field_and_nothing_else() {
    let base = Compat::default;
    let extra = [("thinking".to_owned(), r#"{"type":"adaptive"}"#.to_owned())];
    let plain = encode(&request(), &base());
    let choice = r#","tool_choice":{"type":"any","disable_parallel_tool_use":true}"#;
    let table = [
        (Compat { temperature: false, ..base() }, r#","temperature":0.7"#, ""),
        (Compat { seed: false, ..base() }, "seed", "seed"),
        (
            Compat { tool_choice: false, ..base() },
            choice,
            r#","tool_choice":{"type":"auto","disable_parallel_tool_use":true}"#,
        ),
        (Compat { parallel_tool_calls: false, ..base() }, choice, r#","tool_choice":{"type":"any"}"#),
        (Compat { tool_choice: false, parallel_tool_calls: false, ..base() }, choice, ""),
        (Compat { tokens_field: TokensField::None, ..base() }, r#":900"#, r#":8192"#),
        (Compat { tokens_field: TokensField::MaxCompletionTokens, ..base() }, "", ""),
        (Compat { system_role: SystemRole::Developer, ..base() }, "", ""),
        (
            Compat { stop: vec!["END".into(), " \n".into()], ..base() },
            "0.7}",
            r#"0.7,"stop_sequences":["END"]}"#,
        ),
        (Compat { stream: true, ..base() }, "0.7}", r#"0.7,"stream":true}"#),
        (Compat { extra_fields: extra.into(), ..base() }, "0.7}", r#"0.7,"thinking":{"type":"adaptive"}}"#),
    ];
    for (compat, before, after) in table {
        assert!(plain.contains(before) || before == after, "{before}");
        assert_eq!(encode(&request(), &compat), plain.replace(before, after), "{compat:?}");
    }
}

#[test]
fn a_request_without_a_bound_has_one_and_one_without_wishes_says_nothing_else() {
    let body = encode(&Request::default(), &Compat::default());
    let expected = concat!(
        r#"{"model":"","messages":[{"role":"user","content":[{"type":"text","text":"Begin.","#,
        r#""cache_control":{"type":"ephemeral"}}]}],"max_tokens":8192}"#,
    );
    assert_eq!(body, expected);
    let parameters = Parameters { temperature_milli: Some(1_300), tokens_max: 5, ..Parameters::default() };
    let body = encode(&Request { parameters, ..Request::default() }, &Compat::default());
    assert!(body.ends_with(r#""max_tokens":5,"temperature":1}"#), "{body}");
}

#[test]
fn a_reply_may_be_held_to_a_schema_beside_what_configuration_says_of_it() {
    let form = ReplySchema { name: "reply".into(), schema: r#"{"type":"object"}"#.into(), strict: true };
    let held = Request { reply_schema: Some(form), ..Request::default() };
    let body = encode(&held, &Compat::default());
    let format = r#""format":{"type":"json_schema","schema":{"type":"object"}}"#;
    assert!(body.ends_with(&format!(r#","output_config":{{{format}}}}}"#)), "{body}");
    let text = r#" {"format":7,"effort":"low"} "#.to_owned();
    let compat = Compat { extra_fields: [("output_config".to_owned(), text)].into(), ..Compat::default() };
    let body = encode(&held, &compat);
    assert!(body.ends_with(&format!(r#","output_config":{{{format},"effort":"low"}}}}"#)), "{body}");
    let body = encode(&Request::default(), &compat);
    assert!(body.ends_with(r#","output_config":{"effort":"low","format":7}}"#), "{body}");
}

#[test]
fn neighbours_of_one_role_are_one_message_and_the_first_is_the_users() {
    let texts = |role, texts: &[&str]| message(role, texts.iter().map(|text| said(text)).collect());
    let expected = concat!(
        r#"{"role":"user","content":[{"type":"text","text":"Begin."}]},"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"a \n\nb"},{"type":"text","text":"c"}]},"#,
        r#"{"role":"user","content":[{"type":"text","text":"d"},{"type":"text","text":"Instructions."},{"type":"text","text":"e"}]},"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"f"}]}"#,
    );
    let actual = messages(&encode(
        &Request {
            messages: vec![
                texts(Role::User, &["", " \n"]),
                texts(Role::Assistant, &["a ", "", "b"]),
                texts(Role::Assistant, &["c"]),
                texts(Role::User, &["d"]),
                texts(Role::System, &["Instructions."]),
                texts(Role::User, &["e"]),
                texts(Role::Assistant, &[]),
                texts(Role::Assistant, &["f \n"]),
            ],
            ..Request::default()
        },
        &Compat::default(),
    ));
    assert_eq!(actual, serde_json::from_str::<Vec<Value>>(&format!("[{expected}]")).unwrap());
}

#[test]
fn all_results_stand_at_the_beginning_of_the_turn_behind_their_calls() {
    let expected = concat!(
        r#"{"role":"user","content":[{"type":"text","text":"Hello."}]},"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"roll_dice","input":{}},"#,
        r#"{"type":"tool_use","id":"c2","name":"roll_dice","input":{}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"1"},"#,
        r#"{"type":"tool_result","tool_use_id":"c2"},"#,
        r#"{"type":"text","text":"Before."},{"type":"text","text":"After."}]}"#,
    );
    let actual = told(vec![
        message(Role::User, vec![said("Hello.")]),
        message(Role::Assistant, vec![calls("c1"), calls("c2")]),
        message(Role::User, vec![said("Before.")]),
        message(Role::Tool, vec![result("c2", "")]),
        message(Role::Tool, vec![result("c1", "1")]),
        message(Role::User, vec![said("After.")]),
    ]);
    assert!(actual.starts_with(expected), "{actual}");
}

#[test]
fn a_call_without_a_result_gets_one_and_a_result_without_a_call_is_told_as_text() {
    let actual = told(vec![
        message(Role::Tool, vec![result("c7", "lost")]),
        message(Role::Assistant, vec![calls("c1"), calls("c1")]),
        message(Role::Tool, vec![result("c1", "a")]),
        message(Role::Tool, vec![result("c1", "b")]),
        message(Role::Tool, vec![result("c1", "c")]),
        message(Role::Assistant, vec![calls("c 2")]),
    ]);
    let expected = concat!(
        r#"{"role":"user","content":[{"type":"text","text":"[result c7] lost"}]},"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"roll_dice","input":{}},"#,
        r#"{"type":"tool_use","id":"c1","name":"roll_dice","input":{}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"a"},"#,
        r#"{"type":"tool_result","tool_use_id":"c1","content":"b"},{"type":"text","text":"[result c1] c"}]},"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"c_2","name":"roll_dice","input":{}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c_2","content":"No result is known.","is_error":true}]}"#,
    );
    assert_eq!(actual, expected);
}

#[test]
fn calls_are_words_where_no_tools_are_sent_or_the_history_may_hold_none() {
    let mut bare = request();
    bare.tools.clear();
    for (request, compat) in [
        (bare, Compat::default()),
        (request(), Compat { tools: false, ..Compat::default() }),
        (request(), Compat { tool_messages: false, ..Compat::default() }),
    ] {
        let told = encode(&request, &compat);
        assert!(!told.contains("\"tool_use\"") && !told.contains("tool_result"), "{told}");
        assert!(
            told.contains(r#""text":"I roll.\n[call c00000001] roll_dice {\"dice\":\"1d20\"}"}"#),
            "{told}"
        );
        assert!(told.contains(r#"{"type":"text","text":"[result c00000001] 14"},"#), "{told}");
    }
}

#[test]
fn words_only_is_said_or_made_sure_of() {
    let mut words = request();
    words.parameters.tool_choice = ToolChoice::None;
    let body = encode(&words, &Compat::default());
    assert!(body.contains(r#""tool_choice":{"type":"none"}"#) && body.contains("\"tools\""));
    let body = encode(&words, &Compat { tool_choice: false, ..Compat::default() });
    assert!(!body.contains("tool_choice") && !body.contains("\"tools\""));
}

#[test]
fn a_call_that_the_vendor_would_refuse_is_made_harmless() {
    for (arguments, expected) in [
        ("", "{}"),
        (r#" {"a": 1.50}"#, r#" {"a": 1.50}"#),
        (r#"{"a":"#, r#"{"malformed":"{\"a\":"}"#),
        ("[1]", r#"{"malformed":"[1]"}"#),
        (r#"{"a":"\ud800"}"#, r#"{"malformed":"{\"a\":\"\\ud800\"}"}"#),
    ] {
        let bad = Part::ToolCall(call("", "roll dice!", arguments));
        let actual = told(vec![message(Role::User, vec![said("x")]), message(Role::Assistant, vec![bad])]);
        let call = format!(r#"{{"type":"tool_use","id":"unknown","name":"roll_dice_","input":{expected}}}"#);
        assert!(actual.contains(&call), "{actual}");
    }
}

#[test]
fn blocks_of_the_vendor_go_back_as_they_came_and_those_of_others_do_not() {
    let reply = decode(BODY).unwrap();
    let mut parts = Vec::new();
    for (place, part) in [said(&reply.text)]
        .into_iter()
        .chain(reply.tool_calls.iter().cloned().map(Part::ToolCall))
        .enumerate()
    {
        let here = reply.opaque.iter().filter(|opaque| usize::from(opaque.place) == place);
        parts.extend(here.map(|opaque| block("anthropic-messages", &opaque.json)));
        parts.push(part);
    }
    let sent = |parts: &[Part]| {
        told(vec![message(Role::User, vec![said("x")]), message(Role::Assistant, parts.to_vec())])
    };
    let start = BODY.find(r#""content":"#).unwrap();
    let content = &BODY[start..BODY.find(r#","stop_reason""#).unwrap()];
    assert!(sent(&parts).contains(content), "{}", sent(&parts));
    let foreign: Vec<Part> = parts
        .into_iter()
        .map(|part| match part {
            Part::Opaque { body, .. } => Part::Opaque { vendor: "gemini".into(), body },
            part => part,
        })
        .collect();
    assert!(!sent(&foreign).contains("thinking"));
}

#[test]
fn thinking_is_never_the_end_of_a_message_nor_the_whole_of_it() {
    let thinking = || block("anthropic-messages", r#"{"type":"thinking","thinking":"x","signature":"y"}"#);
    let actual = told(vec![
        message(Role::User, vec![said("a")]),
        message(Role::Assistant, vec![thinking(), said(" ")]),
        message(Role::User, vec![said("b")]),
        message(Role::Assistant, vec![block("anthropic-messages", "{half"), said("c"), thinking()]),
    ]);
    let expected = concat!(
        r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"c"}]}"#,
    );
    assert_eq!(actual, expected);
}

#[test]
fn in_prompted_mode_there_are_only_words() {
    for tool_calls in [ToolCalls::Prompted, ToolCalls::Structured] {
        let body = encode(&request(), &Compat { tool_calls, ..Compat::default() });
        assert!(
            !body.contains("tool_use") && !body.contains("tool_result") && !body.contains("input_schema")
        );
        assert_eq!(body.contains("output_config"), tool_calls == ToolCalls::Structured);
    }
}

#[test]
fn within_a_turn_the_former_messages_are_a_prefix_of_the_next_and_four_blocks_are_marked() {
    let mut whole = request();
    whole.messages.extend([
        message(Role::Assistant, vec![calls("c00000002")]),
        message(Role::Tool, vec![result("c00000002", "9")]),
        message(Role::Assistant, vec![said("Done.")]),
        message(Role::User, vec![said("And now?")]),
    ]);
    let mut before: Vec<Value> = Vec::new();
    for length in [2, 5, 7, 9] {
        let part = Request { messages: whole.messages[..length].to_vec(), ..whole.clone() };
        let body = encode(&part, &Compat::default());
        assert!(body.matches("cache_control").count() <= 4, "{body}");
        let now = messages(&body);
        assert_eq!(now[..before.len()], before);
        assert!(now.len() > before.len());
        before = now;
    }
}

#[test]
fn a_whole_answer_is_read_with_its_blocks_in_their_places() {
    let opaque = |place, json: &str| Opaque { place, json: json.into() };
    let expected = Reply {
        text: "I \"try\" the latch. 🐉".into(),
        thinking: "The latch is \"old\".".into(),
        opaque: vec![
            opaque(0, r#"{"type":"thinking","thinking":"The latch is \"old\".","signature":"EqQB+w=="}"#),
            opaque(0, r#"{"type":"redacted_thinking","data":"7Uo="}"#),
        ],
        tool_calls: vec![
            call("toolu_a", "roll_dice", r#"{"dice": "1d20"}"#),
            call("toolu_b", "end_turn", "{}"),
        ],
        finish: Finish::ToolCalls,
        usage: Usage {
            input_tokens: 329,
            cached_tokens: 300,
            cache_written_tokens: 20,
            output_tokens: 45,
            thinking_tokens: 12,
        },
    };
    assert_eq!(decode(BODY), Ok(expected));
    let between = blocks(
        r#"{"type":"text","text":"a"},{"type":"thinking","thinking":"x"},{"type":"new","a": 1 },{"type":"tool_use","name":"b"},{"type":"new","z":[]},{"text":" c"}"#,
    );
    assert_eq!((between.text.as_str(), between.thinking.as_str()), ("a c", "x"));
    assert_eq!(
        between.opaque,
        [opaque(1, r#"{"type":"new","a": 1 }"#), opaque(2, r#"{"type":"new","z":[]}"#)]
    );
}

#[test]
fn an_answer_of_another_server_is_read_too() {
    let path = "tests/wire/qwen-0.5b/anthropic-messages-api.response.json";
    let body = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let reply = decode(&body).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("Hello! How can I assist", Finish::Length));
    assert_eq!(
        reply.usage,
        Usage { input_tokens: 22, cached_tokens: 21, output_tokens: 6, ..Usage::default() }
    );
}

#[test]
fn each_stop_reason_has_its_meaning() {
    for (reason, expected) in [
        (r#""end_turn""#, Finish::Stop),
        (r#""stop_sequence""#, Finish::Stop),
        (r#""tool_use""#, Finish::ToolCalls),
        (r#""max_tokens""#, Finish::Length),
        (r#""model_context_window_exceeded""#, Finish::Length),
        (r#""refusal""#, Finish::Filtered),
        (r#""pause_turn""#, Finish::Other),
        (r#""tired""#, Finish::Other),
        ("null", Finish::Other),
        ("7", Finish::Other),
    ] {
        let body = format!(r#"{{"content":[{{"type":"text","text":"x"}}],"stop_reason":{reason}}}"#);
        assert_eq!(decode(&body).unwrap().finish, expected, "{reason}");
    }
    assert_eq!(decode(r#"{"content":[]}"#).unwrap().finish, Finish::Other);
}

#[test]
fn counts_that_make_no_sense_are_zero_and_absurd_ones_do_no_harm() {
    let usage = |usage: &str| decode(&format!(r#"{{"content":[],"usage":{usage}}}"#)).unwrap().usage;
    for nonsense in ["null", "{}", "7", r#"{"input_tokens":-1}"#, r#"{"input_tokens":1e400}"#, r#""many""#] {
        assert_eq!(usage(nonsense), Usage::default(), "{nonsense}");
    }
    let absurd = usage(&format!(
        r#"{{"input_tokens":{0},"cache_read_input_tokens":{0},"output_tokens":{0}}}"#,
        u64::MAX
    ));
    assert_eq!((absurd.input_tokens, absurd.cached_tokens), (u64::MAX, u64::MAX));
}

#[test]
fn hostile_bodies_lose_nothing_that_was_said() {
    let reply = blocks(
        r#"{"type":"text","text":"Both."},
           {"type":"tool_use","id":"a","name":"x","input":"{\"half\":"},
           {"type":"tool_use","id":"a","name":"y","input":{"n": 1.10}},
           {"type":"tool_use","name":7,"input":[1]},
           {"type":"tool_use","id":null,"input":null},
           {"type":"text","text":null},
           {"type":"text","text":" And\ud83d more."}"#,
    );
    assert!(reply.text.starts_with("Both. And\u{FFFD}"), "{}", reply.text);
    let expected = [
        call("a", "x", "{\"half\":"),
        call("a", "y", r#"{"n": 1.10}"#),
        call("", "7", "[1]"),
        call("", "", ""),
    ];
    assert_eq!(reply.tool_calls, expected);
    assert_eq!(decode(r#"{"content":"Plain.","stop_reason":"end_turn"}"#).unwrap().text, "Plain.");
    assert_eq!(blocks("").text, "");
    let flood = vec![r#"{"type":"tool_use","name":"x"}"#; 70_000].join(",");
    assert_eq!(blocks(&flood).tool_calls.len(), 128);
    for body in
        ["", "null", "[]", "{}", "<html>", r#"{"content":7}"#, r#"{"content":["x"]}"#, r#"{"content":[[]]}"#]
    {
        assert_eq!(kind(body), FaultKind::Unreadable, "{body}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(kind(&deep), FaultKind::Unreadable);
    let reply = blocks(&format!(r#"{{"type":"tool_use","name":"x","input":{deep}}}"#));
    assert_eq!(reply.tool_calls[0].arguments, deep);
}

#[test]
fn an_error_inside_a_200_is_a_fault_with_the_servers_words() {
    let error = |kind: &str, message: &str| {
        decode(&format!(
            r#"{{"type":"error","error":{{"type":"{kind}","message":"{message}"}},"request_id":"r"}}"#
        ))
        .unwrap_err()
    };
    for (word, message, expected) in [
        ("overloaded_error", "Overloaded", FaultKind::ErrorInBody),
        ("api_error", "x", FaultKind::ErrorInBody),
        ("rate_limit_error", "x", FaultKind::RateLimited),
        ("authentication_error", "x", FaultKind::Unauthorized),
        ("permission_error", "x", FaultKind::Unauthorized),
        ("billing_error", "x", FaultKind::OutOfCredit),
        ("invalid_request_error", "Your credit balance is too low to", FaultKind::OutOfCredit),
        ("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum", FaultKind::ContextTooLong),
        ("request_too_large", "x", FaultKind::ContextTooLong),
    ] {
        let fault = error(word, message);
        assert_eq!((fault.kind, fault.status), (expected, Some(200)), "{word}");
        assert_eq!(fault.message, message);
    }
    assert_eq!(decode(r#"{"error":null,"content":"x"}"#).unwrap().text, "x");
}

#[test]
fn each_status_has_its_kind() {
    for (status, word, message, expected) in [
        (400, "invalid_request_error", "x", FaultKind::Refused),
        (400, "invalid_request_error", "Your credit balance is too low to access", FaultKind::OutOfCredit),
        (400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum", FaultKind::ContextTooLong),
        (
            400,
            "invalid_request_error",
            "input length and `max_tokens` exceed context limit: 9 + 8 > 9",
            FaultKind::ContextTooLong,
        ),
        (401, "authentication_error", "x", FaultKind::Unauthorized),
        (402, "billing_error", "x", FaultKind::OutOfCredit),
        (403, "permission_error", "x", FaultKind::Unauthorized),
        (404, "not_found_error", "x", FaultKind::Refused),
        (413, "request_too_large", "x", FaultKind::ContextTooLong),
        (429, "rate_limit_error", "x", FaultKind::RateLimited),
        (500, "api_error", "x", FaultKind::Server),
        (529, "overloaded_error", "x", FaultKind::Server),
    ] {
        let body = format!(r#"{{"type":"error","error":{{"type":"{word}","message":"{message}"}}}}"#);
        let fault = ANTHROPIC.classify(status, &RetryHeaders::default(), &body);
        assert_eq!((fault.kind, fault.status), (expected, Some(status)), "{word} {message}");
        assert_eq!(fault.message, message);
    }
    let limit = r#"{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}"#;
    let headers = RetryHeaders { retry_after: Some("7"), ..RetryHeaders::default() };
    assert_eq!(ANTHROPIC.classify(429, &headers, limit).kind, FaultKind::OutOfCredit);
    assert_eq!(ANTHROPIC.classify(429, &headers, "").retry_after_ms, Some(7_000));
    assert_eq!(ANTHROPIC.classify(400, &headers, "<html>").kind, FaultKind::Refused);
}
