//! The bytes of requests, letter by letter: journals hold their digests, so they may not change.

use serde_json::Value;
use twicetold_dialect::{Compat, Protocol, SystemRole, TokensField};
use twicetold_model::{
    Message, Parameters, Part, ReplySchema, Request, Role, ToolCall, ToolChoice, ToolSpec,
};

use super::helpers::{self, result};

fn encode(request: &Request, compat: &Compat) -> String {
    helpers::encode(Protocol::ChatCompletions, request, compat)
}

fn text(role: Role, text: &str) -> Message {
    Message { role, parts: vec![Part::Text(text.into())] }
}

fn call(id: &str, name: &str, arguments: &str) -> Part {
    Part::ToolCall(ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() })
}

/// A turn with everything in it.
fn request() -> Request {
    let roll = call("c1", "roll_dice", r#"{"dice":"1d20"}"#);
    let assistant = Message { role: Role::Assistant, parts: vec![Part::Text("I roll.".into()), roll] };
    let results = Message { role: Role::Tool, parts: vec![result("c1", "14")] };
    let tool = ToolSpec {
        name: "roll_dice".into(),
        description: "Roll \"dice\".".into(),
        schema: r#"{"type":"object","properties":{"dice":{"type":"string"}}}"#.into(),
    };
    let parameters = Parameters {
        model: "gpt-x".into(),
        temperature_milli: Some(700),
        seed: Some(11),
        tokens_max: 900,
        parallel_tool_calls: true,
        tool_choice: ToolChoice::Required,
    };
    let messages =
        vec![text(Role::System, "Be the DM."), text(Role::User, "Kira:\nI jump."), assistant, results];
    Request { messages, tools: vec![tool], reply_schema: None, parameters }
}

fn only(messages: Vec<Message>) -> String {
    let body = encode(&Request { messages, ..Request::default() }, &Compat::default());
    let inner = body.strip_prefix(r#"{"model":"","messages":["#).and_then(|body| body.strip_suffix("]}"));
    inner.unwrap_or_else(|| panic!("{body}")).to_owned()
}

#[test]
fn a_full_turn_has_these_bytes() {
    let expected = concat!(
        r#"{"model":"gpt-x","messages":["#,
        r#"{"role":"system","content":"Be the DM."},"#,
        r#"{"role":"user","content":"Kira:\nI jump."},"#,
        r#"{"role":"assistant","content":"I roll.","tool_calls":[{"id":"c1","type":"function","#,
        r#""function":{"name":"roll_dice","arguments":"{\"dice\":\"1d20\"}"}}]},"#,
        r#"{"role":"tool","content":"14","tool_call_id":"c1"}],"#,
        r#""tools":[{"type":"function","function":{"name":"roll_dice","description":"Roll \"dice\".","#,
        r#""parameters":{"type":"object","properties":{"dice":{"type":"string"}}}}}],"#,
        r#""tool_choice":"required","parallel_tool_calls":true,"temperature":0.7,"seed":11,"max_tokens":900}"#,
    );
    assert_eq!(encode(&request(), &Compat::default()), expected);
}

#[test]
fn an_endpoint_that_takes_little_gets_little() {
    let compat = Compat {
        temperature: false,
        seed: false,
        tokens_field: TokensField::None,
        tools: false,
        tool_choice: false,
        parallel_tool_calls: false,
        tool_messages: false,
        system_role: SystemRole::User,
        ..Compat::default()
    };
    let expected = concat!(
        r#"{"model":"gpt-x","messages":["#,
        r#"{"role":"user","content":"Be the DM."},"#,
        r#"{"role":"user","content":"Kira:\nI jump."},"#,
        r#"{"role":"assistant","content":"I roll.\n[call c1] roll_dice {\"dice\":\"1d20\"}"},"#,
        r#"{"role":"user","content":"[result c1] 14"}]}"#,
    );
    assert_eq!(encode(&request(), &compat), expected);
}

#[test]
fn each_switch_changes_its_field_and_nothing_else() {
    let extra =
        [("cache_prompt".to_owned(), "false".to_owned()), ("a".to_owned(), r#"{"b":[1]}"#.to_owned())];
    let stop = vec!["<|im_end|>".to_owned(), "\n\n".to_owned()];
    let base = Compat::default;
    let table = [
        (Compat { temperature: false, ..base() }, r#","temperature":0.7"#, ""),
        (Compat { seed: false, ..base() }, r#","seed":11"#, ""),
        (Compat { tool_choice: false, ..base() }, r#","tool_choice":"required""#, ""),
        (Compat { parallel_tool_calls: false, ..base() }, r#","parallel_tool_calls":true"#, ""),
        (
            Compat { tokens_field: TokensField::MaxCompletionTokens, ..base() },
            "max_tokens",
            "max_completion_tokens",
        ),
        (Compat { tokens_field: TokensField::None, ..base() }, r#","max_tokens":900"#, ""),
        (
            Compat { system_role: SystemRole::Developer, ..base() },
            r#""role":"system""#,
            r#""role":"developer""#,
        ),
        (Compat { stop, ..base() }, "900}", r#"900,"stop":["<|im_end|>","\n\n"]}"#),
        (
            Compat { extra_fields: extra.into(), ..base() },
            "900}",
            r#"900,"a":{"b":[1]},"cache_prompt":false}"#,
        ),
    ];
    let plain = encode(&request(), &Compat::default());
    for (compat, before, after) in table {
        assert!(plain.contains(before));
        assert_eq!(encode(&request(), &compat), plain.replace(before, after), "{compat:?}");
    }
}

#[test]
fn nothing_is_said_about_tools_when_none_are_offered() {
    let mut bare = request();
    bare.tools.clear();
    let body = encode(&bare, &Compat::default());
    for field in ["\"tools\"", "tool_choice", "parallel_tool_calls"] {
        assert!(!body.contains(field), "{body}");
    }
}

#[test]
fn the_form_of_a_reply_is_said_once() {
    let form = ReplySchema { name: "reply".into(), schema: "{}".into(), strict: true };
    let held = Request { reply_schema: Some(form), ..Request::default() };
    let own = r#"{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":{}}}"#;
    for (extra, expected) in [(None, own), (Some(r#"{"type":"text"}"#), r#"{"type":"text"}"#)] {
        let extra_fields =
            extra.map(|text| ("response_format".to_owned(), text.to_owned())).into_iter().collect();
        let body = encode(&held, &Compat { extra_fields, ..Compat::default() });
        assert_eq!(body, format!(r#"{{"model":"","messages":[],"response_format":{expected}}}"#));
    }
}

#[test]
fn words_only_is_said_or_made_sure_of() {
    let mut words = request();
    words.parameters.tool_choice = ToolChoice::None;
    let body = encode(&words, &Compat::default());
    assert!(body.contains(r#""tool_choice":"none""#) && body.contains("\"tools\""));
    let body = encode(&words, &Compat { tool_choice: false, ..Compat::default() });
    assert!(!body.contains("tool_choice") && !body.contains("\"tools\""));
}

#[test]
fn an_automatic_choice_and_absent_numbers_are_not_sent() {
    let mut silent = request();
    silent.parameters = Parameters { model: "m".into(), ..Parameters::default() };
    let body = encode(&silent, &Compat::default());
    assert!(body.ends_with(r#"}}}],"parallel_tool_calls":false}"#), "{body}");
}

#[test]
fn a_temperature_in_thousandths_is_written_exactly() {
    for (milli, expected) in [
        (0, "0"),
        (1, "0.001"),
        (50, "0.05"),
        (700, "0.7"),
        (1000, "1"),
        (1250, "1.25"),
        (u32::MAX, "4294967.295"),
    ] {
        let parameters = Parameters { temperature_milli: Some(milli), ..Parameters::default() };
        let body = encode(&Request { parameters, ..Request::default() }, &Compat::default());
        assert_eq!(body, format!(r#"{{"model":"","messages":[],"temperature":{expected}}}"#));
    }
}

#[test]
fn arguments_that_are_not_an_object_are_wrapped_into_one() {
    let table = [
        (r#"{"a":1}"#, r#"{"a":1}"#),
        (" {\"a\": [1.50, null]}\n", " {\"a\": [1.50, null]}\n"),
        ("", "{}"),
        ("  \n", "{}"),
        (r#"{"expr": "1d20"#, r#"{"malformed":"{\"expr\": \"1d20"}"#),
        ("{} {}", r#"{"malformed":"{} {}"}"#),
        ("[1]", r#"{"malformed":"[1]"}"#),
        ("null", r#"{"malformed":"null"}"#),
        ("\u{1}", r#"{"malformed":"\u0001"}"#),
        (r#"{"a":1e999}"#, r#"{"malformed":"{\"a\":1e999}"}"#),
        (r#"{"a":"\ud800"}"#, r#"{"malformed":"{\"a\":\"\\ud800\"}"}"#),
    ];
    for (arguments, expected) in table {
        let message = Message { role: Role::Assistant, parts: vec![call("c1", "x", arguments)] };
        let body: Value = serde_json::from_str(&only(vec![message])).unwrap();
        assert_eq!(body["tool_calls"][0]["function"]["arguments"], expected, "{arguments:?}");
        assert!(serde_json::from_str::<Value>(expected).unwrap().is_object());
    }
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(
        only(vec![Message { role: Role::Assistant, parts: vec![call("c1", "x", &deep)] }])
            .contains("malformed")
    );
}

#[test]
fn a_name_that_no_server_takes_back_is_made_harmless() {
    for (name, expected) in
        [("roll_dice-2", "roll_dice-2"), ("roll dice\u{e9}!", "roll_dice__"), ("", "unknown")]
    {
        let message = Message { role: Role::Assistant, parts: vec![call("c1", name, "{}")] };
        assert!(only(vec![message]).contains(&format!(r#""name":"{expected}""#)));
    }
    let long = Message { role: Role::Assistant, parts: vec![call("c1", &"é".repeat(100), "{}")] };
    assert!(only(vec![long]).contains(&format!(r#""name":"{}""#, "_".repeat(64))));
}

#[test]
fn results_stand_next_to_their_calls_and_words_come_after_them() {
    let parts = vec![Part::Text("Go on.".into()), result("c1", "14"), result("c2", "a \"b\"")];
    let expected = concat!(
        r#"{"role":"tool","content":"14","tool_call_id":"c1"},"#,
        r#"{"role":"tool","content":"a \"b\"","tool_call_id":"c2"},"#,
        r#"{"role":"user","content":"Go on."}"#,
    );
    for role in [Role::Tool, Role::User] {
        assert_eq!(only(vec![Message { role, parts: parts.clone() }]), expected);
    }
}

#[test]
fn calls_without_words_have_a_null_content_and_other_vendors_blocks_are_left_out() {
    let opaque = Part::Opaque { vendor: "other".into(), body: "{\"signature\":1}".into() };
    let message = Message {
        role: Role::Assistant,
        parts: vec![opaque.clone(), call("c1", "x", "{}"), call("c2", "y", "{}")],
    };
    let expected = concat!(
        r#"{"role":"assistant","content":null,"tool_calls":["#,
        r#"{"id":"c1","type":"function","function":{"name":"x","arguments":"{}"}},"#,
        r#"{"id":"c2","type":"function","function":{"name":"y","arguments":"{}"}}]}"#,
    );
    assert_eq!(only(vec![message]), expected);
    let empty = Message { role: Role::Assistant, parts: vec![opaque] };
    // A message of nothing else would have no words, which many servers refuse.
    assert_eq!(only(vec![empty]), "");
}

#[test]
fn several_texts_of_one_message_are_joined_by_a_blank_line() {
    let parts = ["a", "", "b"].map(|text| Part::Text(text.into())).to_vec();
    assert_eq!(only(vec![Message { role: Role::User, parts }]), r#"{"role":"user","content":"a\n\n\n\nb"}"#);
}
