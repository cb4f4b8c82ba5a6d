//! OpenAI's Responses: the bytes of its requests, and what its answers are read as.

use std::path::Path;

use serde_json::Value;
use twicetold_dialect::{Compat, Protocol, SystemRole, TokensField, ToolCalls, Wire};
use twicetold_model::{
    Fault, FaultKind, Finish, Message, Opaque, Parameters, Part, Reply, ReplySchema, Request, Role,
    ToolChoice, ToolSpec, Usage,
};

use super::helpers::{self, call, result};

/// Thinking, words, a call, more thinking, another call; the usage in the last event.
pub(super) const STREAM: &str = include_str!("../streams/responses.sse");

/// Blocks of thinking as the stream has them.
pub(super) const BLOCKS: [&str; 2] = [
    r#"{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"He \"lies\"."}],"encrypted_content":"gAAA=="}"#,
    r#"{"id":"rs_2","type":"reasoning","summary":[],"encrypted_content":"gBBB=="}"#,
];

fn encode(request: &Request, compat: &Compat) -> String {
    helpers::encode(Protocol::Responses, request, compat)
}

/// The items that these messages become.
fn items(messages: Vec<Message>) -> String {
    let body = encode(&Request { messages, ..Request::default() }, &Compat::default());
    let end = r#"],"store":false,"include":["reasoning.encrypted_content"]}"#;
    let inner = body.strip_prefix(r#"{"model":"","input":["#).and_then(|body| body.strip_suffix(end));
    inner.unwrap_or_else(|| panic!("{body}")).to_owned()
}

pub(super) fn decode(body: &str) -> Result<Reply, Fault> {
    helpers::decode(Protocol::Responses, body)
}

pub(super) fn read(stream: &str) -> Result<Reply, Fault> {
    decode(&Protocol::Responses.assemble(stream)?)
}

pub(super) fn kind(body: &str) -> FaultKind {
    helpers::kind(Protocol::Responses, body)
}

/// The reply to a response with this output.
pub(super) fn output(items: &str) -> Reply {
    decode(&format!(r#"{{"status":"completed","output":[{items}]}}"#))
        .unwrap_or_else(|fault| panic!("{items}: {fault:?}"))
}

pub(super) fn said(text: &str) -> String {
    format!(r#"{{"type":"message","content":[{{"type":"output_text","text":"{text}"}}]}}"#)
}

pub(super) fn block(vendor: &str, body: &str) -> Part {
    Part::Opaque { vendor: vendor.into(), body: body.into() }
}

pub(super) fn text(role: Role, text: &str) -> Message {
    Message { role, parts: vec![Part::Text(text.into())] }
}

pub(super) fn assistant(parts: Vec<Part>) -> Message {
    Message { role: Role::Assistant, parts }
}

/// A turn with everything in it.
fn request() -> Request {
    let roll = Part::ToolCall(call("c00000001", "roll_dice", r#"{"dice":"1d20"}"#));
    let tool = ToolSpec {
        name: "roll_dice".into(),
        description: "Roll \"dice\".".into(),
        schema: r#"{"type":"object","properties":{"dice":{"type":"string"}}}"#.into(),
    };
    let parameters = Parameters {
        model: "gpt-5.6".into(),
        temperature_milli: Some(700),
        seed: Some(11),
        tokens_max: 900,
        parallel_tool_calls: true,
        tool_choice: ToolChoice::Required,
    };
    let messages = vec![
        text(Role::System, "Be the DM."),
        text(Role::User, "Kira:\nI jump."),
        assistant(vec![Part::Text("I roll.".into()), block("responses", BLOCKS[1]), roll]),
        Message { role: Role::Tool, parts: vec![result("c00000001", "14")] },
    ];
    Request { messages, tools: vec![tool], reply_schema: None, parameters }
}

#[test]
fn a_full_turn_has_these_bytes() {
    let expected = concat!(
        r#"{"model":"gpt-5.6","input":["#,
        r#"{"role":"system","content":"Be the DM."},"#,
        r#"{"role":"user","content":"Kira:\nI jump."},"#,
        r#"{"role":"assistant","content":"I roll."},"#,
        r#"{"id":"rs_2","type":"reasoning","summary":[],"encrypted_content":"gBBB=="},"#,
        r#"{"type":"function_call","call_id":"c00000001","name":"roll_dice","arguments":"{\"dice\":\"1d20\"}"},"#,
        r#"{"type":"function_call_output","call_id":"c00000001","output":"14"}],"#,
        r#""tools":[{"type":"function","name":"roll_dice","description":"Roll \"dice\".","#,
        r#""parameters":{"type":"object","properties":{"dice":{"type":"string"}}},"strict":false}],"#,
        r#""tool_choice":"required","parallel_tool_calls":true,"temperature":0.7,"max_output_tokens":900,"#,
        r#""store":false,"include":["reasoning.encrypted_content"]}"#,
    );
    assert_eq!(encode(&request(), &Compat::default()), expected);
}

#[test]
fn each_switch_changes_its_field_and_nothing_else() {
    let fields = |name: &str, text: &str| [(name.to_owned(), text.to_owned())].into();
    let include = r#","include":["reasoning.encrypted_content"]"#;
    let plain = encode(&request(), &Compat::default());
    for (compat, before, after) in [
        (Compat { temperature: false, ..Compat::default() }, r#","temperature":0.7"#, ""),
        (Compat { seed: false, context: Some(9), stop: vec!["x".into()], ..Compat::default() }, "", ""),
        (Compat { tokens_field: TokensField::None, ..Compat::default() }, r#","max_output_tokens":900"#, ""),
        (Compat { tool_choice: false, ..Compat::default() }, r#","tool_choice":"required""#, ""),
        (Compat { parallel_tool_calls: false, ..Compat::default() }, r#","parallel_tool_calls":true"#, ""),
        (
            Compat { system_role: SystemRole::Developer, ..Compat::default() },
            r#""role":"system""#,
            r#""role":"developer""#,
        ),
        (Compat { stream: true, ..Compat::default() }, "\"]}", "\"],\"stream\":true}"),
        (
            Compat { extra_fields: fields("reasoning", r#"{"effort":"low"}"#), ..Compat::default() },
            "\"]}",
            "\"],\"reasoning\":{\"effort\":\"low\"}}",
        ),
        (Compat { extra_fields: fields("include", "[]"), ..Compat::default() }, include, ",\"include\":[]"),
    ] {
        assert!(plain.contains(before));
        let expected = if before.is_empty() { plain.clone() } else { plain.replace(before, after) };
        assert_eq!(encode(&request(), &compat), expected, "{compat:?}");
    }
}

#[test]
fn a_bound_is_never_smaller_than_the_vendor_takes() {
    for (tokens_max, expected) in
        [(0, None), (1, Some(16)), (16, Some(16)), (17, Some(17)), (u32::MAX, Some(u32::MAX))]
    {
        let parameters = Parameters { tokens_max, ..Parameters::default() };
        let body: Value =
            serde_json::from_str(&encode(&Request { parameters, ..Request::default() }, &Compat::default()))
                .unwrap();
        assert_eq!(body.get("max_output_tokens").and_then(Value::as_u64), expected.map(u64::from));
    }
}

#[test]
fn what_the_protocol_decides_on_is_no_extra_field() {
    for name in ["model", "input", "tools", "tool_choice", "parallel_tool_calls", "store", "stream"] {
        let compat = Compat { extra_fields: [(name.into(), "1".into())].into(), ..Compat::default() };
        assert!(Wire::new("responses", 1, compat).unwrap_err().contains(name));
    }
    assert_eq!(Protocol::Responses.path("gpt-5.6", true), "/responses");
    assert_eq!(Protocol::Responses.models_path(), "/models");
    assert_eq!(Protocol::Responses.headers(Some("k")), [("authorization", "Bearer k".to_owned())]);
}

#[test]
fn nothing_is_said_about_tools_when_none_are_offered() {
    let mut words = request();
    words.parameters.tool_choice = ToolChoice::None;
    assert!(encode(&words, &Compat::default()).contains(r#""tool_choice":"none""#));
    let body = encode(&words, &Compat { tool_choice: false, ..Compat::default() });
    assert!(!body.contains("tool_choice") && !body.contains("\"tools\""), "{body}");
    words.tools.clear();
    let body = encode(&words, &Compat::default());
    assert!(!body.contains("\"tools\"") && !body.contains("tool_ch") && !body.contains("parallel"), "{body}");
}

#[test]
fn a_reply_is_held_to_a_schema_by_the_format_of_its_text() {
    let form = |strict| ReplySchema { name: "reply".into(), schema: r#"{"type":"object"}"#.into(), strict };
    for strict in [true, false] {
        let held = Request { reply_schema: Some(form(strict)), ..Request::default() };
        let expected = format!(
            r#","text":{{"format":{{"type":"json_schema","name":"reply","strict":{strict},"schema":{{"type":"object"}}}}}},"#
        );
        assert!(encode(&held, &Compat::default()).contains(&expected));
    }
    let verbosity = r#"{"verbosity":"low","format":{"type":"text"}}"#;
    let extra_fields = [("text".to_owned(), verbosity.to_owned())].into();
    let brief = Compat { extra_fields, ..Compat::default() };
    let held = Request { reply_schema: Some(form(true)), ..Request::default() };
    assert!(encode(&held, &brief).contains(r#""schema":{"type":"object"}},"verbosity":"low"},"store""#));
    assert!(
        encode(&Request::default(), &brief)
            .contains(r#","text":{"format":{"type":"text"},"verbosity":"low"},"#)
    );
    let structured = Compat { tool_calls: ToolCalls::Structured, ..Compat::default() };
    let body = encode(&request(), &structured);
    assert!(body.contains(r#""text":{"format":"#) && !body.contains(r#""tools""#), "{body}");
}

#[test]
fn results_come_before_words_and_words_without_a_letter_not_at_all() {
    let parts = vec![Part::Text("Go on.".into()), result("c1", "14"), result("c2", "a \"b\"")];
    let expected = concat!(
        r#"{"type":"function_call_output","call_id":"c1","output":"14"},"#,
        r#"{"type":"function_call_output","call_id":"c2","output":"a \"b\""},"#,
        r#"{"role":"user","content":"Go on."}"#,
    );
    for role in [Role::Tool, Role::User] {
        assert_eq!(items(vec![Message { role, parts: parts.clone() }]), expected);
    }
    let calls = ["", "b"].map(|name| Part::ToolCall(call("c1", name, "{broken")));
    let expected = concat!(
        r#"{"type":"function_call","call_id":"c1","name":"unknown","arguments":"{\"malformed\":\"{broken\"}"},"#,
        r#"{"type":"function_call","call_id":"c1","name":"b","arguments":"{\"malformed\":\"{broken\"}"}"#,
    );
    let parts = [vec![Part::Text(String::new())], calls.to_vec()].concat();
    assert_eq!(items(vec![text(Role::User, ""), assistant(parts), assistant(Vec::new())]), expected);
    let parts = ["a", "", "b"].map(|text| Part::Text(text.into())).to_vec();
    assert_eq!(items(vec![Message { role: Role::User, parts }]), r#"{"role":"user","content":"a\n\nb"}"#);
}

#[test]
fn a_server_without_items_of_tools_is_told_as_text() {
    let body = encode(&request(), &Compat { tool_messages: false, ..Compat::default() });
    let expected = concat!(
        r#"{"role":"assistant","content":"I roll."},"#,
        r#"{"id":"rs_2","type":"reasoning","summary":[],"encrypted_content":"gBBB=="},"#,
        r#"{"role":"assistant","content":"[call c00000001] roll_dice {\"dice\":\"1d20\"}"},"#,
        r#"{"role":"user","content":"[result c00000001] 14"}]"#,
    );
    assert!(body.contains(expected), "{body}");
}

#[test]
fn blocks_go_back_unchanged_where_they_stood_and_to_this_protocol_only() {
    let parts = |vendor: &str| {
        vec![
            block(vendor, BLOCKS[0]),
            Part::Text("Yes.".into()),
            block(vendor, BLOCKS[1]),
            Part::ToolCall(call("c1", "x", "{}")),
        ]
    };
    let words = r#"{"role":"assistant","content":"Yes."}"#;
    let called = r#"{"type":"function_call","call_id":"c1","name":"x","arguments":"{}"}"#;
    assert_eq!(items(vec![assistant(parts("responses"))]), [BLOCKS[0], words, BLOCKS[1], called].join(","));
    assert_eq!(items(vec![assistant(parts("anthropic"))]), [words, called].join(","));
    let chat = Wire::default();
    let request = |parts| Request { messages: vec![assistant(parts)], ..Request::default() };
    let plain: Vec<Part> =
        parts("x").into_iter().filter(|part| !matches!(part, Part::Opaque { .. })).collect();
    assert_eq!(chat.encode(&request(parts("responses"))), chat.encode(&request(plain)));
}

#[test]
fn a_block_that_nothing_follows_or_that_is_not_one_is_left_out() {
    let parts = vec![Part::Text("Yes.".into()), block("responses", BLOCKS[0]), Part::Text(String::new())];
    assert_eq!(items(vec![assistant(parts)]), r#"{"role":"assistant","content":"Yes."}"#);
    let parts = vec![block("responses", "{\"half\":"), Part::Text("Yes.".into())];
    assert_eq!(items(vec![assistant(parts)]), r#"{"role":"assistant","content":"Yes."}"#);
    assert_eq!(items(vec![assistant(vec![block("responses", BLOCKS[0])])]), "");
}

#[test]
fn a_reply_and_its_blocks_are_written_back_as_they_came() {
    let reply = read(STREAM).unwrap();
    let mut parts = vec![Part::Text(reply.text.clone())];
    parts.extend(reply.tool_calls.iter().cloned().map(Part::ToolCall));
    for block in reply.opaque.iter().rev() {
        let body = block.json.clone();
        parts.insert(usize::from(block.place), Part::Opaque { vendor: "responses".into(), body });
    }
    let expected = [
        BLOCKS[0],
        r#"{"role":"assistant","content":"I \"try\" the latch. 🐉"}"#,
        r#"{"type":"function_call","call_id":"call_a","name":"roll_dice","arguments":"{\"dice\":\"1d20\"}"}"#,
        BLOCKS[1],
        r#"{"type":"function_call","call_id":"call_b","name":"move_to","arguments":"{\"location\":\"market\"}"}"#,
    ];
    assert_eq!(items(vec![assistant(parts)]), expected.join(","));
}

#[test]
fn words_thinking_blocks_and_calls_are_kept_apart() {
    let items = [
        BLOCKS[0],
        &said("Good "),
        r#"{"type":"web_search_call","status":"completed"}"#,
        r#"{"type":"function_call","call_id":"a","id":"fc_1","name":"roll_dice","arguments":"{\"dice\": 1d20"}"#,
        r#"{"type":"function_call","id":"fc_2","name":"move_to","arguments":{"who": "Lyra"}}"#,
        BLOCKS[1],
        r#"{"type":"function_call","call_id":"a"}"#,
        &said("evening."),
        r#"{"type":"reasoning","summary":[],"encrypted_content":"gCCC=="}"#,
    ];
    let block = |place, json: &str| Opaque { place, json: json.into() };
    let expected = Reply {
        text: "Good \n\nevening.".into(),
        thinking: "He \"lies\".".into(),
        opaque: vec![block(0, items[0]), block(3, items[5]), block(4, items[8])],
        tool_calls: vec![
            call("a", "roll_dice", "{\"dice\": 1d20"),
            call("fc_2", "move_to", r#"{"who": "Lyra"}"#),
            call("a", "", ""),
        ],
        finish: Finish::ToolCalls,
        usage: Usage::default(),
    };
    assert_eq!(output(&items.join(",")), expected);
    let late = [items[3], BLOCKS[0], items[1]].join(",");
    assert_eq!(
        output(&late).opaque,
        [block(0, BLOCKS[0])],
        "words go before calls, and their blocks with them"
    );
}

#[test]
fn thinking_is_read_in_every_form_and_sent_back_only_when_the_server_can_read_it() {
    for (item, thought) in [
        (r#"{"type":"reasoning","id":"rs_1","summary":[]}"#, ""),
        (r#"{"type":"reasoning","summary":null,"content":null,"encrypted_content":null}"#, ""),
        (
            r#"{"type":"reasoning","summary":[{"text":"He"},{"text":"lies."}],"encrypted_content":""}"#,
            "He\n\nlies.",
        ),
        (
            r#"{"type":"reasoning","content":[{"type":"reasoning_text","text":"He lies."}],"summary":[{"text":"Lies."}]}"#,
            "He lies.",
        ),
        (r#"{"type":"reasoning","summary":"He lies."}"#, ""),
    ] {
        let reply = output(&[item, &said("Good.")].join(","));
        assert_eq!((reply.text.as_str(), reply.thinking.as_str()), ("Good.", thought), "{item}");
        assert!(reply.opaque.is_empty());
    }
    let twice = [BLOCKS[0], BLOCKS[0], &said("Good.")].join(",");
    assert_eq!(output(&twice).thinking, "He \"lies\".\n\nHe \"lies\".");
    assert_eq!(output(&twice).opaque.len(), 2);
}

#[test]
fn a_refusal_is_the_text_of_a_filtered_reply() {
    let refusal = r#"{"type":"message","content":[{"type":"refusal","refusal":"I would rather not."}]}"#;
    let reply = output(refusal);
    assert_eq!((reply.text.as_str(), reply.finish), ("I would rather not.", Finish::Filtered));
    assert_eq!(output(&[&said("Yes."), refusal].join(",")).finish, Finish::Stop);
    for empty in [
        r#"{"type":"message"}"#,
        r#"{"type":"message","content":null}"#,
        r#"{"type":"message","content":[]}"#,
    ] {
        assert_eq!((output(empty).text.as_str(), output(empty).finish), ("", Finish::Stop));
    }
    assert_eq!(output(r#"{"type":"message","content":"Yes."}"#).text, "Yes.");
}

#[test]
fn each_status_of_a_response_has_its_meaning() {
    let words = &said("x");
    let called = r#"{"type":"function_call","name":"x","arguments":"{}"}"#;
    for (output, status, expected) in [
        (words.as_str(), r#""status":"completed""#, Finish::Stop),
        (called, r#""status":"completed","incomplete_details":null"#, Finish::ToolCalls),
        (
            called,
            r#""status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}"#,
            Finish::Length,
        ),
        ("", r#""status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}"#, Finish::Length),
        (
            words,
            r#""status":"incomplete","incomplete_details":{"reason":"content_filter"}"#,
            Finish::Filtered,
        ),
        (words, r#""status":"incomplete","incomplete_details":{"reason":"tired"}"#, Finish::Other),
        (words, r#""status":"incomplete","incomplete_details":7"#, Finish::Other),
        (words, r#""status":"cancelled""#, Finish::Other),
        (called, r#""status":"cancelled""#, Finish::Other),
        (words, r#""status":"dreaming""#, Finish::Other),
        (words, r#""status":null"#, Finish::Other),
        (called, r#""status":null"#, Finish::ToolCalls),
    ] {
        let body = format!(r#"{{{status},"output":[{output}]}}"#);
        assert_eq!(decode(&body).unwrap().finish, expected, "{body}");
    }
    for (status, expected) in [
        ("failed", FaultKind::ErrorInBody),
        ("in_progress", FaultKind::Truncated),
        ("queued", FaultKind::Truncated),
    ] {
        assert_eq!(kind(&format!(r#"{{"status":"{status}","output":[{words}]}}"#)), expected);
    }
}

#[test]
fn tokens_are_counted_and_counts_that_make_no_sense_are_zero() {
    let usage = |usage: &str| {
        let words = said("x");
        decode(&format!(r#"{{"status":"completed","output":[{words}],"usage":{usage}}}"#)).unwrap().usage
    };
    let full = r#"{"input_tokens":9,"input_tokens_details":{"cached_tokens":5,"cache_write_tokens":2},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":3}}"#;
    let expected = Usage {
        input_tokens: 9,
        cached_tokens: 5,
        cache_written_tokens: 2,
        output_tokens: 4,
        thinking_tokens: 3,
    };
    assert_eq!(usage(full), expected);
    let partial = r#"{"input_tokens":9,"output_tokens":-1,"input_tokens_details":null}"#;
    assert_eq!(usage(partial), Usage { input_tokens: 9, ..Usage::default() });
    for nonsense in
        ["null", "{}", "[9,9]", r#"{"input_tokens":1e99,"output_tokens_details":[7]}"#, "\"many\""]
    {
        assert_eq!(usage(nonsense), Usage::default(), "{nonsense}");
    }
}

#[test]
fn an_error_inside_a_200_is_a_fault_with_the_servers_words() {
    let failed = |error: &str| kind(&format!(r#"{{"status":"failed","error":{error},"output":[]}}"#));
    for (error, expected) in [
        (r#"{"code":"server_error","message":"x"}"#, FaultKind::ErrorInBody),
        (r#"{"code":"rate_limit_exceeded","message":"x"}"#, FaultKind::RateLimited),
        (r#"{"code":"insufficient_quota","message":"x"}"#, FaultKind::OutOfCredit),
        (r#"{"code":"context_length_exceeded","message":"x"}"#, FaultKind::ContextTooLong),
    ] {
        assert_eq!(failed(error), expected, "{error}");
    }
    for nothing in ["null", "{}", "\"\"", "false"] {
        let words = said("x");
        let body = format!(r#"{{"error":{nothing},"status":"completed","output":[{words}]}}"#);
        assert_eq!(decode(&body).unwrap().text, "x");
    }
}

#[test]
fn what_is_not_a_response_is_unreadable_and_one_without_items_is_no_reply() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = format!(r#"{{"output":{deep}}}"#);
    for body in [
        "",
        "null",
        "[]",
        "<html>",
        "{}",
        r#"{"output":null}"#,
        r#"{"output":{}}"#,
        r#"{"output":["x"]}"#,
        r#"{"output":[null]}"#,
        r#"{"output":[{"type":"message","content":7}]}"#,
        r#"{"output":[]} trailing"#,
        r#"{"choices":[{"message":{"content":"x"}}]}"#,
        &nested,
    ] {
        assert_eq!(kind(body), FaultKind::Unreadable, "{body:.80}");
    }
    assert_eq!(kind(r#"{"status":"completed","output":[]}"#), FaultKind::NoChoices);
    let flood = vec![r#"{"type":"function_call","name":"x","arguments":"{}"}"#; 60_000].join(",");
    assert_eq!(output(&flood).tool_calls.len(), 128);
    let blocks = vec![BLOCKS[1]; 70_000].join(",");
    assert_eq!(output(&blocks).opaque.len(), 70_000);
}

#[test]
fn a_recorded_response_of_another_server_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire/qwen-0.5b/responses-api.response.json");
    let reply = decode(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("Hello! How can I assist", Finish::Stop));
    let usage = Usage { input_tokens: 22, cached_tokens: 5, output_tokens: 6, ..Usage::default() };
    assert_eq!(reply.usage, usage);
}
