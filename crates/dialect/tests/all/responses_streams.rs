//! The streams of the protocol Responses, its statuses, and what hostile servers send.

use twicetold_dialect::{Protocol, RetryHeaders};
use twicetold_model::{FaultKind, Finish};

use super::responses::{BLOCKS, STREAM, decode, read, said};

#[test]
fn a_stream_has_the_bytes_of_one_body() {
    let expected = [
        r#"{"object":"response","id":"resp_7","created_at":1763600000,"status":"completed","model":"gpt-5.6","#,
        r#""usage":{"input_tokens":40,"input_tokens_details":{"cached_tokens":32,"cache_write_tokens":8},"output_tokens":52,"#,
        r#""output_tokens_details":{"reasoning_tokens":40},"total_tokens":92},"output":["#,
        BLOCKS[0],
        r#",{"id":"msg_1","type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"#,
        r#""logprobs":[],"text":"I \"try\" the latch. 🐉"}],"role":"assistant"},"#,
        r#"{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"dice\":\"1d20\"}","#,
        r#""call_id":"call_a","name":"roll_dice"},"#,
        BLOCKS[1],
        r#",{"id":"fc_2","type":"function_call","status":"completed","arguments":"{\"location\":\"market\"}","#,
        r#""call_id":"call_b","name":"move_to"}]}"#,
    ]
    .concat();
    let late = format!("{STREAM}{STREAM}data: not read any more\n");
    for stream in
        [STREAM, &STREAM.replace('\n', "\r\n"), &late, &format!(": comment\n\n{STREAM}data: [DONE]\n")]
    {
        assert_eq!(Protocol::Responses.assemble(stream).unwrap(), expected);
    }
    let reply = read(STREAM).unwrap();
    assert_eq!((reply.text.as_str(), reply.thinking.as_str()), ("I \"try\" the latch. 🐉", "He \"lies\"."));
    let places: Vec<u16> = reply.opaque.iter().map(|block| block.place).collect();
    assert_eq!((places.as_slice(), reply.finish), ([0, 2].as_slice(), Finish::ToolCalls));
    assert_eq!((reply.usage.output_tokens, reply.usage.thinking_tokens), (52, 40));
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

/// A stream of these events.
fn stream(events: &[&str]) -> String {
    events.iter().map(|event| format!("event: x\ndata: {event}\n\n")).collect()
}

#[test]
fn items_may_stand_in_the_last_event_only_or_everywhere_but_there() {
    let done = |index: &str, text: &str| {
        format!(r#"{{"type":"response.output_item.done"{index},"item":{}}}"#, said(text))
    };
    let end = |output: &str| {
        format!(r#"{{"type":"response.completed","response":{{"status":"completed"{output}}}}}"#)
    };
    let both = format!(r#","output":[{},{}]"#, said("a"), said("b"));
    let at = |index: u64| format!(r#","output_index":{index}"#);
    for (events, expected) in [
        (vec![end(&both)], "a\n\nb"),
        (vec![done(&at(1), "b"), done(&at(0), "a"), end(r#","output":[]"#)], "a\n\nb"),
        (vec![done("", "a"), done("", "b"), end("")], "a\n\nb"),
        (vec![done(&at(0), "x"), done(&at(0), "a"), done(&at(u64::MAX), "b"), end("")], "a\n\nb"),
        (vec![done(&at(0), "a"), end(&both)], "a\n\nb"),
    ] {
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        assert_eq!(read(&stream(&events)).unwrap().text, expected, "{events:?}");
    }
    assert_eq!(read(&stream(&[&end("")])).unwrap_err().kind, FaultKind::NoChoices);
}

#[test]
fn an_error_on_the_way_is_the_error_of_the_reply() {
    let start = r#"{"type":"response.created","response":{"status":"in_progress"}}"#;
    for (event, expected) in [
        (
            r#"{"type":"error","code":"rate_limit_exceeded","message":"Slow down.","param":null}"#,
            FaultKind::RateLimited,
        ),
        (
            r#"{"type":"error","error":{"type":"x","code":"context_length_exceeded","message":"Slow down."}}"#,
            FaultKind::ContextTooLong,
        ),
        (
            r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"Slow down."}}}"#,
            FaultKind::ErrorInBody,
        ),
        (r#"{"error":{"message":"Slow down."}}"#, FaultKind::ErrorInBody),
    ] {
        let fault = read(&stream(&[start, event])).unwrap_err();
        assert_eq!((fault.kind, fault.message.as_str()), (expected, "Slow down."), "{event}");
    }
    let cut = r#"{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}"#;
    assert_eq!(read(&stream(&[start, cut])).unwrap().finish, Finish::Length);
    let bare = r#"{"type":"response.completed"}"#;
    assert_eq!(read(&stream(&[start, bare])).unwrap_err().kind, FaultKind::Unreadable);
    assert_eq!(read(&stream(&[start, "[DONE]"])).unwrap_err().kind, FaultKind::Truncated);
}

#[test]
fn an_answer_that_is_no_stream_comes_back_as_it_is() {
    for body in ["", "<html>bad gateway</html>", r#"{"status":"completed","output":[]}"#] {
        assert_eq!(Protocol::Responses.assemble(body).unwrap(), body);
    }
}

#[test]
fn each_status_has_its_kind() {
    for (status, body, kind) in [
        (
            400,
            r#"{"error":{"message":"x","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
            FaultKind::ContextTooLong,
        ),
        (
            400,
            r#"{"error":{"message":"Your input tokens exceed the configured limit","code":null}}"#,
            FaultKind::ContextTooLong,
        ),
        (
            400,
            r#"{"error":{"message":"Encrypted content is not supported with this model."}}"#,
            FaultKind::Refused,
        ),
        (401, r#"{"error":{"message":"x"}}"#, FaultKind::Unauthorized),
        (429, r#"{"error":{"message":"x","code":"rate_limit_exceeded"}}"#, FaultKind::RateLimited),
        (429, r#"{"error":{"message":"x","code":"insufficient_quota"}}"#, FaultKind::OutOfCredit),
        (503, "", FaultKind::Server),
    ] {
        let fault = Protocol::Responses.classify(status, &RetryHeaders::default(), body);
        assert_eq!((fault.kind, fault.status), (kind, Some(status)), "{body}");
    }
}

#[test]
fn a_scripted_body_is_decoded_to_what_it_was_made_from() {
    let calls = [("roll_dice", r#"{"dice":"1d20"}"#), ("move_to", "{broken"), ("x", "\"text\""), ("y", "")];
    let body = Protocol::Responses.reply_body("I \"roll\".\n", &calls);
    assert_eq!(Protocol::Responses.assemble(&body).unwrap(), body);
    let reply = decode(&body).unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("I \"roll\".\n", Finish::ToolCalls));
    let read: Vec<(&str, &str)> =
        reply.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    assert_eq!(read, calls);
    let expected = r#"{"id":"resp_1","object":"response","created_at":0,"status":"completed","model":"scripted","parallel_tool_calls":true,"tool_choice":"auto","tools":[],"output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"text":"Hello."}]}],"usage":{"input_tokens":0,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":1,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":1}}"#;
    assert_eq!(Protocol::Responses.reply_body("Hello.", &[]), expected);
    assert_eq!(decode(expected).unwrap().finish, Finish::Stop);
}
