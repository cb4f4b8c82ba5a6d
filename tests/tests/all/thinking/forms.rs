//! How each protocol shows what its model thinks: forms that a body of a reply can have.

use serde_json::{Value, json};
use twicetold_dialect::Protocol;

/// Puts a thought into the body of a reply.
pub(super) type Form = fn(&mut Value, &str);

/// All forms of a protocol.
pub(super) fn forms(protocol: Protocol) -> &'static [Form] {
    match protocol {
        Protocol::ChatCompletions | Protocol::Improv => &CHAT,
        Protocol::Responses => &RESPONSES,
        Protocol::Anthropic => &ANTHROPIC,
        Protocol::Gemini => &GEMINI,
        Protocol::Ollama => &OLLAMA,
    }
}

/// Thinking among the words: closed, opened by the prompt, cut, and in two places.
const IN_TEXT: [fn(&str, &str) -> String; 4] = [
    |words, thought| format!("<think>\n{thought}\n</think>\n\n{words}"),
    |words, thought| format!("{thought}</think>{words}"),
    |words, thought| format!("{words}\n<Thinking>{thought}"),
    |words, thought| format!("<thought>{thought}</thought>{words}<reasoning>{thought}</reasoning>"),
];

/// Changes the words at a place; a reply without words thinks without them.
fn reword(words: &mut Value, form: usize, thought: &str) {
    *words = IN_TEXT[form](words.as_str().unwrap_or_default(), thought).into();
}

fn message(body: &mut Value) -> &mut Value {
    &mut body["choices"][0]["message"]
}

const CHAT: [Form; 10] = [
    |body, thought| message(body)["reasoning_content"] = thought.into(),
    |body, thought| message(body)["reasoning"] = thought.into(),
    |body, thought| {
        message(body)["reasoning_content"] = thought.into();
        message(body)["reasoning"] = thought.into();
    },
    |body, thought| {
        message(body)["reasoning_details"] = json!([
            {"type": "reasoning.text", "index": 0, "text": thought, "signature": thought},
            {"type": "reasoning.encrypted", "index": 1, "data": thought},
        ]);
    },
    |body, thought| {
        message(body)["reasoning_details"] =
            json!([{"type": "reasoning.summary", "index": 0, "summary": thought}]);
    },
    |body, thought| reword(&mut message(body)["content"], 0, thought),
    |body, thought| reword(&mut message(body)["content"], 1, thought),
    |body, thought| reword(&mut message(body)["content"], 2, thought),
    |body, thought| reword(&mut message(body)["content"], 3, thought),
    |body, thought| {
        let words = message(body)["content"].take();
        message(body)["content"] = json!([
            {"type": "thinking", "thinking": [{"type": "text", "text": thought}]},
            {"type": "text", "text": words.as_str().unwrap_or_default()},
            {"type": "reasoning", "text": thought},
        ]);
    },
];

const OLLAMA: [Form; 5] = [
    |body, thought| body["message"]["thinking"] = thought.into(),
    |body, thought| reword(&mut body["message"]["content"], 0, thought),
    |body, thought| reword(&mut body["message"]["content"], 1, thought),
    |body, thought| reword(&mut body["message"]["content"], 2, thought),
    |body, thought| reword(&mut body["message"]["content"], 3, thought),
];

fn first(body: &mut Value, list: &str, item: Value) {
    body[list].as_array_mut().expect("a list").insert(0, item);
}

/// The words of a reply in blocks or items; there may be none.
fn words_of<'a>(body: &'a mut Value, pointer: &str, kind: Value) -> &'a mut Value {
    let list = body.pointer_mut(pointer).and_then(Value::as_array_mut).expect("a list");
    let has_words = |item: &Value| item.get("text").is_some() || item.get("content").is_some();
    let at = list.iter().position(has_words).unwrap_or_else(|| {
        list.insert(0, kind);
        0
    });
    &mut list[at]
}

const ANTHROPIC: [Form; 8] = [
    |body, thought| {
        first(body, "content", json!({"type": "thinking", "thinking": thought, "signature": "c2lnbmVk"}));
    },
    // Without a signature the vendor takes nothing back.
    |body, thought| first(body, "content", json!({"type": "thinking", "thinking": thought})),
    |body, thought| first(body, "content", json!({"type": "redacted_thinking", "data": thought})),
    |body, thought| {
        // Between the words and the calls, and behind all.
        let block = json!({"type": "thinking", "thinking": thought, "signature": thought});
        let blocks = body["content"].as_array_mut().expect("a list");
        blocks.insert(blocks.len().min(1), block.clone());
        blocks.push(block);
    },
    |body, thought| anthropic_words(body, 0, thought),
    |body, thought| anthropic_words(body, 1, thought),
    |body, thought| anthropic_words(body, 2, thought),
    |body, thought| anthropic_words(body, 3, thought),
];

fn anthropic_words(body: &mut Value, form: usize, thought: &str) {
    let words = words_of(body, "/content", json!({"type": "text", "text": ""}));
    reword(&mut words["text"], form, thought);
}

const RESPONSES: [Form; 7] = [
    |body, thought| {
        let summary = json!([{"type": "summary_text", "text": thought}]);
        first(body, "output", json!({"type": "reasoning", "id": "rs_1", "summary": summary}));
    },
    |body, thought| {
        let summary = json!([{"type": "summary_text", "text": thought}]);
        let item =
            json!({"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": thought});
        first(body, "output", item);
    },
    |body, thought| {
        let content = json!([{"type": "reasoning_text", "text": thought}]);
        let item = json!({"type": "reasoning", "id": "rs_1", "summary": [], "content": content,
            "encrypted_content": "c2VjcmV0"});
        body["output"].as_array_mut().expect("a list").push(item.clone());
        first(body, "output", item);
    },
    |body, thought| responses_words(body, 0, thought),
    |body, thought| responses_words(body, 1, thought),
    |body, thought| responses_words(body, 2, thought),
    |body, thought| responses_words(body, 3, thought),
];

fn responses_words(body: &mut Value, form: usize, thought: &str) {
    let none = json!({"type": "message", "id": "m", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "", "annotations": []}]});
    let item = words_of(body, "/output", none);
    reword(&mut item["content"][0]["text"], form, thought);
}

fn parts(body: &mut Value) -> &mut Vec<Value> {
    body["candidates"][0]["content"]["parts"].as_array_mut().expect("a list")
}

const GEMINI: [Form; 8] = [
    |body, thought| parts(body).insert(0, json!({"text": thought, "thought": true})),
    |body, thought| {
        parts(body).insert(0, json!({"text": thought, "thought": true, "thoughtSignature": "c2ln"}));
    },
    |body, thought| {
        let part = parts(body).last_mut().expect("it says or does something");
        part["thoughtSignature"] = thought.into();
    },
    |body, thought| {
        // Between the words and the calls, and a signature behind all.
        let parts = parts(body);
        parts.insert(parts.len().min(1), json!({"text": thought, "thought": true}));
        parts.push(json!({"text": "", "thoughtSignature": thought}));
    },
    |body, thought| gemini_words(body, 0, thought),
    |body, thought| gemini_words(body, 1, thought),
    |body, thought| gemini_words(body, 2, thought),
    |body, thought| gemini_words(body, 3, thought),
];

fn gemini_words(body: &mut Value, form: usize, thought: &str) {
    let words = words_of(body, "/candidates/0/content/parts", json!({"text": ""}));
    reword(&mut words["text"], form, thought);
}

/// A request without what goes back to its model alone: nothing of a thought may be in the rest.
pub(super) fn without_blocks(protocol: Protocol, mut request: Value) -> Value {
    let list = match protocol {
        Protocol::Gemini => "contents",
        Protocol::Responses => "input",
        _ => "messages",
    };
    let list = request[list].as_array_mut().expect("a list");
    list.retain(|item| item["type"] != "reasoning");
    for message in list {
        for name in ["reasoning_content", "reasoning", "reasoning_details", "thinking"] {
            message.as_object_mut().map(|message| message.remove(name));
        }
        for name in ["content", "parts"] {
            let Some(pieces) = message[name].as_array_mut() else { continue };
            pieces.retain(|piece| {
                let is_block = piece["type"] == "thinking" || piece["type"] == "redacted_thinking";
                !is_block && piece["thought"] != true
            });
            for piece in pieces {
                piece.as_object_mut().map(|piece| piece.remove("thoughtSignature"));
            }
        }
    }
    request
}
