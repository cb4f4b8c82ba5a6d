//! The streams of the protocol Messages, its statuses, and what hostile servers send.

use twicetold_dialect::{Compat, RetryHeaders, Wire};
use twicetold_model::{FaultKind, Finish, Opaque, Reply};

use super::anthropic::{ANTHROPIC, BODY, STREAM, decode};
use super::helpers::call;

#[test]
fn a_stream_has_the_bytes_of_one_body() {
    assert_eq!(ANTHROPIC.assemble(STREAM).unwrap(), BODY);
    assert_eq!(ANTHROPIC.assemble(&STREAM.replace('\n', "\r\n")).unwrap(), BODY);
}

#[test]
fn a_stream_cut_anywhere_is_a_fault_or_the_whole_reply() {
    let whole = decode(BODY).unwrap();
    let end = STREAM.find(r#""message_delta""#).unwrap();
    for length in 0..=STREAM.len() {
        // A cut within a character reaches this crate as text, as all that is no text does.
        let cut = String::from_utf8_lossy(&STREAM.as_bytes()[..length]);
        match ANTHROPIC.assemble(&cut).and_then(|body| decode(&body)) {
            Err(fault) => {
                assert!(
                    matches!(fault.kind, FaultKind::Truncated | FaultKind::Unreadable),
                    "{length}: {fault:?}"
                )
            }
            Ok(reply) => {
                assert_eq!(reply, whole, "cut at {length}");
                assert!(length > end, "cut at {length}");
            }
        }
    }
}

/// A stream of these events between a beginning and an end.
fn stream(events: &[&str]) -> String {
    let end = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}"#;
    let events = events.iter().chain([&end, &r#"{"type":"message_stop"}"#]);
    events.map(|event| format!("event: x\ndata: {event}\n\n")).collect()
}

fn streamed(events: &[&str]) -> Reply {
    decode(&ANTHROPIC.assemble(&stream(events)).unwrap()).unwrap()
}

#[test]
fn events_that_are_doubled_unknown_or_late_do_no_harm() {
    let doubled: String = STREAM
        .split_inclusive("\n\n")
        .map(|event| if event.contains("_delta") { event.to_owned() } else { event.repeat(2) })
        .collect();
    assert_eq!(ANTHROPIC.assemble(&doubled).unwrap(), BODY);
    let late = format!(
        "{STREAM}data: {{\"type\":\"content_block_delta\",\"index\":2,\"delta\":{{\"type\":\"text_delta\",\"text\":\"!\"}}}}\n\ndata: no JSON\n\n"
    );
    assert_eq!(ANTHROPIC.assemble(&late).unwrap(), BODY);
    let reply = streamed(&[
        r#"{"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"a"}}"#,
        r#"{"type":"tomorrow","index":4,"delta":7,"error":{}}"#,
        r#"{"type":"content_block_delta","index":4,"delta":{"type":"tomorrow_delta","words":"b"}}"#,
        r#"{"type":"content_block_start","index":5,"content_block":{"type":"tomorrow","n":1}}"#,
        r#"{"type":"content_block_start","index":6,"content_block":{"type":"pieces","n":1}}"#,
        r#"{"type":"content_block_delta","index":6,"delta":{"type":"pieces_delta","n":2}}"#,
        r#"{"type":"content_block_delta","index":7,"delta":{"type":"tomorrow_delta"}}"#,
        r#"{"type":"content_block_delta","index":8,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}"#,
    ]);
    assert_eq!((reply.text.as_str(), reply.finish), ("a", Finish::Stop));
    assert_eq!(reply.opaque, [Opaque { place: 1, json: r#"{"type":"tomorrow","n":1}"#.into() }]);
    assert_eq!(reply.tool_calls, [call("", "", "{\"a\":")]);
}

#[test]
fn blocks_that_share_an_index_are_told_apart_by_their_ends() {
    let begin = |id: &str| {
        format!(
            r#"{{"type":"content_block_start","index":0,"content_block":{{"type":"tool_use","id":"{id}","name":"x","input":{{"n":1}}}}}}"#
        )
    };
    let end = r#"{"type":"content_block_stop","index":0}"#;
    let reply = streamed(&[&begin("a"), end, &begin("b"), end]);
    assert_eq!(reply.tool_calls, [call("a", "x", r#"{"n":1}"#), call("b", "x", r#"{"n":1}"#)]);
}

#[test]
fn an_error_in_a_stream_is_the_error_of_its_body() {
    let start = STREAM.find("event: message_delta").unwrap();
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let body = ANTHROPIC.assemble(&format!("{}event: error\ndata: {error}\n\n", &STREAM[..start])).unwrap();
    assert_eq!(body, error);
    assert_eq!(decode(&body).unwrap_err().message, "Overloaded");
}

#[test]
fn a_stream_without_its_end_is_truncated_and_an_answer_that_is_no_stream_comes_back() {
    let start = STREAM.find("event: message_delta").unwrap();
    assert_eq!(ANTHROPIC.assemble(&STREAM[..start]).unwrap_err().kind, FaultKind::Truncated);
    for body in ["", BODY, "<html>bad gateway</html>"] {
        assert_eq!(ANTHROPIC.assemble(body).unwrap(), body);
    }
    for event in
        ["7", "[]", "[DONE", r#"{"type":"message_start"}"#, r#"{"type":"content_block_delta","delta":[]}"#]
    {
        let kind = ANTHROPIC.assemble(&stream(&[event])).unwrap_err().kind;
        assert_eq!(kind, FaultKind::Unreadable, "{event}");
    }
}

#[test]
fn a_body_is_decoded_to_what_it_was_made_from() {
    let calls = [("roll_dice", r#"{"dice":"1d20"}"#), ("move_to", "{broken"), ("end_turn", "")];
    let body = ANTHROPIC.reply_body("I \"roll\".\n", &calls);
    let reply = decode(&body).unwrap();
    assert_eq!(reply.text, "I \"roll\".\n");
    let made: Vec<(&str, &str)> =
        reply.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    assert_eq!(made, calls);
    assert_eq!((reply.finish, reply.tool_calls[0].id.as_str()), (Finish::ToolCalls, "toolu_1"));
    let expected = r#"{"id":"msg_1","type":"message","role":"assistant","model":"scripted","content":[{"type":"text","text":"Hello."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":1}}"#;
    assert_eq!(ANTHROPIC.reply_body("Hello.", &[]), expected);
}

#[test]
fn whatever_a_server_sends_is_read_without_a_panic_and_always_as_the_same() {
    for whole in [STREAM, BODY] {
        for (place, _) in whole.char_indices() {
            for other in ["", "\"", "}", "9"] {
                let changed = format!(
                    "{}{other}{}",
                    &whole[..place],
                    whole[place..].chars().skip(1).collect::<String>()
                );
                let read = || ANTHROPIC.assemble(&changed).and_then(|body| decode(&body));
                assert_eq!(read(), read(), "{changed}");
                assert!(!ANTHROPIC.classify(400, &RetryHeaders::default(), &changed).message.is_empty());
            }
        }
    }
}

#[test]
fn an_object_that_is_shared_with_configuration_must_be_one() {
    for (text, is_good) in [("{}", true), ("7", false), ("{", false), ("[]", false)] {
        let extra = [("output_config".to_owned(), text.to_owned())];
        let compat = Compat { extra_fields: extra.into(), ..Compat::default() };
        assert_eq!(Wire::new(ANTHROPIC.name(), 1, compat).is_ok(), is_good, "{text}");
    }
}
