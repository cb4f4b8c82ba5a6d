//! The streams of the protocol generateContent, its statuses, and what hostile servers send.

use twicetold_dialect::{Compat, RetryHeaders, Wire};
use twicetold_model::{FaultKind, Finish};

use super::gemini::{BODY, GEMINI, STREAM, decode};

#[test]
fn a_stream_has_the_bytes_of_one_body() {
    assert_eq!(GEMINI.assemble(STREAM).unwrap(), BODY);
    assert_eq!(GEMINI.assemble(&STREAM.replace('\n', "\r\n")).unwrap(), BODY);
    let list: Vec<&str> = STREAM.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    assert_eq!(GEMINI.assemble(&format!("[{}\n]", list.join("\n,\r\n"))).unwrap(), BODY);
}

#[test]
fn a_stream_cut_anywhere_is_a_fault_or_the_whole_reply() {
    let whole = decode(BODY).unwrap();
    let list: Vec<&str> = STREAM.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
    for stream in [STREAM.to_owned(), format!("[{}]", list.join(",\n"))] {
        let end = stream.find(r#""finishReason""#).unwrap();
        for length in 0..=stream.len() {
            // A cut within a character reaches this crate as text, as all that is no text does.
            let cut = String::from_utf8_lossy(&stream.as_bytes()[..length]);
            match GEMINI.assemble(&cut).and_then(|body| decode(&body)) {
                Err(fault) => assert!(
                    matches!(fault.kind, FaultKind::Truncated | FaultKind::Unreadable),
                    "{length}: {fault:?}"
                ),
                Ok(reply) => {
                    assert_eq!(reply, whole, "cut at {length}");
                    assert!(length > end, "cut at {length}");
                }
            }
        }
    }
}

/// A stream of these events and an end.
fn stream(events: &[&str]) -> String {
    let end = r#"{"candidates":[{"finishReason":"STOP"}]}"#;
    events.iter().chain([&end]).map(|event| format!("data: {event}\n\n")).collect()
}

/// An event with these parts.
fn event(parts: &str) -> String {
    format!(r#"{{"candidates":[{{"content":{{"parts":[{parts}]}},"finishReason":null}}]}}"#)
}

#[test]
fn events_that_are_doubled_unknown_or_late_do_no_harm() {
    let events = [
        event(r#"{"text":"a"}"#),
        r#"{"tomorrow":7,"error":{}}"#.to_owned(),
        r#"{"candidates":[{"index":1,"content":{"parts":[{"text":"No."}]},"finishReason":"MAX_TOKENS"}]}"#
            .to_owned(),
        r#"{"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}"#.to_owned(),
        event(""),
        event(r#"{"text":""}"#),
        event(r#"{"text":"b","thoughtSignature":"x"}"#),
        event(r#"{"text":"c"}"#),
    ];
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let once = GEMINI.assemble(&stream(&events)).unwrap();
    let expected = r#"{"candidates":[{"content":{"parts":[{"text":"ab","thoughtSignature":"x"},{"text":"c"}],"role":"model"},"finishReason":"STOP","index":0}]}"#;
    assert_eq!(once, expected);
    let end = "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\ndata:\n\n: comment\n\ndata: [DONE]\n\ndata: no JSON\n\n";
    assert_eq!(GEMINI.assemble(&(stream(&events) + end)).unwrap(), once);
    let usage = "data: {\"usageMetadata\":{\"promptTokenCount\":9}}\n\n";
    let late = decode(&GEMINI.assemble(&(stream(&events) + usage)).unwrap()).unwrap();
    assert_eq!((late.text.as_str(), late.usage.input_tokens), ("abc", 9));
}

#[test]
fn an_error_in_a_stream_is_the_error_of_its_body() {
    let error = r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#;
    let body = GEMINI.assemble(&stream(&[&event(r#"{"text":"a"}"#), error])).unwrap();
    assert_eq!(body, error);
    assert_eq!(decode(&body).unwrap_err().message, "The model is overloaded.");
    assert_eq!(GEMINI.assemble(&format!("[{error}]")).unwrap(), error);
}

#[test]
fn a_stream_without_its_end_is_truncated_and_an_answer_that_is_no_stream_comes_back() {
    let start = STREAM.rfind("data: ").unwrap();
    assert_eq!(GEMINI.assemble(&STREAM[..start]).unwrap_err().kind, FaultKind::Truncated);
    for body in ["", BODY, "<html>bad gateway</html>", "[]"] {
        assert_eq!(GEMINI.assemble(body).unwrap(), body);
    }
    for event in ["7", "[]", r#"{"candidates":7}"#, r#"{"candidates":[{"content":{"parts":[7]}}]}"#] {
        assert_eq!(GEMINI.assemble(&stream(&[event])).unwrap_err().kind, FaultKind::Unreadable, "{event}");
    }
}

#[test]
fn a_body_is_decoded_to_what_it_was_made_from() {
    let calls = [("roll_dice", r#"{"dice":"1d20"}"#), ("move_to", "{broken"), ("end_turn", "")];
    let reply = decode(&GEMINI.reply_body("I \"roll\".\n", &calls)).unwrap();
    assert_eq!(reply.text, "I \"roll\".\n");
    let made: Vec<(&str, &str)> =
        reply.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
    assert_eq!(made, calls);
    assert_eq!((reply.finish, reply.tool_calls[0].id.as_str()), (Finish::ToolCalls, "call_1"));
    let expected = r#"{"candidates":[{"content":{"parts":[{"text":"Hello."}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":1,"totalTokenCount":1},"modelVersion":"scripted"}"#;
    assert_eq!(GEMINI.reply_body("Hello.", &[]), expected);
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
                let read = || GEMINI.assemble(&changed).and_then(|body| decode(&body));
                assert_eq!(read(), read(), "{changed}");
                assert!(!GEMINI.classify(400, &RetryHeaders::default(), &changed).message.is_empty());
            }
        }
    }
}

#[test]
fn an_object_that_is_shared_with_configuration_must_be_one() {
    for (text, is_good) in [("{}", true), ("7", false), ("{", false), ("[]", false)] {
        let extra = [("generationConfig".to_owned(), text.to_owned())];
        let compat = Compat { extra_fields: extra.into(), ..Compat::default() };
        assert_eq!(Wire::new(GEMINI.name(), 1, compat).is_ok(), is_good, "{text}");
    }
}
