//! A request of any protocol as one of chat completions, so that whoever reads those can answer it.

use serde_json::{Map, Value, json};
use twicetold_dialect::Protocol;

/// The request in one form, whatever protocol it came by: instructions, words, calls and results each as a message of their own, the
/// tools, and in `form` the schema that the reply is held to. What only some protocols say, such as a seed, is left out; the same
/// request by two protocols is the same here.
pub fn as_chat(protocol: Protocol, body: &Value) -> Value {
    let mut told = Told::default();
    let (tools, form) = match protocol {
        Protocol::ChatCompletions | Protocol::Improv => {
            list(&body["messages"]).iter().for_each(|message| told.message(message));
            (body["tools"].clone(), &body["response_format"]["json_schema"]["schema"])
        }
        Protocol::Ollama => {
            list(&body["messages"]).iter().for_each(|message| told.message(message));
            (body["tools"].clone(), &body["format"])
        }
        Protocol::Responses => {
            list(&body["input"]).iter().for_each(|item| told.item(item));
            let tools = list(&body["tools"]).iter().map(|tool| function(tool, "parameters"));
            (tools.collect(), &body["text"]["format"]["schema"])
        }
        Protocol::Anthropic => {
            list(&body["system"]).iter().for_each(|block| told.say("system", &block["text"]));
            for message in list(&body["messages"]) {
                let role = message["role"].as_str().unwrap_or_default();
                list(&message["content"]).iter().for_each(|block| told.block(role, block));
            }
            let tools = list(&body["tools"]).iter().map(|tool| function(tool, "input_schema"));
            (tools.collect(), &body["output_config"]["format"]["schema"])
        }
        Protocol::Gemini => {
            list(&body["systemInstruction"]["parts"])
                .iter()
                .for_each(|part| told.say("system", &part["text"]));
            for content in list(&body["contents"]) {
                let role = if content["role"] == "model" { "assistant" } else { "user" };
                list(&content["parts"]).iter().for_each(|part| told.part(role, part));
            }
            let tools = list(&body["tools"][0]["functionDeclarations"]);
            let tools = tools.iter().map(|tool| function(tool, "parametersJsonSchema"));
            (tools.collect(), &body["generationConfig"]["responseJsonSchema"])
        }
    };
    let choices = [
        &body["tool_choice"],
        &body["tool_choice"]["type"],
        &body["toolConfig"]["functionCallingConfig"]["mode"],
    ];
    // Who may not call a tool might as well have none, which is how Ollama is told so.
    let tools =
        if choices.iter().any(|choice| *choice == "none" || *choice == "NONE") { Value::Null } else { tools };
    told.forget_opening();
    let mut chat = Map::new();
    chat.insert("model".into(), "any".into());
    chat.insert("messages".into(), told.messages.into());
    for (name, value) in [("tools", &tools), ("form", form)] {
        if value.as_array().is_some_and(|tools| !tools.is_empty()) || value.is_object() {
            chat.insert(name.into(), value.clone());
        }
    }
    chat.into()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A tool as chat completions have it. One without arguments may come without a schema.
fn function(tool: &Value, schema: &str) -> Value {
    let schema = tool.get(schema).cloned().unwrap_or_else(|| json!({"properties": {}, "type": "object"}));
    let (name, description) = (&tool["name"], &tool["description"]);
    json!({"type": "function", "function": {"name": name, "description": description, "parameters": schema}})
}

#[derive(Default)]
struct Told {
    messages: Vec<Value>,
}

impl Told {
    fn say(&mut self, role: &str, text: &Value) {
        let Some(text) = text.as_str().filter(|text| !text.trim().is_empty()) else { return };
        // Some vendors take instructions at the beginning alone.
        let is_late = self.messages.iter().any(|message| message["role"] != "system");
        let role = match role {
            "system" | "developer" if is_late => "user",
            "developer" => "system",
            role => role,
        };
        self.messages.push(json!({"role": role, "content": text}));
    }

    /// Where a history begins with the model's own words, vendors who refuse that are told something before it.
    fn forget_opening(&mut self) {
        let first = self.messages.iter().position(|message| message["role"] != "system").unwrap_or(0);
        if let [opening, own, ..] = &self.messages[first..]
            && opening["content"] == "Begin."
            && own["role"] == "assistant"
        {
            self.messages.remove(first);
        }
    }

    /// A call with its arguments as an object or as the text of one.
    fn call(&mut self, name: &Value, arguments: &Value) {
        let read = arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
        let arguments = read.unwrap_or_else(|| arguments.clone()).to_string();
        let call = json!({"type": "function", "function": {"name": name, "arguments": arguments}});
        self.messages.push(json!({"role": "assistant", "content": "", "tool_calls": [call]}));
    }

    fn result(&mut self, content: &Value) {
        self.messages.push(json!({"role": "tool", "content": content.as_str().unwrap_or_default()}));
    }

    /// A message of chat completions or of Ollama.
    fn message(&mut self, message: &Value) {
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            return self.result(&message["content"]);
        }
        self.say(role, &message["content"]);
        for call in list(&message["tool_calls"]) {
            self.call(&call["function"]["name"], &call["function"]["arguments"]);
        }
    }

    /// An item of Responses.
    fn item(&mut self, item: &Value) {
        match item["type"].as_str() {
            Some("function_call") => self.call(&item["name"], &item["arguments"]),
            Some("function_call_output") => self.result(&item["output"]),
            Some("reasoning") => {}
            _ => self.say(item["role"].as_str().unwrap_or_default(), &item["content"]),
        }
    }

    /// A block of Anthropic.
    fn block(&mut self, role: &str, block: &Value) {
        match block["type"].as_str() {
            Some("tool_use") => self.call(&block["name"], &block["input"]),
            Some("tool_result") => self.result(&block["content"]),
            Some("text") => self.say(role, &block["text"]),
            _ => {}
        }
    }

    /// A part of Gemini. What was thought, nobody said.
    fn part(&mut self, role: &str, part: &Value) {
        if part["thought"] == true {
            return;
        }
        if let Some(call) = part.get("functionCall") {
            self.call(&call["name"], &call["args"]);
        } else if let Some(result) = part.get("functionResponse") {
            let response = &result["response"];
            self.result(response.get("output").unwrap_or(&response["error"]));
        } else {
            self.say(role, &part["text"]);
        }
    }
}
