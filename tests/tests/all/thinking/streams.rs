//! The stream in which each protocol sends a body, in pieces that are cut without regard to tags and words.

use serde_json::{Value, json};
use twicetold_dialect::Protocol;

/// Characters of a piece: less than any tag has.
const PIECE: usize = 5;

/// The stream of a body.
pub(super) fn streamed(protocol: Protocol, body: &Value) -> String {
    match protocol {
        Protocol::ChatCompletions | Protocol::Improv => chat(body),
        Protocol::Responses => responses(body),
        Protocol::Anthropic => anthropic(body),
        Protocol::Gemini => gemini(body),
        Protocol::Ollama => ollama(body),
    }
}

fn pieces(text: &Value) -> Vec<String> {
    let characters: Vec<char> = text.as_str().unwrap_or_default().chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn event(data: &Value) -> String {
    let name = data["type"].as_str().map_or_else(String::new, |name| format!("event: {name}\n"));
    format!("{name}data: {data}\n\n")
}

fn chat(body: &Value) -> String {
    let message = &body["choices"][0]["message"];
    let mut deltas = vec![json!({"role": "assistant", "content": null})];
    for name in ["reasoning_content", "reasoning"] {
        deltas.extend(pieces(&message[name]).into_iter().map(|piece| json!({name: piece})));
    }
    for detail in list(&message["reasoning_details"]) {
        for name in ["text", "summary"] {
            deltas.extend(pieces(&detail[name]).into_iter().map(|piece| {
                let (kind, index) = (&detail["type"], &detail["index"]);
                json!({"reasoning_details": [{"type": kind, "index": index, name: piece}]})
            }));
        }
        let mut last = detail.clone();
        last.as_object_mut().map(|last| (last.remove("text"), last.remove("summary")));
        deltas.push(json!({"reasoning_details": [last]}));
    }
    deltas.extend(pieces(&message["content"]).into_iter().map(|piece| json!({"content": piece})));
    deltas.extend(list(&message["content"]).iter().map(|piece| json!({"content": [piece]})));
    for (index, call) in list(&message["tool_calls"]).iter().enumerate() {
        let (id, name) = (&call["id"], &call["function"]["name"]);
        let begun = json!({"index": index, "id": id, "function": {"name": name, "arguments": ""}});
        deltas.push(json!({"tool_calls": [begun]}));
        deltas.extend(
            pieces(&call["function"]["arguments"])
                .into_iter()
                .map(|piece| json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})),
        );
    }
    let chunk = |delta: &Value| event(&json!({"choices": [{"index": 0, "delta": delta}]}));
    let stream: String = deltas.iter().map(chunk).collect();
    let reason = &body["choices"][0]["finish_reason"];
    let end = event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}));
    format!(": a comment\n\n{stream}{end}data: [DONE]\n\n")
}

fn responses(body: &Value) -> String {
    let mut stream = event(&json!({"type": "response.created", "response": {"status": "in_progress"}}));
    for (index, item) in list(&body["output"]).iter().enumerate() {
        let begun = json!({"type": item["type"], "id": item["id"], "summary": [], "content": []});
        let added = json!({"type": "response.output_item.added", "output_index": index, "item": begun});
        stream += &event(&added);
        for (name, kind) in [("summary", "reasoning_summary_text"), ("content", "output_text")] {
            let kind = if item["type"] == "reasoning" && name == "content" { "reasoning_text" } else { kind };
            for part in list(&item[name]) {
                for piece in pieces(&part["text"]) {
                    let kind = format!("response.{kind}.delta");
                    stream += &event(&json!({"type": kind, "output_index": index, "delta": piece}));
                }
            }
        }
        let done = json!({"type": "response.output_item.done", "output_index": index, "item": item});
        stream += &event(&done);
    }
    stream + &event(&json!({"type": "response.completed", "response": body}))
}

fn anthropic(body: &Value) -> String {
    let message = json!({"id": "m", "model": "m", "content": [], "usage": {"input_tokens": 1}});
    let mut stream = event(&json!({"type": "message_start", "message": message}));
    for (index, block) in list(&body["content"]).iter().enumerate() {
        let mut begun = block.clone();
        let mut deltas: Vec<Value> = Vec::new();
        let text = |name: &str, kind: &str, begun: &mut Value| {
            let deltas = pieces(&begun[name]).into_iter().map(|piece| json!({"type": kind, name: piece}));
            let deltas: Vec<Value> = deltas.collect();
            begun[name] = "".into();
            deltas
        };
        match block["type"].as_str() {
            Some("text") => deltas = text("text", "text_delta", &mut begun),
            Some("thinking") => {
                deltas = text("thinking", "thinking_delta", &mut begun);
                if let Some(signature) = block.get("signature") {
                    deltas.push(json!({"type": "signature_delta", "signature": signature}));
                    begun["signature"] = "".into();
                }
            }
            Some("tool_use") => {
                begun["input"] = json!({});
                let input = pieces(&block["input"].to_string().into()).into_iter();
                deltas =
                    input.map(|piece| json!({"type": "input_json_delta", "partial_json": piece})).collect();
            }
            _ => {}
        }
        stream += &event(&json!({"type": "content_block_start", "index": index, "content_block": begun}));
        stream += &event(&json!({"type": "ping"}));
        for delta in deltas {
            stream += &event(&json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        stream += &event(&json!({"type": "content_block_stop", "index": index}));
    }
    let delta = json!({"stop_reason": body["stop_reason"], "stop_sequence": null});
    stream += &event(&json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 1}}));
    stream + &event(&json!({"type": "message_stop"}))
}

fn gemini(body: &Value) -> String {
    let candidate = &body["candidates"][0];
    let mut parts: Vec<Value> = Vec::new();
    for part in list(&candidate["content"]["parts"]) {
        let cut = pieces(&part["text"]);
        let last = cut.len().saturating_sub(1);
        if cut.is_empty() {
            parts.push(part.clone());
        }
        for (place, piece) in cut.into_iter().enumerate() {
            let mut cut = part.clone();
            cut["text"] = piece.into();
            if place < last {
                cut.as_object_mut().map(|cut| cut.remove("thoughtSignature"));
            }
            parts.push(cut);
        }
    }
    let chunk =
        |part: &Value| event(&json!({"candidates": [{"content": {"parts": [part], "role": "model"}}]}));
    let stream: String = parts.iter().map(chunk).collect();
    let reason = &candidate["finishReason"];
    stream
        + &event(&json!({"candidates": [{"finishReason": reason}], "usageMetadata": body["usageMetadata"]}))
}

fn ollama(body: &Value) -> String {
    let message = &body["message"];
    let mut messages: Vec<Value> = Vec::new();
    for name in ["thinking", "content"] {
        messages.extend(pieces(&message[name]).into_iter().map(|piece| json!({name: piece})));
    }
    messages.extend(message.get("tool_calls").map(|calls| json!({"content": "", "tool_calls": calls})));
    let line = |message: &Value| json!({"message": message, "done": false}).to_string() + "\n";
    let stream: String = messages.iter().map(line).collect();
    let mut last = body.clone();
    last["message"] = json!({"role": "assistant", "content": ""});
    format!("{stream}{last}\n")
}
