//! Ollama's own protocol: the bytes of its requests, and what its answers are read as.

use twicetold_dialect::{Compat, Protocol, RetryHeaders, TokensField, ToolCalls, Wire};
use twicetold_model::{
    Fault, FaultKind, Finish, Message, Opaque, Parameters, Part, Reply, ReplySchema, Request, Role,
    ToolChoice, ToolSpec, Usage,
};

use super::helpers::{self, call, result};

/// Thinking, words, two calls, the counts in the last line.
const STREAM: &str = include_str!("../streams/ollama.ndjson");

fn encode(request: &Request, compat: &Compat) -> String {
    helpers::encode(Protocol::Ollama, request, compat)
}

fn decode(body: &str) -> Result<Reply, Fault> {
    helpers::decode(Protocol::Ollama, body)
}

fn read(stream: &str) -> Result<Reply, Fault> {
    decode(&Protocol::Ollama.assemble(stream)?)
}

fn kind(body: &str) -> FaultKind {
    helpers::kind(Protocol::Ollama, body)
}

/// The reply to an answer with this message.
fn message(message: &str) -> Reply {
    decode(&format!(r#"{{"message":{message},"done_reason":"stop","done":true}}"#))
        .unwrap_or_else(|fault| panic!("{message}: {fault:?}"))
}

fn text(role: Role, text: &str) -> Message {
    Message { role, parts: vec![Part::Text(text.into())] }
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
        model: "qwen3:8b".into(),
        temperature_milli: Some(700),
        seed: Some(11),
        tokens_max: 900,
        parallel_tool_calls: true,
        tool_choice: ToolChoice::Required,
    };
    let messages = vec![
        text(Role::System, "Be the DM."),
        text(Role::User, "Kira:\nI jump."),
        Message { role: Role::Assistant, parts: vec![Part::Text("I roll.".into()), roll] },
        Message { role: Role::Tool, parts: vec![result("c00000001", "14")] },
    ];
    Request { messages, tools: vec![tool], reply_schema: None, parameters }
}

#[test]
fn a_full_turn_has_these_bytes() {
    let expected = concat!(
        r#"{"model":"qwen3:8b","messages":["#,
        r#"{"role":"system","content":"Be the DM."},"#,
        r#"{"role":"user","content":"Kira:\nI jump."},"#,
        r#"{"role":"assistant","content":"I roll.","tool_calls":[{"id":"c00000001","#,
        r#""function":{"name":"roll_dice","arguments":{"dice":"1d20"}}}]},"#,
        r#"{"role":"tool","content":"14","tool_name":"roll_dice","tool_call_id":"c00000001"}],"#,
        r#""tools":[{"type":"function","function":{"name":"roll_dice","description":"Roll \"dice\".","#,
        r#""parameters":{"type":"object","properties":{"dice":{"type":"string"}}}}}],"#,
        r#""stream":false,"truncate":false,"shift":false,"#,
        r#""options":{"num_ctx":16384,"num_predict":900,"temperature":0.7,"seed":11,"stop":["<|im_end|>","\n\n"]},"#,
        r#""keep_alive":"30m","think":false}"#,
    );
    let extra_fields = [("think".into(), "false".into()), ("keep_alive".into(), "\"30m\"".into())].into();
    let stop = vec!["<|im_end|>".into(), "\n\n".into()];
    let compat = Compat { context: Some(16_384), stop, extra_fields, ..Compat::default() };
    assert_eq!(encode(&request(), &compat), expected);
}

#[test]
fn whether_to_stream_is_always_said() {
    let streamed = encode(&request(), &Compat { stream: true, ..Compat::default() });
    assert!(streamed.contains(r#","stream":true,"#) && !streamed.contains("stream_options"), "{streamed}");
    assert!(encode(&Request::default(), &Compat::default()).contains(r#","stream":false,"#));
}

#[test]
fn each_switch_takes_its_option_away_and_nothing_else() {
    let plain = encode(&request(), &Compat::default());
    for (compat, gone) in [
        (Compat { temperature: false, ..Compat::default() }, r#","temperature":0.7"#),
        (Compat { seed: false, ..Compat::default() }, r#","seed":11"#),
        (Compat { tokens_field: TokensField::None, ..Compat::default() }, r#""num_predict":900,"#),
        (Compat { tool_choice: false, parallel_tool_calls: false, ..Compat::default() }, ""),
    ] {
        assert_eq!(encode(&request(), &compat), plain.replace(gone, ""), "{compat:?}");
    }
    let bare = encode(&Request::default(), &Compat::default());
    let expected = r#"{"model":"","messages":[],"stream":false,"truncate":false,"shift":false}"#;
    assert_eq!(bare, expected);
}

#[test]
fn the_window_is_a_field_of_this_protocol_alone() {
    let compat = Compat { context: Some(8_192), ..Compat::default() };
    let chat = Wire { compat: compat.clone(), ..Wire::default() };
    assert_eq!(chat.encode(&request()), Wire::default().encode(&request()));
    assert!(encode(&Request::default(), &compat).ends_with(r#""options":{"num_ctx":8192}}"#));
}

#[test]
fn configuration_adds_options_and_replaces_none() {
    let options = r#"{"top_k":40,"seed":1,"num_ctx":2}"#;
    let extra_fields = [("options".into(), options.into()), ("think".into(), "false".into())].into();
    let compat = Compat { context: Some(8_192), extra_fields, ..Compat::default() };
    let end = r#""options":{"num_ctx":8192,"seed":1,"top_k":40},"think":false}"#;
    assert!(encode(&Request::default(), &compat).ends_with(end));
    assert!(encode(&request(), &compat).contains(r#""seed":11,"top_k":40}"#));
    assert!(Wire::new("ollama", 1, compat).is_ok());
}

#[test]
fn a_model_that_must_use_words_is_offered_no_tools() {
    let mut words = request();
    words.parameters.tool_choice = ToolChoice::None;
    assert!(!encode(&words, &Compat::default()).contains(r#""tools""#));
    assert!(!encode(&request(), &Compat { tools: false, ..Compat::default() }).contains(r#""tools""#));
}

#[test]
fn a_reply_is_held_to_a_schema_by_its_format() {
    let form = ReplySchema { name: "reply".into(), schema: r#"{"type":"object"}"#.into(), strict: true };
    let held = Request { reply_schema: Some(form), ..Request::default() };
    assert!(encode(&held, &Compat::default()).contains(r#","format":{"type":"object"},"stream""#));
    let structured = Compat { tool_calls: ToolCalls::Structured, ..Compat::default() };
    let body = encode(&request(), &structured);
    assert!(body.contains(r#","format":{"type":"object","#) && !body.contains(r#""tools""#), "{body}");
}

#[test]
fn results_stand_next_to_their_calls_and_name_their_tools() {
    let calls = ["a", "b"].map(|id| Part::ToolCall(call(id, &format!("tool {id}"), "{broken")));
    let parts = vec![Part::Text("Go on.".into()), result("b", "2"), result("a", "1"), result("x", "0")];
    let messages =
        vec![Message { role: Role::Assistant, parts: calls.to_vec() }, Message { role: Role::Tool, parts }];
    let body = encode(&Request { messages, ..Request::default() }, &Compat::default());
    let expected = concat!(
        r#"{"role":"assistant","content":"","tool_calls":["#,
        r#"{"id":"a","function":{"name":"tool_a","arguments":{"malformed":"{broken"}}},"#,
        r#"{"id":"b","function":{"name":"tool_b","arguments":{"malformed":"{broken"}}}]},"#,
        r#"{"role":"tool","content":"2","tool_name":"tool_b","tool_call_id":"b"},"#,
        r#"{"role":"tool","content":"1","tool_name":"tool_a","tool_call_id":"a"},"#,
        r#"{"role":"tool","content":"0","tool_call_id":"x"},"#,
        r#"{"role":"user","content":"Go on."}]"#,
    );
    assert!(body.contains(expected), "{body}");
}

#[test]
fn a_server_without_messages_of_tools_is_told_as_text() {
    let body = encode(&request(), &Compat { tool_messages: false, ..Compat::default() });
    let expected = concat!(
        r#"{"role":"assistant","content":"I roll.\n[call c00000001] roll_dice {\"dice\":\"1d20\"}"},"#,
        r#"{"role":"user","content":"[result c00000001] 14"}]"#,
    );
    assert!(body.contains(expected), "{body}");
}

#[test]
fn blocks_of_other_vendors_are_left_out() {
    let block = |vendor: &str| Part::Opaque { vendor: vendor.into(), body: "{\"signature\":1}".into() };
    let parts = vec![block("anthropic"), block("chat-completions"), Part::Text("Yes.".into())];
    let messages = vec![Message { role: Role::Assistant, parts }];
    let body = encode(&Request { messages, ..Request::default() }, &Compat::default());
    assert!(body.contains(r#"[{"role":"assistant","content":"Yes."}]"#), "{body}");
    // A message of nothing else would have no words.
    let messages = vec![Message { role: Role::Assistant, parts: vec![block("anthropic")] }];
    let body = encode(&Request { messages, ..Request::default() }, &Compat::default());
    assert!(body.contains(r#""messages":[]"#), "{body}");
}

#[test]
fn what_the_protocol_decides_on_is_no_extra_field() {
    for name in ["model", "messages", "tools", "format", "stream", "truncate", "shift"] {
        let compat = Compat { extra_fields: [(name.into(), "1".into())].into(), ..Compat::default() };
        assert!(Wire::new("ollama", 1, compat).unwrap_err().contains(name));
    }
    assert_eq!(Protocol::Ollama.path("qwen3:8b", true), "/api/chat");
    assert_eq!(Protocol::Ollama.models_path(), "/api/tags");
    assert!(Protocol::Ollama.headers(None).is_empty());
    assert_eq!(Protocol::Ollama.headers(Some("k")), [("authorization", "Bearer k".to_owned())]);
}

#[test]
fn words_thinking_and_calls_are_kept_apart() {
    let reply = message(
        r#"{"role":"assistant","content":" Good. ","thinking":"He lies.","tool_calls":[
            {"function":{"name":"roll_dice","arguments":{"dice": "1d20"}}},
            {"id":"b","function":{"name":"move_to","arguments":"{\"who\": "}},
            {"id":"b","function":{"name":"end_turn"}},
            "roll"]}"#,
    );
    let expected = Reply {
        text: " Good. ".into(),
        thinking: "He lies.".into(),
        opaque: vec![Opaque { place: 0, json: r#"{"thinking":"He lies."}"#.into() }],
        tool_calls: vec![
            call("", "roll_dice", r#"{"dice": "1d20"}"#),
            call("b", "move_to", "{\"who\": "),
            call("b", "end_turn", ""),
            call("", "", "\"roll\""),
        ],
        finish: Finish::ToolCalls,
        usage: Usage::default(),
    };
    assert_eq!(reply, expected);
    assert_eq!(message(r#"{"content":"<think>He lies.</think>Good."}"#).thinking, "He lies.");
    for nothing in ["{}", r#"{"content":null,"thinking":null,"tool_calls":null}"#] {
        let reply = message(nothing);
        assert_eq!((reply.text.as_str(), reply.finish), ("", Finish::Stop));
    }
}

#[test]
fn each_reason_to_be_done_has_its_meaning() {
    let calls = r#"{"content":"","tool_calls":[{"function":{"name":"x","arguments":{}}}]}"#;
    let words = r#"{"content":"x"}"#;
    for (message, end, expected) in [
        (words, r#","done_reason":"stop","done":true"#, Finish::Stop),
        (calls, r#","done_reason":"stop","done":true"#, Finish::ToolCalls),
        (calls, r#","done_reason":"length","done":true"#, Finish::Length),
        (words, r#","done_reason":"length","done":true"#, Finish::Length),
        (words, r#","done_reason":"load","done":true"#, Finish::Other),
        (words, r#","done_reason":"unload","done":true"#, Finish::Other),
        (words, r#","done_reason":"tired","done":true"#, Finish::Other),
        (words, r#","done":true"#, Finish::Stop),
        (calls, "", Finish::ToolCalls),
        (words, "", Finish::Other),
    ] {
        let body = format!(r#"{{"message":{message}{end}}}"#);
        assert_eq!(decode(&body).unwrap().finish, expected, "{body}");
    }
    assert_eq!(kind(r#"{"message":{"content":"half a"},"done":false}"#), FaultKind::Truncated);
}

#[test]
fn tokens_are_counted_and_counts_that_make_no_sense_are_zero() {
    let usage = |counts: &str| {
        decode(&format!(r#"{{"message":{{"content":"x"}},"done":true{counts}}}"#)).unwrap().usage
    };
    let counted = Usage { input_tokens: 9, output_tokens: 4, ..Usage::default() };
    assert_eq!(usage(r#","prompt_eval_count":9,"eval_count":4"#), counted);
    assert_eq!(usage(r#","prompt_eval_count":-9,"eval_count":4"#), Usage { input_tokens: 0, ..counted });
    for nonsense in ["", r#","eval_count":null"#, r#","eval_count":1e400"#, r#","eval_count":[]"#] {
        assert_eq!(usage(nonsense), Usage::default(), "{nonsense}");
    }
}

#[test]
fn an_error_inside_a_200_is_a_fault_with_the_servers_words() {
    let fault = decode(r#"{"error":"model runner has\u001b[2J stopped"}"#).unwrap_err();
    assert_eq!((fault.kind, fault.status), (FaultKind::ErrorInBody, Some(200)));
    assert_eq!(fault.message, "model runner has\\u{1b}[2J stopped");
    let late = STREAM.lines().take(3).chain([r#"{"error":"out of memory"}"#]).collect::<Vec<_>>().join("\n");
    assert_eq!(read(&late).unwrap_err().message, "out of memory");
    assert_eq!(read("{\"error\":\"out of memory\"}\n").unwrap_err().kind, FaultKind::ErrorInBody);
    assert_eq!(message(r#"{"content":"x"}"#).text, "x");
    assert_eq!(decode(r#"{"error":"","message":{"content":"x"},"done":true}"#).unwrap().text, "x");
}

#[test]
fn what_is_not_an_answer_is_unreadable() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = format!(r#"{{"message":{{"content":{deep}}},"done":true}}"#);
    for body in [
        "",
        "null",
        "[]",
        "<html>",
        "{}",
        r#"{"message":"x"}"#,
        r#"{"message":["x"]}"#,
        r#"{"message":{"content":7}}"#,
        r#"{"message":{"content":"x","tool_calls":{}}}"#,
        r#"{"message":{"content":"x"}} trailing"#,
        r#"{"choices":[{"message":{"content":"x"}}]}"#,
        &nested,
    ] {
        assert_eq!(kind(body), FaultKind::Unreadable, "{body:.80}");
    }
}

#[test]
fn a_stream_has_the_bytes_of_one_body() {
    let expected = concat!(
        r#"{"model":"qwen3:8b","created_at":"2026-11-20T10:00:00.1Z","#,
        r#""message":{"role":"assistant","content":"I \"try\" the latch. 🐉","thinking":"He \"lies\".","#,
        r#""tool_calls":[{"id":"call_a","function":{"index":0,"name":"roll_dice","arguments":{"dice":"1d20"}}},"#,
        r#"{"function":{"index":1,"name":"move_to","arguments":{"location":"market"}}}]},"#,
        r#""done":true,"done_reason":"stop","prompt_eval_count":40,"eval_count":12}"#,
    );
    for stream in [STREAM.to_owned(), STREAM.replace('\n', "\r\n"), format!("\n{STREAM}{STREAM}{{late")] {
        assert_eq!(Protocol::Ollama.assemble(&stream).unwrap(), expected);
    }
    let reply = read(STREAM).unwrap();
    assert_eq!((reply.text.as_str(), reply.thinking.as_str()), ("I \"try\" the latch. 🐉", "He \"lies\"."));
    let calls =
        [call("call_a", "roll_dice", r#"{"dice":"1d20"}"#), call("", "move_to", r#"{"location":"market"}"#)];
    assert_eq!((reply.tool_calls.as_slice(), reply.finish), (calls.as_slice(), Finish::ToolCalls));
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (40, 12));
}

#[test]
fn a_stream_cut_at_any_byte_is_a_fault_or_the_whole_reply() {
    let whole = read(STREAM).unwrap();
    let end_mark = STREAM.trim_end().len();
    for length in 0..=STREAM.len() {
        let cut = String::from_utf8_lossy(&STREAM.as_bytes()[..length]);
        match read(&cut) {
            Ok(reply) => assert!(length >= end_mark && reply == whole, "cut at {length}: {reply:?}"),
            Err(fault) => assert!(
                length < end_mark && matches!(fault.kind, FaultKind::Truncated | FaultKind::Unreadable),
                "cut at {length}: {fault:?}"
            ),
        }
    }
}

#[test]
fn lines_that_are_not_of_the_protocol_lose_nothing_quietly() {
    let end = r#"{"message":{"content":""},"done":true}"#;
    for (line, expected) in [
        (r#"{"message":{"content":7},"done":false}"#, None),
        (r#"{"message":{"content":"a","tool_calls":{}},"done":false}"#, None),
        (r#"{"message":["a"],"done":false}"#, None),
        (r#"["a"]"#, None),
        (r#"{"message":{"content":null},"done":false}"#, Some("")),
        (r#"{"status":"waking up","done":false}"#, Some("")),
        (r#"{"message":{"content":"a"}}"#, Some("a")),
    ] {
        let start = r#"{"message":{"content":""},"done":false}"#;
        let reply = read(&format!("{start}\n{line}\n{end}\n"));
        assert_eq!(reply.as_ref().ok().map(|reply| reply.text.as_str()), expected, "{line}: {reply:?}");
    }
}

#[test]
fn an_answer_that_is_no_stream_comes_back_as_it_is() {
    let pretty = "{\n  \"message\": {\"content\": \"x\"},\n  \"done\": true\n}\n";
    for body in ["", pretty, "<html>bad gateway</html>", "{\"error\":\"x\"}"] {
        assert_eq!(Protocol::Ollama.assemble(body).unwrap(), body);
    }
}

#[test]
fn each_status_has_its_kind_and_the_message_is_the_servers_own() {
    let long = r#"{"error":"{\"error\":{\"code\":400,\"message\":\"request (8889 tokens) exceeds the available context size (4096 tokens), try increasing it\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":8889,\"n_ctx\":4096}}"}"#;
    for (status, body, kind, message) in [
        (400, long, FaultKind::ContextTooLong, "request (8889 tokens) exceeds"),
        (
            400,
            r#"{"error":"the prompt is longer than the context length currently available to the model"}"#,
            FaultKind::ContextTooLong,
            "the prompt is longer",
        ),
        (404, r#"{"error":"model 'x' not found"}"#, FaultKind::Refused, "model 'x' not found"),
        (400, r#"{"error":"\"x\" does not support tools"}"#, FaultKind::Refused, "\"x\" does not"),
        (500, r#"{"error":"model requires more system memory"}"#, FaultKind::Server, "model requires"),
        (503, r#"{"error":"server busy"}"#, FaultKind::Server, "server busy"),
        (401, r#"{"error":"unauthorized"}"#, FaultKind::Unauthorized, "unauthorized"),
        (429, "", FaultKind::RateLimited, "status 429"),
    ] {
        let fault = Protocol::Ollama.classify(status, &RetryHeaders::default(), body);
        assert_eq!((fault.kind, fault.status), (kind, Some(status)), "{body}");
        assert!(fault.message.starts_with(message), "{}", fault.message);
    }
}

#[test]
fn a_scripted_body_is_decoded_to_what_it_was_made_from() {
    let calls = [("roll_dice", r#"{"dice":"1d20"}"#), ("move_to", "{broken"), ("x", "\"text\""), ("y", "")];
    let body = Protocol::Ollama.reply_body("I \"roll\".\n", &calls);
    assert_eq!(Protocol::Ollama.assemble(&body).unwrap(), body);
    let reply = decode(&body).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("I \"roll\".\n", Finish::ToolCalls));
    let read: Vec<(&str, &str)> =
        reply.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    assert_eq!(read, calls);
    let expected = r#"{"model":"scripted","created_at":"1970-01-01T00:00:00Z","message":{"role":"assistant","content":"Hello."},"done_reason":"stop","done":true,"prompt_eval_count":0,"eval_count":1}"#;
    assert_eq!(Protocol::Ollama.reply_body("Hello.", &[]), expected);
    assert_eq!(decode(expected).unwrap().finish, Finish::Stop);
}
