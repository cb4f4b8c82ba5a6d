//! OpenAI's Responses.

use serde_json::{Value, json};
use twicetold_dialect::Protocol;

use super::{form, refuses, refuses_forms, refuses_schemas_of_tools, schema};

const PROTOCOL: Protocol = Protocol::Responses;

fn call(id: &str) -> Value {
    json!({"type": "function_call", "call_id": id, "name": "go", "arguments": "{\"how\":\"fast\"}"})
}

fn result(id: &str) -> Value {
    json!({"type": "function_call_output", "call_id": id, "output": "Gone."})
}

fn thought() -> Value {
    json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"})
}

fn good() -> Value {
    json!({
        "model": "m",
        "input": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": "Go."},
            thought(),
            call("c00000001"),
            call("c00000002"),
            result("c00000001"),
            result("c00000002"),
            {"role": "assistant", "content": "Gone."},
            {"role": "user", "content": "And?"},
        ],
        "tools": [{"type": "function", "name": "go", "description": "", "parameters": schema(), "strict": false}],
        "tool_choice": "auto",
        "parallel_tool_calls": true,
        "text": {"format": {"type": "json_schema", "name": "reply", "strict": true, "schema": form()}},
        "temperature": 0.8,
        "max_output_tokens": 16,
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "stream": true,
    })
}

#[test]
fn each_rule_of_responses_refuses_something() {
    refuses(
        PROTOCOL,
        &good(),
        &[
            ("no field `model`", &[("/model", None)]),
            ("no field `input`", &[("/input", None)]),
            ("no field `store`", &[("/store", None)]),
            ("asked to keep", &[("/store", Some(json!(true)))]),
            ("unknown field `seed`", &[("/seed", Some(json!(7)))]),
            ("unknown field `stop`", &[("/stop", Some(json!(["a"])))]),
            ("unknown field `max_tokens`", &[("/max_tokens", Some(json!(100)))]),
            ("unknown field `messages`", &[("/messages", Some(json!([])))]),
            ("unknown field `response_format`", &[("/response_format", Some(json!({})))]),
            ("an empty list", &[("/input", Some(json!([])))]),
            ("is none of", &[("/input/1/role", Some(json!("tool")))]),
            ("a blank text", &[("/input/1/content", Some(json!("")))]),
            ("unknown field `tool_calls`", &[("/input/7/tool_calls", Some(json!([])))]),
            ("is none of", &[("/input/3/type", Some(json!("tool_call")))]),
            ("no id of nine", &[("/input/3/call_id", Some(json!("c1")))]),
            ("two calls of one id", &[("/input/4/call_id", Some(json!("c00000001")))]),
            ("no text", &[("/input/3/arguments", Some(json!({})))]),
            ("is no JSON object", &[("/input/3/arguments", Some(json!("")))]),
            ("is no name", &[("/input/3/name", Some(json!("go on")))]),
            ("no field `output`", &[("/input/5/output", None)]),
            ("no text", &[("/input/5/output", Some(json!({})))]),
            ("calls without results", &[("/input/6", None)]),
            ("calls without results", &[("/input/6", Some(json!({"role": "user", "content": "Wait."})))]),
            ("calls without results", &[("/input/-", Some(call("c00000003")))]),
            (
                "calls without results",
                &[
                    ("/input/4", Some(result("c00000001"))),
                    ("/input/5", Some(call("c00000003"))),
                    ("/input/6", Some(call("c00000004"))),
                ],
            ),
            (
                "calls without results",
                &[("/input/4", Some(call("c00000002"))), ("/input/6", Some(call("c00000003")))],
            ),
            ("a result without its call", &[("/input/6/call_id", Some(json!("c00000001")))]),
            ("thinking about nothing", &[("/input/4", Some(thought()))]),
            ("thinking about nothing", &[("/input/7", Some(thought()))]),
            ("thinking about nothing", &[("/input/-", Some(thought()))]),
            ("no field `summary`", &[("/input/2/summary", None)]),
            ("unknown field `signature`", &[("/input/2/signature", Some(json!("")))]),
            ("a choice without tools", &[("/tools", None)]),
            ("a choice without tools", &[("/tools", None), ("/tool_choice", None)]),
            ("two tools of one name", &[("/tools/-", Some(good()["tools"][0].clone()))]),
            ("no field `strict`", &[("/tools/0/strict", None)]),
            ("a strict tool", &[("/tools/0/strict", Some(json!(true)))]),
            ("unknown field `function`", &[("/tools/0/function", Some(json!({})))]),
            ("is no name", &[("/tools/0/name", Some(json!("go on")))]),
            ("is none of", &[("/tool_choice", Some(json!("any")))]),
            ("neither true nor false", &[("/stream", Some(json!(1)))]),
            ("no number from 0 to 2", &[("/temperature", Some(json!(9)))]),
            ("is no integer", &[("/max_output_tokens", Some(json!(15)))]),
            ("is none of", &[("/include/0", Some(json!("reasoning")))]),
            ("unknown field `form`", &[("/text/form", Some(json!({})))]),
            ("is none of", &[("/text/format/type", Some(json!("json")))]),
            ("no field `name`", &[("/text/format/name", None)]),
            ("unknown field `json_schema`", &[("/text/format/json_schema", Some(json!({})))]),
        ],
    );
    refuses_schemas_of_tools(PROTOCOL, &good(), "/tools/0/parameters");
    // Who says nothing of strictness asks for it.
    let mut silent = good();
    silent["text"]["format"].as_object_mut().expect("an object").remove("strict");
    for good in [good(), silent] {
        let strict = [
            ("no `additionalProperties: false`", "/additionalProperties", None),
            ("a property that is not required", "/required/1", None),
        ];
        refuses_forms(PROTOCOL, &good, "/text/format/schema", &strict);
    }
}
