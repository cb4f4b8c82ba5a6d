//! What a model without tool calling reads of the tools in its instructions, and how it calls them among its words.

use serde_json::{Value, json};

/// The request of chat completions as it would be for a model that knows tools: those that the instructions describe, as the protocol
/// has them.
pub fn with_tools(mut request: Value) -> Value {
    let instructions = request["messages"][0]["content"].as_str().unwrap_or_default().to_owned();
    let described = instructions.split_once("\n# Tools\n").map_or("", |(_, tools)| tools);
    let tools: Vec<Value> = described.split("\n\n## ").skip(1).map(tool).collect();
    if !tools.is_empty() {
        request["tools"] = tools.into();
    }
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    request["messages"] = messages.into_iter().flat_map(results).collect();
    request
}

/// A message of the user, with the results that it begins with as messages of their own.
fn results(message: Value) -> Vec<Value> {
    let text = message["content"].as_str().unwrap_or_default().to_owned();
    let is_result = |part: &&str| message["role"] == "user" && part.starts_with("[result");
    let told: Vec<&str> = text.split("\n\n").take_while(is_result).collect();
    if told.is_empty() {
        return vec![message];
    }
    let rest = text.split("\n\n").skip(told.len()).collect::<Vec<_>>().join("\n\n");
    let bare = told.iter().map(|part| part.split_once("] ").map_or("", |(_, result)| result));
    let mut messages: Vec<Value> = bare.map(|result| json!({"role": "tool", "content": result})).collect();
    if !rest.is_empty() {
        messages.push(json!({"role": "user", "content": rest}));
    }
    messages
}

fn tool(described: &str) -> Value {
    let (name, rest) = described.split_once('\n').expect("a description");
    let (description, schema) = rest.rsplit_once("\nArguments (JSON Schema): ").expect("a schema");
    let schema: Value = serde_json::from_str(schema).expect("a schema is JSON");
    json!({"type": "function", "function": {"name": name, "description": description, "parameters": schema}})
}

/// Words, and behind them each call, a name and its arguments, as a fenced block.
pub fn fenced(text: &str, calls: &[(String, String)]) -> String {
    let mut words = text.to_owned();
    for (name, arguments) in calls {
        words += &format!("\n\n```json\n{{\"tool\": \"{name}\", \"arguments\": {arguments}}}\n```");
    }
    words.trim().to_owned()
}
