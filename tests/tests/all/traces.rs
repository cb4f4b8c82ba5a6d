//! Traces are well formed, have the names of the conventions, are the same whenever they are sent, and cost play nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;
use twicetold_improv::improvise;
use twicetold_tests::{Home, Outcome, Response, Server, flat, python};

/// A collector on loopback. It holds each request to the protocol and keeps its body.
struct Collector {
    address: SocketAddr,
    bodies: Receiver<Value>,
}

impl Collector {
    /// One that answers each request, counted from 0, with a status and a body.
    fn start(answer: impl Fn(usize) -> (&'static str, &'static str) + Send + 'static) -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, bodies) = channel();
        std::thread::spawn(move || {
            let mut requests = 0;
            for stream in listener.incoming() {
                let mut reader = BufReader::new(stream.unwrap());
                // A client keeps its connection for the next request.
                while let Some(body) = request(&mut reader) {
                    let (status, said) = answer(requests);
                    requests += 1;
                    let length = said.len();
                    let head = format!(
                        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nretry-after: 0\r\ncontent-length: {length}\r\n\r\n{said}"
                    );
                    if status == "200 OK" && sender.send(body).is_err() {
                        return;
                    }
                    reader.get_mut().write_all(head.as_bytes()).unwrap();
                }
            }
        });
        Collector { address, bodies }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All spans so far, each checked.
    fn spans(&self) -> Vec<Value> {
        let spans: Vec<Value> = self.bodies.try_iter().flat_map(|body| spans(&body)).collect();
        check(&spans);
        spans
    }
}

fn taking() -> Collector {
    Collector::start(|_| ("200 OK", "{}"))
}

fn request(reader: &mut BufReader<TcpStream>) -> Option<Value> {
    let (mut line, mut headers) = (String::new(), BTreeMap::new());
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    assert_eq!(line, "POST /v1/traces HTTP/1.1\r\n");
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers.get("api-key").map(String::as_str), Some("hunter2"));
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    Some(serde_json::from_slice(&body).unwrap())
}

/// The members of an object, which may have no others.
fn members<'v>(value: &'v Value, required: &[&str], optional: &[&str]) -> &'v serde_json::Map<String, Value> {
    let members = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
    for name in required {
        assert!(members.contains_key(*name), "no {name}: {value}");
    }
    for name in members.keys() {
        assert!(required.contains(&name.as_str()) || optional.contains(&name.as_str()), "{name}: {value}");
    }
    members
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn spans(body: &Value) -> Vec<Value> {
    let mut spans = Vec::new();
    for of_resource in list(&members(body, &["resourceSpans"], &[])["resourceSpans"]) {
        members(of_resource, &["resource", "scopeSpans"], &["schemaUrl"]);
        let resource = attributes(&of_resource["resource"]["attributes"]);
        assert_eq!(resource["service.name"], "twicetold");
        for of_scope in list(&of_resource["scopeSpans"]) {
            members(of_scope, &["scope", "spans"], &["schemaUrl"]);
            members(&of_scope["scope"], &["name", "version"], &[]);
            spans.extend(list(&of_scope["spans"]).iter().cloned());
        }
    }
    assert!(!spans.is_empty(), "a request without spans");
    spans
}

/// Attributes by their keys, of which none is there twice.
fn attributes(value: &Value) -> BTreeMap<String, Value> {
    let mut read = BTreeMap::new();
    for attribute in list(value) {
        let attribute = members(attribute, &["key", "value"], &[]);
        let key = attribute["key"].as_str().unwrap().to_owned();
        assert!(read.insert(key.clone(), any(&attribute["value"])).is_none(), "{key} is there twice");
    }
    read
}

/// A value of the protocol as JSON.
fn any(value: &Value) -> Value {
    let (kind, value) = value.as_object().filter(|any| any.len() == 1).unwrap().iter().next().unwrap();
    match kind.as_str() {
        "stringValue" => value.as_str().unwrap().into(),
        "intValue" => value.as_str().unwrap().parse::<i64>().unwrap().into(),
        "arrayValue" => list(&value["values"]).iter().map(any).collect(),
        "kvlistValue" => attributes(&value["values"]).into_iter().collect(),
        other => panic!("{other} is no value of the protocol"),
    }
}

fn id(value: &Value, digits: usize) -> &str {
    let id = value.as_str().unwrap();
    assert!(id.len() == digits && id.bytes().all(|digit| b"0123456789abcdef".contains(&digit)), "{id}");
    assert!(id.bytes().any(|digit| digit != b'0'), "an id of zeros is invalid");
    id
}

fn nanoseconds(value: &Value) -> u64 {
    value.as_str().expect("64 bits are a text").parse().unwrap()
}

fn text<'s>(attributes: &'s BTreeMap<String, Value>, key: &str) -> &'s str {
    attributes.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("no {key} in {attributes:?}"))
}

/// Everything that the protocol and the conventions ask of spans.
fn check(spans: &[Value]) {
    let optional = ["parentSpanId", "status"];
    let required =
        ["traceId", "spanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano", "attributes"];
    let mut known = BTreeMap::new();
    for span in spans {
        members(span, &required, &optional);
        let of = (id(&span["traceId"], 32), id(&span["spanId"], 16));
        assert!(known.insert(of, span).is_none(), "a span was sent twice: {span}");
    }
    for ((trace, _), span) in &known {
        let (start, end) = (nanoseconds(&span["startTimeUnixNano"]), nanoseconds(&span["endTimeUnixNano"]));
        assert!(start <= end && start > 1_600_000_000_000_000_000, "{span}");
        let attributes = attributes(&span["attributes"]);
        let operation = text(&attributes, "gen_ai.operation.name");
        id(&attributes["gen_ai.conversation.id"], 32);
        let (kind, named) = match operation {
            "invoke_agent" => (1, format!("invoke_agent {}", text(&attributes, "gen_ai.agent.name"))),
            "chat" => (3, format!("chat {}", text(&attributes, "gen_ai.request.model"))),
            "execute_tool" => (1, format!("execute_tool {}", text(&attributes, "gen_ai.tool.name"))),
            "search_memory" | "create_memory" => (1, operation.to_owned()),
            other => panic!("{other} is no operation of the conventions"),
        };
        assert_eq!((&span["kind"], &span["name"]), (&kind.into(), &named.as_str().into()));
        // Only turns begin traces; whatever happens within one is part of it.
        match span.get("parentSpanId") {
            None => assert_eq!(operation, "invoke_agent", "{span}"),
            Some(parent) => {
                let parent = known.get(&(*trace, id(parent, 16)));
                let parent = parent.unwrap_or_else(|| panic!("no parent of {span}"));
                assert!(nanoseconds(&parent["startTimeUnixNano"]) <= start, "{span}");
            }
        }
        let failed = span.get("status").map(|status| members(status, &["code", "message"], &[])["code"] == 2);
        assert_eq!(failed, attributes.contains_key("error.type").then_some(true), "{span}");
        match operation {
            "chat" => {
                text(&attributes, "gen_ai.provider.name");
                assert!(failed.is_some() || attributes.contains_key("gen_ai.response.finish_reasons"));
            }
            "execute_tool" => {
                text(&attributes, "gen_ai.tool.call.id");
            }
            "search_memory" | "create_memory" => {
                assert!(attributes["gen_ai.memory.record.count"].is_i64());
            }
            _ => {}
        }
    }
}

/// Spans by their ids: in which order they came does not matter.
fn sorted(spans: Vec<Value>) -> BTreeMap<String, Value> {
    spans.into_iter().map(|span| (span["spanId"].as_str().unwrap().to_owned(), span)).collect()
}

fn run(home: &Home, arguments: &[&str]) -> Outcome {
    let mut command = home.command(arguments);
    command.env("OTEL_EXPORTER_OTLP_HEADERS", "api-key=hunter2");
    Outcome::of(command.output())
}

/// Plays a campaign with chaos, which makes mistakes of every kind, and further arguments.
fn play(home: &Home, more: &[&str]) -> Outcome {
    let campaign = ["run", "one-lantern-short", "--model", "improv:chaos", "--seed", "8", "--quiet"];
    run(home, &[&campaign[..], more].concat()).succeeded()
}

/// The traces of the newest campaign, sent afterwards.
fn afterwards(home: &Home, more: &[&str]) -> Vec<Value> {
    let collector = taking();
    let said = run(home, &[&["trace", "last", "--otlp", &collector.url()], more].concat()).succeeded().stdout;
    let spans = collector.spans();
    assert_eq!(said, format!("{} spans sent to 127.0.0.1\n", spans.len()));
    spans
}

fn of(spans: &[Value], operation: &str) -> Vec<BTreeMap<String, Value>> {
    let all = spans.iter().map(|span| attributes(&span["attributes"]));
    all.filter(|span| text(span, "gen_ai.operation.name") == operation).collect()
}

#[test]
fn traces_are_well_formed_and_the_same_live_and_afterwards() {
    let (home, collector) = (Home::new(), taking());
    let said = play(&home, &["--otlp", &collector.url()]).stderr;
    assert_eq!(said, "");
    let (live, after) = (collector.spans(), afterwards(&home, &[]));
    for operation in ["chat", "create_memory", "execute_tool", "invoke_agent", "search_memory"] {
        assert!(!of(&after, operation).is_empty(), "no {operation}");
    }
    assert!(sorted(live) == sorted(after.clone()), "live and afterwards differ");
    assert!(sorted(after) == sorted(afterwards(&home, &[])), "a second time differs");
}

#[test]
fn words_are_sent_only_where_they_are_asked_for() {
    let (home, collector) = (Home::new(), taking());
    play(&home, &["--otlp", &collector.url(), "--content"]);
    let (live, without) = (collector.spans(), afterwards(&home, &[]));
    let with = afterwards(&home, &["--content"]);
    assert!(sorted(live) == sorted(with.clone()), "live and afterwards differ");
    let keys = |spans: &[Value]| -> BTreeSet<String> {
        spans.iter().flat_map(|span| attributes(&span["attributes"]).into_keys()).collect()
    };
    let added: Vec<_> = keys(&with).difference(&keys(&without)).cloned().collect();
    assert_eq!(
        added,
        [
            "gen_ai.input.messages",
            "gen_ai.memory.query.text",
            "gen_ai.output.messages",
            "gen_ai.system_instructions",
            "gen_ai.tool.call.arguments",
            "gen_ai.tool.definitions",
        ]
    );
    for call in of(&with, "chat") {
        assert!(!list(&call["gen_ai.input.messages"]).is_empty());
        let Some(output) = call.get("gen_ai.output.messages") else {
            assert!(call.contains_key("error.type"), "only what failed has no words: {call:?}");
            continue;
        };
        let output = &output[0];
        assert_eq!((&output["role"], output["parts"].as_array().is_some()), (&"assistant".into(), true));
        assert_eq!(call["gen_ai.response.finish_reasons"][0], output["finish_reason"]);
    }
}

#[test]
fn attempts_that_failed_and_a_campaign_that_was_paused_are_traced_like_any_other() {
    // The second request is slowed down, the sixth is refused for good.
    let server = Server::start(|number, body| match number {
        1 => Response::Status("429 Too Many Requests", r#"{"error":{"message":"hunter2"}}"#.into()),
        5 => Response::Status("401 Unauthorized", r#"{"error":{"message":"no"}}"#.into()),
        _ => Response::Body(improvise(body)),
    });
    let (home, collector) = (Home::new(), taking());
    home.configure(&server.base_url(), "");
    let campaign = "configuration/campaigns/the-borrowed-boat.toml";
    let paused = run(&home, &["run", campaign, "--seed", "7", "--quiet", "--otlp", &collector.url()]);
    assert_eq!(paused.code, Some(5), "{}", paused.stderr);
    run(&home, &["resume", "last", "--quiet", "--otlp", &collector.url()]).succeeded();
    let (live, after) = (collector.spans(), afterwards(&home, &[]));
    let calls = of(&after, "chat");
    let faults: Vec<&str> = calls.iter().filter_map(|call| call.get("error.type")?.as_str()).collect();
    assert_eq!((faults, calls.len()), (vec!["rate_limited", "unauthorized"], server.requests()));
    assert!(after.iter().all(|span| !span.to_string().contains("hunter2")), "a server's words are content");
    assert!(sorted(live) == sorted(after), "live and afterwards differ");
}

#[test]
fn a_collector_that_is_dead_busy_silent_or_picky_costs_play_nothing() {
    let twin = Home::new();
    let card = play(&twin, &[]).stdout;
    let story = |card: &str| card.lines().find(|line| line.contains("story")).map(str::to_owned);
    let silent = Server::start(|_, _| Response::Silence);
    let silent = silent.base_url();
    let refusing = Collector::start(|_| ("400 Bad Request", "{}"));
    let busy = Collector::start(|_| ("503 Service Unavailable", "{}"));
    let picky =
        Collector::start(|_| ("200 OK", r#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"no"}}"#));
    let nowhere = Server::nowhere();
    let cases = [
        (format!("http://{nowhere}"), "cannot be reached"),
        (silent, "too slow"),
        (refusing.url(), "rejected the message with status 400"),
        (busy.url(), "takes nothing now"),
        (picky.url(), "the collector rejected them"),
    ];
    // Each waits for its collector, and not for the others.
    let told = |(address, why): (String, &str)| {
        let home = Home::new();
        let played = play(&home, &["--otlp", &address]);
        assert_eq!(story(&played.stdout), story(&card));
        let said = flat(&played.stderr);
        assert!(said.contains(" not sent (") && said.contains(why), "{address}: {said}");
        assert_eq!(said.matches("not sent").count(), 1, "{said}");
    };
    std::thread::scope(|scope| cases.into_iter().for_each(|case| drop(scope.spawn(|| told(case)))));
}

#[test]
fn campaigns_of_a_sweep_are_sent_when_they_are_over_and_a_dead_collector_changes_nothing() {
    let sweep = |address: &str| {
        let home = Home::new();
        let plan =
            "name = \"three\"\ncampaigns = \"the-borrowed-boat\"\nseeds = \"1..3\"\nmodels = \"improv\"\n";
        home.write("plan.toml", plan);
        run(&home, &["sweep", "run", "plan.toml", "--json", "--otlp", address]).succeeded()
    };
    let collector = taking();
    let sent = sweep(&collector.url());
    let spans = of(&collector.spans(), "invoke_agent");
    let campaigns: BTreeSet<&str> = spans.iter().map(|span| text(span, "gen_ai.conversation.id")).collect();
    assert_eq!((campaigns.len(), sent.stderr.as_str()), (3, ""));
    let nowhere = Server::nowhere();
    let dead = sweep(&format!("http://{nowhere}"));
    assert_eq!(dead.stdout, sent.stdout);
    assert!(flat(&dead.stderr).contains("Traces of 3 campaigns not sent ("), "{}", dead.stderr);
}

#[test]
fn an_address_that_cannot_be_used_is_told_of_before_anything_is_played() {
    let home = Home::new();
    for address in ["collector", "http://collector.example:4318"] {
        run(&home, &["run", "--otlp", address]).failed(2, &["collector"]);
    }
    assert!(home.campaigns().is_empty());
    let nowhere = Server::nowhere();
    let nowhere = format!("http://{nowhere}");
    play(&home, &[]);
    run(&home, &["trace", "last", "--otlp", &nowhere]).failed(1, &["collector", "cannot be reached"]);
    let picky = Collector::start(|_| ("200 OK", r#"{"partialSuccess":{"rejectedSpans":3}}"#));
    run(&home, &["trace", "last", "--otlp", &picky.url()]).failed(1, &["spans not sent", "rejected"]);
}

#[test]
fn the_official_types_read_every_request() {
    let what = "the official types of OpenTelemetry";
    let Some(python) = python(env!("CARGO_TARGET_TMPDIR"), "traces", what) else { return };
    let (home, collector) = (Home::new(), taking());
    play(&home, &[]);
    run(&home, &["trace", "last", "--otlp", &collector.url(), "--content"]).succeeded();
    let bodies: Vec<Value> = collector.bodies.try_iter().collect();
    let lines: String = bodies.iter().map(|body| format!("{body}\n")).collect();
    home.write("bodies", lines);
    let mut program = std::process::Command::new(python);
    program.arg(twicetold_tests::repository().join("tests/traces/official.py"));
    let read = program.stdin(std::fs::File::open(home.path("bodies")).unwrap()).output().unwrap();
    let said = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success(), "{said}");
    let count: usize = bodies.iter().map(|body| spans(body).len()).sum();
    assert_eq!(String::from_utf8_lossy(&read.stdout).trim(), count.to_string());
}
