//! Gemini.

use serde_json::{Value, json};
use twicetold_dialect::Protocol;

use super::{form, long, refuses, refuses_forms, refuses_schemas_of_tools, schema};

const PROTOCOL: Protocol = Protocol::Gemini;

fn call(id: &str) -> Value {
    json!({"functionCall": {"id": id, "name": "go", "args": {"how": "fast"}}})
}

fn signed(id: &str) -> Value {
    let mut part = call(id);
    part["thoughtSignature"] = json!("c2lnbmVk");
    part
}

fn result(id: &str) -> Value {
    json!({"functionResponse": {"id": id, "name": "go", "response": {"output": "Gone."}}})
}

fn good() -> Value {
    json!({
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Go."}]},
            {"role": "model", "parts": [{"text": "So be it."}, signed("c1"), call("c2")]},
            {"role": "user", "parts": [result("c1"), result("c2")]},
            {"role": "model", "parts": [signed("c3")]},
            {"role": "user", "parts": [result("c3"), {"text": "And?"}]},
            {"role": "model", "parts": [{"text": "Gone."}, {"text": "", "thoughtSignature": "c2lnbmVk"}]},
            {"role": "user", "parts": [{"text": "Wait."}]},
        ],
        "tools": [{"functionDeclarations": [
            {"name": "go", "description": "", "parametersJsonSchema": schema()},
            {"name": "end", "description": ""},
        ]}],
        "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}},
        "generationConfig": {"temperature": 0.8, "seed": 7, "maxOutputTokens": 100, "stopSequences": ["<end>"]},
    })
}

#[test]
fn each_rule_of_gemini_refuses_something() {
    let held = json!({"responseMimeType": "application/json", "responseJsonSchema": form()});
    refuses(
        PROTOCOL,
        &good(),
        &[
            ("no field `contents`", &[("/contents", None)]),
            ("unknown field `model`", &[("/model", Some(json!("m")))]),
            ("unknown field `stream`", &[("/stream", Some(json!(false)))]),
            ("unknown field `role`", &[("/systemInstruction/role", Some(json!("system")))]),
            ("a blank text", &[("/systemInstruction/parts/0/text", Some(json!("")))]),
            ("an empty list", &[("/contents", Some(json!([])))]),
            ("is none of", &[("/contents/0/role", Some(json!("system")))]),
            ("is none of", &[("/contents/1/role", Some(json!("assistant")))]),
            ("is none of", &[("/contents/0", None)]),
            ("is none of", &[("/contents/5", None)]),
            ("the last content", &[("/contents/6", None)]),
            ("an empty list", &[("/contents/0/parts", Some(json!([])))]),
            ("unknown field `content`", &[("/contents/0/content", Some(json!("Go.")))]),
            ("a blank text", &[("/contents/0/parts/0/text", Some(json!(" ")))]),
            ("a blank text", &[("/contents/5/parts/1/thoughtSignature", None)]),
            ("0 kinds in one part", &[("/contents/0/parts/0", Some(json!({})))]),
            ("2 kinds in one part", &[("/contents/1/parts/1/text", Some(json!("So.")))]),
            ("unknown field `thought`", &[("/contents/0/parts/0/thought", Some(json!(true)))]),
            ("no base64", &[("/contents/1/parts/1/thoughtSignature", Some(json!("abc")))]),
            ("no base64", &[("/contents/1/parts/1/thoughtSignature", Some(json!("a b ")))]),
            ("signed unlike", &[("/contents/3/parts/0/thoughtSignature", None)]),
            ("a call of the user's", &[("/contents/0/parts/0", Some(call("c9")))]),
            ("a result of the model's", &[("/contents/5/parts/0", Some(result("c3")))]),
            ("no object", &[("/contents/1/parts/1/functionCall/args", Some(json!("{}")))]),
            ("no field `args`", &[("/contents/1/parts/1/functionCall/args", None)]),
            ("no field `id`", &[("/contents/1/parts/1/functionCall/id", None)]),
            ("two calls of one id", &[("/contents/1/parts/2/functionCall/id", Some(json!("c1")))]),
            ("is no name", &[("/contents/1/parts/1/functionCall/name", Some(long(65)))]),
            ("without a letter first", &[("/contents/1/parts/1/functionCall/name", Some(json!("1go")))]),
            ("no object", &[("/contents/2/parts/0/functionResponse/response", Some(json!("Gone.")))]),
            ("neither one output", &[("/contents/2/parts/0/functionResponse/response", Some(json!({})))]),
            (
                "unknown field `result`",
                &[("/contents/2/parts/0/functionResponse/response/result", Some(json!("")))],
            ),
            (
                "a result without its call",
                &[("/contents/2/parts/0/functionResponse/name", Some(json!("end")))],
            ),
            (
                "a result without its call",
                &[("/contents/2/parts/0", Some(result("c2"))), ("/contents/2/parts/1", Some(result("c1")))],
            ),
            ("a result without its call", &[("/contents/6/parts/0", Some(result("c3")))]),
            ("calls without results", &[("/contents/2/parts/1", None)]),
            ("words between", &[("/contents/2/parts/1", Some(json!({"text": "So."})))]),
            ("a choice without tools", &[("/tools", None)]),
            ("an empty list", &[("/tools", Some(json!([])))]),
            ("an empty list", &[("/tools/0/functionDeclarations", Some(json!([])))]),
            ("unknown field `googleSearch`", &[("/tools/0/googleSearch", Some(json!({})))]),
            ("unknown field `parameters`", &[("/tools/0/functionDeclarations/0/parameters", Some(schema()))]),
            ("two tools of one name", &[("/tools/0/functionDeclarations/1/name", Some(json!("go")))]),
            ("without a letter first", &[("/tools/0/functionDeclarations/1/name", Some(json!("_go")))]),
            ("no field `description`", &[("/tools/0/functionDeclarations/1/description", None)]),
            (
                "a schema without properties",
                &[(
                    "/tools/0/functionDeclarations/1/parametersJsonSchema",
                    Some(json!({"type": "object", "properties": {}})),
                )],
            ),
            ("is none of", &[("/toolConfig/functionCallingConfig/mode", Some(json!("auto")))]),
            ("unknown field `mode`", &[("/toolConfig/mode", Some(json!("AUTO")))]),
            ("no number from 0 to 2", &[("/generationConfig/temperature", Some(json!(2.5)))]),
            ("is no integer", &[("/generationConfig/seed", Some(json!(0x8000_0000_u64)))]),
            ("is no integer", &[("/generationConfig/maxOutputTokens", Some(json!(0)))]),
            (
                "more than 5 texts",
                &[("/generationConfig/stopSequences", Some(json!(["a", "b", "c", "d", "e", "f"])))],
            ),
            ("unknown field `num_ctx`", &[("/generationConfig/num_ctx", Some(json!(4096)))]),
            ("tools beside a schema", &[("/generationConfig", Some(held))]),
        ],
    );
    refuses_schemas_of_tools(PROTOCOL, &good(), "/tools/0/functionDeclarations/0/parametersJsonSchema");
}

#[test]
fn each_rule_of_forms_of_gemini_refuses_something() {
    let good = json!({
        "contents": [{"role": "user", "parts": [{"text": "Go."}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": form()},
    });
    refuses(
        PROTOCOL,
        &good,
        &[
            ("no field `responseMimeType`", &[("/generationConfig/responseMimeType", None)]),
            ("is none of", &[("/generationConfig/responseMimeType", Some(json!("text/plain")))]),
        ],
    );
    refuses_forms(PROTOCOL, &good, "/generationConfig/responseJsonSchema", &[]);
}
