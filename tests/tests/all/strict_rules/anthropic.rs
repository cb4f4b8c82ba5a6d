//! The Messages of Anthropic.

use serde_json::{Value, json};
use twicetold_dialect::Protocol;

use super::{form, refuses, refuses_forms, refuses_schemas_of_tools, schema};

const PROTOCOL: Protocol = Protocol::Anthropic;

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "go", "input": {"how": "fast"}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "Gone."})
}

fn marked(mut block: Value) -> Value {
    block["cache_control"] = json!({"type": "ephemeral"});
    block
}

fn good() -> Value {
    let thought = json!({"type": "thinking", "thinking": "", "signature": "s"});
    json!({
        "model": "m",
        "max_tokens": 100,
        "system": [text("Be brief."), marked(text("Be kind."))],
        "messages": [
            {"role": "user", "content": [text("Go.")]},
            {"role": "assistant", "content": [thought, text("So be it."), call("c1"), call("c2")]},
            {"role": "user", "content": [result("c1"), result("c2"), marked(text("And?"))]},
            {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "d"}, text("Gone.")]},
            {"role": "user", "content": [marked(text("Wait."))]},
        ],
        "tools": [marked(json!({"name": "go", "description": "", "input_schema": schema()}))],
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": true},
        "stop_sequences": ["<end>"],
        "output_config": {"format": {"type": "json_schema", "schema": form()}},
        "stream": false,
    })
}

#[test]
fn each_rule_of_anthropic_refuses_something() {
    let user = |blocks: Value| Some(json!({"role": "user", "content": blocks}));
    let model = |blocks: Value| Some(json!({"role": "assistant", "content": blocks}));
    refuses(
        PROTOCOL,
        &good(),
        &[
            ("no field `model`", &[("/model", None)]),
            ("no field `max_tokens`", &[("/max_tokens", None)]),
            ("is no integer", &[("/max_tokens", Some(json!(0)))]),
            ("no field `messages`", &[("/messages", None)]),
            ("unknown field `temperature`", &[("/temperature", Some(json!(1)))]),
            ("unknown field `seed`", &[("/seed", Some(json!(7)))]),
            ("unknown field `stop`", &[("/stop", Some(json!(["a"])))]),
            ("no list", &[("/system", Some(json!("Be brief.")))]),
            ("an empty list", &[("/system", Some(json!([])))]),
            ("a blank text", &[("/system/0/text", Some(json!(" ")))]),
            ("is none of", &[("/system/0/type", Some(json!("image")))]),
            ("an empty list", &[("/messages", Some(json!([])))]),
            ("is none of", &[("/messages/0/role", Some(json!("system")))]),
            ("is none of", &[("/messages/0", None)]),
            ("is none of", &[("/messages/3", None)]),
            ("is none of", &[("/messages/3", user(json!([text("So?")])))]),
            ("is none of", &[("/messages/-", user(json!([text("So?")])))]),
            ("the last message", &[("/messages/-", model(json!([text("So ")])))]),
            ("an empty list", &[("/messages/0/content", Some(json!([])))]),
            ("unknown field `name`", &[("/messages/0/name", Some(json!("Ada")))]),
            ("a blank text", &[("/messages/0/content/0/text", Some(json!("")))]),
            ("unknown field `citations`", &[("/messages/0/content/0/citations", Some(json!([])))]),
            ("is none of", &[("/messages/0/content/0", Some(call("c3")))]),
            ("is none of", &[("/messages/3/content/1", Some(result("c2")))]),
            ("is none of", &[("/messages/0/content/0/type", Some(json!("input_text")))]),
            ("calls without results", &[("/messages/2/content/2", None), ("/messages/2/content/1", None)]),
            ("words before a result", &[("/messages/2/content/1", None)]),
            (
                "words before a result",
                &[
                    ("/messages/2/content/0", Some(text("So."))),
                    ("/messages/2/content/2", Some(result("c1"))),
                ],
            ),
            ("a result without its call", &[("/messages/2/content/1/tool_use_id", Some(json!("c3")))]),
            ("a result without its call", &[("/messages/4/content/0", Some(result("c1")))]),
            ("a result behind words", &[("/messages/4/content/-", Some(result("c1")))]),
            ("two calls of one id", &[("/messages/1/content/3/id", Some(json!("c1")))]),
            ("is no name", &[("/messages/1/content/2/id", Some(json!("call 1")))]),
            ("is no name", &[("/messages/1/content/2/name", Some(json!("go on")))]),
            ("no object", &[("/messages/1/content/2/input", Some(json!("{}")))]),
            ("no field `input`", &[("/messages/1/content/2/input", None)]),
            ("a blank text", &[("/messages/2/content/0/content", Some(json!("")))]),
            ("neither true nor false", &[("/messages/2/content/0/is_error", Some(json!("no")))]),
            ("no field `signature`", &[("/messages/1/content/0/signature", None)]),
            ("a blank text", &[("/messages/1/content/0/signature", Some(json!("")))]),
            (
                "unknown field `cache_control`",
                &[("/messages/1/content/0/cache_control", Some(json!({"type": "ephemeral"})))],
            ),
            ("no field `data`", &[("/messages/3/content/0/data", None)]),
            ("is none of", &[("/messages/3/content/1", None)]),
            ("more than four marks", &[("/messages/0/content/0", Some(marked(text("Go."))))]),
            ("more than four marks", &[("/system/0", Some(marked(text("Be brief."))))]),
            ("is none of", &[("/system/1/cache_control/type", Some(json!("persistent")))]),
            ("is none of", &[("/system/1/cache_control/ttl", Some(json!("2h")))]),
            ("a call where no tools", &[("/tools", None)]),
            ("an empty list", &[("/tools", Some(json!([])))]),
            (
                "two tools of one name",
                &[("/tools/-", Some(json!({"name": "go", "description": "", "input_schema": schema()})))],
            ),
            ("no field `input_schema`", &[("/tools/0/input_schema", None)]),
            ("unknown field `parameters`", &[("/tools/0/parameters", Some(schema()))]),
            ("is no name", &[("/tools/0/name", Some(json!("go on")))]),
            ("no object", &[("/tool_choice", Some(json!("auto")))]),
            ("is none of", &[("/tool_choice/type", Some(json!("required")))]),
            ("unknown field `disable_parallel_tool_use`", &[("/tool_choice/type", Some(json!("none")))]),
            ("a blank text", &[("/stop_sequences/0", Some(json!(" ")))]),
            ("neither true nor false", &[("/stream", Some(json!("no")))]),
            ("unknown field `schema`", &[("/output_config/schema", Some(json!({})))]),
            ("is none of", &[("/output_config/format/type", Some(json!("json_object")))]),
            ("unknown field `name`", &[("/output_config/format/name", Some(json!("reply")))]),
        ],
    );
    let thinking = |budget: i64| Some(json!({"type": "enabled", "budget_tokens": budget}));
    let room = ("/max_tokens", Some(json!(2_000)));
    refuses(
        PROTOCOL,
        &good(),
        &[
            ("is none of", &[("/thinking", Some(json!({"type": "on"})))]),
            ("is no integer", &[("/thinking", thinking(1_024))]),
            ("is no integer", &[("/thinking", thinking(100)), room.clone()]),
            (
                "no thinking at the beginning",
                &[("/thinking", thinking(1_024)), room.clone(), ("/messages/1/content/0", None)],
            ),
            (
                "a forced call",
                &[("/thinking", thinking(1_024)), room, ("/tool_choice", Some(json!({"type": "any"})))],
            ),
        ],
    );
    let talk = json!([{"role": "user", "content": [text("Go.")]}]);
    refuses(PROTOCOL, &good(), &[("a choice without tools", &[("/tools", None), ("/messages", Some(talk))])]);
    refuses_schemas_of_tools(PROTOCOL, &good(), "/tools/0/input_schema");
}

#[test]
fn each_rule_of_forms_of_anthropic_refuses_something() {
    let many = |schema: Value, count: usize| -> Value {
        (0..count)
            .map(|number| (format!("p{number}"), schema.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let choice = json!({"anyOf": [{"type": "string"}, {"type": "boolean"}]});
    let bad = [
        ("no `additionalProperties: false`", "/additionalProperties", None),
        ("unknown field `maxLength`", "/properties/words/maxLength", Some(json!(9))),
        ("unknown field `minLength`", "/properties/words/minLength", Some(json!(1))),
        ("unknown field `minimum`", "/properties/words", Some(json!({"type": "integer", "minimum": 1}))),
        (
            "unknown field `maxItems`",
            "/properties/words",
            Some(json!({"type": "array", "items": {"type": "string"}, "maxItems": 1})),
        ),
        (
            "is no integer from 0 to 1",
            "/properties/words",
            Some(json!({"type": "array", "items": {"type": "string"}, "minItems": 2})),
        ),
        (
            "too many properties",
            "/properties/words",
            Some(
                json!({"type": "object", "properties": many(json!({"type": "string"}), 25), "additionalProperties": false}),
            ),
        ),
        (
            "too many choices",
            "/properties/words",
            Some(json!({"type": "object", "properties": many(choice, 16), "additionalProperties": false})),
        ),
    ];
    refuses_forms(PROTOCOL, &good(), "/output_config/format/schema", &bad);
}
