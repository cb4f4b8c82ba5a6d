//! What a model server is asked beside its calls: the window of its model, and the names of its models.

use crate::support::{Answer, Server, http};
use twicetold_dialect::Protocol;
use twicetold_model::FaultKind;
use twicetold_provider::{HttpModel, Provider, Settings};

const KEY: &str = "sk-test/0123";

fn provider(server: &Server, protocol: Protocol) -> HttpModel {
    let settings = Settings { api_key_env: Some("TEST_KEY".into()), ..Settings::new(&server.base_url) };
    let path = protocol.path("small", false);
    HttpModel::new("small", protocol, &path, &settings, |_| Some(KEY.to_owned())).unwrap()
}

async fn window(protocol: Protocol, answers: &[(&'static str, &str)]) -> (Option<u32>, Vec<String>) {
    let rows = answers.iter().map(|(path, body)| (*path, http("200 OK", "", body))).collect();
    let server = Server::start(Answer::ByPath(rows)).await;
    let window = provider(&server, protocol).window().unwrap().await;
    (window, server.requests().iter().map(|request| request.lines().next().unwrap().to_owned()).collect())
}

#[tokio::test]
async fn each_server_is_asked_for_the_window_where_it_says_it() {
    const PROPS: &str = r#"{"default_generation_settings":{"n_ctx":4096}}"#;
    let llama = [("/v1/models", r#"{"data":[{"id":"x","meta":{"n_ctx_train":9999}}]}"#), ("/props", PROPS)];
    let asked = ["GET /v1/models HTTP/1.1", "GET /props HTTP/1.1"].map(str::to_owned).to_vec();
    for protocol in [Protocol::ChatCompletions, Protocol::Responses] {
        assert_eq!(window(protocol, &llama).await, (Some(4_096), asked.clone()));
    }
    for (protocol, path, body) in [
        (Protocol::ChatCompletions, "/v1/models", r#"{"data":[{"id":"small","max_model_len":5}]}"#),
        (Protocol::Anthropic, "/v1/models/small", r#"{"id":"small","max_input_tokens":5}"#),
        (Protocol::Anthropic, "/props", r#"{"default_generation_settings":{"n_ctx":5}}"#),
        (Protocol::Gemini, "/v1/models/small", r#"{"inputTokenLimit":5}"#),
        (Protocol::Ollama, "/v1/api/show", r#"{"model_info":{"x.context_length":5}}"#),
    ] {
        assert_eq!(window(protocol, &[(path, body)]).await.0, Some(5), "{}, {path}", protocol.name());
    }
}

#[tokio::test]
async fn a_server_that_does_not_say_its_window_has_an_unknown_one() {
    let flood = Answer::Flood(b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), 100_000_000);
    for answer in [
        http("404 Not Found", "", "{}"),
        http("500 Oops", "", r#"{"default_generation_settings":{"n_ctx":4096}}"#),
        http("200 OK", "", "<html>hello</html>"),
        http("200 OK", "", [0xff, 0xfe]),
        http("200 OK", "content-encoding: gzip\r\n", "no gzip"),
        http("302 Found", "location: /props\r\n", ""),
        flood,
        Answer::Bytes(Vec::new()),
        // Nothing comes: it is waited for a short time only, whatever calls may take.
        Answer::Stall(Vec::new()),
        Answer::Stall(b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{".to_vec()),
    ] {
        let server = Server::start(answer).await;
        assert_eq!(provider(&server, Protocol::ChatCompletions).window().unwrap().await, None);
        assert!(server.sent() < 20 << 20, "{}", server.sent());
    }
}

#[tokio::test]
async fn a_model_that_the_server_does_not_have_is_told_with_those_that_it_has() {
    for (protocol, path, list) in [
        (Protocol::ChatCompletions, "/v1/models", r#"{"data":[{"id":"large"},{"id":"smaller"}]}"#),
        (Protocol::Responses, "/v1/models", r#"{"data":[{"id":"large"},{"id":"smaller"}]}"#),
        (Protocol::Anthropic, "/v1/models", r#"{"data":[{"id":"large"},{"id":"smaller"}]}"#),
        (Protocol::Gemini, "/v1/models", r#"{"models":[{"name":"models/large"},{"name":"models/smaller"}]}"#),
        (Protocol::Ollama, "/v1/api/tags", r#"{"models":[{"name":"large"},{"name":"smaller"}]}"#),
    ] {
        let server = Server::start(Answer::ByPath(vec![(path, http("200 OK", "", list))])).await;
        let fault = provider(&server, protocol).complete("{}").await.unwrap_err();
        assert_eq!((fault.kind, fault.status), (FaultKind::Refused, Some(404)), "{}", protocol.name());
        let wanted = "; the server has the models smaller, large";
        assert!(fault.message.ends_with(wanted), "{}: {}", protocol.name(), fault.message);
    }
}

#[tokio::test]
async fn a_list_of_names_is_told_only_where_it_helps_and_never_at_length_or_with_a_key() {
    let told = async |list: String| {
        let rows = vec![("/v1/models", http("200 OK", "", list))];
        let server = Server::start(Answer::ByPath(rows)).await;
        provider(&server, Protocol::ChatCompletions).complete("{}").await.unwrap_err().message
    };
    for list in ["", "{}", "<html>", r#"{"data":[]}"#, r#"{"data":[{"id":"small"}]}"#] {
        let message = told(list.to_owned()).await;
        assert!(!message.contains("; the server has"), "{list}: {message}");
    }
    let entry = |number: usize| format!(r#"{{"id":"{KEY}\u001b[2J{}{number}"}}"#, "x".repeat(5_000));
    let many = (0..300).map(entry).collect::<Vec<_>>().join(",");
    let message = told(format!(r#"{{"data":[{many}]}}"#)).await;
    assert!(message.ends_with(" and 292 more") && message.len() < 1_600, "{} {message}", message.len());
    assert!(!message.contains(KEY) && !message.contains('\u{1b}'), "{message}");
}
