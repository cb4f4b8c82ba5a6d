//! What any server may send, held against every protocol alike, streamed and not.

use twicetold_dialect::{Protocol, RetryHeaders};
use twicetold_model::{FaultKind, Finish};

use super::helpers::{PROTOCOLS, decode, stream_of, streamed};

/// An error as the protocol's servers write it, with its HTTP code.
fn error(protocol: Protocol, code: u16, label: &str, message: &str) -> String {
    match protocol {
        Protocol::ChatCompletions | Protocol::Improv | Protocol::Responses => {
            format!(r#"{{"error":{{"message":"{message}","type":"{label}","code":"{label}"}}}}"#)
        }
        Protocol::Anthropic => {
            format!(r#"{{"type":"error","error":{{"type":"{label}","message":"{message}"}}}}"#)
        }
        Protocol::Gemini => {
            format!(r#"{{"error":{{"code":{code},"message":"{message}","status":"{label}"}}}}"#)
        }
        Protocol::Ollama => format!(r#"{{"error":"{message}"}}"#),
    }
}

/// One piece of a stream.
fn event(protocol: Protocol, data: &str) -> String {
    match protocol {
        Protocol::Ollama => format!("{data}\n"),
        _ => format!("data: {data}\n\n"),
    }
}

/// The places at which a piece of a stream begins.
fn boundaries(protocol: Protocol, stream: &str) -> Vec<usize> {
    let end = if protocol == Protocol::Ollama { "\n" } else { "\n\n" };
    stream.match_indices(end).map(|(at, end)| at + end.len()).collect()
}

/// An answer that makes these calls: the id and the arguments of each, as JSON.
fn calling(protocol: Protocol, calls: &[(Option<&str>, &str)]) -> String {
    let shown: Vec<String> = calls
        .iter()
        .map(|(id, arguments)| {
            let id = |name: &str| id.map_or_else(String::new, |id| format!(r#""{name}":"{id}","#));
            match protocol {
                Protocol::ChatCompletions | Protocol::Improv => {
                    let id = id("id");
                    format!(r#"{{{id}"type":"function","function":{{"name":"go","arguments":{arguments}}}}}"#)
                }
                Protocol::Responses => {
                    let id = id("call_id");
                    format!(r#"{{"type":"function_call",{id}"name":"go","arguments":{arguments}}}"#)
                }
                Protocol::Anthropic => {
                    let id = id("id");
                    format!(r#"{{"type":"tool_use",{id}"name":"go","input":{arguments}}}"#)
                }
                Protocol::Gemini => {
                    let id = id("id");
                    format!(r#"{{"functionCall":{{{id}"name":"go","args":{arguments}}}}}"#)
                }
                Protocol::Ollama => {
                    let id = id("id");
                    format!(r#"{{{id}"function":{{"name":"go","arguments":{arguments}}}}}"#)
                }
            }
        })
        .collect();
    let calls = shown.join(",");
    match protocol {
        Protocol::ChatCompletions | Protocol::Improv => {
            format!(
                r#"{{"choices":[{{"message":{{"content":null,"tool_calls":[{calls}]}},"finish_reason":"tool_calls"}}]}}"#
            )
        }
        Protocol::Responses => format!(r#"{{"object":"response","status":"completed","output":[{calls}]}}"#),
        Protocol::Anthropic => {
            format!(r#"{{"type":"message","content":[{calls}],"stop_reason":"tool_use"}}"#)
        }
        Protocol::Gemini => {
            format!(r#"{{"candidates":[{{"content":{{"parts":[{calls}]}},"finishReason":"STOP"}}]}}"#)
        }
        Protocol::Ollama => {
            format!(
                r#"{{"message":{{"content":"","tool_calls":[{calls}]}},"done":true,"done_reason":"stop"}}"#
            )
        }
    }
}

/// An answer of these words whose counts of tokens are all `number`; nothing: it has none.
fn counted(protocol: Protocol, number: Option<&str>) -> String {
    let body = protocol.reply_body("Aye.", &[]);
    let mut body: serde_json::Value = serde_json::from_str(&body).unwrap();
    let members = body.as_object_mut().unwrap();
    for name in ["usage", "usageMetadata", "prompt_eval_count", "eval_count"] {
        members.remove(name);
    }
    let Some(number) = number else { return body.to_string() };
    let body = body.to_string();
    let counts = match protocol {
        Protocol::ChatCompletions | Protocol::Improv => format!(
            r#""usage":{{"prompt_tokens":{number},"completion_tokens":{number},"prompt_tokens_details":{{"cached_tokens":{number}}}}}"#
        ),
        Protocol::Responses | Protocol::Anthropic => format!(
            r#""usage":{{"input_tokens":{number},"output_tokens":{number},"cache_read_input_tokens":{number}}}"#
        ),
        Protocol::Gemini => format!(
            r#""usageMetadata":{{"promptTokenCount":{number},"candidatesTokenCount":{number},"cachedContentTokenCount":{number}}}"#
        ),
        Protocol::Ollama => format!(r#""prompt_eval_count":{number},"eval_count":{number}"#),
    };
    format!("{},{counts}}}", body.strip_suffix('}').unwrap())
}

#[test]
fn an_error_in_a_200_is_the_same_fault_whole_and_in_mid_stream() {
    for protocol in PROTOCOLS {
        let name = protocol.name();
        for (code, label, message, expected) in [
            (500, "server_error", "the disk is full", FaultKind::ErrorInBody),
            (400, "context_length_exceeded", "the prompt is too long: 9 tokens", FaultKind::ContextTooLong),
        ] {
            let body = error(protocol, code, label, message);
            let whole = decode(protocol, &body).unwrap_err();
            assert_eq!((whole.kind, whole.message.as_str()), (expected, message), "{name}: {body}");
            let stream = stream_of(protocol);
            let places = boundaries(protocol, stream);
            let (_, before_the_end) = places.split_last().unwrap();
            for at in before_the_end.iter().take(3).chain([&0]) {
                let broken = stream[..*at].to_owned() + &event(protocol, &body);
                let fault = streamed(protocol, &broken).unwrap_err();
                assert_eq!(
                    (fault.kind, fault.message.as_str()),
                    (expected, message),
                    "{name} at {at}: {fault:?}"
                );
            }
        }
    }
}

#[test]
fn a_stream_cut_at_any_byte_is_a_fault_or_the_whole_reply() {
    for protocol in PROTOCOLS {
        for stream in [stream_of(protocol).to_owned(), stream_of(protocol).replace('\n', "\r\n")] {
            let whole = streamed(protocol, &stream).unwrap();
            for length in 0..stream.len() {
                // A cut within a character reaches this crate as text, as all that is no text does.
                let cut = String::from_utf8_lossy(&stream.as_bytes()[..length]);
                match streamed(protocol, &cut) {
                    Err(fault) => assert!(
                        matches!(fault.kind, FaultKind::Truncated | FaultKind::Unreadable),
                        "{} cut at {length}: {fault:?}",
                        protocol.name()
                    ),
                    Ok(reply) => {
                        // Usage may stand in what was cut off.
                        let kept = (&reply.text, &reply.tool_calls, &reply.thinking, reply.finish);
                        let all = (&whole.text, &whole.tool_calls, &whole.thinking, whole.finish);
                        assert_eq!(kept, all, "{} cut at {length}", protocol.name());
                    }
                }
            }
        }
    }
}

#[test]
fn events_that_are_unknown_empty_or_late_change_nothing() {
    for protocol in PROTOCOLS {
        let (name, stream) = (protocol.name(), stream_of(protocol));
        let whole = streamed(protocol, stream).unwrap();
        let unknown = event(protocol, r#"{"type":"of_tomorrow","value":[1,{"a":null}]}"#);
        let mut added = vec![unknown, "\n".to_owned()];
        if protocol != Protocol::Ollama {
            added.extend(
                [": ping\n\n", "event: ping\ndata: {\"type\": \"ping\"}\n\n", "id: 7\nretry: 10\n\n"]
                    .map(str::to_owned),
            );
        }
        for add in added {
            for at in boundaries(protocol, stream) {
                let with = format!("{}{add}{}", &stream[..at], &stream[at..]);
                assert_eq!(streamed(protocol, &with).as_ref(), Ok(&whole), "{name} at {at}: {add:?}");
            }
        }
    }
}

#[test]
fn calls_keep_their_order_without_ids_and_with_the_same_one() {
    let arguments = |protocol| match protocol {
        Protocol::ChatCompletions | Protocol::Responses => [r#""{\"n\":1}""#, r#""{\"n\":2}""#],
        _ => [r#"{"n":1}"#, r#"{"n":2}"#],
    };
    for protocol in PROTOCOLS {
        let [one, two] = arguments(protocol);
        for (first, second) in [(None, None), (Some("x"), Some("x")), (Some(""), Some("")), (Some("x"), None)]
        {
            let body = calling(protocol, &[(first, one), (second, two)]);
            let reply = decode(protocol, &body).unwrap_or_else(|fault| panic!("{body}: {fault:?}"));
            let calls: Vec<(&str, &str)> =
                reply.tool_calls.iter().map(|call| (&*call.name, &*call.arguments)).collect();
            assert_eq!(calls, [("go", r#"{"n":1}"#), ("go", r#"{"n":2}"#)], "{}: {body}", protocol.name());
            assert_eq!(reply.finish, Finish::ToolCalls, "{body}");
        }
    }
}

#[test]
fn arguments_may_be_an_object_or_a_text_and_half_of_either_loses_no_call() {
    for protocol in PROTOCOLS {
        for (written, read) in [
            (r#"{"n":1}"#, Some(r#"{"n":1}"#)),
            (r#""{\"n\":1}""#, Some(r#"{"n":1}"#)),
            (r#""{\"n\":""#, None),
            (r#""""#, None),
            (r#"null"#, None),
            (r#"[1]"#, None),
            (r#"7"#, None),
        ] {
            let body = calling(protocol, &[(Some("a"), written), (Some("b"), r#"{"n":2}"#)]);
            let reply = decode(protocol, &body).unwrap_or_else(|fault| panic!("{body}: {fault:?}"));
            let calls: Vec<&str> = reply.tool_calls.iter().map(|call| call.name.as_str()).collect();
            assert_eq!(calls, ["go", "go"], "{}: {body}", protocol.name());
            if let Some(read) = read {
                assert_eq!(reply.tool_calls[0].arguments, read, "{}: {body}", protocol.name());
            }
            assert_eq!(reply.tool_calls[1].arguments, r#"{"n":2}"#, "{}: {body}", protocol.name());
            // An object that ends in the middle is no JSON at all.
            let half = &body[..body.find(written).unwrap() + written.len() / 2];
            assert_eq!(decode(protocol, half).unwrap_err().kind, FaultKind::Unreadable, "{half}");
        }
    }
}

#[test]
fn counts_of_tokens_may_be_missing_or_impossible() {
    for protocol in PROTOCOLS {
        let name = protocol.name();
        let none = decode(protocol, &counted(protocol, None)).unwrap();
        assert_eq!(
            (none.text.as_str(), none.usage.input_tokens, none.usage.output_tokens),
            ("Aye.", 0, 0),
            "{name}"
        );
        for number in ["-1", "1.5", "\"many\"", "null", "{}", "[]", "1e30", "true"] {
            let reply = decode(protocol, &counted(protocol, Some(number))).unwrap();
            assert_eq!((reply.text.as_str(), reply.usage.output_tokens), ("Aye.", 0), "{name}: {number}");
        }
        for number in ["18446744073709551615", "99999999999999999999"] {
            let reply = decode(protocol, &counted(protocol, Some(number))).unwrap();
            assert_eq!(reply.text, "Aye.", "{name}: {number}");
        }
        let seven = counted(protocol, Some("7"));
        assert_eq!(decode(protocol, &seven).unwrap().usage.output_tokens, 7, "{name}");
        // One that cannot be read voids no other.
        let places = seven.match_indices(":7").map(|(place, _)| place).collect::<Vec<_>>();
        assert!(places.len() > 1, "{name}: {seven}");
        for place in places {
            let one = format!("{}:-7{}", &seven[..place], &seven[place + 2..]);
            let usage = decode(protocol, &one).unwrap().usage;
            assert!(usage.input_tokens + usage.output_tokens >= 7, "{name}: {one}");
        }
    }
}

#[test]
fn a_list_is_never_an_object() {
    let chat = Protocol::ChatCompletions;
    let message = |members: &str| format!(r#"{{"choices":[{{"message":{{{members}}}}}]}}"#);
    let text = r#"[["text","Aye."]]"#;
    for (protocol, body) in [
        (chat, message(&format!(r#""content":{text}"#))),
        (
            Protocol::Responses,
            format!(r#"{{"status":"completed","output":[{{"type":"message","content":{text}}}]}}"#),
        ),
    ] {
        assert_eq!(decode(protocol, &body).unwrap_err().kind, FaultKind::Unreadable, "{body}");
    }
    // Of a call as it came nothing is lost; of thinking and counts there is nothing to be known.
    let reply = decode(chat, &message(r#""tool_calls":[{"function":["go","{}"]}]"#)).unwrap();
    let call = reply.tool_calls.first().unwrap();
    assert_eq!((call.name.as_str(), call.arguments.as_str()), ("", r#"{"function":["go","{}"]}"#));
    let reply = decode(chat, &message(r#""content":"Aye.","reasoning_details":[["I lie.",null]]"#)).unwrap();
    assert_eq!((reply.text.as_str(), reply.thinking.as_str()), ("Aye.", ""));
    for (protocol, name, of) in [
        (chat, "usage", "prompt_tokens_details"),
        (Protocol::Responses, "usage", "input_tokens_details"),
        (Protocol::Anthropic, "usage", "output_tokens_details"),
        (Protocol::Gemini, "usageMetadata", ""),
    ] {
        let body = counted(protocol, None);
        let members = body.strip_suffix('}').unwrap();
        for counts in ["[7,7,7,7]".to_owned(), format!(r#"{{"{of}":[7,7]}}"#)] {
            let reply = decode(protocol, &format!(r#"{members},"{name}":{counts}}}"#)).unwrap();
            assert_eq!(reply.usage, twicetold_model::Usage::default(), "{}: {counts}", protocol.name());
        }
    }
}

#[test]
fn what_is_no_answer_is_unreadable_and_never_a_reply() {
    for protocol in PROTOCOLS {
        for body in [
            "",
            " ",
            "<html><body>502 Bad Gateway</body></html>",
            "null",
            "[]",
            "7",
            "\"text\"",
            "{",
            "\u{feff}",
            "data: ",
            "data: {",
        ] {
            for fault in [decode(protocol, body).unwrap_err(), streamed(protocol, body).unwrap_err()] {
                let expected = [FaultKind::Unreadable, FaultKind::Truncated, FaultKind::NoChoices];
                assert!(expected.contains(&fault.kind), "{}: {body:?}: {fault:?}", protocol.name());
                assert!(fault.message.len() < 1_000 && !fault.message.is_empty(), "{fault:?}");
            }
        }
    }
}

#[test]
fn an_answer_without_words_is_an_empty_reply_and_another_model_than_asked_is_as_good() {
    for protocol in PROTOCOLS {
        let reply = decode(protocol, &protocol.reply_body("", &[])).unwrap();
        assert!(reply.text.is_empty() && reply.tool_calls.is_empty(), "{}: {reply:?}", protocol.name());
        let body = protocol.reply_body("Aye.", &[]);
        let rest = body.strip_prefix('{').unwrap();
        for other in [r#""modelVersion":"other","#, r#""model":null,"#, r#""model":["x"],"#] {
            let named = ["\"model\":", "\"modelVersion\":"].iter().any(|name| rest.contains(name));
            if named && other.contains("\"model\"") {
                continue;
            }
            assert_eq!(
                decode(protocol, &format!("{{{other}{rest}")).unwrap().text,
                "Aye.",
                "{}",
                protocol.name()
            );
        }
    }
}

#[test]
fn of_two_choices_the_first_is_the_reply() {
    let chat = r#"{"choices":[{"message":{"content":"One."},"finish_reason":"stop"},{"message":{"content":"Two."},"finish_reason":"length"}]}"#;
    let gemini = r#"{"candidates":[{"content":{"parts":[{"text":"One."}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"Two."}]},"finishReason":"MAX_TOKENS"}]}"#;
    for (protocol, body) in [(Protocol::ChatCompletions, chat), (Protocol::Gemini, gemini)] {
        let reply = decode(protocol, body).unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), ("One.", Finish::Stop), "{}", protocol.name());
    }
}

#[test]
fn each_status_has_one_meaning_by_every_protocol_whatever_its_body() {
    let html = "<html><head><title>nginx</title></head><body>no\u{1b}[2J</body></html>";
    for protocol in PROTOCOLS {
        for (status, expected) in [
            (301, FaultKind::Refused),
            (302, FaultKind::Refused),
            (307, FaultKind::Refused),
            (400, FaultKind::Refused),
            (401, FaultKind::Unauthorized),
            (402, FaultKind::OutOfCredit),
            (403, FaultKind::Unauthorized),
            (404, FaultKind::Refused),
            (408, FaultKind::Server),
            (413, FaultKind::ContextTooLong),
            (422, FaultKind::Refused),
            (429, FaultKind::RateLimited),
            (500, FaultKind::Server),
            (502, FaultKind::Server),
            (503, FaultKind::Server),
            (504, FaultKind::Server),
            (529, FaultKind::Server),
        ] {
            let own = error(protocol, status, "x", "no");
            for body in [
                own.as_str(),
                html,
                "",
                "null",
                "[]",
                "[[[",
                "{\"error\":null}",
                "{\"error\":{\"message\":7}}",
            ] {
                let fault = protocol.classify(status, &RetryHeaders::default(), body);
                assert_eq!(
                    (fault.kind, fault.status),
                    (expected, Some(status)),
                    "{}: {status} {body}",
                    protocol.name()
                );
                assert!(!fault.message.is_empty() && !fault.message.contains('\u{1b}'), "{fault:?}");
            }
        }
    }
}

#[test]
fn a_prompt_that_is_too_long_is_known_in_every_vendors_words_by_every_protocol() {
    for protocol in PROTOCOLS {
        for message in [
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 9000 tokens.",
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
            "request (9012 tokens) exceeds the available context size (4096 tokens), try increasing it",
            "the request exceeds the available context size. try increasing the context size or enable context shift",
            "the input length exceeds the context length",
            "The decoder prompt (length 9000) is longer than the maximum model length of 4096.",
            "Prompt contains 9000 tokens and 0 draft tokens, too large for model with 4096 maximum context length",
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens",
            "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
        ] {
            let body = error(protocol, 400, "invalid_request_error", message);
            let fault = protocol.classify(400, &RetryHeaders::default(), &body);
            assert_eq!(fault.kind, FaultKind::ContextTooLong, "{}: {message}", protocol.name());
        }
        for message in [
            "Invalid schema for function 'go': object schema missing properties",
            "tools.0.input_schema: JSON schema is invalid",
            "Invalid JSON payload received. Unknown name \\\"const\\\"",
            "max_tokens is too large: 9000. This model supports at most 4096 completion tokens",
        ] {
            let body = error(protocol, 400, "invalid_request_error", message);
            let fault = protocol.classify(400, &RetryHeaders::default(), &body);
            assert_eq!(fault.kind, FaultKind::Refused, "{}: {message}", protocol.name());
            assert_eq!(fault.message, message.replace("\\\"", "\""));
        }
    }
}

#[test]
fn the_time_to_wait_is_read_the_same_by_every_protocol() {
    for protocol in PROTOCOLS {
        for (retry_after, expected) in [
            ("7", Some(7_000)),
            ("0.5", Some(500)),
            ("Sun, 06 Nov 1994 08:50:07 GMT", Some(30_000)),
            ("Sun, 06 Nov 1994 08:40:07 GMT", Some(0)),
            ("-7", None),
            ("1000000000", Some(1_000_000_000_000)),
            ("99999999999999999999", Some(u64::MAX)),
            ("soon", None),
            ("", None),
        ] {
            let headers = RetryHeaders {
                retry_after: Some(retry_after),
                date: Some("Sun, 06 Nov 1994 08:49:37 GMT"),
                ..RetryHeaders::default()
            };
            for status in [429, 503, 529] {
                let fault = protocol.classify(status, &headers, &error(protocol, status, "x", "slow down"));
                assert_eq!(fault.retry_after_ms, expected, "{}: {retry_after}", protocol.name());
            }
        }
        let headers = RetryHeaders { retry_after_ms: Some("250"), ..RetryHeaders::default() };
        assert_eq!(protocol.classify(429, &headers, "").retry_after_ms, Some(250));
    }
}
