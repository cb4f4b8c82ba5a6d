//! Answers that servers really give, or might, and what they are read as.

use twicetold_dialect::Protocol;
use twicetold_model::{Fault, FaultKind, Finish, Reply, Usage};

use super::helpers::{self, call};

fn decode(body: &str) -> Result<Reply, Fault> {
    helpers::decode(Protocol::ChatCompletions, body)
}

fn message(message: &str) -> Reply {
    let body = format!(r#"{{"choices":[{{"message":{message},"finish_reason":"stop"}}]}}"#);
    decode(&body).unwrap_or_else(|fault| panic!("{message}: {fault:?}"))
}

fn kind(body: &str) -> FaultKind {
    helpers::kind(Protocol::ChatCompletions, body)
}

#[test]
fn the_text_is_kept_to_the_last_space() {
    assert_eq!(message(r#"{"content":"  \n a\u0000\ud83d\ude00 \t"}"#).text, "  \n a\0\u{1F600} \t");
}

#[test]
fn a_content_may_be_null_missing_or_a_list_of_pieces() {
    assert_eq!(message(r#"{"content":null}"#).text, "");
    assert_eq!(message("{}").text, "");
    let pieces = r#"{"content":[{"type":"text","text":"a "},{"type":"image"},{"type":"text","text":"b"}]}"#;
    assert_eq!(message(pieces).text, "a b");
}

#[test]
fn what_a_model_thinks_is_kept_beside_its_words_and_never_among_them() {
    for (message_with, words) in [
        (r#"{"content":"Good.","reasoning_content":"He lies."}"#, "Good."),
        (r#"{"content":"Good.","reasoning":"He lies."}"#, "Good."),
        (r#"{"content":"Good.","reasoning_content":"He lies.","reasoning":"He lies."}"#, "Good."),
        (
            r#"{"content":"Good.","reasoning_content":null,"reasoning":"","reasoning_details":[{"type":"reasoning.text","text":"He "},{"summary":"lies."},{"data":"7Uo="}]}"#,
            "Good.",
        ),
        (r#"{"content":"<think>He lies.</think>\n\nGood."}"#, "Good."),
        (r#"{"content":"He lies.</think>Good."}"#, "Good."),
        (r#"{"content":"<think>He lies."}"#, ""),
        (
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"No."}]},{"type":"text","text":"Good."}],"reasoning":"He lies."}"#,
            "Good.",
        ),
        (
            r#"{"content":[{"type":"reasoning","text":"No."},{"type":"text","text":"Good."}],"reasoning":"He lies."}"#,
            "Good.",
        ),
    ] {
        let reply = message(message_with);
        assert_eq!((reply.text.as_str(), reply.thinking.as_str()), (words, "He lies."), "{message_with}");
    }
    let both = message(r#"{"content":"<think>two</think>Good.","reasoning":"one"}"#);
    assert_eq!((both.text.as_str(), both.thinking.as_str()), ("Good.", "one\n\ntwo"));
}

#[test]
fn a_refusal_in_its_own_member_is_the_text_of_a_filtered_reply() {
    let reply = message(r#"{"content":null,"refusal":"I would rather not."}"#);
    assert_eq!((reply.text.as_str(), reply.finish), ("I would rather not.", Finish::Filtered));
    assert_eq!(message(r#"{"content":"Yes.","refusal":null}"#).finish, Finish::Stop);
}

#[test]
fn half_a_surrogate_pair_does_not_lose_the_reply() {
    let reply =
        message(r#"{"content":"a\ud83d b","tool_calls":[{"function":{"name":"x","arguments":"\udc00"}}]}"#);
    assert!(reply.text.starts_with("a\u{FFFD}") && reply.text.ends_with(" b"), "{:?}", reply.text);
    assert!(reply.tool_calls[0].arguments.starts_with('\u{FFFD}'));
}

#[test]
fn calls_keep_their_order_and_a_malformed_one_loses_neither_itself_nor_its_neighbour() {
    let reply = message(
        r#"{"content":"Both.","tool_calls":[
            {"id":"a","type":"function","function":{"name":"roll_dice","arguments":"{\"dice\": 1d20"}},
            {"function":{"name":"move_to","arguments":{"who": "Lyra", "x": 1.10}}},
            {"id":7,"function":{"name":"end_turn","arguments":null}},
            {"id":"b","function":{"name":"end_turn"}},
            {"id":"c","function":"end_turn"},
            "roll"]}"#,
    );
    assert_eq!(reply.text, "Both.");
    let expected = [
        call("a", "roll_dice", "{\"dice\": 1d20"),
        call("", "move_to", r#"{"who": "Lyra", "x": 1.10}"#),
        call("7", "end_turn", ""),
        call("b", "end_turn", ""),
        call("", "", r#"{"id":"c","function":"end_turn"}"#),
        call("", "", "\"roll\""),
    ];
    assert_eq!(reply.tool_calls, expected);
    assert!(message(r#"{"content":"x","tool_calls":null}"#).tool_calls.is_empty());
    let flood = vec![r#"{"function":{"name":"x","arguments":"{}"}}"#; 60_000].join(",");
    assert_eq!(message(&format!(r#"{{"content":"x","tool_calls":[{flood}]}}"#)).tool_calls.len(), 128);
}

#[test]
fn each_finish_reason_has_its_meaning() {
    let table = [
        (r#""stop""#, Finish::Stop),
        (r#""tool_calls""#, Finish::ToolCalls),
        (r#""function_call""#, Finish::ToolCalls),
        (r#""length""#, Finish::Length),
        (r#""content_filter""#, Finish::Filtered),
        (r#""tired""#, Finish::Other),
        ("null", Finish::Other),
        ("7", Finish::Other),
    ];
    for (reason, expected) in table {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"x"}},"finish_reason":{reason}}}]}}"#);
        assert_eq!(decode(&body).unwrap().finish, expected, "{reason}");
    }
}

#[test]
fn tokens_are_counted_and_counts_that_make_no_sense_are_zero() {
    let usage = |usage: &str| {
        let body = format!(r#"{{"choices":[{{"message":{{"content":"x"}}}}],"usage":{usage}}}"#);
        decode(&body).unwrap().usage
    };
    let full = r#"{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":5}}"#;
    assert_eq!(
        usage(full),
        Usage { input_tokens: 9, cached_tokens: 5, output_tokens: 4, ..Usage::default() }
    );
    let partial = r#"{"prompt_tokens":9,"completion_tokens":null,"prompt_tokens_details":null}"#;
    assert_eq!(usage(partial), Usage { input_tokens: 9, ..Usage::default() });
    for nonsense in ["null", "{}", r#"{"prompt_tokens":-1}"#, r#""many""#] {
        assert_eq!(usage(nonsense), Usage::default(), "{nonsense}");
    }
}

#[test]
fn an_error_inside_a_200_is_a_fault_with_the_servers_words() {
    let fault =
        decode(r#"{"error":{"message":"no\u001b[2J upstream","code":502},"choices":[]}"#).unwrap_err();
    assert_eq!((fault.kind, fault.status), (FaultKind::ErrorInBody, Some(200)));
    assert_eq!(fault.message, "no\\u{1b}[2J upstream");
    let table = [
        (r#"{"error":"overloaded"}"#, FaultKind::ErrorInBody),
        (r#"{"error":{"message":"slow down","code":429}}"#, FaultKind::RateLimited),
        (r#"{"error":{"message":"slow down","code":"429"}}"#, FaultKind::RateLimited),
        (r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#, FaultKind::RateLimited),
        (r#"{"error":{"message":"who?","code":401}}"#, FaultKind::Unauthorized),
        (r#"{"error":{"message":"x","code":"context_length_exceeded"}}"#, FaultKind::ContextTooLong),
        (
            r#"{"choices":[{"error":{"message":"x","code":429},"message":{"content":"y"}}]}"#,
            FaultKind::RateLimited,
        ),
        (r#"{"choices":[{"finish_reason":"error","message":{"content":"half a"}}]}"#, FaultKind::ErrorInBody),
    ];
    for (body, expected) in table {
        assert_eq!(kind(body), expected, "{body}");
    }
    for nothing in ["null", "{}", "\"\"", "false"] {
        let body =
            format!(r#"{{"error":{nothing},"choices":[{{"error":{nothing},"message":{{"content":"x"}}}}]}}"#);
        assert_eq!(decode(&body).unwrap().text, "x");
    }
}

#[test]
fn a_reply_without_choices_is_told_apart_from_what_is_not_a_reply() {
    assert_eq!(kind(r#"{"choices":[]}"#), FaultKind::NoChoices);
    let bodies = [
        "",
        " ",
        "null",
        "7",
        "[]",
        "[null,[]]",
        "{}",
        "<html>",
        "{\"choices\":",
        r#"{"choices":7}"#,
        r#"{"choices":{}}"#,
        r#"{"choices":["x"]}"#,
        r#"{"choices":[null]}"#,
        r#"{"choices":[{}]}"#,
        r#"{"choices":[{"message":null}]}"#,
        r#"{"choices":[{"message":"x"}]}"#,
        r#"{"choices":[{"message":["x"]}]}"#,
        r#"{"choices":[{"message":{"content":7}}]}"#,
        r#"{"choices":[{"message":{"content":"x","tool_calls":"y"}}]}"#,
        r#"{"choices":[{"message":{"content":"x"}}]} trailing"#,
        r#"{"choices":[],"choices":[]}"#,
    ];
    for body in bodies {
        assert_eq!(kind(body), FaultKind::Unreadable, "{body}");
    }
}

#[test]
fn the_message_says_what_was_expected_and_shows_the_beginning_of_what_came() {
    let fault = decode(&format!("data: \u{1b}[31m{}", "x".repeat(1000))).unwrap_err();
    assert!(fault.message.starts_with("expected a chat completion: "), "{}", fault.message);
    assert!(fault.message.contains("what came: data: \\u{1b}[31mxxx"), "{}", fault.message);
    assert!(fault.message.chars().count() < 400 && fault.message.ends_with("x…"));
    assert!(decode("").unwrap_err().message.ends_with("what came: nothing"));
}

#[test]
fn a_byte_order_mark_and_white_space_around_the_body_are_no_matter() {
    assert_eq!(
        decode("\u{feff}\n\n {\"choices\":[{\"message\":{\"content\":\"x\"}}]}\r\n").unwrap().text,
        "x"
    );
}

#[test]
fn a_nesting_of_a_hundred_thousand_levels_and_ten_megabytes_of_text_do_no_harm() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    for nested in [deep.as_str(), objects.as_str()] {
        assert_eq!(kind(nested), FaultKind::Unreadable);
        assert_eq!(kind(&format!(r#"{{"error":{nested}}}"#)), FaultKind::ErrorInBody);
        assert_eq!(kind(&format!(r#"{{"choices":{nested}}}"#)), FaultKind::Unreadable);
        let arguments = format!(r#"{{"tool_calls":[{{"function":{{"name":"x","arguments":{nested}}}}}]}}"#);
        assert_eq!(message(&arguments).tool_calls[0].arguments, nested);
        assert_eq!(message(&format!(r#"{{"content":"x","annotations":{nested}}}"#)).text, "x");
    }
    let long = "é".repeat(5_000_000);
    assert_eq!(message(&format!(r#"{{"content":"{long}"}}"#)).text.len(), 10_000_000);
}
