//! Chat completions.

use serde_json::{Value, json};
use twicetold_dialect::Protocol;

use super::{form, long, refuses, refuses_forms, refuses_schemas_of_tools, schema};

const PROTOCOL: Protocol = Protocol::ChatCompletions;

fn call(id: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "go", "arguments": "{\"how\":\"fast\"}"}})
}

fn good() -> Value {
    json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": null, "tool_calls": [call("c00000001"), call("c00000002")]},
            {"role": "tool", "content": "Gone.", "tool_call_id": "c00000001"},
            {"role": "tool", "content": "", "tool_call_id": "c00000002"},
            {"role": "assistant", "content": "Gone."},
            {"role": "user", "content": "And?"},
        ],
        "tools": [{"type": "function", "function": {"name": "go", "description": "", "parameters": schema()}}],
        "tool_choice": "auto",
        "parallel_tool_calls": true,
        "temperature": 0.8,
        "seed": 7,
        "max_tokens": 100,
        "stop": ["<end>"],
        "stream": true,
        "stream_options": {"include_usage": true},
    })
}

#[test]
fn each_rule_of_chat_completions_refuses_something() {
    let unanswered = json!({"role": "assistant", "content": null, "tool_calls": [call("c00000003")]});
    refuses(
        PROTOCOL,
        &good(),
        &[
            ("no field `model`", &[("/model", None)]),
            ("a blank text", &[("/model", Some(json!("")))]),
            ("no field `messages`", &[("/messages", None)]),
            ("unknown field `sead`", &[("/sead", Some(json!(1)))]),
            ("an empty list", &[("/messages", Some(json!([])))]),
            ("no list", &[("/messages", Some(json!("Go.")))]),
            ("no object", &[("/messages/1", Some(json!("Go.")))]),
            ("is none of", &[("/messages/1/role", Some(json!("human")))]),
            ("no field `role`", &[("/messages/1/role", None)]),
            ("a blank text", &[("/messages/1/content", Some(json!(" ")))]),
            ("no field `content`", &[("/messages/1/content", None)]),
            ("unknown field `name`", &[("/messages/1/name", Some(json!("Ada")))]),
            ("unknown field `tool_calls`", &[("/messages/1/tool_calls", Some(json!([])))]),
            ("no text", &[("/messages/5/content", Some(json!(null)))]),
            ("unknown field `reasoning`", &[("/messages/5/reasoning", Some(json!("")))]),
            ("no text", &[("/messages/2/reasoning_content", Some(json!(7)))]),
            (
                "thinking unlike",
                &[
                    ("/messages/2/reasoning_content", Some(json!("So."))),
                    ("/messages/5", Some(unanswered.clone())),
                ],
            ),
            ("an empty list", &[("/messages/2/tool_calls", Some(json!([])))]),
            ("no id of nine", &[("/messages/2/tool_calls/0/id", Some(json!("c1")))]),
            ("no id of nine", &[("/messages/2/tool_calls/0/id", Some(json!("c0000-001")))]),
            ("two calls of one id", &[("/messages/2/tool_calls/1/id", Some(json!("c00000001")))]),
            ("no field `type`", &[("/messages/2/tool_calls/0/type", None)]),
            ("no text", &[("/messages/2/tool_calls/0/function/arguments", Some(json!({})))]),
            ("is no JSON object", &[("/messages/2/tool_calls/0/function/arguments", Some(json!("{")))]),
            ("is no JSON object", &[("/messages/2/tool_calls/0/function/arguments", Some(json!("[1]")))]),
            ("is no name", &[("/messages/2/tool_calls/0/function/name", Some(json!("go on")))]),
            ("is no name", &[("/messages/2/tool_calls/0/function/name", Some(long(65)))]),
            ("is no name", &[("/messages/2/tool_calls/0/function/name", Some(json!("")))]),
            ("calls without results", &[("/messages/4", None)]),
            ("calls without results", &[("/messages/4", Some(json!({"role": "user", "content": "Wait."})))]),
            ("calls without results", &[("/messages/-", Some(unanswered))]),
            ("a result without its call", &[("/messages/4/tool_call_id", Some(json!("c00000001")))]),
            ("a result without its call", &[("/messages/2", None)]),
            ("no field `tool_call_id`", &[("/messages/4/tool_call_id", None)]),
            ("no text", &[("/messages/4/content", Some(json!({})))]),
            ("a choice without tools", &[("/tools", None)]),
            ("a choice without tools", &[("/tools", None), ("/tool_choice", None)]),
            ("an empty list", &[("/tools", Some(json!([])))]),
            ("two tools of one name", &[("/tools/-", Some(good()["tools"][0].clone()))]),
            ("no field `function`", &[("/tools/0/function", None)]),
            ("is none of", &[("/tools/0/type", Some(json!("tool")))]),
            ("unknown field `cache_control`", &[("/tools/0/cache_control", Some(json!({})))]),
            ("is no name", &[("/tools/0/function/name", Some(json!("go.on")))]),
            ("no text", &[("/tools/0/function/description", Some(json!(null)))]),
            ("no field `parameters`", &[("/tools/0/function/parameters", None)]),
            ("is none of", &[("/tool_choice", Some(json!("any")))]),
            ("neither true nor false", &[("/parallel_tool_calls", Some(json!("true")))]),
            ("no number from 0 to 2", &[("/temperature", Some(json!(2.1)))]),
            ("no number from 0 to 2", &[("/temperature", Some(json!("hot")))]),
            ("is no integer", &[("/seed", Some(json!(0.5)))]),
            ("is no integer", &[("/max_tokens", Some(json!(0)))]),
            ("two bounds", &[("/max_completion_tokens", Some(json!(100)))]),
            ("more than 4 texts", &[("/stop", Some(json!(["a", "b", "c", "d", "e"])))]),
            ("an empty list", &[("/stop", Some(json!([])))]),
            ("a blank text", &[("/stop/0", Some(json!("")))]),
            ("without a stream", &[("/stream", Some(json!(false)))]),
            ("without a stream", &[("/stream", None)]),
            ("unknown field", &[("/stream_options/include", Some(json!(true)))]),
        ],
    );
    let many: Vec<Value> = (0..129)
        .map(|number| {
            let function = json!({"name": format!("t{number}"), "description": "", "parameters": schema()});
            json!({"type": "function", "function": function})
        })
        .collect();
    refuses(PROTOCOL, &good(), &[("more than 128 tools", &[("/tools", Some(many.into()))])]);
    refuses_schemas_of_tools(PROTOCOL, &good(), "/tools/0/function/parameters");
}

#[test]
fn each_rule_of_forms_in_chat_completions_refuses_something() {
    let mut good = good();
    good["response_format"] =
        json!({"type": "json_schema", "json_schema": {"name": "reply", "strict": true, "schema": form()}});
    refuses(
        PROTOCOL,
        &good,
        &[
            ("is none of", &[("/response_format/type", Some(json!("json_object")))]),
            ("no field `json_schema`", &[("/response_format/json_schema", None)]),
            ("no field `name`", &[("/response_format/json_schema/name", None)]),
            ("is no name", &[("/response_format/json_schema/name", Some(json!("my reply")))]),
            ("unknown field `form`", &[("/response_format/json_schema/form", Some(json!(1)))]),
        ],
    );
    let strict = [
        ("no `additionalProperties: false`", "/additionalProperties", None),
        ("a property that is not required", "/required/1", None),
    ];
    refuses_forms(PROTOCOL, &good, "/response_format/json_schema/schema", &strict);
}
