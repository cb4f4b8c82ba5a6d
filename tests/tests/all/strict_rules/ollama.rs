//! Ollama's own protocol.

use serde_json::{Value, json};
use twicetold_dialect::Protocol;

use super::{form, refuses, refuses_forms, refuses_schemas_of_tools, schema};

const PROTOCOL: Protocol = Protocol::Ollama;

fn call(id: &str) -> Value {
    json!({"id": id, "function": {"name": "go", "arguments": {"how": "fast"}}})
}

fn good() -> Value {
    json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": "", "tool_calls": [call("c00000001"), call("c00000002")]},
            {"role": "tool", "content": "Gone.", "tool_name": "go", "tool_call_id": "c00000001"},
            {"role": "tool", "content": "", "tool_name": "go", "tool_call_id": "c00000002"},
            {"role": "assistant", "content": "Gone."},
            {"role": "user", "content": "And?"},
        ],
        "tools": [{"type": "function", "function": {"name": "go", "description": "", "parameters": schema()}}],
        "format": form(),
        "stream": false,
        "truncate": false,
        "shift": false,
        "options": {"num_ctx": 16384, "num_predict": 100, "temperature": 0.8, "seed": 7, "stop": ["<end>"]},
    })
}

#[test]
fn each_rule_of_ollama_refuses_something() {
    refuses(
        PROTOCOL,
        &good(),
        &[
            ("no field `model`", &[("/model", None)]),
            ("no field `messages`", &[("/messages", None)]),
            ("no field `stream`", &[("/stream", None)]),
            ("no field `truncate`", &[("/truncate", None)]),
            ("neither true nor false", &[("/shift", Some(json!("no")))]),
            ("unknown field `tool_choice`", &[("/tool_choice", Some(json!("none")))]),
            ("unknown field `seed`", &[("/seed", Some(json!(7)))]),
            ("unknown field `max_tokens`", &[("/max_tokens", Some(json!(7)))]),
            ("an empty list", &[("/messages", Some(json!([])))]),
            ("is none of", &[("/messages/0/role", Some(json!("developer")))]),
            ("a blank text", &[("/messages/1/content", Some(json!("")))]),
            ("a blank text", &[("/messages/5/content", Some(json!("")))]),
            ("no text", &[("/messages/2/content", Some(json!(null)))]),
            ("an empty list", &[("/messages/2/tool_calls", Some(json!([])))]),
            ("no id of nine", &[("/messages/2/tool_calls/0/id", Some(json!("c1")))]),
            ("two calls of one id", &[("/messages/2/tool_calls/1/id", Some(json!("c00000001")))]),
            ("unknown field `type`", &[("/messages/2/tool_calls/0/type", Some(json!("function")))]),
            ("no object", &[("/messages/2/tool_calls/0/function/arguments", Some(json!("{}")))]),
            ("is no name", &[("/messages/2/tool_calls/0/function/name", Some(json!("go on")))]),
            ("no field `tool_name`", &[("/messages/3/tool_name", None)]),
            ("is no name", &[("/messages/3/tool_name", Some(json!("go on")))]),
            ("no field `tool_call_id`", &[("/messages/3/tool_call_id", None)]),
            (
                "a result without its call",
                &[
                    ("/messages/3/tool_call_id", Some(json!("c00000002"))),
                    ("/messages/4/tool_call_id", Some(json!("c00000002"))),
                ],
            ),
            ("calls without results", &[("/messages/3", None)]),
            ("calls without results", &[("/messages/4", Some(json!({"role": "user", "content": "Wait."})))]),
            ("two tools of one name", &[("/tools/-", Some(good()["tools"][0].clone()))]),
            ("an empty list", &[("/tools", Some(json!([])))]),
            ("unknown field `strict`", &[("/tools/0/function/strict", Some(json!(false)))]),
            ("unknown field `max_tokens`", &[("/options/max_tokens", Some(json!(100)))]),
            ("is no integer", &[("/options/num_predict", Some(json!(0)))]),
            ("is no integer", &[("/options/num_ctx", Some(json!("16k")))]),
            ("is no integer", &[("/options/seed", Some(json!(0x8000_0000_u64)))]),
            ("no number from 0 to 2", &[("/options/temperature", Some(json!(-1)))]),
            ("no list", &[("/options/stop", Some(json!("<end>")))]),
            ("no object", &[("/format", Some(json!("json")))]),
        ],
    );
    refuses_schemas_of_tools(PROTOCOL, &good(), "/tools/0/function/parameters");
    refuses_forms(PROTOCOL, &good(), "/format", &[]);
}
