//! Promise: outside agents reach `mcp --http` with the token of their address, from programs of this machine alone, and play to the end
//! with the official client. The client needs Python 3, and once its package from PyPI.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use twicetold_tests::{Home, python, repository};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;

/// A server of a home.
struct Served {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Served {
    fn start(home: &Home, more: &[&str], token: Option<&str>) -> Served {
        let mut command = home.command(["mcp", "--http", "--port", "0"]);
        command.args(more);
        if let Some(token) = token {
            command.env("TWICETOLD_MCP_TOKEN", token);
        }
        let mut child = command.spawn().expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Served { child, output }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it can be read");
        line.trim_end().to_owned()
    }

    /// An address and its header.
    fn invitation(&mut self) -> (String, String) {
        let (address, header) = (self.line(), self.line());
        assert!(address.starts_with("http://127.0.0.1:") && header.starts_with("Authorization: Bearer "));
        (address, header)
    }

    /// Stops it as Ctrl-C does.
    fn stop(mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("it runs");
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends one request and gives the status and the body of its answer.
fn asked(address: &str, method: &str, headers: &[&str], body: &str) -> (u16, String) {
    let (host, path) = address.trim_start_matches("http://").split_once('/').expect("a path");
    let mut head =
        format!("{method} /{path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    if !headers.iter().any(|header| header.starts_with("Host:")) {
        head += &format!("Host: {host}\r\n");
    }
    let kinds = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    head += &(headers.iter().map(|header| format!("{header}\r\n")).collect::<String>() + kinds + "\r\n");
    let mut stream = TcpStream::connect(host).expect("somebody listens");
    // A server that refuses what is too long does not read all of it.
    let _ = stream.write_all((head + body).as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, body.to_owned())
}

#[test]
fn only_who_has_the_token_of_an_address_is_answered() {
    let home = Home::new();
    home.succeed(["run", "the-borrowed-boat", "--seed", "3", "--quiet"]);
    let mut owner = Served::start(&home, &[], None);
    let (address, token) = owner.invitation();
    let other = format!("{}0123", &token[..token.len() - 4]);
    let seat = address.replace("/mcp", "/seats/0123/player-1/mcp");
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(300_000));
    for (method, at, headers, body, status) in [
        ("POST", &address, vec![token.as_str()], LIST, 200),
        ("POST", &address, vec![], LIST, 401),
        ("POST", &address, vec![&other], LIST, 401),
        ("POST", &seat, vec![&token], LIST, 401),
        ("POST", &address, vec![&token, "Host: example.com"], LIST, 421),
        ("POST", &address, vec![&token, "Origin: http://example.com"], LIST, 403),
        ("POST", &address, vec![&token, "Origin: null"], LIST, 403),
        ("POST", &address, vec![&token, "Sec-Fetch-Site: cross-site"], LIST, 403),
        ("POST", &address, vec![&token, "MCP-Protocol-Version: 1999-01-01"], LIST, 400),
        ("POST", &address, vec![&token], "{", 415),
        ("POST", &address, vec![&token], &long, 413),
        ("GET", &address, vec![&token], "", 405),
        ("DELETE", &address, vec![&token], "", 405),
    ] {
        let (found, said) = asked(at, method, &headers, body);
        assert_eq!(found, status, "{method} {at} {headers:?}: {said}");
        assert!(found == 200 || !said.trim().is_empty(), "{method} {headers:?}");
    }
    // The token of a seat opens that seat and nothing else.
    let invite = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params":
        {"name": "invite", "arguments": {"campaign": "last", "seat": "player-1"}}});
    let (_, said) = asked(&address, "POST", &[&token], &invite.to_string());
    let invited =
        serde_json::from_str::<Value>(&said).expect("JSON")["result"]["structuredContent"]["data"].clone();
    let text = |name: &str| invited[name].as_str().expect("a text").to_owned();
    let seat_token = format!("Authorization: {}", text("authorization"));
    assert_eq!(asked(&address, "POST", &[&seat_token], LIST).0, 401);
    let (status, said) = asked(&text("address"), "POST", &[&seat_token], LIST);
    assert!(status == 200 && said.contains("take_seat") && !said.contains("list_campaigns"), "{said}");
    // Another server cannot have the port, and says so.
    let port = address.trim_start_matches("http://127.0.0.1:").trim_end_matches("/mcp").to_owned();
    home.run(["mcp", "--http", "--port", &port]).failed(1, &["cannot listen on 127.0.0.1", "--port N"]);
    assert_eq!(owner.stop(), Some(0));
}

#[test]
fn tokens_stay_the_same_where_they_are_made_of_a_text() {
    let home = Home::new();
    home.succeed(["run", "the-borrowed-boat", "--seed", "3", "--quiet"]);
    let seats = ["--seat", "player-1", "--seat", "dm", "--campaign", "last"];
    let tokens = |token: Option<&str>| {
        let mut served = Served::start(&home, &seats, token);
        let both = ["player-1", "dm"].map(|seat| {
            assert_eq!(served.line(), seat);
            served.invitation().1
        });
        assert_eq!(served.stop(), Some(0));
        both
    };
    let known = tokens(Some("a text that nobody guesses"));
    assert_eq!(known, tokens(Some("a text that nobody guesses")));
    assert!(known[0] != known[1]);
    assert!(tokens(None) != tokens(None));
    let mut short = home.command(["mcp", "--http", "--port", "0"]);
    let short = short.env("TWICETOLD_MCP_TOKEN", "guessable").output().expect("it starts");
    assert_eq!(short.status.code(), Some(2));
    home.run(["mcp", "--http", "--port", "0", "--seat", "player-9"]).failed(2, &["player-9"]);
    home.run(["mcp", "--seat", "dm", "--seat", "player-1"]).failed(2, &["--http"]);
}

#[test]
fn the_official_client_plays_two_seats_to_the_end_by_both_transports() {
    let what = "the official client of the Model Context Protocol";
    let Some(python) = python(env!("CARGO_TARGET_TMPDIR"), "agents", what) else { return };
    let script = repository().join("tests/agents/play.py");
    let played = |home: &Home, arguments: &[&str], tools: &str| {
        let done = Command::new(&python).arg(&script).args(arguments).output().expect("it starts");
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
        let played: Value = serde_json::from_str(&said).expect("JSON");
        assert_eq!(played["states"], json!(["over", "over"]));
        assert_eq!(played["tools"][0], tools);
        let id = played["id"].as_str().expect("an id");
        home.succeed(["replay", id]);
        let ended = home.succeed(["show", id, "transcript"]);
        assert!(ended.contains("Ada plays Player 1") && ended.contains("Bert plays Player 2"), "{ended}");
        let log = home.succeed(["log", id, "--json"]);
        let answered = log.lines().find(|line| line.contains("PersonAnswered")).expect("an agent answered");
        let number = serde_json::from_str::<Value>(answered).expect("JSON")["number"].to_string();
        let why = home.succeed(["why", id, "number", &number]);
        assert!(why.contains("Ada") || why.contains("Bert"), "{why}");
    };
    let home = Home::new();
    let mut served = Served::start(&home, &[], None);
    let (address, header) = served.invitation();
    let authorization = header.trim_start_matches("Authorization: ");
    played(&home, &["http", &address, authorization], "take_seat");
    assert_eq!(served.stop(), Some(0));
    let home = Home::new();
    let command = home.command(["mcp"]);
    let data = home.path("data");
    let program = command.get_program().to_str().expect("a path");
    let data = data.to_str().expect("a path");
    played(&home, &["stdio", program, "mcp", "--data", data], "list_campaigns");
}
