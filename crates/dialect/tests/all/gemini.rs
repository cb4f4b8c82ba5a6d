//! The protocol of Gemini: the bytes of its requests, what its answers are read as, and its streams.

use serde_json::Value;
use twicetold_dialect::{Compat, Protocol, RetryHeaders, SystemRole, TokensField, ToolCalls, Wire};
use twicetold_model::{
    Fault, FaultKind, Finish, Message, Opaque, Parameters, Part, Reply, ReplySchema, Request, Role,
    ToolChoice, ToolSpec, Usage,
};

use super::helpers::{self, call, result};

pub(super) const GEMINI: Protocol = Protocol::Gemini;

/// A stream as Gemini sends it: thoughts, words, two calls at once with one signature, a signature of the words at the end.
pub(super) const STREAM: &str = include_str!("../streams/gemini.sse");

pub(super) const BODY: &str = concat!(
    r#"{"candidates":[{"content":{"parts":[{"text":"The latch is \"old\".","thought":true},"#,
    r#"{"text":"I \"try\" the latch. 🐉"},"#,
    r#"{"functionCall": {"name": "roll_dice","args": {"dice": "1d20"},"id": "f1"},"thoughtSignature": "EqQB+w=="},"#,
    r#"{"functionCall": {"name": "end_turn"}},{"text":"","thoughtSignature":"7Uo="}],"role":"model"},"#,
    r#""finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount": 300,"candidatesTokenCount": 33,"#,
    r#""totalTokenCount": 345,"cachedContentTokenCount": 256,"thoughtsTokenCount": 12},"#,
    r#""modelVersion":"gemini-3-x","responseId":"r7"}"#,
);

/// What the vendor takes in place of a signature.
const NO_SIGNATURE: &str = r#","thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=""#;

fn encode(request: &Request, compat: &Compat) -> String {
    helpers::encode(GEMINI, request, compat)
}

pub(super) fn decode(body: &str) -> Result<Reply, Fault> {
    helpers::decode(GEMINI, body)
}

pub(super) fn kind(body: &str) -> FaultKind {
    helpers::kind(GEMINI, body)
}

/// A reply of these parts.
pub(super) fn parts(parts: &str) -> Reply {
    let body = format!(r#"{{"candidates":[{{"content":{{"parts":[{parts}]}},"finishReason":"STOP"}}]}}"#);
    decode(&body).unwrap_or_else(|fault| panic!("{parts}: {fault:?}"))
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
    let end = ToolSpec {
        name: "end_turn".into(),
        description: "End it.".into(),
        schema: r#"{"type":"object","properties":{}}"#.into(),
    };
    let parameters = Parameters {
        model: "gemini-3-x".into(),
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
    Request { messages, tools: vec![tool(), end], reply_schema: None, parameters }
}

/// What these messages become for a model that signs nothing.
fn told(messages: Vec<Message>) -> String {
    let parameters = Parameters { model: "gemini-2.5-x".into(), ..Parameters::default() };
    let body = encode(&Request { messages, parameters, ..Request::default() }, &Compat::default());
    let inner = body.strip_prefix(r#"{"contents":["#).and_then(|body| body.strip_suffix("]}"));
    inner.unwrap_or_else(|| panic!("{body}")).to_owned()
}

/// What these parts of the model's become, in a conversation with one that signs.
fn signed(parts: Vec<Part>) -> String {
    let messages = vec![message(Role::User, vec![said("x")]), message(Role::Assistant, parts)];
    let parameters = Parameters { model: "gemini-3-x".into(), ..Parameters::default() };
    let body = encode(&Request { messages, parameters, ..Request::default() }, &Compat::default());
    let start = body.find(r#"{"role":"model","parts":["#).unwrap() + r#"{"role":"model","parts":["#.len();
    let end = body[start..].find(r#"]},{"role":"user""#).unwrap_or(body.len() - start - "]}]}".len());
    body[start..start + end].to_owned()
}

#[test]
fn a_full_turn_has_these_bytes() {
    let expected = concat!(
        r#"{"systemInstruction":{"parts":[{"text":"Be the DM."}]},"contents":["#,
        r#"{"role":"user","parts":[{"text":"Kira:\nI jump."}]},"#,
        r#"{"role":"model","parts":[{"text":"I roll."},"#,
        r#"{"functionCall":{"id":"c00000001","name":"roll_dice","args":{"dice":"1d20"}},"#,
        r#""thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},"#,
        r#"{"role":"user","parts":[{"functionResponse":{"id":"c00000001","name":"roll_dice","response":{"output":"14"}}},"#,
        r#"{"text":"Go on."}]}],"#,
        r#""tools":[{"functionDeclarations":[{"name":"roll_dice","description":"Roll \"dice\".","#,
        r#""parametersJsonSchema":{"type":"object","properties":{"dice":{"type":"string"}}}},"#,
        r#"{"name":"end_turn","description":"End it."}]}],"#,
        r#""toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"#,
        r#""generationConfig":{"temperature":0.7,"seed":11,"maxOutputTokens":900}}"#,
    );
    assert_eq!(encode(&request(), &Compat::default()), expected);
}

#[test]
fn the_model_stands_in_the_address_and_the_key_does_not() {
    let path = |model, stream| GEMINI.path(model, stream);
    assert_eq!(path("gemini-3-x", false), "/models/gemini-3-x:generateContent");
    assert_eq!(path("models/gemini-3-x", true), "/models/gemini-3-x:streamGenerateContent?alt=sse");
    assert_eq!(path("../é?a#b", false), "/models/..%2F%C3%A9%3Fa%23b:generateContent");
    assert_eq!((GEMINI.name(), GEMINI.models_path()), ("gemini", "/models"));
    assert_eq!(GEMINI.headers(Some("k")), [("x-goog-api-key", "k".to_owned())]);
    assert!(GEMINI.headers(None).is_empty());
    let compat = Compat { extra_fields: [("contents".into(), "[]".into())].into(), ..Compat::default() };
    assert!(Wire::new(GEMINI.name(), 1, compat).unwrap_err().contains("contents"));
}

#[test]
fn each_switch_changes_its_field_and_nothing_else() {
    let base = Compat::default;
    let extra = [("safetySettings".to_owned(), "[]".to_owned())];
    let config = [("generationConfig".to_owned(), r#"{"topP":0.9,"seed":7}"#.to_owned())];
    let stop: Vec<String> = ["a", "b", "c", "d", "e", "f"].map(String::from).to_vec();
    let plain = encode(&request(), &base());
    let table = [
        (Compat { temperature: false, ..base() }, r#""temperature":0.7,"#, ""),
        (Compat { seed: false, ..base() }, r#""seed":11,"#, ""),
        (
            Compat { tool_choice: false, ..base() },
            r#","toolConfig":{"functionCallingConfig":{"mode":"ANY"}}"#,
            "",
        ),
        (Compat { tokens_field: TokensField::None, ..base() }, r#","maxOutputTokens":900"#, ""),
        (Compat { tokens_field: TokensField::MaxCompletionTokens, ..base() }, "", ""),
        (Compat { parallel_tool_calls: false, ..base() }, "", ""),
        (Compat { stream: true, ..base() }, "", ""),
        (Compat { system_role: SystemRole::Developer, ..base() }, "", ""),
        (Compat { stop, ..base() }, "900}", r#"900,"stopSequences":["a","b","c","d","e"]}"#),
        (Compat { extra_fields: extra.into(), ..base() }, "900}}", r#"900},"safetySettings":[]}"#),
        (Compat { extra_fields: config.into(), ..base() }, "900}}", r#"900,"topP":0.9}}"#),
    ];
    for (compat, before, after) in table {
        assert!(plain.contains(before), "{before}");
        assert_eq!(encode(&request(), &compat), plain.replace(before, after), "{compat:?}");
    }
}

#[test]
fn a_request_without_wishes_says_nothing_and_odd_wishes_stay_within_what_is_taken() {
    let silent = encode(&Request::default(), &Compat::default());
    assert_eq!(silent, r#"{"contents":[{"role":"user","parts":[{"text":"Begin."}]}]}"#);
    let parameters =
        Parameters { temperature_milli: Some(2_300), seed: Some(u32::MAX), ..Parameters::default() };
    let body = encode(&Request { parameters, ..Request::default() }, &Compat::default());
    assert!(body.ends_with(r#""generationConfig":{"temperature":2,"seed":2147483647}}"#), "{body}");
}

#[test]
fn a_reply_may_be_held_to_a_schema() {
    let form = ReplySchema { name: "reply".into(), schema: r#"{"type":"object"}"#.into(), strict: true };
    let body = encode(&Request { reply_schema: Some(form), ..Request::default() }, &Compat::default());
    let config = r#","generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}}}"#;
    assert!(body.ends_with(config), "{body}");
    let body = encode(&request(), &Compat { tool_calls: ToolCalls::Structured, ..Compat::default() });
    assert!(body.contains("responseJsonSchema") && !body.contains("function"), "{body}");
}

#[test]
fn neighbours_of_one_role_are_one_content_and_the_first_is_the_users() {
    let actual = told(vec![
        message(Role::Assistant, vec![said("a"), said(""), said("b")]),
        message(Role::Assistant, vec![said("c")]),
        message(Role::User, vec![said("d")]),
        message(Role::System, vec![said("Instructions.")]),
        message(Role::Assistant, vec![said(" ")]),
        message(Role::User, vec![said("e")]),
    ]);
    let expected = concat!(
        r#"{"role":"user","parts":[{"text":"Begin."}]},"#,
        r#"{"role":"model","parts":[{"text":"a\n\nb"},{"text":"c"}]},"#,
        r#"{"role":"user","parts":[{"text":"d"},{"text":"Instructions."},{"text":"e"}]}"#,
    );
    assert_eq!(actual, expected);
}

#[test]
fn all_results_stand_in_the_content_behind_their_calls_and_none_is_missing() {
    let actual = told(vec![
        message(Role::Tool, vec![result("c7", "lost")]),
        message(Role::Assistant, vec![calls("c1"), Part::ToolCall(call("c2", "1d20 !", "[1]"))]),
        message(Role::User, vec![said("Before.")]),
        message(Role::Tool, vec![result("c2", "2")]),
        message(Role::Assistant, vec![calls("c3")]),
    ]);
    let expected = concat!(
        r#"{"role":"user","parts":[{"text":"[result c7] lost"}]},"#,
        r#"{"role":"model","parts":[{"functionCall":{"id":"c1","name":"roll_dice","args":{}}},"#,
        r#"{"functionCall":{"id":"c2","name":"x1d20__","args":{"malformed":"[1]"}}}]},"#,
        r#"{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"roll_dice","response":{"error":"No result is known."}}},"#,
        r#"{"functionResponse":{"id":"c2","name":"x1d20__","response":{"output":"2"}}},{"text":"Before."}]},"#,
        r#"{"role":"model","parts":[{"functionCall":{"id":"c3","name":"roll_dice","args":{}}}]},"#,
        r#"{"role":"user","parts":[{"functionResponse":{"id":"c3","name":"roll_dice","response":{"error":"No result is known."}}}]}"#,
    );
    assert_eq!(actual, expected);
}

#[test]
fn calls_are_words_where_the_history_may_hold_none() {
    let told = encode(&request(), &Compat { tool_messages: false, ..Compat::default() });
    assert!(!told.contains("functionCall\"") && !told.contains("functionResponse"), "{told}");
    assert!(told.contains(r#"{"text":"[result c00000001] 14"}"#), "{told}");
}

#[test]
fn words_only_is_said_or_made_sure_of() {
    let mut words = request();
    words.parameters.tool_choice = ToolChoice::None;
    let body = encode(&words, &Compat::default());
    assert!(body.contains(r#"{"mode":"NONE"}"#) && body.contains("\"tools\""));
    let body = encode(&words, &Compat { tool_choice: false, ..Compat::default() });
    assert!(!body.contains("toolConfig") && !body.contains("\"tools\""));
    words.parameters.tool_choice = ToolChoice::Auto;
    assert!(!encode(&words, &Compat::default()).contains("toolConfig"));
}

#[test]
fn a_signature_goes_back_on_its_own_call_and_not_to_another_protocol() {
    let reply = decode(BODY).unwrap();
    let mut sent = Vec::new();
    let said = [said(&reply.text)].into_iter().chain(reply.tool_calls.iter().cloned().map(Part::ToolCall));
    for (place, part) in said.map(Some).chain([None]).enumerate() {
        let here = reply.opaque.iter().filter(|opaque| usize::from(opaque.place) == place);
        sent.extend(here.map(|opaque| block("gemini", &opaque.json)));
        sent.extend(part);
    }
    let expected = concat!(
        r#"{"text":"I \"try\" the latch. 🐉"},"#,
        r#"{"functionCall":{"id":"f1","name":"roll_dice","args":{"dice": "1d20"}},"thoughtSignature":"EqQB+w=="},"#,
        r#"{"functionCall":{"id":"unknown","name":"end_turn","args":{}}},{"text":"","thoughtSignature":"7Uo="}"#,
    );
    assert_eq!(signed(sent.clone()), expected);
    let foreign = sent.into_iter().map(|part| match part {
        Part::Opaque { body, .. } => Part::Opaque { vendor: "anthropic-messages".into(), body },
        part => part,
    });
    let foreign = signed(foreign.collect());
    assert!(!foreign.contains("EqQB") && !foreign.contains("7Uo"), "{foreign}");
    assert_eq!(foreign.matches(NO_SIGNATURE).count(), 1);
}

#[test]
fn a_signature_without_its_call_is_on_no_other_part_and_a_broken_block_is_left_out() {
    let signature = || block("gemini", r#"{"thoughtSignature":"7Uo="}"#);
    let alone = r#"{"text":"","thoughtSignature":"7Uo="}"#;
    let text = |text: &str| format!(r#"{{"text":"{text}"}}"#);
    assert_eq!(signed(vec![signature(), said("a"), signature()]), format!("{alone},{},{alone}", text("a")));
    let broken = [block("gemini", "{half"), block("gemini", r#"["7Uo="]"#), said("a")];
    assert_eq!(signed(broken.to_vec()), text("a"));
    let other = r#"{"executableCode": {"code":"1"},"thoughtSignature":"x"}"#;
    assert_eq!(signed(vec![block("gemini", other), said("a")]), format!("{other},{}", text("a")));
}

#[test]
fn calls_from_elsewhere_say_that_they_have_no_signature_to_models_that_sign() {
    for (model, is_signed) in [
        ("gemini-3-x", true),
        ("models/gemini-4-x", true),
        ("gemini-flash-latest", true),
        ("gemini-2.5-x", false),
        ("models/gemini-2.5-x", false),
        ("gemma-3-x", false),
    ] {
        let mut two = request();
        two.parameters.model = model.into();
        two.messages[2].parts.push(calls("c00000002"));
        let body = encode(&two, &Compat::default());
        assert_eq!(body.matches(NO_SIGNATURE).count(), usize::from(is_signed), "{model}");
        assert!(!is_signed || body.contains(&format!(r#"{{"dice":"1d20"}}}}{NO_SIGNATURE}"#)), "{body}");
    }
}

#[test]
fn within_a_turn_the_former_contents_are_a_prefix_of_the_next() {
    let mut whole = request();
    whole.messages.extend([
        message(Role::Assistant, vec![calls("c00000002")]),
        message(Role::Tool, vec![result("c00000002", "9")]),
    ]);
    let mut before: Vec<Value> = Vec::new();
    for length in [2, 5, 7] {
        let part = Request { messages: whole.messages[..length].to_vec(), ..whole.clone() };
        let body: Value = serde_json::from_str(&encode(&part, &Compat::default())).unwrap();
        let now = body["contents"].as_array().unwrap().clone();
        assert_eq!(now[..before.len()], before);
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
            opaque(1, r#"{"thoughtSignature":"EqQB+w=="}"#),
            opaque(3, r#"{"text":"","thoughtSignature":"7Uo="}"#),
        ],
        tool_calls: vec![call("f1", "roll_dice", r#"{"dice": "1d20"}"#), call("", "end_turn", "{}")],
        finish: Finish::ToolCalls,
        usage: Usage {
            input_tokens: 300,
            cached_tokens: 256,
            cache_written_tokens: 0,
            output_tokens: 45,
            thinking_tokens: 12,
        },
    };
    assert_eq!(decode(BODY), Ok(expected.clone()));
    assert_eq!(decode(&format!("[{BODY}]")), Ok(expected));
    let thought = r#"{"text":"No.","thought": true,"thoughtSignature":"a"}"#;
    let others = parts(&format!(r#"{thought},{{"text":"a","thoughtSignature":"b"}},{{"inlineData":{{}}}}"#));
    assert_eq!((others.text.as_str(), others.thinking.as_str()), ("a", "No."));
    let expected = [
        opaque(0, thought),
        opaque(1, r#"{"text":"","thoughtSignature":"b"}"#),
        opaque(1, r#"{"inlineData":{}}"#),
    ];
    assert_eq!(others.opaque, expected);
}

#[test]
fn each_finish_reason_has_its_meaning() {
    for (reason, expected) in [
        (r#""STOP""#, Finish::Stop),
        (r#""MAX_TOKENS""#, Finish::Length),
        (r#""CONTINUATION""#, Finish::Length),
        (r#""SAFETY""#, Finish::Filtered),
        (r#""RECITATION""#, Finish::Filtered),
        (r#""BLOCKLIST""#, Finish::Filtered),
        (r#""PROHIBITED_CONTENT""#, Finish::Filtered),
        (r#""SPII""#, Finish::Filtered),
        (r#""LANGUAGE""#, Finish::Filtered),
        (r#""MALFORMED_FUNCTION_CALL""#, Finish::Other),
        (r#""UNEXPECTED_TOOL_CALL""#, Finish::Other),
        (r#""TOO_MANY_TOOL_CALLS""#, Finish::Other),
        (r#""MISSING_THOUGHT_SIGNATURE""#, Finish::Other),
        (r#""MALFORMED_RESPONSE""#, Finish::Other),
        (r#""OTHER""#, Finish::Other),
        (r#""TIRED""#, Finish::Other),
        ("null", Finish::Other),
        ("7", Finish::Other),
    ] {
        let body = format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"x"}}]}},"finishReason":{reason}}}]}}"#
        );
        assert_eq!(decode(&body).unwrap().finish, expected, "{reason}");
    }
    let cut = r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"x"}}]},"finishReason":"MAX_TOKENS"}]}"#;
    assert_eq!(decode(cut).unwrap().finish, Finish::Length);
    let nothing = decode(r#"{"candidates":[{"finishReason":"SAFETY"}]}"#).unwrap();
    assert_eq!((nothing.text.as_str(), nothing.finish), ("", Finish::Filtered));
}

#[test]
fn a_prompt_that_was_blocked_is_a_filtered_reply_and_no_candidate_otherwise_is_none() {
    for body in [
        r#"{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":9}}"#,
        r#"{"candidates":[],"promptFeedback":{"blockReason":"OTHER"},"usageMetadata":{"promptTokenCount":9}}"#,
    ] {
        let reply = decode(body).unwrap();
        assert_eq!((reply.finish, reply.usage.input_tokens), (Finish::Filtered, 9), "{body}");
        let streamed = GEMINI.assemble(&format!("data: {body}\n\n")).unwrap();
        assert_eq!(decode(&streamed), Ok(reply));
    }
    for body in [
        r#"{"candidates":[]}"#,
        r#"{"candidates":null,"usageMetadata":{}}"#,
        r#"{"usageMetadata":{}}"#,
        r#"{"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED"}}"#,
        r#"{"promptFeedback":7,"candidates":[]}"#,
    ] {
        assert_eq!(kind(body), FaultKind::NoChoices, "{body}");
    }
}

#[test]
fn counts_that_make_no_sense_are_zero_and_absurd_ones_do_no_harm() {
    let usage = |usage: &str| {
        let body = format!(r#"{{"candidates":[{{"finishReason":"STOP"}}],"usageMetadata":{usage}}}"#);
        decode(&body).unwrap().usage
    };
    let tools = usage(r#"{"promptTokenCount":9,"toolUsePromptTokenCount":2,"candidatesTokenCount":null}"#);
    assert_eq!(tools, Usage { input_tokens: 11, ..Usage::default() });
    for nonsense in
        ["null", "{}", "7", r#"{"promptTokenCount":-1}"#, r#"{"promptTokenCount":1e400}"#, r#""x""#]
    {
        assert_eq!(usage(nonsense), Usage::default(), "{nonsense}");
    }
    let absurd = usage(&format!(r#"{{"candidatesTokenCount":{0},"thoughtsTokenCount":{0}}}"#, u64::MAX));
    assert_eq!(absurd.output_tokens, u64::MAX);
}

#[test]
fn hostile_bodies_lose_nothing_that_was_said() {
    let reply = parts(
        r#"{"text":"Both."},
           {"functionCall":{"name":"x","args":"{\"half\":"}},
           {"functionCall":{"id":"a","name":"y","args":{"n": 1.10}}},
           {"functionCall":{"id":"a","name":7,"args":[1]}},
           {"functionCall":{"id":null,"name":null,"args":null}},
           {"functionCall":"run"},
           {"functionCall":null,"text":" And\ud83d more."}"#,
    );
    assert!(reply.text.starts_with("Both. And\u{FFFD}"), "{}", reply.text);
    let expected = [
        call("", "x", "{\"half\":"),
        call("a", "y", r#"{"n": 1.10}"#),
        call("a", "7", "[1]"),
        call("", "", "{}"),
        call("", "", "\"run\""),
    ];
    assert_eq!(reply.tool_calls, expected);
    let flood = vec![r#"{"functionCall":{"name":"x"},"thoughtSignature":"a"}"#; 70_000].join(",");
    assert_eq!((parts(&flood).tool_calls.len(), parts(&flood).opaque.len()), (128, 128));
    for body in [
        "",
        "null",
        "[]",
        "{}",
        "[[]]",
        "<html>",
        r#"{"candidates":7}"#,
        r#"{"candidates":["x"]}"#,
        r#"{"candidates":[{}]}"#,
        r#"{"candidates":[{"content":"x"}]}"#,
        r#"{"candidates":[{"content":{"parts":"x"}}]}"#,
        r#"{"candidates":[{"content":{"parts":["x"]}}]}"#,
    ] {
        assert_eq!(kind(body), FaultKind::Unreadable, "{body}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(kind(&deep), FaultKind::Unreadable);
    assert_eq!(GEMINI.assemble(&deep).unwrap_err().kind, FaultKind::Unreadable);
    let reply = parts(&format!(r#"{{"functionCall":{{"name":"x","args":{deep}}}}}"#));
    assert_eq!(reply.tool_calls[0].arguments, deep);
}

#[test]
fn an_error_inside_a_200_is_a_fault_with_the_servers_words() {
    for (error, expected) in [
        (r#"{"code":503,"message":"x","status":"UNAVAILABLE"}"#, FaultKind::ErrorInBody),
        (r#"{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED"}"#, FaultKind::RateLimited),
        (r#"{"code":429,"message":"Your prepayment credits are depleted."}"#, FaultKind::OutOfCredit),
        (r#"{"code":403,"message":"x"}"#, FaultKind::Unauthorized),
        (r#"{"code":400,"message":"API key not valid. Please pass"}"#, FaultKind::Unauthorized),
        (
            r#"{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8)."}"#,
            FaultKind::ContextTooLong,
        ),
    ] {
        assert_eq!(kind(&format!(r#"{{"error":{error}}}"#)), expected, "{error}");
        assert_eq!(kind(&format!(r#"[{{"error":{error}}}]"#)), expected, "{error}");
    }
}

#[test]
fn each_status_has_its_kind() {
    let none = RetryHeaders::default();
    for (status, message, expected) in [
        (400, "x", FaultKind::Refused),
        (400, "API key not valid. Please pass a valid API key.", FaultKind::Unauthorized),
        (
            400,
            "The input token count (9) exceeds the maximum number of tokens allowed (8).",
            FaultKind::ContextTooLong,
        ),
        (403, "x", FaultKind::Unauthorized),
        (404, "models/x is not found", FaultKind::Refused),
        (429, "x", FaultKind::RateLimited),
        (429, "Your prepayment credits are depleted.", FaultKind::OutOfCredit),
        (500, "x", FaultKind::Server),
        (503, "The model is overloaded.", FaultKind::Server),
    ] {
        for body in [
            format!(r#"{{"error":{{"code":{status},"message":"{message}","status":"X"}}}}"#),
            format!(r#"[{{"error":{{"code":{status},"message":"{message}","status":"X"}}}}]"#),
        ] {
            let fault = GEMINI.classify(status, &none, &body);
            assert_eq!((fault.kind, fault.status), (expected, Some(status)), "{body}");
            assert_eq!(fault.message, message);
        }
    }
    let key = r#"{"error":{"code":400,"message":"x","details":[{"reason":"API_KEY_INVALID"}]}}"#;
    assert_eq!(GEMINI.classify(400, &none, key).kind, FaultKind::Unauthorized);
    let delay = r#"[{"error":{"code":429,"message":"x","details":[{"@type":"x"},{"retryDelay":"46s"}]}}]"#;
    assert_eq!(GEMINI.classify(429, &none, delay).retry_after_ms, Some(46_000));
    let words = r#"{"error":{"code":429,"message":"Quota. Please retry in 10h17m5.7s."}}"#;
    assert_eq!(GEMINI.classify(429, &none, words).retry_after_ms, Some(37_025_700));
}
