//! What a server says of its models: their names, and the window of one.

use serde_json::Value;

use crate::Protocol;

/// What to ask a server for the window of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The end of a URL that begins with an endpoint's base URL.
    pub path: String,
    /// The body to post; nothing: the address is only read.
    pub body: Option<String>,
}

/// More tokens than any window has: a server that says so is not believed.
const WINDOW_MAX: u64 = 100_000_000;

/// llama.cpp says what it serves at its root, beside `/v1`; the list of models says what a model was trained for.
const PROPS: &str = "/../props";

/// What to ask for the window of a model, in order, until an answer says it.
pub(crate) fn questions(protocol: Protocol, model: &str) -> Vec<Question> {
    let read = |path: String| Question { path, body: None };
    let list = || read(protocol.models_path().to_owned());
    match protocol {
        Protocol::ChatCompletions | Protocol::Responses => vec![list(), read(PROPS.to_owned())],
        Protocol::Anthropic => {
            let name = crate::gemini::escaped(model);
            vec![read(format!("{}/{name}", protocol.models_path())), list(), read(PROPS.to_owned())]
        }
        Protocol::Gemini => vec![read(crate::gemini::model_path(model))],
        Protocol::Ollama => {
            let mut body = String::from("{\"model\":");
            crate::push_json_string(&mut body, model);
            body.push('}');
            vec![Question { path: "/api/show".to_owned(), body: Some(body) }]
        }
        Protocol::Improv => Vec::new(),
    }
}

/// The window of a model in tokens, where the answer to a question says it: the smallest number, for some servers say beside the window
/// that they serve what the model was made for.
pub fn window(answer: &str, model: &str) -> Option<u32> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let served = answer.pointer("/default_generation_settings/n_ctx");
    let listed = entry(&answer, model).map(|(entry, _)| entry);
    let own = [Some(&answer), listed].into_iter().flatten().flat_map(|entry| {
        let names = [
            "max_model_len",
            "context_length",
            "context_window",
            "max_context_length",
            "loaded_context_length",
            "max_input_tokens",
            "inputTokenLimit",
        ];
        let meta = [entry.pointer("/meta/n_ctx"), entry.pointer("/top_provider/context_length")];
        names.into_iter().map(|name| entry.get(name)).chain(meta).flatten()
    });
    let shown = answer.get("model_info").and_then(Value::as_object).into_iter().flatten();
    let shown = shown.filter(|(name, _)| name.ends_with(".context_length")).map(|(_, value)| value);
    let numbers = served.into_iter().chain(own).chain(shown).filter_map(Value::as_u64);
    let tokens = numbers.chain(set(&answer)).filter(|tokens| (1..=WINDOW_MAX).contains(tokens)).min()?;
    u32::try_from(tokens).ok()
}

/// Ollama: the window that the file of a model sets, a line such as `num_ctx 8192` among its parameters.
fn set(answer: &Value) -> Option<u64> {
    let lines = answer.get("parameters")?.as_str()?.lines();
    lines.filter_map(|line| line.trim().strip_prefix("num_ctx")).find_map(|value| value.trim().parse().ok())
}

/// What a server's list says of a model, and whether under its own name: a server with one model serves it under any name.
fn entry<'a>(list: &'a Value, model: &str) -> Option<(&'a Value, bool)> {
    let entries = list.get("data")?.as_array()?;
    let own = entries.iter().find(|entry| entry["id"] == model);
    let only = || entries.first().filter(|_| entries.len() == 1);
    own.map(|entry| (entry, true)).or_else(|| Some((only()?, false)))
}

/// The names in a server's list of its models, in its order; nothing where it is no such list.
pub fn model_names(list: &str) -> Vec<String> {
    let list: Value = serde_json::from_str(list).unwrap_or_default();
    let entries = [("data", "id"), ("models", "name"), ("models", "id")].into_iter();
    let named = entries.filter_map(|(list_name, name)| {
        let entries = list.get(list_name)?.as_array()?;
        let names: Vec<String> = entries
            .iter()
            .filter_map(|entry| entry.get(name)?.as_str())
            .map(|name| name.strip_prefix("models/").unwrap_or(name).to_owned())
            .collect();
        Some(names)
    });
    named.into_iter().find(|names| !names.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_found_wherever_a_server_says_it() {
        for (answer, expected) in [
            (r#"{"default_generation_settings":{"n_ctx":4096,"params":{}},"total_slots":1}"#, Some(4_096)),
            (r#"{"data":[{"id":"m","max_model_len":32768}]}"#, Some(32_768)),
            (
                r#"{"data":[{"id":"m","context_length":131072,"top_provider":{"context_length":65536}}]}"#,
                Some(65_536),
            ),
            (r#"{"data":[{"id":"other","max_model_len":1},{"id":"m","context_window":8192}]}"#, Some(8_192)),
            (
                r#"{"data":[{"id":"any","max_context_length":9000,"loaded_context_length":4000}]}"#,
                Some(4_000),
            ),
            (r#"{"data":[{"id":"m","meta":{"n_ctx":8192,"n_ctx_train":32768}}]}"#, Some(8_192)),
            (r#"{"data":[{"id":"m","meta":{"n_ctx_train":32768}}]}"#, None),
            (r#"{"data":[{"id":"a","max_model_len":1},{"id":"b","max_model_len":2}]}"#, None),
            (r#"{"id":"m","type":"model","max_input_tokens":200000,"max_tokens":64000}"#, Some(200_000)),
            (r#"{"name":"models/m","inputTokenLimit":1048576,"outputTokenLimit":65536}"#, Some(1_048_576)),
            (
                r#"{"model_info":{"general.architecture":"llama","llama.context_length":131072}}"#,
                Some(131_072),
            ),
            (
                r#"{"parameters":"stop  \"x\"\nnum_ctx    8192","model_info":{"llama.context_length":131072}}"#,
                Some(8_192),
            ),
            (r#"{"parameters":"num_ctx many","model_info":{}}"#, None),
        ] {
            assert_eq!(window(answer, "m"), expected, "{answer}");
        }
    }

    #[test]
    fn what_cannot_be_a_window_is_none() {
        for nonsense in ["", "[]", "null", "<html>", "{", "{\"data\":7}", "{\"data\":[7]}", "{\"data\":[]}"] {
            assert_eq!(window(nonsense, "m"), None, "{nonsense}");
        }
        for number in ["0", "-1", "1.5", "\"4096\"", "null", "1e30", "99999999999999999999", "4294967296"] {
            let props = format!(r#"{{"default_generation_settings":{{"n_ctx":{number}}}}}"#);
            assert_eq!(window(&props, "m"), None, "{number}");
        }
    }

    #[test]
    fn each_protocol_has_its_own_questions() {
        let paths = |protocol: Protocol| {
            let asked = questions(protocol, "a/b c").into_iter();
            asked
                .map(|question| question.path + question.body.as_deref().unwrap_or_default())
                .collect::<Vec<_>>()
        };
        assert_eq!(paths(Protocol::ChatCompletions), ["/models", "/../props"]);
        assert_eq!(paths(Protocol::Responses), ["/models", "/../props"]);
        assert_eq!(paths(Protocol::Anthropic), ["/models/a%2Fb%20c", "/models", "/../props"]);
        assert_eq!(paths(Protocol::Gemini), ["/models/a%2Fb%20c"]);
        assert_eq!(paths(Protocol::Ollama), [r#"/api/show{"model":"a/b c"}"#]);
        assert!(paths(Protocol::Improv).is_empty());
    }

    #[test]
    fn the_names_of_models_are_read_from_every_list() {
        for list in [
            r#"{"object":"list","data":[{"id":"a"},{"id":"b"},{"x":1}]}"#,
            r#"{"models":[{"name":"models/a"},{"name":"models/b"}]}"#,
            r#"{"models":[{"name":"a","model":"a"},{"name":"b"}],"data":[]}"#,
        ] {
            assert_eq!(model_names(list), ["a", "b"], "{list}");
        }
        for nonsense in ["", "null", "[]", r#"{"data":{}}"#, r#"{"data":[1,"x"]}"#, "<html>"] {
            assert!(model_names(nonsense).is_empty(), "{nonsense}");
        }
    }
}
