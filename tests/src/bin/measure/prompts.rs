//! Measures what a model is asked in a campaign: `prompts [CAMPAIGN [SEED [SERVER]]]`, SERVER being the address of a llama.cpp server, as
//! 127.0.0.1:8080.
//!
//! The improviser plays; every request is written as for a server of chat completions. Without a server it prints bytes: how large
//! requests are, and which parts they have. With a server, each request is also sent there, for one token of reply, and the server's own
//! counters are printed: the tokens of prompts, and how many of them it had read before.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use twicetold_dialect::Protocol;
use twicetold_event::{Event, Purpose, Seat};
use twicetold_tests::Game;
use twicetold_tests::strict::{Model, StrictServer};

pub fn main(words: Vec<String>) {
    let mut words = words.into_iter();
    let campaign = words.next().unwrap_or_else(|| "one-lantern-short".into());
    let seed = words.next().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let server = words.next();
    let bodies = bodies(&campaign, seed);
    println!("{campaign}, seed {seed}: {} requests", bodies.len());
    let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
    for (seat, purpose, body) in &bodies {
        let sizes = sizes(body);
        let counted = server.as_deref().map(|server| counted(server, body));
        let kind = kinds.entry(format!("{} {purpose}", seat.slug())).or_default();
        kind.add(sizes, counted.unwrap_or_default());
    }
    for (name, kind) in &kinds {
        kind.print(name);
    }
    let all = kinds.values().fold(Kind::default(), Kind::with);
    all.print("all");
}

/// Every request of a campaign with its seat and purpose.
fn bodies(campaign: &str, seed: u64) -> Vec<(Seat, &'static str, Value)> {
    let mut server = StrictServer::new(Protocol::ChatCompletions, Model::Native);
    let game = Model::Native.seated(Game::of(campaign, seed), Protocol::ChatCompletions);
    let mut seats = Vec::new();
    let played = game.answered(&mut |seat, body| {
        seats.push(seat);
        server.answer(seat, body)
    });
    let purposes = played.events.iter().filter_map(|event| match event {
        Event::ModelCallRequested(call) => Some(match call.purpose {
            Purpose::SessionZero => "session zero",
            Purpose::Play => "play",
            Purpose::Dialogue => "dialogues",
            Purpose::Summary { .. } | Purpose::DialogueSummary { .. } | Purpose::Profile { .. } => "memory",
        }),
        _ => None,
    });
    let bodies = server.bodies.iter().map(|body| serde_json::from_str(body).expect("a request is JSON"));
    seats.into_iter().zip(purposes).zip(bodies).map(|((seat, purpose), body)| (seat, purpose, body)).collect()
}

/// What the requests of a kind add up to.
#[derive(Default)]
struct Kind {
    requests: u64,
    /// Bytes of instructions, of tools, of all between, and of the last message.
    bytes: [u64; 4],
    largest: u64,
    counted: Counted,
    largest_counted: u64,
}

/// Tokens of prompts by the server's counters.
#[derive(Clone, Copy, Default)]
struct Counted {
    read: u64,
    reused: u64,
}

impl Kind {
    fn add(&mut self, bytes: [u64; 4], counted: Counted) {
        *self = std::mem::take(self).with(&Kind {
            requests: 1,
            bytes,
            largest: bytes.iter().sum(),
            counted,
            largest_counted: counted.read,
        });
    }

    fn with(self, other: &Kind) -> Kind {
        Kind {
            requests: self.requests + other.requests,
            bytes: std::array::from_fn(|part| self.bytes[part] + other.bytes[part]),
            largest: self.largest.max(other.largest),
            counted: Counted {
                read: self.counted.read + other.counted.read,
                reused: self.counted.reused + other.counted.reused,
            },
            largest_counted: self.largest_counted.max(other.largest_counted),
        }
    }

    fn print(&self, name: &str) {
        let [system, tools, between, last] = self.bytes.map(|bytes| bytes / self.requests.max(1));
        print!(
            "{name}: {} requests, at most {} bytes; on average instructions {system}, tools {tools}, history {between}, state {last}",
            self.requests, self.largest
        );
        let Counted { read, reused } = self.counted;
        if let Some(share) = (reused * 100).checked_div(read) {
            print!("; {read} tokens, at most {}, {share} % of them reused", self.largest_counted);
        }
        println!();
    }
}

/// Bytes of a request's parts, as texts without the JSON around them.
fn sizes(body: &Value) -> [u64; 4] {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |message: &Value| {
        let calls = message.get("tool_calls").map_or(0, |calls| calls.to_string().len());
        (message["content"].as_str().map_or(0, str::len) + calls) as u64
    };
    let tools = body.get("tools").map_or(0, |tools| tools.to_string().len() as u64);
    match messages {
        [] => [0, tools, 0, 0],
        [system] => [text(system), tools, 0, 0],
        [system, between @ .., last] => [text(system), tools, between.iter().map(text).sum(), text(last)],
    }
}

/// Sends a request to the server, for one token of reply, and reads its counters.
fn counted(server: &str, body: &Value) -> Counted {
    let mut body = body.clone();
    for (field, value) in [("max_tokens", json!(1)), ("stream", json!(false)), ("cache_prompt", json!(true))]
    {
        body[field] = value;
    }
    for field in ["stream_options", "max_completion_tokens", "response_format"] {
        body.as_object_mut().map(|body| body.remove(field));
    }
    let body = body.to_string();
    let mut stream = TcpStream::connect(server).unwrap_or_else(|error| panic!("{server}: {error}"));
    let request = format!(
        "POST /v1/chat/completions HTTP/1.0\r\nHost: {server}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut answer = String::new();
    stream.write_all(request.as_bytes()).expect("the server reads");
    stream.read_to_string(&mut answer).expect("the server answers with text");
    let (_, answer) = answer.split_once("\r\n\r\n").unwrap_or_default();
    let answer: Value =
        serde_json::from_str(answer).unwrap_or_else(|error| panic!("{server}: {error}: {answer}"));
    let read = answer["usage"]["prompt_tokens"].as_u64().unwrap_or_else(|| panic!("{server}: {answer}"));
    Counted { read, reused: answer["timings"]["cache_n"].as_u64().unwrap_or_default() }
}
