//! What a model server can do to us over HTTP, and what is made of it.

use std::io::Write;

use crate::support::{Answer, Server, http, http_bytes};
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::net::TcpListener;
use twicetold_dialect::Protocol;
use twicetold_model::{Fault, FaultKind};
use twicetold_provider::{BODY_BYTES_MAX, HttpModel, Provider, Settings, SettingsError};

const PATH: &str = "/chat/completions";
const CHAT: Protocol = Protocol::ChatCompletions;
const KEY: &str = "sk-test/0123";

fn settings(base_url: &str) -> Settings {
    Settings { api_key_env: Some("TEST_KEY".into()), ..Settings::new(base_url) }
}

fn provider(settings: &Settings) -> HttpModel {
    HttpModel::new("test", CHAT, PATH, settings, |name| (name == "TEST_KEY").then(|| KEY.to_owned())).unwrap()
}

async fn ask(server: &Server) -> Result<String, Fault> {
    provider(&settings(&server.base_url)).complete("{}").await
}

async fn answer_to(answer: Answer) -> Result<String, Fault> {
    ask(&Server::start(answer).await).await
}

async fn fault_of(answer: Answer) -> Fault {
    answer_to(answer).await.unwrap_err()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_body_comes_back_byte_for_byte() {
    let body = format!(" {}\r\n\u{1F409}", CHAT.reply_body("Hello.", &[]));
    assert_eq!(answer_to(http("200 OK", "", &body)).await, Ok(body));
}

#[tokio::test]
async fn the_list_of_models_is_asked_for_beside_the_endpoint_with_the_key_and_without_it_in_the_answer() {
    let server = Server::start(http("200 OK", "", format!("{{\"data\":[],\"key\":\"{KEY}\"}}"))).await;
    let list = provider(&settings(&server.base_url)).models().unwrap().await;
    assert_eq!(list, Ok("{\"data\":[],\"key\":\"[key removed]\"}".to_owned()));
    let head = server.requests()[0].clone();
    assert!(head.starts_with("GET /v1/models HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("authorization: Bearer"), "{head}");
    let server = Server::start(http("404 Not Found", "", "")).await;
    let fault = provider(&settings(&server.base_url)).models().unwrap().await.unwrap_err();
    assert!(fault.message.contains("/v1/models was asked"), "{}", fault.message);
}

#[tokio::test]
async fn the_request_holds_the_body_the_key_and_the_extra_headers() {
    let server = Server::start(http("200 OK", "", "{}")).await;
    let extra_headers = [("X-Title".to_owned(), "Twicetold".to_owned())].into();
    let provider = provider(&Settings { extra_headers, ..settings(&server.base_url) });
    provider.complete("{\"model\":\"é\"}").await.unwrap();
    let requests = server.requests();
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    assert_eq!(body, "{\"model\":\"é\"}");
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{head}");
    for header in
        ["content-type: application/json", "authorization: Bearer sk-test/0123", "x-title: Twicetold"]
    {
        assert!(head.contains(header), "{head}");
    }
    assert_eq!(provider.name(), "test");
    assert!(!format!("{provider:?}").contains(KEY));
}

#[tokio::test]
async fn a_server_without_a_key_is_sent_none() {
    let server = Server::start(http("200 OK", "", "{}")).await;
    let provider =
        HttpModel::new("test", CHAT, PATH, &Settings::new(&server.base_url), |_| Some(KEY.into())).unwrap();
    provider.complete("{}").await.unwrap();
    assert!(!server.requests()[0].contains("authorization"));
}

#[tokio::test]
async fn a_refused_key_is_not_in_the_message_although_the_server_echoes_it() {
    let body = r#"{"error":{"message":"Incorrect API key: sk-test\/0123 (sk-test/0123)"}}"#;
    let fault = fault_of(http("401 Unauthorized", "", body)).await;
    assert_eq!((fault.kind, fault.status), (FaultKind::Unauthorized, Some(401)));
    assert_eq!(fault.message, "Incorrect API key: [key removed] ([key removed])");
}

#[tokio::test]
async fn a_key_is_removed_from_a_success_and_from_a_message_that_would_be_cut_within_it() {
    assert_eq!(
        answer_to(http("200 OK", "", "{\"a\":\"sk-test/0123\"}")).await.unwrap(),
        "{\"a\":\"[key removed]\"}"
    );
    let body = format!("{}{KEY}", "x".repeat(396));
    let fault = fault_of(http("500 Internal Server Error", "", body)).await;
    assert!(fault.message.ends_with("x[key…"), "{}", fault.message);
}

#[tokio::test]
async fn a_server_that_wants_us_to_slow_down_says_for_how_long() {
    let body = r#"{"error":{"message":"slow down"}}"#;
    let fault = fault_of(http("429 Too Many Requests", "Retry-After: 7\r\n", body)).await;
    let expected = Fault {
        kind: FaultKind::RateLimited,
        status: Some(429),
        retry_after_ms: Some(7000),
        message: "slow down".into(),
    };
    assert_eq!(fault, expected);
    let headers = "retry-after: 7\r\nretry-after-ms: 30\r\n";
    assert_eq!(fault_of(http("503 Busy", headers, body)).await.retry_after_ms, Some(30));
    let headers = "date: Sun, 06 Nov 1994 08:49:37 GMT\r\nretry-after: Sun, 06 Nov 1994 08:49:40 GMT\r\n";
    assert_eq!(fault_of(http("503 Busy", headers, body)).await.retry_after_ms, Some(3000));
}

#[tokio::test]
async fn a_server_that_says_no_time_to_wait_may_say_when_its_limits_are_reset() {
    let body = r#"{"error":{"message":"slow down"}}"#;
    let table = [
        (
            "X-RateLimit-Remaining-Tokens: 0\r\nX-RateLimit-Reset-Tokens: 6m0s\r\nX-RateLimit-Reset-Requests: 1s\r\n",
            Some(360_000),
        ),
        (
            "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nAnthropic-RateLimit-Tokens-Reset: 1994-11-06T08:49:40Z\r\n",
            Some(3_000),
        ),
        ("x-ratelimit-reset-tokens: 6m0s\r\nretry-after: 7\r\n", Some(7_000)),
        ("x-ratelimit-reset-tokens: -5\r\n", None),
        ("x-ratelimit-reset-tokens: 1000000000\r\n", None),
        ("x-ratelimit-reset-tokens: \u{e9}\r\n", None),
    ];
    for (headers, expected) in table {
        let fault = fault_of(http("429 Too Many Requests", headers, body)).await;
        assert_eq!(fault.retry_after_ms, expected, "{headers}");
    }
}

#[tokio::test]
async fn an_error_inside_a_success_is_a_body_for_the_decoder() {
    let body = r#"{"error":{"message":"upstream","code":502}}"#;
    assert_eq!(answer_to(http("200 OK", "", body)).await, Ok(body.to_owned()));
}

#[tokio::test]
async fn a_body_that_is_cut_off_is_a_fault_that_says_how_much_came() {
    let cut = fault_of(Answer::Bytes(http_bytes("200 OK", "", 1000, "{\"choices\":"))).await;
    assert_eq!((cut.kind, cut.status), (FaultKind::Truncated, Some(200)));
    assert!(cut.message.starts_with("cut off after 11 bytes: "), "{}", cut.message);
    assert!(cut.message.ends_with("; what came: {\"choices\":"), "{}", cut.message);
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nab";
    assert_eq!(fault_of(Answer::Bytes(chunked.into())).await.kind, FaultKind::Truncated);
    let nothing = fault_of(Answer::Bytes(Vec::new())).await;
    assert_eq!((nothing.kind, nothing.status), (FaultKind::Truncated, None));
    assert!(nothing.message.starts_with("cut off after 0 bytes"), "{}", nothing.message);
}

#[tokio::test]
async fn a_invalid_that_is_cut_off_is_still_that_invalid() {
    let fault = fault_of(Answer::Bytes(http_bytes("401 Unauthorized", "", 1000, "who are"))).await;
    assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Unauthorized, "who are"));
    let fault =
        fault_of(Answer::Bytes(http_bytes("401 Unauthorized", "", 1000, "no such key: sk-test/0"))).await;
    assert_eq!(fault.message, "no such key: [key removed]");
}

#[tokio::test]
async fn a_hundred_megabytes_are_not_taken_in() {
    let length = 100_000_000;
    for (status, expected) in [("200 OK", FaultKind::TooLarge), ("500 No", FaultKind::Server)] {
        let server = Server::start(Answer::Flood(http_bytes(status, "", length, ""), length)).await;
        assert_eq!(ask(&server).await.unwrap_err().kind, expected);
        // Besides what was read, the operating system holds some megabytes on their way.
        assert!(server.sent() < length / 2, "{}", server.sent());
    }
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_taken_and_one_byte_more_is_not() {
    let body = " ".repeat(BODY_BYTES_MAX);
    assert_eq!(answer_to(http("200 OK", "", &body)).await.map(|body| body.len()), Ok(BODY_BYTES_MAX));
    assert_eq!(fault_of(http("200 OK", "", body + " ")).await.kind, FaultKind::TooLarge);
}

#[tokio::test]
async fn a_compressed_body_is_unpacked_as_far_as_the_limit_allows() {
    let headers = "content-encoding: gzip\r\n";
    assert_eq!(answer_to(http("200 OK", headers, gzip(b"{\"a\":1}"))).await, Ok("{\"a\":1}".to_owned()));
    let bomb = gzip(&vec![b' '; 4 * BODY_BYTES_MAX]);
    assert!(bomb.len() < BODY_BYTES_MAX / 100);
    assert_eq!(fault_of(http("200 OK", headers, bomb)).await.kind, FaultKind::TooLarge);
    let whole = gzip(b"{\"a\":1}");
    assert_eq!(fault_of(http("200 OK", headers, &whole[..whole.len() - 9])).await.kind, FaultKind::Truncated);
}

#[tokio::test]
async fn a_body_that_is_not_utf_8_is_unreadable() {
    let fault = fault_of(http("200 OK", "", b"{\"a\":\"\xff\"}")).await;
    assert_eq!((fault.kind, fault.status), (FaultKind::Unreadable, Some(200)));
    assert!(fault.message.starts_with("byte 6 of 9 is not UTF-8; what came: {\"a\":"), "{}", fault.message);
}

#[tokio::test]
async fn a_server_that_never_answers_or_never_ends_is_given_up() {
    for bytes in [Vec::new(), http_bytes("200 OK", "", 1000, "{")] {
        let server = Server::start(Answer::Stall(bytes)).await;
        let provider = provider(&Settings { timeout_ms: 50, ..settings(&server.base_url) });
        assert_eq!(provider.complete("{}").await.unwrap_err().kind, FaultKind::Timeout);
    }
}

#[tokio::test]
async fn a_call_that_is_given_up_leaves_the_provider_usable() {
    let server = Server::start(Answer::Stall(Vec::new())).await;
    let provider = provider(&Settings { timeout_ms: 50, ..settings(&server.base_url) });
    {
        let mut call = provider.complete("{}");
        tokio::select! {
            biased;
            _ = &mut call => panic!("there is no answer"),
            () = tokio::task::yield_now() => {}
        }
    }
    assert_eq!(provider.complete("{}").await.unwrap_err().kind, FaultKind::Timeout);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let fault = provider(&settings(&format!("http://{address}/v1"))).complete("{}").await.unwrap_err();
    assert_eq!((fault.kind, fault.status), (FaultKind::Unreachable, None));
    assert!(fault.message.contains(&address.to_string()), "{}", fault.message);
}

#[tokio::test]
async fn a_redirection_is_not_followed() {
    let server = Server::start(http("302 Found", "location: /v2/sk-test/0123\r\n", "")).await;
    let fault = ask(&server).await.unwrap_err();
    assert_eq!((fault.kind, fault.status), (FaultKind::Refused, Some(302)));
    assert!(fault.message.contains("redirects to /v2/[key removed];"), "{}", fault.message);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_path_that_does_not_exist_is_named() {
    let fault = fault_of(http("404 Not Found", "", r#"{"error":{"message":"File Not Found"}}"#)).await;
    assert_eq!(fault.kind, FaultKind::Refused);
    assert!(fault.message.starts_with("File Not Found (http://127.0.0.1:"), "{}", fault.message);
    assert!(fault.message.ends_with("/v1/chat/completions was asked)"), "{}", fault.message);
}

#[tokio::test]
async fn a_failure_is_not_tried_again_by_the_transport() {
    let server = Server::start(http("503 Busy", "", "")).await;
    assert_eq!(ask(&server).await.unwrap_err().kind, FaultKind::Server);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn settings_that_cannot_work_are_refused_at_once() {
    let invalid = |settings: Settings| HttpModel::new("test", CHAT, PATH, &settings, |_| None).unwrap_err();
    let base = || Settings::new("https://host.example/v1");
    let no_key = invalid(Settings { api_key_env: Some("TEST_KEY".into()), ..base() });
    assert_eq!(no_key, SettingsError::NoKey { variable: "TEST_KEY".into() });
    assert!(matches!(invalid(Settings::new("https://u:p@host.example")), SettingsError::BaseUrl { .. }));
    assert_eq!(
        invalid(Settings { timeout_ms: 0, ..base() }),
        SettingsError::ZeroTime { field: "timeout_ms" }
    );
    let connect = invalid(Settings { connect_timeout_ms: 0, ..base() });
    assert_eq!(connect, SettingsError::ZeroTime { field: "connect_timeout_ms" });
}

/// An answer in two pieces of the key's making, as a stream.
fn streamed(end: &str) -> String {
    let chunk = |text: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":{text:?}}}}}]}}\n\n");
    format!("{}{}{end}", chunk("The key is sk-te"), chunk("st/0123."))
}

#[tokio::test]
async fn a_stream_comes_back_as_one_body_and_is_heard_while_it_comes() {
    let server = Server::start(http("200 OK", "", streamed("data: [DONE]\n\n"))).await;
    let heard = std::sync::Mutex::new(Vec::new());
    let hear = |stream: &[u8]| heard.lock().unwrap().push(stream.len());
    let model = provider(&settings(&server.base_url));
    let body = model.complete_heard("{}", &hear).await.unwrap();
    assert!(body.contains("The key is [key removed].") && !body.contains("sk-"), "{body}");
    assert_eq!(heard.lock().unwrap().last(), Some(&streamed("data: [DONE]\n\n").len()));
    assert_eq!(model.without_keys(format!("It is {KEY}.")), "It is [key removed].");
}

#[tokio::test]
async fn a_key_that_only_reading_joins_is_refused() {
    let pieces = r#"{"type":"text","text":"It is sk-te"},{"type":"text","text":"st/0123."}"#;
    let body = format!(r#"{{"choices":[{{"message":{{"content":[{pieces}]}},"finish_reason":"stop"}}]}}"#);
    let fault = fault_of(http("200 OK", "", body.clone())).await;
    assert_eq!(fault.kind, FaultKind::Unreadable);
    assert!(fault.message.contains("sends the key back in pieces"), "{}", fault.message);
    let server = Server::start(http("200 OK", "", body.replace("0123", "4567"))).await;
    assert!(provider(&settings(&server.base_url)).complete("{}").await.is_ok());
}

#[tokio::test]
async fn a_stream_without_its_end_is_truncated() {
    assert_eq!(fault_of(http("200 OK", "", streamed(""))).await.kind, FaultKind::Truncated);
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_given_up_and_pings_are_silence() {
    for more in ["", ": still here\n\n", "event: ping\n\n"] {
        let stream = format!("{}{more}", streamed(""));
        let answer = http_bytes("200 OK", "", stream.len() + 100, &stream);
        let server = Server::start(Answer::Stall(answer)).await;
        let model = provider(&Settings { timeout_ms: 50, ..settings(&server.base_url) });
        let fault = model.complete("{}").await.unwrap_err();
        assert_eq!((fault.kind, fault.status), (FaultKind::Timeout, Some(200)));
        let said = format!("{} bytes came, and then nothing for the 50 ms allowed", stream.len());
        assert_eq!(fault.message, said);
    }
}

#[tokio::test]
async fn a_long_request_is_read_before_silence_counts_also_where_the_headers_come_at_once() {
    let server = Server::start(Answer::Stall(http_bytes("200 OK", "", 100, ": reading\n\n"))).await;
    let model = provider(&Settings { timeout_ms: 50, ..settings(&server.base_url) });
    let fault = model.complete(&" ".repeat((4 << 10) + 20)).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert_eq!(fault.message, "11 bytes came, and then nothing for the 310 ms allowed");
}

#[tokio::test]
async fn of_a_stream_the_reply_counts_that_it_amounts_to() {
    let chunk = |at: usize| {
        let padding = "x".repeat(200);
        format!(
            "data: {{\"id\":\"{padding}\",\"choices\":[{{\"delta\":{{\"reasoning_content\":\"{at} \"}}}}]}}\n\n"
        )
    };
    let long: String = (0..12_000).map(chunk).collect();
    assert!(long.len() > BODY_BYTES_MAX);
    let end = "data: {\"choices\":[{\"delta\":{\"content\":\"Aye.\"},\"finish_reason\":\"stop\"}]}\n\n";
    let headers = "content-type: text/event-stream\r\n";
    let body = answer_to(http("200 OK", headers, format!("{long}{end}"))).await.unwrap();
    assert!(body.len() < BODY_BYTES_MAX / 10 && body.contains("Aye."), "{}", body.len());
    let words = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n",
        "y z ".repeat(BODY_BYTES_MAX / 4)
    );
    let fault = fault_of(http("200 OK", headers, format!("{words}{end}"))).await;
    assert_eq!(fault.kind, FaultKind::TooLarge);
}

#[tokio::test]
async fn a_reply_that_says_the_same_over_and_over_is_read_no_further() {
    let chunk = "data: {\"choices\":[{\"delta\":{\"content\":\"Thank you, Kira. \"}}]}\n\n";
    let stream = chunk.repeat(100);
    let server = Server::start(Answer::Stall(http_bytes("200 OK", "", stream.len() + 100, &stream))).await;
    let body = provider(&settings(&server.base_url)).complete("{}").await.unwrap();
    assert!(body.contains("\"finish_reason\":\"length\"") && body.contains("\"estimated\":true"), "{body}");
    assert!(body.contains("Thank you, Kira. Thank you, Kira. "), "{body}");
}
