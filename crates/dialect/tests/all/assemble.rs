//! A streamed answer is the body that it would have been without streaming.

use std::path::Path;

use twicetold_dialect::{Compat, Protocol, ToolCalls, Wire};
use twicetold_model::{FaultKind, Finish, Reply, ToolCall, Usage};

/// A stream as OpenAI sends it: words, two calls whose pieces alternate, the usage after the end.
const STREAM: &str = include_str!("../streams/two-calls.sse");

const BODY: &str = concat!(
    r#"{"id":"chatcmpl-7","object":"chat.completion","created":1700000000,"model":"gpt-4o-mini","#,
    r#""choices":[{"index":0,"message":{"role":"assistant","content":"I \"try\" the latch. 🐉","tool_calls":["#,
    r#"{"id":"call_a","type":"function","function":{"name":"roll_dice","arguments":"{\"dice\":\"1d20\"}"}},"#,
    r#"{"id":"call_b","type":"function","function":{"name":"move_to","arguments":"{\"location\":\"market\"}"}}]},"#,
    r#""finish_reason":"tool_calls"}],"#,
    r#""usage":{"prompt_tokens":40,"completion_tokens":12,"prompt_tokens_details":{"cached_tokens":32}}}"#,
);

fn assemble(stream: &str) -> String {
    Protocol::ChatCompletions.assemble(stream).unwrap()
}

fn reply(stream: &str) -> Reply {
    Wire::default().decode(&assemble(stream)).unwrap()
}

/// A stream of these events.
fn stream(events: &[&str]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// A chunk with this delta.
fn chunk(delta: &str) -> String {
    format!("{{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}]}}")
}

fn recorded(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire/qwen-0.5b").join(name))
        .unwrap()
}

#[test]
fn an_empty_reason_is_no_end() {
    let piece = r#"{"choices":[{"index":0,"delta":{"content":"Aye"},"finish_reason":""}]}"#;
    let fault = Protocol::ChatCompletions.assemble(&stream(&[piece, piece])).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Truncated);
    let whole = stream(&[piece, &piece.replace("\"finish_reason\":\"\"", "\"finish_reason\":\"stop\"")]);
    assert_eq!((reply(&whole).text.as_str(), reply(&whole).finish), ("AyeAye", Finish::Stop));
}

#[test]
fn two_whole_calls_are_two_where_a_server_gives_neither_id_nor_index() {
    for place in [r#""id":"","#, r#""index":0,"id":"","#, r#""index":0,"#] {
        let call = |arguments: &str| {
            let arguments = serde_json::to_string(arguments).unwrap();
            chunk(&format!(
                r#"{{"tool_calls":[{{{place}"function":{{"name":"roll_dice","arguments":{arguments}}}}}]}}"#
            ))
        };
        let one = call(r#"{"dice":"1d20"}"#);
        let calls = |chunks: &[&str]| {
            let stream = stream(chunks) + "data: [DONE]\n\n";
            reply(&stream).tool_calls.into_iter().map(|call| call.arguments).collect::<Vec<_>>()
        };
        let two = call(r#"{"dice":"2d6"}"#);
        assert_eq!(calls(&[&one, &two]), [r#"{"dice":"1d20"}"#, r#"{"dice":"2d6"}"#], "{place}");
        let [begins, goes_on] = [r#"{"who":"#, r#"{"a":1}}"#].map(call);
        assert_eq!(calls(&[&begins, &goes_on]), [r#"{"who":{"a":1}}"#], "{place}");
    }
}

#[test]
fn a_stream_has_the_bytes_of_one_body() {
    assert_eq!(assemble(STREAM), BODY);
    assert_eq!(assemble(&STREAM.replace('\n', "\r\n")), BODY);
    let call = |id: &str, name: &str, arguments: &str| ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.into(),
    };
    let expected = Reply {
        opaque: Vec::new(),
        text: "I \"try\" the latch. 🐉".into(),
        thinking: String::new(),
        tool_calls: vec![
            call("call_a", "roll_dice", r#"{"dice":"1d20"}"#),
            call("call_b", "move_to", r#"{"location":"market"}"#),
        ],
        finish: Finish::ToolCalls,
        usage: Usage { input_tokens: 40, cached_tokens: 32, output_tokens: 12, ..Usage::default() },
    };
    assert_eq!(reply(STREAM), expected);
}

#[test]
fn a_recorded_stream_says_what_the_recorded_body_says() {
    let whole = Wire::default().decode(&recorded("chat-plain.response.json")).unwrap();
    let streamed = reply(&recorded("chat-plain-stream.sse"));
    assert_eq!((streamed.text, streamed.finish), (whole.text, whole.finish));
}

#[test]
fn thinking_comes_in_pieces_and_stays_apart_from_the_words() {
    for field in ["reasoning_content", "reasoning"] {
        let pieces = [
            chunk(&format!(r#"{{"role":"assistant","content":null,"{field}":"He "}}"#)),
            chunk(&format!(r#"{{"{field}":"lies."}}"#)),
            chunk(r#"{"content":[{"type":"text","text":"Good "}]}"#),
            chunk(r#"{"content":"evening."}"#),
            "[DONE]".to_owned(),
        ];
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let reply = reply(&stream(&pieces));
        assert_eq!((reply.text.as_str(), reply.thinking.as_str()), ("Good evening.", "He lies."), "{field}");
    }
}

#[test]
fn an_error_in_a_stream_is_the_error_of_its_body() {
    let body = assemble(&recorded("error-model-output-unparsable-stream.sse"));
    let fault = Wire::default().decode(&body).unwrap_err();
    assert_eq!(fault.kind, FaultKind::CallsUnread);
    assert!(fault.message.starts_with("The model produced output"), "{}", fault.message);
}

#[test]
fn an_error_that_says_nothing_is_none() {
    for nothing in ["null", "{}", "\"\"", "false"] {
        let piece =
            format!(r#"{{"error":{nothing},"choices":[{{"index":0,"delta":{{"content":"Yes."}}}}]}}"#);
        assert_eq!(reply(&stream(&[&piece, "[DONE]"])).text, "Yes.", "{nothing}");
    }
}

#[test]
fn a_stream_cut_anywhere_is_a_fault_or_the_whole_reply() {
    let whole = reply(STREAM);
    for (length, _) in STREAM.char_indices() {
        match Protocol::ChatCompletions.assemble(&STREAM[..length]) {
            Err(fault) => assert!(
                matches!(fault.kind, FaultKind::Truncated | FaultKind::Unreadable),
                "{length}: {fault:?}"
            ),
            Ok(body) => {
                let read = Wire::default().decode(&body).map(|read| Reply { usage: whole.usage, ..read });
                assert!(read.is_err() || read == Ok(whole.clone()), "cut at {length}: {body}");
            }
        }
    }
}

#[test]
fn an_answer_that_is_no_stream_comes_back_as_it_is() {
    for body in ["", BODY, "<html>bad gateway</html>"] {
        assert_eq!(assemble(body), body);
    }
}

#[test]
fn comments_and_other_choices_are_passed_over() {
    let other = r#"{"choices":[{"index":1,"delta":{"content":"No."},"finish_reason":"length"}]}"#;
    let events = stream(&[&chunk(r#"{"content":"Yes."}"#), other, "[DONE]", "not read any more"]);
    assert_eq!(reply(&format!(": OPENROUTER PROCESSING\n\n{events}")).text, "Yes.");
}

#[test]
fn calls_without_an_index_or_with_the_same_one_are_told_apart_by_their_ids() {
    let call = |index: &str, id: &str, name: &str| {
        chunk(&format!(
            "{{\"tool_calls\":[{{{index}\"id\":\"{id}\",\"function\":{{\"name\":\"{name}\",\"arguments\":\"{{}}\"}}}}]}}"
        ))
    };
    for index in ["", "\"index\":0,"] {
        let stream = stream(&[&call(index, "1", "look"), &call(index, "2", "listen"), "[DONE]"]);
        let names: Vec<String> = reply(&stream).tool_calls.into_iter().map(|call| call.name).collect();
        assert_eq!(names, ["look", "listen"]);
    }
    let piece = chunk(r#"{"tool_calls":[{"index":0,"id":"1","function":{"name":"look","arguments":"{"}}]}"#);
    let last = chunk(r#"{"tool_calls":[{"index":0,"id":"1","function":{"name":"look","arguments":"}"}}]}"#);
    let calls = reply(&stream(&[&piece, &last, "[DONE]"])).tool_calls;
    assert_eq!(calls, [ToolCall { id: "1".into(), name: "look".into(), arguments: "{}".into() }]);
}

/// What is shown of an answer while it comes, cut after each byte.
fn drafts(wire: &Wire, stream: &str) -> Vec<String> {
    let ends = (0..=stream.len()).filter_map(|end| stream.get(..end));
    ends.filter_map(|stream| wire.draft(stream)).collect()
}

#[test]
fn a_draft_grows_to_the_words_and_holds_no_thinking_and_no_call() {
    let chunk = |delta: &str| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{delta}}}]}}\n\n");
    let content = |text: &str| chunk(&serde_json::json!({ "content": text }).to_string());
    let thought = chunk(r#"{"reasoning_content":"SECRET"}"#);
    let call = chunk(r#"{"tool_calls":[{"index":0,"function":{"name":"whisper","arguments":"SECRET"}}]}"#);
    let wire = |tool_calls| Wire { compat: Compat { tool_calls, ..Compat::default() }, ..Wire::default() };
    let words = |pieces: &[&str]| pieces.iter().map(|piece| content(piece)).collect::<String>();
    let table = [
        (ToolCalls::Native, thought + &words(&["<think>SECRET</thi", "nk>The door", " opens.", ""]) + &call),
        (
            ToolCalls::Prompted,
            words(&["The door", " opens.", "\n```json\n{\"tool\": \"SECRET\"", "}\n```", ""]),
        ),
        (
            ToolCalls::Structured,
            words(&["{\"say\": \"The", " door opens.\", \"calls\": [\"SECRET\"", "]}", ""]),
        ),
        (ToolCalls::Guided, words(&["{\"words\": \"The do", "or opens.\", \"do\": \"SECRET\"", "}", ""])),
    ];
    for (tool_calls, stream) in table {
        let drafts = drafts(&wire(tool_calls), &stream);
        assert_eq!(drafts.last().map(String::as_str), Some("The door opens."), "{tool_calls:?}");
        for draft in &drafts {
            assert!("The door opens.".starts_with(draft.as_str()), "{tool_calls:?}: {draft}");
        }
        assert!(drafts.iter().any(|draft| draft.len() < 12), "{tool_calls:?} shows nothing before the end");
    }
}

#[test]
fn a_draft_of_a_native_reply_ends_at_no_line_of_its_words_and_begins_with_no_call() {
    let wire = Wire::default();
    let stream = |text: &str| {
        let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"content": text}}]});
        format!("data: {delta}\n\n")
    };
    let words = "The door opens.\n[A bell rings]\nThree guards look up.";
    assert_eq!(wire.draft(&stream(words)).as_deref(), Some(words));
    assert_eq!(wire.draft(&stream("{\"tool\": \"look\", \"arguments\"")), None);
    // Where calls are written, one among the words is none of them, from its first letter on; a bell in brackets is.
    let wire = Wire { compat: Compat { tool_calls: ToolCalls::Prompted, ..Compat::default() }, ..wire };
    assert_eq!(wire.draft(&stream(words)).as_deref(), Some(words));
    for call in
        ["<function=look><parameter=at>it", "[TOOL_CALLS]look[ARGS]{", "<tool_call>\n{\"name\"", "```json\n{"]
    {
        let whole = format!("The door opens.\n{call}");
        let drafts = (16..=whole.len()).map(|end| wire.draft(&stream(&whole[..end])));
        assert!(drafts.flatten().all(|draft| draft == "The door opens."), "{call}");
    }
}

#[test]
fn a_draft_is_read_from_the_streams_of_all_protocols() {
    for (protocol, stream) in [
        (Protocol::Gemini, include_str!("../streams/gemini.sse")),
        (Protocol::Ollama, include_str!("../streams/ollama.ndjson")),
        (Protocol::Anthropic, include_str!("../streams/anthropic.sse")),
        (Protocol::Responses, include_str!("../streams/responses.sse")),
    ] {
        let wire = Wire { protocol, compat: Compat::default() };
        let reply = wire.decode(&protocol.assemble(stream).unwrap()).unwrap();
        let drafts = drafts(&wire, stream);
        assert!(!drafts.is_empty(), "{protocol:?}");
        for draft in drafts {
            assert!(reply.text.trim().starts_with(&draft), "{protocol:?}: {draft}");
        }
    }
}

/// A stream in which a server says these pieces, and its end.
fn said(protocol: Protocol, pieces: &[&str]) -> String {
    let event = |value: serde_json::Value| format!("data: {value}\n\n");
    let one = |piece: &&str| match protocol {
        Protocol::ChatCompletions | Protocol::Improv => {
            event(serde_json::json!({"choices": [{"index": 0, "delta": {"content": piece}}]}))
        }
        Protocol::Gemini => event(
            serde_json::json!({"candidates": [{"content": {"role": "model", "parts": [{"text": piece}]}}]}),
        ),
        Protocol::Ollama => {
            let message = serde_json::json!({"role": "assistant", "content": piece});
            format!("{}\n", serde_json::json!({"model": "m", "message": message, "done": false}))
        }
        Protocol::Anthropic => {
            let delta = serde_json::json!({"type": "text_delta", "text": piece});
            event(serde_json::json!({"type": "content_block_delta", "index": 0, "delta": delta}))
        }
        Protocol::Responses => event(
            serde_json::json!({"type": "response.output_text.delta", "output_index": 0, "delta": piece}),
        ),
    };
    pieces.iter().map(one).collect()
}

#[test]
fn a_reply_that_says_the_same_over_and_over_is_given_up_and_keeps_its_words() {
    let thanks = ["Thank you, ", "Kira, for all ", "that you did. "];
    let pieces: Vec<&str> = thanks.iter().copied().cycle().take(60).collect();
    for protocol in Protocol::ALL {
        let wire = Wire { protocol, compat: Compat::default() };
        let fine =
            said(protocol, &["The door opens. ", "Kira looks at you and says nothing. ".repeat(3).as_str()]);
        assert!(!protocol.repeats_itself(&fine), "{protocol:?}");
        let stream = said(protocol, &pieces);
        assert!(protocol.repeats_itself(&stream), "{protocol:?}");
        let reply = wire.decode(&protocol.given_up(&stream, 4_000).unwrap()).unwrap();
        assert_eq!(
            (reply.text.trim(), reply.finish),
            (pieces.concat().trim(), Finish::Length),
            "{protocol:?}"
        );
        assert_eq!(reply.usage.output_tokens, pieces.concat().len() as u64 / 4, "{protocol:?}");
        // Anthropic says at the beginning what it read.
        let read = if protocol == Protocol::Anthropic { 0 } else { 1_000 };
        assert_eq!(reply.usage.input_tokens, read, "{protocol:?}");
    }
}

#[test]
fn an_answer_that_is_no_stream_is_never_given_up() {
    for protocol in Protocol::ALL {
        let body = protocol.reply_body(&"Thank you, Kira. ".repeat(60), &[]);
        for stream in [body.as_str(), &body[..body.len() - 5], "", "\n", "<html>\n<html>\n"] {
            assert!(!protocol.repeats_itself(stream), "{protocol:?}: {stream}");
        }
    }
}
